/** Parts of the page that need no browser. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTable } from "../../src/data/index.ts";
import { applicability, defaultOptions, methods, type Result } from "../../src/methods/index.ts";
import { parseModel } from "../../src/model/index.ts";
import { packJson, parseStudy, simulateStudy } from "../../src/study/index.ts";
import type { Plan } from "../../workbench/contract.ts";
import { checkModel } from "../../workbench/engine/check-model.ts";
import { play, stage } from "../../workbench/engine/playing.ts";
import { readTableData } from "../../workbench/engine/read-table-data.ts";
import { openRun, openStudy, planText, recordText } from "../../workbench/engine/studies.ts";
import { suggestion } from "../../workbench/method/suggest.ts";
import { optionOf, setOf, setText } from "../../workbench/method/typed-options.ts";
import { exampleList } from "../../workbench/page/example-list.ts";
import { guessRecord, hasClock, lackOf, recordFor } from "../../workbench/page/record-guess.ts";
import { linkOf, sharedOf } from "../../workbench/page/share-link.ts";
import { numberOf } from "../../workbench/page/typed.ts";
import { indexAt, thin } from "../../workbench/plot/thin.ts";
import { markersOf, rowsOf } from "../../workbench/records/typed.ts";
import { canZoom, crop } from "../../workbench/result/crop.ts";
import { crossCheckOf, verdictText } from "../../workbench/result/cross-check.ts";
import { secondsToGo } from "../../workbench/run/time-to-go.ts";
import { comparison } from "../../workbench/runs/comparison.ts";
import { root } from "../cli/odentify.ts";

const examples = join(root, "examples/papers");
const read = (...path: string[]): string => readFileSync(join(examples, ...path), "utf8");

describe("the folder of the page", () => {
	it("imports only public entry points of the library", () => {
		const files = readdirSync(join(root, "workbench"), { recursive: true, encoding: "utf8" }).filter((name) =>
			/\.(ts|svelte|mjs)$/.test(name),
		);
		const inner = files.flatMap((file) => {
			const text = readFileSync(join(root, "workbench", file), "utf8");
			return [...text.matchAll(/from "((?:\.\.\/)+src\/[^"]+)"/g)].map(([, from]) => `${file}: ${from}`);
		});
		expect(inner.length).toBeGreaterThan(10);
		expect(inner.filter((each) => !each.endsWith("/index.ts"))).toEqual([]);
	});
});

describe("equations", () => {
	it("are set in the fonts that the page has", () => {
		const letters = /\\\\(math(bf|cal|frak|sf|scr|tt|bb)|text(bf|sf|tt)|boldsymbol|bm)\b/;
		for (const file of readdirSync(join(root, "src/model/print")))
			expect([file, letters.test(readFileSync(join(root, "src/model/print", file), "utf8"))]).toEqual([
				file,
				false,
			]);
	});
});

describe("studies", () => {
	for (const { id } of exampleList)
		it(`${id} is written as it was read`, () => {
			const source = read(id, "study.yaml");
			const { plan, modelFile } = openStudy(source, "study.yaml");
			const whole = { ...plan, model: read(id, modelFile!) };
			const again = openStudy(planText(whole), "study.yaml").plan;
			expect(again).toEqual(whole);
			const first = parseStudy(source, "study.yaml", methods);
			const second = parseStudy(planText(whole), "study.yaml", methods);
			expect(second.records).toEqual(first.records.map((record) => ({ ...record })));
			expect([second.train, second.test, second.options, second.set, second.seed]).toEqual([
				first.train,
				first.test,
				first.options,
				first.set,
				first.seed,
			]);
		});

	it("keeps what a record says, and rows that are not used", () => {
		const plan: Plan = {
			title: "study",
			model: "param k\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.1)\n",
			records: [
				{
					file: "a.csv",
					rate: 100,
					start: 2,
					columns: { y: "level" },
					input: "sinc",
					detrend: "mean",
					conditions: {},
					missing: [-999],
					train: "none",
					test: { from: 5 },
				},
				{
					file: "b.csv",
					time: "t",
					columns: {},
					input: "zoh",
					detrend: "none",
					conditions: {},
					missing: [],
					train: { from: 0, to: 7 },
				},
			],
			method: "fit",
			options: { fit: { starts: 2 } },
			seed: 4,
			set: { k: 0.5 },
		};
		expect(openStudy(planText(plan), "study.yaml").plan).toEqual(plan);
	});

	it("travel in a link, with or without their data", async () => {
		const { plan } = openStudy(read("silverbox", "study.yaml"), "study.yaml");
		const short = await linkOf({ plan, example: "silverbox" }, "http://x/#old");
		expect(short.link).toMatch(/^http:\/\/x\/#study=[\w-]+$/);
		expect(await sharedOf(new URL(short.link).hash)).toEqual({ plan, example: "silverbox" });
		const noise = Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 99_991).join("\n");
		const long = await linkOf({ plan, records: { "a.csv": noise } }, "http://x/");
		expect(long.whole).toBe(false);
		expect(await sharedOf(new URL(long.link).hash)).toEqual({ plan });
		expect(await sharedOf("#token=abc")).toBeUndefined();
		await expect(sharedOf("#study=AAAA")).rejects.toThrow();
		const empty = await linkOf({ plan: {} as Plan }, "http://x/");
		await expect(sharedOf(new URL(empty.link).hash)).rejects.toThrow("no study");
	});
});

describe("examples", () => {
	for (const { id } of exampleList)
		it(`${id}: its records are what its make-record.yaml makes`, async () => {
			const study = parseStudy(read(id, "make-record.yaml"), "make-record.yaml", methods);
			const text = study.model.kind === "text" ? study.model.text : read(id, study.model.file);
			const simulations = simulateStudy(study, parseModel(text, "model.ode"), new Map());
			const several = simulations.length > 1;
			for (const { name, columns, outcome } of simulations) {
				expect(outcome).toBe("converged");
				const file = several ? `${name}.csv` : "record.csv";
				const table = await readTable(new TextEncoder().encode(read(id, file)), file);
				expect(table.columns.map((column) => column.name)).toEqual(columns.map((column) => column.name));
				for (const [c, { values }] of columns.entries()) {
					const largest = Math.max(...values.map(Math.abs));
					const stored = table.columns[c].values;
					expect(stored.length).toBe(values.length);
					for (let i = 0; i < values.length; i++)
						expect(Math.abs(stored[i] - values[i])).toBeLessThanOrEqual(2e-5 * largest);
				}
			}
		});
});

describe("the model", () => {
	it("is typeset as it was written", async () => {
		const { tex, errors } = await checkModel(read("morris-lecar", "morris-lecar.ode"), "model.ode");
		expect(errors).toEqual([]);
		expect(tex[1]).toBe("q' = \\frac{\\mathrm{wInf} - q}{τ}");
		const { tex: other } = await checkModel(
			"param k3, a_b\nstate x\nx'' = -k3*x^3 + abs(x)/2e-3 - a_b*exp(-x)\nmeasure y = x\n",
			"m.ode",
		);
		expect(other[0]).toBe(
			"x'' = -k_{3}\\, {x}^{3} + \\frac{\\left|x\\right|}{2 \\times 10^{-3}} - a_{b}\\, e^{-x}",
		);
	});

	it("gets a method suggested that its declarations were made for", () => {
		for (const [id, file, method] of [
			["silverbox", "silverbox.ode", "bayes"],
			["lotka-volterra-field", "field.ode", "kriging"],
			["morris-lecar", "morris-lecar.ode", "periodic"],
			["operating-conditions", "operating-conditions.ode", "inversion"],
			["compartments", "compartments.ode", "guaranteed"],
		]) {
			const model = parseModel(read(id, file), file);
			expect(suggestion(applicability(model))?.method).toBe(method);
		}
	});
});

describe("records", () => {
	it("of one name in two folders are refused", () => {
		const study = (other: string) =>
			`model: m.ode\ndata:\n  - { file: a/r.csv, time: t }\n  - { file: ${other}, time: t }\nmethod: fit\n`;
		expect(() => openStudy(study("b/r.csv"), "study.yaml")).toThrow(/have the same name/);
		expect(openStudy(study("b/s.csv"), "study.yaml").plan.records.map(({ file }) => file)).toEqual([
			"r.csv",
			"s.csv",
		]);
		expect(openStudy(study("a/r.csv"), "study.yaml").plan.records).toHaveLength(2);
	});

	it("are guessed by the names of their columns", async () => {
		const { description } = await checkModel(read("silverbox", "silverbox.ode"), "m.ode");
		const column = (name: string, values = [0, 1, 2]) => ({ name, values: Float64Array.from(values) });
		const table = {
			source: "r.csv",
			nRows: 3,
			skipped: [],
			columns: [column("Time"), column("U"), column("V2")],
		};
		// What has no column of its name is asked for: none is taken by its place.
		const guessed = guessRecord(table, description);
		expect(guessed).toMatchObject({ time: "Time", columns: { u: "U" }, input: "zoh" });
		expect(guessed.columns).not.toHaveProperty("y");
		expect(lackOf(guessed, table, description)).toBe("Choose the column of r.csv for y.");
		const chosen = { ...guessed, columns: { ...guessed.columns, y: "V2" } };
		expect(lackOf(chosen, table, description)).toBe("");
		// A mapping for another text of the model is not given to a method, nor lost.
		const odd = { ...chosen, columns: { ...chosen.columns, gone: "V2" }, conditions: { c9: 1 } };
		expect(recordFor(odd, description)).toMatchObject({ columns: { u: "U", y: "V2" }, conditions: {} });
		const falling = { ...table, columns: [column("t", [2, 1, 0]), column("u"), column("y")] };
		expect(guessRecord(falling, description)).toMatchObject({ time: "t", columns: {} });
	});

	it("take as time what is named so, with its unit, and make up no rate", async () => {
		const { description } = await checkModel(read("silverbox", "silverbox.ode"), "m.ode");
		const guess = (name: string, values: number[]) =>
			guessRecord(
				{
					source: "r.csv",
					nRows: 3,
					skipped: [],
					columns: [
						{ name: "u", values: Float64Array.of(1, 3, 2) },
						{ name: "y", values: Float64Array.of(1, 2, 3) },
						{ name, values: Float64Array.from(values) },
					],
				},
				description,
			);
		for (const name of ["time_s", "t_ms", "Timestamp", "time [s]", "sec", "Minutes", "elapsed_s"])
			expect(guess(name, [0, 1, 2]).time, name).toBe(name);
		expect(guess("time_s", [0, 2, 1]).time).toBe("time_s");
		for (const [name, values] of [
			["minutes", [0, 2, 1]],
			["speed", [0, 1, 2]],
		] as const) {
			const record = guess(name, [...values]);
			expect(record.time, name).toBeUndefined();
			expect(record.rate, name).toBeUndefined();
			expect(hasClock(record)).toBe(false);
		}
	});

	it("take ranges of rows, and say what is none", () => {
		expect([" 3 .. 40 ", "5..", "..7", "none", "", "all"].map(rowsOf)).toEqual(
			[{ from: 3, to: 40 }, { from: 5 }, { from: 0, to: 7 }, "none", "usual", "usual"].map((value) => ({
				value,
			})),
		);
		for (const text of ["0-20", "abc", "40..20", "1.5..3", "3"])
			expect(rowsOf(text), text).toEqual({ why: expect.stringContaining("is no range") });
	});

	it("take NaN and infinities for no value, in a link, too", async () => {
		expect(markersOf("-999, NaN .inf; -inf")).toEqual({ value: [-999, Number.NaN, Infinity, -Infinity] });
		expect(markersOf("-999, what")).toHaveProperty("why");
		const { plan } = openStudy(read("silverbox", "study.yaml"), "study.yaml");
		const missing = [-999, Number.NaN, -Infinity];
		const own: Plan = { ...plan, records: plan.records.map((record) => ({ ...record, missing })) };
		const { link } = await linkOf({ plan: own }, "http://localhost/");
		expect((await sharedOf(new URL(link).hash))?.plan.records[0].missing).toEqual(missing);
		expect(openStudy(planText(own), "study.yaml").plan.records[0].missing).toEqual(missing);
	});

	it("are written with their empty fields empty, and NaN is no value either", async () => {
		const text = "t,y\n0,1\n1,\n2,NaN\n";
		const table = await readTableData(new TextEncoder().encode(text), "r.csv");
		expect([...(table.columns[1].missing ?? [])]).toEqual([0, 1, 1]);
		const written = recordText(table);
		expect(written).toBe("t,y\n0,1\n1,\n2,\n");
		const again = await readTableData(new TextEncoder().encode(written), "r.csv");
		expect(again.columns).toEqual(table.columns);
	});

	it("keep all that their reader says of them: limits, units, empty fields", async () => {
		const text = "t [h],y [mg/L]\n0,3\n1,<0.5\n2,>8\n3,\n";
		const table = await readTableData(new TextEncoder().encode(text), "r.csv");
		expect([...table.columns[1].limits!]).toEqual([0, -1, 1, 0]);
		const again = await readTableData(new TextEncoder().encode(recordText(table)), "r.csv");
		expect(again.columns).toEqual(table.columns);
	});

	it("are played over by a model with a function to be found: a track for each of its terms, as inversion names them", async () => {
		const rows = Array.from({ length: 21 }, (_, i) => `${i / 10},1`).join("\n");
		const table = await readTableData(new TextEncoder().encode(`t,y\n${rows}\n`), "r.csv");
		const setup = await stage({
			model: "unknown f(x) = polynomial(2)\nstate x = 1\nx' = f(x)\nmeasure y ~ normal(x, 0.1)\n",
			records: [guessRecord(table, undefined)],
			set: {},
			tables: [table],
		});
		expect("tracks" in setup && setup.tracks.map(({ name, start }) => [name, start])).toEqual([
			["f[1]", 0],
			["f[x]", 0],
			["f[x^2]", 0],
		]);
		const [{ t, outputs }] = await play({ "f[x]": -0.5 });
		expect(outputs[0].values.at(-1)).toBeCloseTo(Math.exp(-0.5 * t.at(-1)!), 5);
	});

	it("keep their lowest and highest values when they are thinned", () => {
		fc.assert(
			fc.property(
				fc.array(fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(Number.NaN)), {
					minLength: 1,
					maxLength: 3000,
				}),
				fc.integer({ min: 1, max: 200 }),
				(list, buckets) => {
					const y = Float64Array.from(list);
					const x = Float64Array.from(list, (_, i) => i);
					const { x: times, columns } = thin(x, [y], 0, y.length, buckets);
					expect(times.length).toBeLessThanOrEqual(2 * buckets + 1);
					const range = (values: Float64Array) => {
						const real = values.filter((value) => !Number.isNaN(value));
						return [Math.min(...real), Math.max(...real)];
					};
					expect(range(columns[0])).toEqual(range(y));
					for (let i = 1; i < times.length; i++) expect(times[i]).toBeGreaterThanOrEqual(times[i - 1]);
				},
			),
			{ seed: 1, numRuns: 100 },
		);
		expect([indexAt(Float64Array.of(0, 1, 2), 1.5), indexAt(Float64Array.of(0, 1, 2), 9)]).toEqual([2, 3]);
	});
});

describe("results", () => {
	const figure = {
		name: "f",
		title: "f",
		caption: "",
		xLabel: "t",
		yLabel: "y",
		section: "fit" as const,
		marks: [
			{ type: "line" as const, x: [0, 1, 2, 3, 4], y: [0, 1, 4, 9, 16], role: "data" as const },
			{ type: "points" as const, x: [0, 1, 2, 3, 4], y: [0, 1, 4, 9, 16], role: "data" as const },
			{ type: "rule" as const, axis: "x" as const, at: 0.5, role: "guide" as const },
		],
	};

	it("are cropped to what is looked at", () => {
		expect(canZoom(figure)).toBe(true);
		const { marks } = crop(figure, 1.5, 3);
		expect(marks).toEqual([
			{ ...figure.marks[0], x: [1, 2, 3, 4], y: [1, 4, 9, 16] },
			{ ...figure.marks[1], x: [2, 3], y: [4, 9] },
		]);
		const tangled = { type: "line" as const, x: [0, 2, 1], y: [0, 0, 0], role: "data" as const };
		expect(canZoom({ ...figure, marks: [tangled] })).toBe(false);
	});

	it("of several methods stand on one axis, contradictions marked", () => {
		const answer = (method: string, estimate: number, sd: number) => ({
			method,
			outcome: "converged",
			message: "",
			answered: true,
			intervalName: "",
			parameters: [{ name: "k", estimate, sd }],
		});
		const comparison = {
			answers: [answer("fit", 1, 0.1), answer("bayes", 3, 0.1)],
			refusals: [{ method: "periodic", why: "no" }],
			agreement: [
				{ parameter: "k", verdict: "contradict" as const, why: "apart", methods: ["fit", "bayes"] },
			],
		};
		const { parameters } = comparison.answers[0];
		const cross = crossCheckOf({ comparison, parameters } as unknown as Result)!;
		expect(cross.shown).toBe("fit");
		expect(verdictText(cross.rows[0])).toBe("the answers contradict one another");
		expect(cross.rows[0]).toMatchObject({ parameter: "k", verdict: "contradict" });
		expect(cross.rows[0].axis!.from).toBeLessThan(0.8);
		expect(cross.rows[0].axis!.to).toBeGreaterThan(3.2);
		expect(cross.refusals).toHaveLength(1);
		expect(crossCheckOf({} as Result)).toBeUndefined();
	});

	const bareResult = {
		method: "fit",
		outcome: "converged",
		message: "",
		answered: true,
		intervalName: "",
		parameters: [],
		predictions: [],
		summary: {},
		doubts: [],
		assumptions: [],
		figures: [],
		files: [],
		references: [],
	};
	const bareFacts = { records: [], noise: {}, seed: 1, seconds: 1, finished: "", version: "", nSamples: 4 };

	it("of runs side by side have the RMSE that stands with each: that of the prediction", () => {
		const t = Float64Array.of(0, 1, 2, 3);
		const data = { t, y: Float64Array.of(0.3, 0.7, 2.3, 2.7) };
		const predictions = [{ experiment: "a", output: "y", part: "test", t, y: t, data }];
		const run = (name: string, method: string, rmse: unknown) =>
			openRun({
				name,
				study: "",
				result: packJson({
					result: {
						...bareResult,
						method,
						parameters: [{ name: "k", estimate: 1, sd: 0.1 }],
						predictions,
					},
					facts: { ...bareFacts, title: name, noise: { y: 0.25 } },
				}),
				// A method may say more of its errors in its summary: that is another number.
				summary: JSON.stringify({ method, seconds: 1, test: { rmse } }),
			});
		const runs = [run("one", "bayes", { y: { mean: 0.9, sd: 0.1 } }), run("two", "fit", { y: 0.3 })];
		const [row] = comparison(runs).filter(({ name }) => name.startsWith("RMSE"));
		expect(row).toEqual({ name: "RMSE of the prediction of y, test", cells: ["0.300", "0.300"] });
		for (const { sentences } of runs)
			expect(sentences).toEqual(["Test record: RMSE 0.300 (the declared noise is 0.250)"]);
	});

	it("of a run folder that are damaged say so", () => {
		const whole = {
			name: "r",
			study: "",
			result: packJson({
				result: bareResult,
				facts: { ...bareFacts, title: "r" },
			}),
			summary: '{"seconds":1}',
		};
		expect(openRun(whole).title).toBe("r");
		for (const [part, problem] of [
			[{ result: "{" }, "r/result.json: is not readable as JSON"],
			[{ result: packJson({ result: { parameters: 3 } }) }, "r/result.json: is not a whole result"],
			[{ result: packJson(null) }, "r/result.json: is not a whole result"],
			[{ summary: "nothing" }, "r/summary.json: is not readable as JSON"],
			[{ summary: "null" }, "r/summary.json: is not readable as JSON"],
		] as const)
			expect(() => openRun({ ...whole, ...part })).toThrow(problem);
	});

	it("come with a time to go once it is no guess", () => {
		expect(secondsToGo(0.01, 3)).toBeUndefined();
		expect(secondsToGo(0.25, 3)).toBeCloseTo(9);
	});
});

describe("methods", () => {
	it("take starting values as a line of text", () => {
		const set = { k3: 4, "x(0)": -1e-3, "p1[c2]": 0.5 };
		expect(setOf(setText(set))).toEqual({ value: set });
		expect(setOf("k = 2; , c:1")).toEqual({ value: { k: 2, c: 1 } });
		for (const text of ["k = 2; m: nonsense", "4", "k 4", "k: 1e999"])
			expect(setOf(text), text).toHaveProperty("why");
	});

	it("take no number that is none, nor one out of bounds", () => {
		const { particles } = methods.get("bayes")!.options;
		const orAuto = Object.values(methods.get("bayes")!.options).find(({ type }) => type === "integerOrAuto")!;
		expect(optionOf(particles, " 300 ")).toEqual({ value: 300 });
		expect(optionOf(particles, "")).toEqual({ value: particles.default });
		for (const text of ["many", "auto", "1.5", "-3", "1e999", "1,000", "0"])
			expect(optionOf(particles, text), text).toEqual({
				why: expect.stringMatching(/^is not a whole number/),
			});
		expect(optionOf(orAuto, "auto")).toEqual({ value: "auto" });
		expect(optionOf(orAuto, "car")).toEqual({ why: expect.stringMatching(/, nor auto$/) });
		expect(numberOf("1.7e", { whole: true, min: 0 })).toEqual({ why: "is not a whole number from 0" });
		expect(numberOf("7", { min: 8, max: 9 })).toEqual({ why: "is not a number from 8 to 9" });
		expect(numberOf("-2.5e-3")).toEqual({ value: -0.0025 });
	});

	it("have options whose defaults the page can show", () => {
		for (const { options } of methods.values())
			for (const value of Object.values(defaultOptions(options)))
				expect(["number", "string", "boolean"]).toContain(typeof value);
	});
});
