/** Terms that all records share, with weights of each: `unknown f(x, y)[record]`, `param k[record]`. */
import { describe, expect, test } from "vitest";
import { recordsOf } from "../../../papers/inversion/examples.ts";
import { lawLines } from "../../../src/cli/terminal/law-lines.ts";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { emptyRecord, regularTimes } from "../../../src/methods/inversion/answer/simulated-records.ts";
import { inversion } from "../../../src/methods/inversion/inversion.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { repeated } from "../../repetitions.ts";
import { graveTitles, invert, problemOf, selectionOnly } from "./setup.ts";

const names = ["a", "b", "c", "d", "e"];
/** Twelve candidates, of which four are there. */
const plane = `unknown f(x, y)[record] = polynomial(2), g(x, y)[record] = polynomial(2)
param s
state x, y
x' = f(x, y)
y' = g(x, y)
measure xm ~ normal(x, s)
measure ym ~ normal(y, s)`;

interface Family {
	readonly terms: Readonly<Record<string, number>>;
	readonly initial: readonly [number, number];
	readonly until: number;
}

/** The middle of each coefficient; a record has it times a factor of 2 or less. */
const families: readonly Family[] = [
	{ terms: { "f[x]": 1, "f[x*y]": -1, "g[y]": -1, "g[x*y]": 0.8 }, initial: [1.5, 0.6], until: 12 },
	{ terms: { "f[y]": 1, "g[x]": -1.2, "g[y]": -0.2, "g[x^2]": -0.4 }, initial: [0.9, 0], until: 10 },
	{ terms: { "f[x]": -0.3, "f[y]": 1, "g[x]": -1, "g[x*y]": -0.5 }, initial: [1.2, 0.3], until: 10 },
];

interface Drawn {
	readonly train: Experiment[];
	readonly truth: Record<string, number>;
	readonly terms: string[];
}

async function drawn(seed: number, count: number, noise: number): Promise<Drawn> {
	const { terms, initial, until } = families[seed % families.length];
	const random = stream(seed, "systems of records");
	const records = names.slice(0, count);
	const truth: Record<string, number> = {};
	records.forEach((record, e) => {
		Object.entries(terms).forEach(([term, middle], k) => {
			truth[`${term} of ${record}`] = middle * 2 ** (random.uniform(20 * e + k) - 0.5);
		});
	});
	const design = records.map((record) =>
		emptyRecord(record, regularTimes(until, until / 60), ["xm", "ym"], {}),
	);
	const train = await recordsOf(
		{
			model: parseModel(plane, "plane.ode"),
			truth,
			design,
			initial: records.flatMap((_, e) =>
				initial.map((value, k) => value * (1 + 0.2 * random.normal(1000 + 2 * e + k))),
			),
			substeps: 16,
		},
		{ sd: noise, relative: true },
		seed,
		inline,
	);
	return { train, truth, terms: Object.keys(terms).sort() };
}

const foundTerms = ({ summary }: Result): string[] =>
	[
		...new Set((summary.terms as { of: string; term: string }[]).map(({ of, term }) => `${of}[${term}]`)),
	].sort();

describe("systems with the same terms and coefficients of their own", () => {
	const seeds = repeated(
		[1, 2, 3],
		[...Array(30).keys()].map((k) => k + 1),
	);
	test.each([0.01, 0.03, 0.05])(
		"noise %s: exact terms, and intervals that hold each weight",
		async (noise) => {
			let exact = 0;
			let inside = 0;
			let weights = 0;
			for (const seed of seeds) {
				const { train, truth, terms } = await drawn(seed, 3 + (seed % 3), noise);
				const result = await invert(problemOf(parseModel(plane, "plane.ode"), train), selectionOnly);
				if (foundTerms(result).join() !== terms.join()) continue;
				exact++;
				for (const { name, lo, hi } of result.parameters) {
					if (!(name in truth)) continue;
					weights++;
					if (truth[name] >= lo! && truth[name] <= hi!) inside++;
				}
			}
			expect(exact).toBeGreaterThanOrEqual(seeds.length - Math.ceil(0.1 * seeds.length));
			// Four binomial deviations below 95 %.
			expect(inside / weights).toBeGreaterThan(0.95 - 4 * Math.sqrt((0.95 * 0.05) / weights));
		},
	);
});

test("weak terms that no record shows alone are found in all of them together", async () => {
	const weak = await weakDamping(0.12);
	const together = await invert(problemOf(parseModel(oscillators, "o.ode"), weak), selectionOnly);
	expect(foundTerms(together)).toEqual(["g[x]", "g[y]"]);
	const alone = await Promise.all(
		weak.map((record) => invert(problemOf(parseModel(oscillators, "o.ode"), [record]), selectionOnly)),
	);
	expect(alone.some((each) => foundTerms(each).join() !== "g[x],g[y]")).toBe(true);
});

const oscillators = `unknown g(x, y)[record] = library(1, x, y, x^2, x*y, y^2)
param s
state x, y
x' = y
y' = g(x, y)
measure xm ~ normal(x, s)
measure ym ~ normal(y, s)`;

async function weakDamping(noise: number): Promise<Experiment[]> {
	const truth = Object.fromEntries(
		names.flatMap((name, e) => [
			[`g[x] of ${name}`, -(1 + 0.2 * e)],
			[`g[y] of ${name}`, -0.03 - 0.004 * e],
		]),
	);
	const design = names.map((name) => emptyRecord(name, regularTimes(10, 0.25), ["xm", "ym"], {}));
	const model = parseModel(oscillators, "o.ode");
	const initial = names.flatMap(() => [1, 0]);
	const example = { model, truth, design, initial, substeps: 16 };
	return recordsOf(example, { sd: noise, relative: true }, 3, inline);
}

test("a term of one record alone is there for all, and said to be seen in that one", async () => {
	const truth = Object.fromEntries(
		names
			.slice(0, 4)
			.flatMap((name, e) => [
				[`g[x] of ${name}`, -(1 + 0.2 * e)],
				[`g[y] of ${name}`, -0.3],
				...(name === "b" ? [[`g[x^2] of ${name}`, -0.6]] : []),
			]),
	);
	const design = names.slice(0, 4).map((name) => emptyRecord(name, regularTimes(10, 0.2), ["xm", "ym"], {}));
	const model = parseModel(oscillators, "o.ode");
	const initial = design.flatMap(() => [1, 0]);
	const train = await recordsOf(
		{ model, truth, design, initial, substeps: 16 },
		{ sd: 0.02, relative: true },
		1,
		inline,
	);
	const result = await invert(problemOf(model, train), { starts: 1, stability: 20 });
	expect(foundTerms(result)).toEqual(["g[x]", "g[x^2]", "g[y]"]);
	expect(result.notes?.find(({ code }) => code === "unseen-in-records")?.text).toContain(
		"g[x^2] in 1 of 4 (b)",
	);
	expect(graveTitles(result)).toEqual([]);
	// Three weights of each of four records, and initial values.
	expect(result.parameters.length).toBe(12 + 8);
	for (const { name, lo, hi } of result.parameters)
		if (/^g/.test(name)) {
			expect(lo).toBeLessThan(truth[name] ?? 0);
			expect(hi).toBeGreaterThan(truth[name] ?? 0);
		}
	// Of each record an equation of its own; what is the same for all stands once.
	expect(result.law!.equations.map(({ record }) => record)).toEqual([undefined, "a", "b", "c", "d"]);
	expect(result.law!.equations[0].plain).toBe("x' = y");
	expect(result.law!.equations[2].plain).toMatch(/^y' = /);
	expect(result.law!.intervals[2]).toMatch(/^b: y' = .*\[-0\.[56]/);
	expect(lawLines(result).join("\n")).toMatch(/The law +x' = y\n +a: y' = .*\n +b: y' = /);
	const selected = result.files.find(({ name }) => name === "selected.ode")!.content as string;
	expect(selected).toMatch(/^param +g_x2\[record\] in \[-0\.\d+, 0\.\d+\]$/m);
	expect(parseModel(selected, "selected.ode").params.filter(({ byRecord }) => byRecord).length).toBe(3);
});

test("terms that are declared shared keep one weight, beside others of each record", async () => {
	const text = `unknown g(x, y) = library(1, x, y, x^2, x*y)
param k[record], s
state x, y
x' = y
y' = k*x + g(x, y)
measure xm ~ normal(x, s)
measure ym ~ normal(y, s)`;
	const model = parseModel(
		text.replace("library(1, x, y, x^2, x*y)", "library(1, y, x^2, x*y)"),
		"shared.ode",
	);
	const records = names.slice(0, 3);
	const truth = { "k of a": -1, "k of b": -2, "k of c": -3, "g[y]": -0.3, "g[x^2]": -0.4 };
	const design = records.map((name) => emptyRecord(name, regularTimes(8, 0.1), ["xm", "ym"], {}));
	const initial = records.flatMap(() => [1, 0]);
	const train = await recordsOf(
		{ model, truth, design, initial, substeps: 16 },
		{ sd: 0.02, relative: true },
		1,
		inline,
	);
	const result = await invert(problemOf(model, train), selectionOnly);
	expect(result.parameters.map(({ name }) => name).filter((name) => !name.includes("(0)"))).toEqual(
		Object.keys(truth),
	);
	for (const { name, estimate, sd } of result.parameters)
		if (name in truth) expect(Math.abs(estimate - truth[name as keyof typeof truth])).toBeLessThan(4 * sd!);
	expect(result.message).toContain("in all records");
});

test("a run that was stopped goes on to the same bits", async () => {
	const { train } = await drawn(2, 3, 0.03);
	const problem = problemOf(parseModel(plane, "plane.ode"), train);
	const options = { ...defaultOptions(inversion.options), stability: 10, starts: 1 };
	const whole = await inversion.prepare(problem, options);
	let steps = 1;
	while (!(await inversion.advance(whole)).done) steps++;
	const expected = JSON.stringify((await inversion.result(whole)).summary);
	let run = await inversion.prepare(problem, options);
	let done = false;
	for (let k = 0; k < steps >> 1; k++) done = (await inversion.advance(run)).done;
	run = await inversion.load(problem, options, inversion.save(run));
	while (!done) done = (await inversion.advance(run)).done;
	expect(JSON.stringify((await inversion.result(run)).summary)).toBe(expected);
});
