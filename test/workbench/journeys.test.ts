/** From a raw file to a downloaded report, as people go: data or model first, and a reload in the middle. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../cli/odentify.ts";
import { drop, hasChromium, openPage, Visit } from "./page.ts";
import { fieldCsv, fieldModel, rigCsv, rigModel } from "./records-of-ones-own.ts";
import type { StaticServer } from "./static-server.ts";

interface Journey {
	readonly name: string;
	readonly first: "data" | "model";
	readonly model: string;
	readonly records: readonly { readonly name: string; readonly content: string }[];
	/** Columns that must be said, of every record. */
	readonly match?: Readonly<Record<string, string>>;
	/** Conditions by record. */
	readonly conditions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
	readonly method: string;
	readonly outcome: RegExp;
}

const paper = (...path: string[]): string => readFileSync(join(root, "examples/papers", ...path), "utf8");

/** Counts of two species over the years: whole numbers, the later the fewer digits are sure. */
function counts(): string {
	let [hare, lynx] = [30, 5];
	const rows = Array.from({ length: 41 }, (_, year) => {
		const row = `${1900 + year / 2},${hare.toFixed(1)},${lynx.toFixed(1)}`;
		for (let s = 0; s < 2000; s++) {
			const h = 0.5 / 2000;
			const [dh, dl] = [0.55 * hare - 0.03 * hare * lynx, 0.025 * hare * lynx - 0.8 * lynx];
			hare += h * dh;
			lynx += h * dl;
		}
		return row;
	});
	return `Year,Hare,Lynx\n${rows.join("\n")}\n`;
}

const eater = `param a ~ lognormal(log(0.5), 0.5), b ~ lognormal(log(0.03), 0.5)
param c ~ lognormal(log(0.03), 0.5), d ~ lognormal(log(0.8), 0.5)
param s ~ halfnormal(5)
state h, l
h' = a*h - b*h*l
l' = c*h*l - d*l
measure hare ~ normal(h, s)
measure lynx ~ normal(l, s)
`;

const journeys: readonly Journey[] = [
	{
		name: "a driven oscillator, from a spreadsheet of another country",
		first: "data",
		model: rigModel,
		records: [{ name: "rig.csv", content: rigCsv().replace("Zeit;Kraft;Weg", "Zeit [s];Kraft [N];Weg [m]") }],
		match: { F: "Kraft", pos: "Weg" },
		method: "fit",
		outcome: /^converged$/,
	},
	{
		name: "lynx and hare",
		first: "model",
		model: eater,
		records: [{ name: "pelts.csv", content: counts() }],
		method: "fit",
		outcome: /^converged$/,
	},
	{
		name: "a tracer in two records, within bounds",
		first: "data",
		model: paper("compartments", "compartments.ode"),
		records: [
			{ name: "first.csv", content: paper("compartments", "record.csv") },
			{ name: "second.csv", content: paper("compartments", "record.csv") },
		],
		method: "guaranteed",
		outcome: /^proved$/,
	},
	{
		name: "an unknown field",
		first: "model",
		model: fieldModel,
		records: [{ name: "species.csv", content: fieldCsv() }],
		method: "kriging",
		outcome: /^converged$/,
	},
	{
		name: "which terms",
		first: "data",
		model: paper("operating-conditions", "operating-conditions.ode"),
		records: [1, 2, 3, 4, 5, 6].map((i) => ({
			name: `set-${i}.csv`,
			content: paper("operating-conditions", `set-${i}.csv`),
		})),
		conditions: {
			"set-1.csv": { c2: "0.5", c3: "0.5" },
			"set-2.csv": { c2: "1", c3: "0" },
			"set-3.csv": { c2: "0", c3: "1" },
			"set-4.csv": { c2: "1", c3: "1" },
			"set-5.csv": { c2: "-1", c3: "0" },
			"set-6.csv": { c2: "0", c3: "-1" },
		},
		method: "inversion",
		outcome: /^converged$/,
	},
	{
		name: "a neuron's record",
		first: "model",
		model: paper("morris-lecar", "morris-lecar.ode"),
		records: [{ name: "neuron.csv", content: paper("morris-lecar", "record.csv") }],
		method: "periodic",
		outcome: /./,
	},
];

describe.runIf(hasChromium)("a journey", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	for (const { name, first, model, records, match = {}, conditions = {}, method, outcome } of journeys)
		it(name, { timeout: 180_000 }, async () => {
			const visit = await Visit.open(browser, server.url, { viewport: { width: 1280, height: 860 } });
			const { page } = visit;
			const bringModel = () => drop(page, [{ name: "mine.ode", content: model }]);
			const bringData = async (): Promise<void> => {
				await drop(page, records);
				await page.getByRole("button", { name: records.at(-1)!.name, exact: true }).waitFor();
			};
			const steps = first === "data" ? [bringData, bringModel] : [bringModel, bringData];
			for (const step of steps) await step();
			for (const { name: file } of records) {
				await page.getByRole("button", { name: file, exact: true }).click();
				if (Object.keys(match).length > 0) await visit.match(match);
				for (const [condition, value] of Object.entries(conditions[file] ?? {})) {
					await visit.openPanel();
					const field = page
						.locator(".mapping label", { hasText: new RegExp(`^${condition}`) })
						.locator("input");
					await field.fill(value);
					await field.press("Enter");
				}
			}
			await visit.choose(method);
			await page.waitForSelector(".run button.primary:not([disabled])");
			await page.getByText("(saved)").waitFor();
			await page.reload();
			await visit.ready();
			await page.waitForSelector(".run button.primary:not([disabled])");
			expect(await page.textContent(".run button.primary")).toBe(`Run ${method}`);
			expect(await visit.run()).toMatch(outcome);
			const report = await visit.download('[data-file="report.html"]');
			expect(report).toContain("<h2>The answer</h2>");
			if (method === "inversion") {
				// The law that was found is shown, and can be gone on with.
				await page.waitForSelector('[data-testid="found-law"] .katex');
				await page.getByRole("button", { name: "Continue with this model" }).click();
				await page.waitForSelector(".run button.primary:not([disabled])");
				expect(await page.textContent(".run button.primary")).toBe("Run fit");
				await page.getByRole("button", { name: "Undo" }).click();
			}
			expect(visit.problems).toEqual([]);
			await visit.close();
		});
});
