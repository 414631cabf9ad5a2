/** Spreads that outputs or records share, or that are to lie in a set: one likelihood, that of fit. Drawn at random. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import type { Goodness } from "../../../src/estimate/observe/goodness.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { run } from "../../../src/library/run.ts";
import { appliesTo } from "../../../src/methods/periodic/applies.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";

const equations = "state x, v\nx' = v\nv' = -k*x\n";
const n = 60;
const jitter = stream(1, "times");
/** Not on a grid: a sine is no harmonic of a faster one there. */
const t = Array.from({ length: n }, (_, i) => Number((0.1 * i + 0.05 * jitter.uniform(i)).toFixed(4)));

/** Noise of y and z, or of y in two records. */
interface Case {
	readonly measures: string;
	readonly params: string;
	readonly noise: readonly [number, number];
	readonly records?: 2;
}

function drawn(kind: string, seed: number): Case {
	const random = stream(seed, kind);
	const sd = (i: number): number => Number((0.01 * 6 ** random.uniform(i)).toPrecision(2));
	const noise = [sd(0), sd(1)] as const;
	const two = (y: string, z: string): string => `measure y ~ normal(x, ${y})\nmeasure z ~ normal(v, ${z})`;
	switch (kind) {
		case "common to two outputs":
			return { measures: two("s", "s"), params: ", s", noise };
		case "a multiple of another's":
			return {
				measures: two("s", `${Number((0.5 + 2 * random.uniform(2)).toFixed(1))}*s`),
				params: ", s",
				noise,
			};
		case "each output's own":
			return { measures: two("s", "q"), params: ", s, q", noise };
		case "too large by declaration":
			return { measures: two("s", "q"), params: ", s in [0.2, 0.5], q", noise };
		default:
			return { measures: "measure y ~ normal(x, s)", params: ", s", noise, records: 2 };
	}
}

function answered(
	method: "fit" | "periodic",
	{ measures, params, noise, records }: Case,
	seed: number,
): Promise<Result> {
	const errors = stream(seed, "errors");
	const column = (state: 0 | 1, phase: number, sd: number): number[] =>
		t.map((time, i) => {
			const clean = state === 0 ? 2 * Math.cos(3 * time + phase) : -6 * Math.sin(3 * time + phase);
			return clean + sd * errors.normal(1000 * state + 100 * phase + i);
		});
	const y = column(0, 0, noise[0]);
	const data = records
		? [record({ t, y }), record({ t, y: column(0, 2, noise[1]) })]
		: record(measures.includes("measure z") ? { t, y, z: column(1, 0, noise[1]) } : { t, y });
	const model = parseModel(`param k in [1, 30]${params}\n${equations}${measures}`, "p.ode");
	const start = { k: 8 };
	return method === "fit"
		? run(model, data, {
				method,
				start,
				seed: 1,
				options: { profile: false, starts: 1, integrator: "adaptive" },
			})
		: run(model, data, { method, start, seed: 1 });
}

describe("a spread that is found", () => {
	test.each([
		"common to two outputs",
		"a multiple of another's",
		"each output's own",
		"too large by declaration",
		"common to two records",
	])("%s: likelihood, degrees and spread are those of fit", async (kind) => {
		for (let seed = 1; seed <= repetitions(1, 12); seed++) {
			const own = drawn(kind, seed);
			const [one, other] = [await answered("fit", own, seed), await answered("periodic", own, seed)];
			const [a, b] = [one, other].map(({ summary }) => summary as unknown as Goodness);
			expect(b.degrees).toBe(a.degrees);
			expect(b.logLikelihood).toBeLessThan(a.logLikelihood + 0.05);
			expect(b.logLikelihood).toBeGreaterThan(a.logLikelihood - 0.5);
			for (const { name, estimate, sd, verdict } of one.parameters.filter(({ name }) =>
				/^[sq]$/.test(name),
			)) {
				const rows = other.parameters.filter((row) => row.name === name);
				expect(rows).toHaveLength(1);
				expect(Math.abs(rows[0].estimate - estimate)).toBeLessThan(0.1 * sd!);
				expect(rows[0].verdict).toBe(verdict);
				expect(Object.keys(other.summary.parameters as object)).toContain(name);
			}
			const beyond = ({ doubts }: Result) => doubts.filter(({ code }) => code === "beyond-bound");
			expect(beyond(other).map(({ title }) => title)).toEqual(beyond(one).map(({ title }) => title));
		}
	});

	test("of one output, the least that it may be: as in fit", async () => {
		const own: Case = {
			measures: "measure y ~ normal(x, 2*s)",
			params: ", s in [0.1, 0.2]",
			noise: [0.02, 0],
		};
		const { parameters, doubts, summary } = await answered("periodic", own, 1);
		expect(parameters.at(-1)).toMatchObject({ name: "s", estimate: 0.1, lo: 0.1, verdict: "on its bound" });
		expect(doubts).toContainEqual(expect.objectContaining({ code: "beyond-bound", grave: true }));
		expect(summary.parameters).toHaveProperty("s");
	});
});

describe("noise that periodic does not take is refused, with what takes it", () => {
	const why = (law: string, params = ""): string =>
		appliesTo(parseModel(`param k${params}\n${equations}measure y ~ ${law}`, "p.ode")).why;
	test.each([
		["normal(x, 0.01 + 0.01*abs(x))", "", /that changes with x/],
		["normal(x, 0.01*(1 + t))", "", /that changes with t/],
		["normal(x, 0.1*k)", "", /an expression of the unknown k/],
		["normal(x, s + 0.01)", ", s", /an expression of the unknown s/],
		["student(4, x, 0.1)", "", /has errors that are student, and periodic takes normal errors only/],
		["laplace(x, 0.1)", "", /has errors that are laplace, and periodic takes normal errors only/],
		["poisson(x)", "", /is a count \(poisson\), and periodic takes normal errors only/],
		["normal(x, 0.1, correlated: 2)", "", /declared as correlated/],
	])("%s", (law, params, problem) => {
		expect(why(law, params)).toMatch(problem);
		expect(why(law, params)).toMatch(/^measure y .*Use {2}method: fit {2}or {2}method: bayes/);
	});

	test("a spread in a column that changes from sample to sample", async () => {
		const model = parseModel(`param k\ninput e\n${equations}measure y ~ normal(x, e)`, "p.ode");
		const data = record({
			t,
			y: t.map((time) => Math.cos(3 * time)),
			e: t.map((time) => 0.01 + 0.001 * time),
		});
		await expect(run(model, data, { method: "periodic", seed: 1 })).rejects.toThrow(
			/changes from sample to sample/,
		);
	});
});
