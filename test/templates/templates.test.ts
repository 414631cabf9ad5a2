/** Each template is a whole beginning: its model is read, fits its own record, and is made for the columns of others. */
import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/data/csv/csv.ts";
import { record } from "../../src/data/data-record.ts";
import type { Table } from "../../src/data/table/table.ts";
import { model } from "../../src/library/model.ts";
import { run } from "../../src/library/run.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { beginningFor, beginningOf } from "../../src/templates/beginning.ts";
import { templateFor, templateText } from "../../src/templates/for-columns.ts";
import { templates } from "../../src/templates/list.ts";
import { templatePicture } from "../../src/templates/picture.ts";
import { sampleRecord } from "../../src/templates/sample-record.ts";
import type { Template } from "../../src/templates/template.ts";

const byName = new Map(templates.map((template) => [template.name, template]));

/** What fit finds, in standard errors from the truth; chance alone goes beyond 5 once in a million. */
async function expectTruth(
	text: string,
	data: Record<string, ArrayLike<number>>,
	truth: Record<string, number>,
) {
	const result = await run(model(text), record(data), { method: "fit" });
	expect(result.outcome).toBe("converged");
	expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
	const known = result.parameters.filter(({ name }) => Object.hasOwn(truth, name));
	expect(known.length).toBe(result.parameters.length);
	for (const { name, estimate, sd } of known)
		expect(Math.abs(estimate - truth[name]) / sd!, name).toBeLessThan(5);
}

describe.each(templates.map((template) => [template.name, template] as const))("%s", (_, template) => {
	it("finds its truth by its defaults", async () => {
		const { columns, truth } = sampleRecord(template);
		await expectTruth(templateText(template), columns, truth);
	});

	it("has a sentence, a picture, and methods that apply", () => {
		expect(template.sentence).toMatch(/^[a-z].*\.$/);
		expect(templatePicture(template)).toMatch(/^<svg .*<\/svg>$/s);
		const applies = applicability(model(templateText(template))).filter((each) => each.applies);
		expect(applies.map(({ method }) => method)).toEqual(expect.arrayContaining(["fit", "bayes"]));
	});

	it("is a study that can be read", () => {
		const files = new Map(beginningOf(template).map(({ name, content }) => [name, content]));
		const study = parseStudy(files.get("study.yaml")!, "study.yaml", methods);
		expect(study.model).toEqual({ kind: "file", file: `${template.name}.ode` });
		const table = readCsv(new TextEncoder().encode(files.get("record.csv")!), "record.csv");
		const names = [...template.inputs, ...template.outputs].map(({ name }) => name);
		expect(table.columns.map(({ name }) => name)).toEqual(["t", ...names]);
	});
});

/** The sample record in other units, under other names. */
function inOtherUnits(
	template: Template,
	factors: Record<string, number>,
	names: Record<string, string>,
): Table {
	const { columns } = sampleRecord(template);
	return {
		source: "mine.csv",
		nRows: columns.t.length,
		columns: Object.entries(columns).map(([name, values]) => ({
			name: names[name] ?? name,
			values: values.map((value) => (factors[name] ?? 1) * value),
		})),
	};
}

describe("made for a record", () => {
	it("in other units: the model follows its sizes, and finds the truth there", async () => {
		const template = byName.get("oscillator")!;
		const table = inOtherUnits(
			template,
			{ t: 1000, u: 0.001, y: 1000 },
			{ t: "Time", u: "Force", y: "Position" },
		);
		const made = templateFor(template, table);
		expect(made).toMatchObject({ time: "Time", columns: { u: "Force", y: "Position" }, open: [], left: [] });
		const { truth } = sampleRecord(template);
		const [t, u, y] = table.columns.map(({ values }) => values);
		await expectTruth(
			made.model,
			{ t, u, y },
			{
				m: truth.m,
				c: truth.c * 1e-3,
				k: truth.k * 1e-6,
				s: truth.s * 1000,
				"x(0)": truth["x(0)"] * 1000,
				"x'(0)": 0,
			},
		);
	});

	it("of no more than two swings", () => {
		const year = Float64Array.from({ length: 21 }, (_, i) => 1900 + i);
		const counted = (shift: number) => year.map((t) => 40 - 30 * Math.cos((2 * Math.PI * (t - shift)) / 10));
		const table = {
			columns: [
				{ name: "Year", values: year },
				{ name: "Hare", values: counted(1900) },
				{ name: "Lynx", values: counted(1902) },
			],
		};
		const { model } = templateFor(byName.get("predator-prey")!, table);
		const size = (name: string) =>
			Number(new RegExp(`${name} ~ lognormal\\(log\\(([\\d.]+)`).exec(model)![1]);
		// About a centre the period is 2π/√(ac).
		const period = (2 * Math.PI) / Math.sqrt(size("a") * size("c"));
		expect(period).toBeGreaterThan(7);
		expect(period).toBeLessThan(14);
	});

	it("of years and thousands", async () => {
		const template = byName.get("predator-prey")!;
		const table = inOtherUnits(
			template,
			{ prey: 1000, predator: 1000 },
			{ t: "Year", prey: "Hare", predator: "Lynx" },
		);
		table.columns[0].values = table.columns[0].values.map((year) => 1900 + year);
		const made = templateFor(template, table);
		expect(made).toMatchObject({ time: "Year", columns: { prey: "Hare", predator: "Lynx" } });
		const { truth } = sampleRecord(template);
		const [t, prey, predator] = table.columns.map(({ values }) => values);
		await expectTruth(
			made.model,
			{ t, prey, predator },
			{
				...truth,
				b: truth.b / 1000,
				d: truth.d / 1000,
				"x(0)": truth["x(0)"] * 1000,
				"y(0)": truth["y(0)"] * 1000,
			},
		);
	});

	it("asks for what no column is called like, and takes no column by its place", () => {
		const template = byName.get("oscillator")!;
		const table = inOtherUnits(template, {}, { u: "ch1", y: "ch2" });
		const made = templateFor(template, table);
		expect(made.open.map(({ name }) => name)).toEqual(["u", "y"]);
		expect(made.left).toEqual(["ch1", "ch2"]);
		expect(templateFor(template, table, { u: "ch1", y: "ch2" })).toMatchObject({ open: [], left: [] });
		const [{ content }] = beginningFor(template, {
			fileName: "mine.csv",
			table,
			columns: { u: "ch1", y: "ch2" },
		});
		expect(parseStudy(content, "study.yaml", methods).records[0].columns).toEqual({ u: "ch1", y: "ch2" });
	});

	it("with nothing in it is still a model", () => {
		const empty = { columns: [{ name: "y", values: Float64Array.of(Number.NaN) }] };
		for (const template of templates) expect(() => model(templateFor(template, empty).model)).not.toThrow();
	});
});
