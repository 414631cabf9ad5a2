/** Files of others, opened in the page: a model in SBML, a PEtab problem; and units that are converted. */
import { strToU8, zipSync } from "fflate";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { compartment, list, parameter, reaction, sbml, species } from "../formats/models.ts";
import { drop, hasChromium, openPage, Visit } from "./page.ts";
import { rigModel, rigRows } from "./records-of-ones-own.ts";
import type { StaticServer } from "./static-server.ts";

const decay = sbml(
	list("Compartments", compartment("c", 1)) +
		list(
			"Species",
			species("A", "c", 'initialConcentration="1"'),
			species("B", "c", 'initialConcentration="0"'),
		) +
		list("Parameters", parameter("k1", 0.8)) +
		list("Reactions", reaction("forth", "A", "B", "(times k1 A)")),
);
const table = (...rows: readonly string[]): string => rows.map((row) => row.replaceAll(" ", "\t")).join("\n");

/** A(t) = exp(-k1 t) with k1 = 0.5, and small errors. */
const petab = [
	{ name: "model.xml", content: decay },
	{
		name: "parameters.tsv",
		content: table(
			"parameterId parameterScale lowerBound upperBound nominalValue estimate",
			"k1 log10 0.01 10 0.3 1",
		),
	},
	{ name: "conditions.tsv", content: table("conditionId", "usual") },
	{
		name: "observables.tsv",
		content: table("observableId observableFormula noiseFormula", "seen A 0.01"),
	},
	{
		name: "measurements.tsv",
		content: table(
			"observableId simulationConditionId measurement time",
			...Array.from(
				{ length: 20 },
				(_, i) => `seen usual ${(Math.exp(-0.5 * i) + 0.01 * Math.sin(i * i * 7.3)).toFixed(5)} ${i}`,
			),
		),
	},
	{
		name: "problem.yaml",
		content: `format_version: 1
parameter_file: parameters.tsv
problems:
- sbml_files: [model.xml]
  condition_files: [conditions.tsv]
  observable_files: [observables.tsv]
  measurement_files: [measurements.tsv]
`,
	},
];

describe.runIf(hasChromium)("files of others", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	it("a PEtab problem is a study that runs; without one of its files that is said, and the work stays", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await drop(page, petab.slice(1));
		await page.getByText("model.xml").first().waitFor();
		expect(await page.locator(".record-tabs .chip").first().textContent()).toBe("record.csv");
		await drop(page, petab);
		await page.getByText("problem").first().waitFor();
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await page.locator("[data-track]").count()).toBe(1);
		expect(await visit.run()).toBe("converged");
		const { parameters } = JSON.parse(await visit.download('[data-file="summary.json"]'));
		const [found] = Object.values(parameters) as { estimate: number; sd: number }[];
		expect(Math.abs(found.estimate - 0.5)).toBeLessThan(4.5 * found.sd);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("a PEtab problem that is packed is one that is dropped", async () => {
		const visit = await Visit.open(browser, server.url);
		const files = petab.map(({ name, content }) => [`mine/${name}`, strToU8(content)] as const);
		const content = Buffer.from(zipSync(Object.fromEntries(files)));
		await drop(visit.page, [{ name: "packed.zip", content }]);
		await visit.page.locator(".record-tabs .chip", { hasText: "usual" }).first().waitFor();
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("a model in SBML becomes one in the language, to go on with", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await drop(page, [{ name: "decay.xml", content: decay }]);
		await page.getByText("# From decay.xml").waitFor();
		const text = (await page.locator(".editor .cm-line").allTextContents()).join("\n");
		expect(text).toMatch(/state\s+A/);
		expect(text).toContain("k1");
		expect(await page.locator(".errors").count()).toBe(0);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("units of a header are kept, and converted by a factor", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		const rows = rigRows(200).map(({ t, force, position }) => `${t},${force},${1000 * position}`);
		await drop(page, [
			{ name: "rig.ode", content: rigModel },
			{ name: "rig.csv", content: `t [s],F [N],pos [mm]\n${rows.join("\n")}\n` },
		]);
		await page.getByText("200 × 3").waitFor();
		await visit.openPanel();
		await page.getByText("Factors, to convert units").click();
		expect(await page.textContent(".factors")).toContain("pos [mm] ×");
		const factor = page.getByLabel("Factor of pos");
		await factor.fill("nothing");
		await factor.press("Enter");
		await page.getByText("is not a number other than 0").first().waitFor();
		await factor.fill("0.001");
		await factor.press("Enter");
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await visit.run()).toBe("converged");
		const { parameters } = JSON.parse(await visit.download('[data-file="summary.json"]'));
		// In metres: k is 9, and the spread as small as it was made.
		expect(Math.abs(parameters.k.estimate - 9)).toBeLessThan(4.5 * parameters.k.sd);
		expect(parameters.s.estimate).toBeLessThan(0.01);
		expect(await visit.download('[data-file="study.yaml"]')).toMatch(/factors:\s+pos: 0.001/);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});
});
