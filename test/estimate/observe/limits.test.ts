/** Samples that are limits (<0.05, >100) or were rounded: weighed by the mass of what they may be, judged, shown, refused. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { readCsv } from "../../../src/data/csv/csv.ts";
import { type DataRecord, recordOf } from "../../../src/data/data-record.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { estimationOf } from "../../../src/estimate/forward/estimation.ts";
import { forwardOf } from "../../../src/estimate/forward/forward-of.ts";
import { toSearch } from "../../../src/estimate/unknowns/unknowns.ts";
import { model } from "../../../src/library/model.ts";
import { run } from "../../../src/library/run.ts";
import { simulate } from "../../../src/library/simulate.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { printModel } from "../../../src/model/print/model.ts";
import { stream } from "../../../src/num/random.ts";
import { standardFigures } from "../../../src/report/standard-figures.ts";
import { expectGradient } from "./gradient.ts";

const times = Array.from({ length: 60 }, (_, i) => i / 10);
const lines = "param a ~ lognormal(log(2), 0.5), k ~ lognormal(0, 0.5)\nstate x = 1\nx' = -k*x";
const truth = { a: 2, k: 0.8, s: 0.1 };

function csv(cells: readonly (number | string)[]): DataRecord {
	const text = `t,y\n${cells.map((cell, i) => `${times[i]},${cell}`).join("\n")}\n`;
	return recordOf(readCsv(new TextEncoder().encode(text), "rig.csv"), "rig.csv", {});
}

/** Samples of the decay; those below the limit are only said to be there. */
function limited(below: number, above: number, seed: number, measure = "normal(a*x, s)"): DataRecord {
	const own = model(`param s\n${lines}\nmeasure y ~ ${measure}`);
	const { columns } = simulate(own, { times, values: truth, noise: true, seed });
	return csv(Array.from(columns.y, (y) => (y < below ? `<${below}` : y > above ? `> ${above}` : y)));
}

describe("a table", () => {
	test.each(["<0.05", "< 0.05", '"<0.05"', "<5e-2"])("has the limit %s", (cell) => {
		const { columns } = readCsv(new TextEncoder().encode(`t,y\n0,1.5\n1,${cell}\n2,>7\n`), "a.csv");
		expect([...columns[1].values]).toEqual([1.5, 0.05, 7]);
		expect([...columns[1].limits!]).toEqual([0, -1, 1]);
	});

	test("may begin with one, and have decimal commas", () => {
		const { columns } = readCsv(new TextEncoder().encode("t;y\n0;<0,5\n1;1,25\n"), "a.csv");
		expect([...columns[1].values]).toEqual([0.5, 1.25]);
		expect([...columns[1].limits!]).toEqual([-1, 0]);
	});

	test("has no limit that is no number", () => {
		expect(() => readCsv(new TextEncoder().encode("t,y\n0,1\n1,<1.2.3\n"), "a.csv")).toThrow(/no limit/);
	});

	test("an input, a time or a trend takes none", () => {
		const own = model("input u\nparam k\nstate x = 1\nx' = -k*x + u\nmeasure y = x");
		const table = readCsv(new TextEncoder().encode("t,u,y\n0,1,1\n1,<2,3\n"), "a.csv");
		const of = (record: object): Experiment =>
			experimentOf(table, { name: "a", time: "t", ...record }, own, ["y"]);
		expect(() => of({})).toThrow(/is <2 in row 1/);
		expect(() => of({ columns: { u: "y", y: "u" }, detrend: "mean" })).toThrow(/limits have no trend/);
		expect(() => of({ columns: { u: "y", y: "y" }, time: "u" })).toThrow(/Times are numbers/);
	});

	test("a negative factor turns a limit round", () => {
		const own = model("param k\nstate x = 1\nx' = -k*x\nmeasure y = x");
		const table = readCsv(new TextEncoder().encode("t,y\n0,1\n1,<2\n"), "a.csv");
		const { outputs } = experimentOf(table, { name: "a", time: "t", factors: { y: -1 } }, own, ["y"]);
		expect([...outputs.get("y")!.values]).toEqual([-1, -2]);
		expect([...outputs.get("y")!.limits!]).toEqual([0, 1]);
	});
});

const kinds: Record<string, [spread: string, measure: string, digit: number]> = {
	normal: ["", "normal(a*x, 0.1)", 0],
	"of unknown spread": ["param s ~ lognormal(-2, 1)", "normal(a*x, s)", 0],
	student: ["param s ~ lognormal(-2, 1)", "student(4, a*x, s)", 0],
	laplace: ["param s ~ lognormal(-2, 1)", "laplace(a*x, s)", 0],
	lognormal: ["param s ~ lognormal(-2, 1)", "lognormal(log(a*x), s)", 0],
	rounded: ["param s ~ lognormal(-2, 1)", "normal(a*x, s, rounded: 0.1)", 0.1],
	"combined error": ["param s ~ lognormal(-2, 1), b ~ lognormal(-2, 1)", "normal(a*x, s + b*x)", 0],
	negbinomial: ["param s ~ lognormal(1, 1)", "negbinomial(20*a*x, s)", 1],
};

test.each(Object.entries(kinds))(
	"%s: the rows give the gradient of the cost",
	async (name, [spread, measure, digit]) => {
		const own = model(`${spread}\n${lines}\nmeasure y ~ ${measure}`);
		const random = stream(1, "cells");
		const cells = times.map((t, i) => {
			const y = Math.exp(-t) * (2 + 0.2 * random.normal(i)) * (name === "negbinomial" ? 20 : 1);
			const shown = digit > 0 ? Number((digit * Math.round(y / digit)).toFixed(6)) : y;
			return i % 3 === 1 ? `<${shown + 1}` : i % 5 === 2 ? `>${shown}` : shown;
		});
		const { table } = csv(cells);
		const experiment = experimentOf(table, { name: "rig", time: "t" }, own, ["y"]);
		const estimation = estimationOf(own, [experiment], {}, inline);
		const { unknowns } = estimation;
		const problem = { ...estimation, forward: forwardOf(estimation, { kind: "fixed", substeps: 4 }) };
		for (let trial = 0; trial < 4; trial++) {
			const z = Float64Array.from(
				unknowns,
				(unknown, j) => toSearch(unknown, unknown.start) + 0.3 * random.normal(1000 + 10 * trial + j),
			);
			await expectGradient(problem, z);
		}
	},
);

describe("below a limit of 0.3", () => {
	const own = model(`param s ~ lognormal(-2, 1)\n${lines}\nmeasure y ~ normal(a*x, s)`);

	test.each(["fit", "bayes"] as const)(
		"%s finds what made the samples, and doubts nothing",
		async (method) => {
			const data = limited(0.3, 1.7, 4);
			const options = method === "bayes" ? { particles: 400 } : {};
			const { parameters, doubts, predictions, summary } = await run(own, data, { method, options });
			for (const { name, estimate, sd } of parameters)
				expect(Math.abs(estimate - truth[name as "a"]), name).toBeLessThan(3.5 * sd!);
			expect(doubts).toEqual([]);
			const [{ data: shown }] = predictions;
			expect(shown!.limits!.filter((sign) => sign < 0).length).toBeGreaterThan(20);
			expect(summary.logLikelihood).toBeGreaterThan(0);
			const [{ figures }] = standardFigures(predictions, doubts);
			const arrows = figures[0].marks.find(({ type }) => type === "words");
			expect(arrows).toMatchObject({ words: expect.arrayContaining(["↓", "↑"]) });
		},
	);

	test("limits taken for values would move the answer by far", async () => {
		const { table } = limited(0.3, 10, 4);
		const [t, { limits: _, ...y }] = table.columns;
		const wrong = recordOf({ ...table, columns: [t, y] }, "rig.csv", {});
		const { parameters } = await run(own, wrong, { method: "fit" });
		const { estimate, sd } = parameters.find(({ name }) => name === "k")!;
		expect(Math.abs(estimate - truth.k)).toBeGreaterThan(5 * sd!);
	});

	test("a wrong model is doubted", async () => {
		// Above the limit it decays, below it the model says 1.
		const cells = times.map((_, i) => (i % 4 === 0 ? 1 : i % 4 === 1 ? 1.1 : i % 4 === 2 ? 0.9 : "<0.3"));
		const still = model("param a ~ lognormal(0, 1)\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, 0.1)");
		const { doubts } = await run(still, csv(cells), { method: "fit" });
		expect(doubts.map(({ code }) => code)).toContain("noise-larger");
	});
});

test("fit and bayes agree with quadrature on limits of a level", async () => {
	const own = model("param a ~ normal(0, 1)\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, 0.5)");
	const cells = [0.2, "<0", 0.6, "<0", ">0.5", 0.1];
	const data = recordOf(
		readCsv(new TextEncoder().encode(`t,y\n${cells.map((cell, i) => `${i},${cell}`).join("\n")}\n`), "a.csv"),
		"a.csv",
		{},
	);
	// The distribution function of the normal law by Simpson's rule.
	const below = (z: number): number => {
		let sum = 0;
		const h = (z + 9) / 2000;
		for (let i = 0; i <= 2000; i++)
			sum += (i === 0 || i === 2000 ? 1 : i % 2 === 0 ? 2 : 4) * Math.exp(-0.5 * (-9 + i * h) ** 2);
		return (sum * h) / 3 / Math.sqrt(2 * Math.PI);
	};
	let [mass, first, second] = [0, 0, 0];
	let best = { a: 0, logLikelihood: Number.NEGATIVE_INFINITY };
	for (let a = -1.5; a < 1.5; a += 0.002) {
		const density = (y: number): number =>
			Math.exp(-0.5 * ((y - a) / 0.5) ** 2) / (0.5 * Math.sqrt(2 * Math.PI));
		const likelihood =
			density(0.2) * density(0.6) * density(0.1) * below(-a / 0.5) ** 2 * (1 - below((0.5 - a) / 0.5));
		const weight = likelihood * Math.exp(-0.5 * a * a);
		mass += weight;
		first += weight * a;
		second += weight * a * a;
		if (Math.log(likelihood) > best.logLikelihood) best = { a, logLikelihood: Math.log(likelihood) };
	}
	const mean = first / mass;
	const sd = Math.sqrt(second / mass - mean * mean);
	const fitted = await run(own, data, { method: "fit" });
	expect(Math.abs(fitted.parameters[0].estimate - best.a)).toBeLessThan(0.003);
	expect(fitted.summary.logLikelihood).toBeCloseTo(best.logLikelihood, 4);
	const drawn = await run(own, data, { method: "bayes", options: { particles: 4000 } });
	expect(Math.abs(drawn.parameters[0].estimate - mean)).toBeLessThan(0.08 * sd);
	expect(Math.abs(drawn.parameters[0].sd! / sd - 1)).toBeLessThan(0.07);
	const evidence = Math.log((mass * 0.002) / Math.sqrt(2 * Math.PI));
	expect(Math.abs((drawn.summary.logEvidence as number) - evidence)).toBeLessThan(0.1);
});

describe("rounded samples", () => {
	const text = "normal(a*x, s, rounded: 0.5)";
	const own = model(`param s ~ lognormal(-2, 1)\n${lines}\nmeasure y ~ ${text}`);

	test("are printed as they were written, and drawn as multiples", () => {
		expect(printModel(own)).toContain(text);
		const { columns } = simulate(own, { times, values: truth, noise: true });
		expect(columns.y.every((y) => Number.isInteger(y / 0.5))).toBe(true);
	});

	test.each(["fit", "bayes"] as const)("%s sees through the rounding", async (method) => {
		const { columns } = simulate(own, { times, values: truth, noise: true, seed: 2 });
		const options = method === "bayes" ? { particles: 400 } : {};
		const { parameters } = await run(own, csv([...columns.y]), { method, options });
		for (const { name, estimate, lo, hi } of parameters) {
			expect(lo!, name).toBeLessThan(truth[name as "a"] * 1.05);
			expect(hi!, name).toBeGreaterThan(truth[name as "a"] * 0.95);
			// Rounding to half a unit makes errors of 0.14; those of 0.1 beneath are told from them.
			if (name === "s") expect(estimate).toBeLessThan(0.2);
		}
	});

	test("the digit is a plain number, given by its name", () => {
		expect(() => model(`${lines}\nparam d\nmeasure y ~ normal(x, 1, rounded: d)`)).toThrow(/plain number/);
		expect(() => model(`${lines}\nmeasure y ~ normal(x, 1, 0.1)`)).toThrow(/takes 2 arguments, not 3/);
	});
});

test.each(["kriging", "periodic", "inversion", "guaranteed"] as const)(
	"%s refuses limits",
	async (method) => {
		const own = model("param k in [0.5, 2]\nstate x = 2\nx' = -k*x\nmeasure y in x +- 1");
		await expect(run(own, csv([2, "<1.9", ...times.slice(2)]), { method })).rejects.toThrow(
			new RegExp(`holds <1.9 \\(row 1\\), and ${method} takes known values only`),
		);
	},
);

test("limits need a law of the noise", async () => {
	const own = model("param k ~ lognormal(0, 1)\nstate x = 2\nx' = -k*x\nmeasure y = x");
	await expect(run(own, csv([2, "<1.9", 1.5]), { method: "fit" })).rejects.toThrow(/Declare the noise/);
});
