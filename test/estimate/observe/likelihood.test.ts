/** The one likelihood: its gradient, the closed forms of its optimum, and the same bits however a spread is given. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import { estimationOf } from "../../../src/estimate/forward/estimation.ts";
import { forwardOf } from "../../../src/estimate/forward/forward-of.ts";
import { CommonSpreads } from "../../../src/estimate/observe/common-spreads.ts";
import type { LikelihoodProblem } from "../../../src/estimate/observe/likelihood.ts";
import { toSearch } from "../../../src/estimate/unknowns/unknowns.ts";
import { stream } from "../../../src/num/random.ts";
import { modelOf, regularTimes, runFit, simulateRecord } from "../../methods/fit/records.ts";
import { expectGradient } from "./gradient.ts";

const decayLines = "state x = 2\nx' = -k*x";
const times = regularTimes(30, 0.1);

function decayRecord(measure: string, noise: Record<string, number>, seed = 1, name = "run"): Experiment {
	return simulateRecord({
		model: modelOf(`param k, a\n${decayLines}\n${measure}`),
		values: { k: 1.2, a: 1 },
		x0: [2],
		times,
		noise,
		seed,
		name,
	});
}

/** Every kind of noise that a model can declare. */
const noises: Record<string, string> = {
	"a number": "measure y ~ normal(a*x, 0.1)",
	"a common parameter": "param s ~ lognormal(-2, 1)\nmeasure y ~ normal(a*x, s)",
	"one parameter of two outputs": "param s\nmeasure y ~ normal(a*x, s), z ~ normal(a*x^2, s)",
	"two outputs": "measure y = a*x, z = x^2",
	"known beside unknown": "param s\nmeasure y ~ normal(a*x, s), z ~ normal(a*x^2, 0.2)",
	"a parameter in a set": "param s in [0.05, 0.06]\nmeasure y ~ normal(a*x, s), z ~ normal(a*x^2, 0.2)",
	"an expression of states": "measure y ~ normal(a*x, 0.02 + 0.1*x)",
	"an expression of unknowns":
		"param s ~ lognormal(-2, 1), r ~ lognormal(-2, 1)\nmeasure y ~ normal(a*x, s + r*x)",
	lognormal: "measure y ~ lognormal(log(a*x), 0.1)",
	"lognormal of unknown spread": "param s\nmeasure y ~ lognormal(log(a*x), s)",
	"multiples of one parameter": "param s\nmeasure y ~ normal(a*x, 2*s), z ~ normal(a*x^2, s/3)",
	"a parameter that stands in another spread, too":
		"param s ~ lognormal(-2, 1), r ~ lognormal(-2, 1)\nmeasure y ~ normal(a*x, s), z ~ normal(a*x^2, s + r*x)",
	student: "measure y ~ student(3, a*x, 0.1)",
	"student of unknown spread": "param s ~ lognormal(-2, 1)\nmeasure y ~ student(3, a*x, s)",
	"a bound": "measure y in a*x +- 0.1",
};

describe.each(Object.entries(noises))("noise: %s", (name, lines) => {
	const model = modelOf(`param k ~ lognormal(0, 1), a ~ normal(1, 0.5)\n${decayLines}\n${lines}`);
	const record = decayRecord("measure y ~ normal(a*x, 0.1), z ~ normal(a*x^2, 0.1)", { y: 0.05, z: 0.1 });

	test.each([false, true])("the rows give the gradient of the cost (priors: %s)", async (counted) => {
		const estimation = estimationOf(model, [record], {}, inline, counted);
		const { unknowns } = estimation;
		const problem: LikelihoodProblem = {
			...estimation,
			forward: forwardOf(estimation, { kind: "fixed", substeps: 4 }),
			priors: counted ? unknowns.map(({ law }) => law) : undefined,
		};
		const random = stream(3, `gradient ${name}`);
		for (let trial = 0; trial < 5; trial++) {
			const z = Float64Array.from(
				unknowns,
				(unknown, j) =>
					toSearch(unknown, unknown.start) +
					0.2 * Math.min(1, unknown.hi - unknown.lo) * random.uniform(10 * trial + j),
			);
			await expectGradient(problem, z);
		}
	});
});

/** A level measured in records that scatter differently. */
function levels(sd: readonly number[], outputs = 1): Experiment[] {
	return sd.map((each, e) => {
		const random = stream(5, `level ${e}`);
		const own = regularTimes(12 + 9 * e, 0.5);
		const rows = Int32Array.from(own.keys());
		const values = (o: number): Float64Array =>
			own.map((_, k) => (o + 1) * (1 + each * random.normal(100 * o + k)));
		return {
			name: `run${e}`,
			times: own,
			rows: { from: 0, to: own.length },
			inputs: new Map(),
			outputs: new Map(
				["y", "z"].slice(0, outputs).map((name, o) => [name, { times: own, values: values(o), rows }]),
			),
			conditions: {},
			removed: {},
		} as unknown as Experiment;
	});
}

const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);

describe("closed forms", () => {
	test("a spread shared by two records: the mean of all samples", async () => {
		const model = modelOf("param a, s\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, s)");
		const train = levels([0.02, 0.8]);
		const { parameters, summary } = await runFit({ model, train });
		const all = train.flatMap(({ outputs }) => [...outputs.get("y")!.values]);
		const mean = sum(all) / all.length;
		const spread = Math.sqrt(sum(all.map((y) => (y - mean) ** 2)) / all.length);
		const [a, s] = parameters;
		expect(a.estimate).toBeCloseTo(mean, 9);
		expect(s.estimate).toBeCloseTo(spread, 9);
		// t interval of a mean.
		const sd = spread / Math.sqrt(all.length - 1);
		expect(a.sd).toBeCloseTo(sd, 7);
		expect(summary.logLikelihood).toBeCloseTo(
			-all.length * (Math.log(spread) + 0.5 * Math.log(2 * Math.PI) + 0.5),
			7,
		);
		expect(summary.chi2).toBeCloseTo(all.length, 9);
		expect(summary.degrees).toBe(all.length - 2);
		expect(summary.aic).toBeCloseTo(4 - 2 * (summary.logLikelihood as number), 9);
	});

	test("a spread shared by two outputs: plain least squares over both", async () => {
		const model = modelOf(
			"param a, s\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, s), z ~ normal(2*a*x, s)",
		);
		const train = levels([0.3], 2);
		const { parameters } = await runFit({ model, train });
		const [y, z] = ["y", "z"].map((name) => [...train[0].outputs.get(name)!.values]);
		expect(parameters[0].estimate).toBeCloseTo((sum(y) + 2 * sum(z)) / (y.length + 4 * z.length), 9);
	});

	test("two spreads: no slope of the likelihood is left at the answer", async () => {
		const model = modelOf(
			"param a, s, r\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, s), z ~ normal(2*a*x, r)",
		);
		const train = levels([0.4], 2);
		const { parameters } = await runFit({ model, train });
		const [a, s, r] = parameters.map(({ estimate }) => estimate);
		const [y, z] = ["y", "z"].map((name) => [...train[0].outputs.get(name)!.values]);
		const slope =
			sum(y.map((each) => (each - a) / s ** 2)) + sum(z.map((each) => (2 * (each - 2 * a)) / r ** 2));
		expect(Math.abs(slope)).toBeLessThan(1e-4 * (y.length / s ** 2));
		expect(s).toBeCloseTo(Math.sqrt(sum(y.map((each) => (each - a) ** 2)) / y.length), 8);
		expect(r).toBeCloseTo(Math.sqrt(sum(z.map((each) => (each - 2 * a) ** 2)) / z.length), 8);
	});

	test("the record says which spread is meant, and how many times: each is that of its own samples", async () => {
		const model = modelOf(
			"condition c, f\nparam a, s, r\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, if(c < 1, f*s, r))",
		);
		const train = levels([0.02, 0.8, 0.3]).map((record, e) => ({
			...record,
			conditions: { c: e === 1 ? 1 : 0, f: e + 1 },
		}));
		expect(estimationOf(model, train, {}, inline).unknowns.map(({ name }) => name)).toEqual(["a"]);
		const { parameters } = await runFit({ model, train });
		const [a, s, r] = parameters.map(({ estimate }) => estimate);
		const errors = train.map(({ outputs }, e) =>
			[...outputs.get("y")!.values].map((y) => (y - a) / (e === 2 ? 3 : 1)),
		);
		const rms = (own: readonly number[]): number => Math.sqrt(sum(own.map((e) => e * e)) / own.length);
		expect(s).toBeCloseTo(rms([...errors[0], ...errors[2]]), 9);
		expect(r).toBeCloseTo(rms(errors[1]), 9);
	});

	test("few samples have a spread of their own where it has a least value", async () => {
		const lines = (known: string): string =>
			`param a ${known}, b ${known}, s ${known}, r ${known}\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, s), z ~ normal(b*x, r)`;
		const train = levels([0.3], 2);
		const z = train[0].outputs.get("z")!;
		train[0].outputs.set("z", {
			times: z.times.slice(0, 2),
			values: z.values.slice(0, 2),
			rows: z.rows.slice(0, 2),
		});
		const { parameters } = await runFit({ model: modelOf(lines("in [0.001, 100]")), train });
		const own = [...z.values.subarray(0, 2)];
		expect(parameters.find(({ name }) => name === "r")!.estimate).toBeCloseTo(
			Math.abs(own[0] - own[1]) / 2,
			6,
		);
		// Without one, as many unknowns as samples could meet them, and the likelihood would have no end.
		const borrowed = (known: string): string[] => {
			const { observations, unknowns } = estimationOf(modelOf(lines(known)), train, {}, inline);
			return CommonSpreads.of(observations, unknowns.length).borrowed;
		};
		expect([borrowed("in [0.001, 100]"), borrowed("in [0, 100]"), borrowed("")]).toEqual([[], ["z"], ["z"]]);
	});

	test("a normal prior that is asked for: the precision-weighted mean", async () => {
		const model = modelOf("param a ~ normal(3, 0.1)\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, 0.5)");
		const train = levels([0.5]);
		const y = [...train[0].outputs.get("y")!.values];
		const plain = await runFit({ model, train });
		expect(plain.parameters[0].estimate).toBeCloseTo(sum(y) / y.length, 9);
		const { parameters } = await runFit({ model, train, options: { priors: true } });
		const [w, p] = [y.length / 0.25, 1 / 0.01];
		expect(parameters[0].estimate).toBeCloseTo((w * (sum(y) / y.length) + p * 3) / (w + p), 6);
	});
});

describe("how a spread is given does not matter", () => {
	test("a column of a number is the number, to the bit", async () => {
		const lines = (spread: string): string =>
			`input e\nparam k in [0.1, 10], a in [0.1, 10]\n${decayLines} + 0*e\nmeasure y ~ normal(a*x, ${spread})`;
		const plain = decayRecord("measure y ~ normal(a*x, 0.1)", { y: 0.1 });
		const record = {
			...plain,
			inputs: new Map([
				[
					"e",
					signalFrom(
						times,
						times.map(() => 0.1),
						"zoh",
					),
				],
			]),
		};
		const [number, column] = await Promise.all(
			["0.1", "e"].map((spread) => runFit({ model: modelOf(lines(spread)), train: [record] })),
		);
		expect(column.parameters).toEqual(number.parameters);
		expect(column.doubts).toEqual(number.doubts);
		expect(column.summary.logLikelihood).toBe(number.summary.logLikelihood);
	});

	test("samples weigh by their column", async () => {
		const model = modelOf("input e\nparam a\nstate x = 1\nx' = 0*e\nmeasure y ~ normal(a*x, e)");
		const [record] = levels([0.1]);
		const spread = record.times.map((_, k) => 0.05 * (1 + k));
		const train = [{ ...record, inputs: new Map([["e", signalFrom(record.times, spread, "zoh")]]) }];
		const { parameters } = await runFit({ model, train });
		const y = [...record.outputs.get("y")!.values];
		const w = [...spread].map((each) => 1 / each ** 2);
		expect(parameters[0].estimate).toBeCloseTo(sum(y.map((each, i) => each * w[i])) / sum(w), 9);
	});
});

describe("student", () => {
	test("outliers move a fit far less, and the spread is that of the others", async () => {
		const record = decayRecord("measure y ~ normal(a*x, 0.05)", { y: 0.05 });
		const y = record.outputs.get("y")!.values;
		for (const k of [3, 11, 20]) y[k] += 2;
		const answer = async (noise: string): Promise<Record<string, number>> => {
			const model = modelOf(
				`param k in [0.1, 10], a in [0.1, 10], s in [0.001, 10]\n${decayLines}\nmeasure y ~ ${noise}`,
			);
			const { parameters } = await runFit({ model, train: [record] });
			return Object.fromEntries(parameters.map(({ name, estimate }) => [name, estimate]));
		};
		const normal = await answer("normal(a*x, s)");
		const robust = await answer("student(3, a*x, s)");
		expect(Math.abs(robust.k - 1.2)).toBeLessThan(0.05);
		expect(Math.abs(normal.k - 1.2)).toBeGreaterThan(0.1);
		expect(robust.s).toBeGreaterThan(0.03);
		expect(robust.s).toBeLessThan(0.09);
	});
});
