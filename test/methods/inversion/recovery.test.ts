import { describe, expect, test } from "vitest";
import {
	type Example,
	lotkaVolterra,
	manyWeights,
	operatingConditions,
	recordsOf,
	splineTerms,
	vanDerPol,
} from "../../../papers/inversion/examples.ts";
import { inline } from "../../../src/compute/inline.ts";
import { emptyRecord, regularTimes } from "../../../src/methods/inversion/answer/simulated-records.ts";
import { IntegralForward } from "../../../src/methods/inversion/forward/integral-forward.ts";
import { inversion } from "../../../src/methods/inversion/inversion.ts";
import { Workspace } from "../../../src/methods/inversion/workspace.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { allRepetitions, repeated, repetitions } from "../../repetitions.ts";
import { chosenNames, invert, invertExample, problemOf, selectionOnly, trueNames } from "./setup.ts";

describe("example 1: operating conditions", () => {
	const noises = repetitions(6, 25);
	test(`the exact pattern in most of ${noises} noises, and of many in more than by a threshold`, async () => {
		const example = operatingConditions();
		let evidence = 0;
		let threshold = 0;
		for (let seed = 1; seed <= noises; seed++) {
			const pattern = trueNames(example).join();
			const noise = { sd: 0.1 };
			if (chosenNames(await invertExample(example, noise, seed)).join() === pattern) evidence++;
			if (!allRepetitions) continue;
			const byThreshold = await invertExample(example, noise, seed, {
				...selectionOnly,
				select: "threshold",
			});
			if (chosenNames(byThreshold).join() === pattern) threshold++;
		}
		// The bench finds about .8 over 200 noises; three binomial deviations below.
		expect(evidence).toBeGreaterThan(0.8 * noises - 3 * Math.sqrt(0.16 * noises));
		expect(evidence).toBeGreaterThanOrEqual(threshold);
	});

	test("as in the paper: from 0, the residuals are as large as the noise, in about 14 iterations", async () => {
		const counts: number[] = [];
		for (let seed = 1; seed <= 5; seed++) {
			const options = { ...selectionOnly, bridge: false, substeps: 10, select: "none" } as const;
			const { summary } = await invertExample(operatingConditions(), { sd: 0.1 }, seed, options);
			counts.push(summary.iterations as number);
			for (const sd of Object.values(summary.residualSd as Record<string, number>))
				expect(Math.abs(sd - 0.1)).toBeLessThan(0.03);
		}
		expect(Math.max(...counts)).toBeLessThanOrEqual(20);
	});

	test("outputs of very different size: weights from the declared noise make it the same fit", async () => {
		const example = operatingConditions();
		const train = await recordsOf(example, { sd: 0.1 }, 1, inline);
		const plain = await invert(problemOf(example.model, train), selectionOnly);
		const text = example.model.source.replace("normal(y, 0.1)", "normal(1000*y, 100)");
		const scaled = train.map((experiment) => {
			const ym = experiment.outputs.get("ym")!;
			const outputs = new Map(experiment.outputs);
			outputs.set("ym", { ...ym, values: ym.values.map((value) => 1000 * value) });
			return { ...experiment, outputs };
		});
		const other = await invert(problemOf(parseModel(text, "scaled.ode"), scaled), selectionOnly);
		expect(chosenNames(other)).toEqual(chosenNames(plain));
		plain.parameters.forEach(({ estimate }, i) => {
			expect(other.parameters[i].estimate).toBeCloseTo(estimate, 4);
		});
	});
});

describe("example 2: splines", () => {
	test("which functions are there and which are nonlinear, with weights to 3e-3, in at most 13 iterations", async () => {
		const example = splineTerms();
		for (const seed of [1, 2]) {
			const result = await invertExample(example, { sd: 1e-5 }, seed);
			expect(chosenNames(result)).toEqual(trueNames(example));
			expect(result.summary.iterations as number).toBeLessThanOrEqual(13);
			for (const { name, estimate } of result.parameters)
				expect(Math.abs(estimate - example.truth[name])).toBeLessThan(6e-3);
			for (const sd of Object.values(result.summary.residualSd as Record<string, number>))
				expect(Math.abs(sd / 1e-5 - 1)).toBeLessThan(0.35);
		}
	});
});

describe("cubic libraries, 20 candidates", () => {
	test.each([
		["van der Pol", vanDerPol, 0],
		["van der Pol", vanDerPol, 5e-2],
		["Lotka–Volterra", lotkaVolterra, 0],
		["Lotka–Volterra", lotkaVolterra, 1e-2],
		["Lotka–Volterra", lotkaVolterra, 5e-2],
	] as const)("%s: exact structure at the same default", async (_name, make, sd) => {
		const example = make();
		const result = await invertExample(example, { sd, relative: true }, 1);
		expect(chosenNames(result)).toEqual(trueNames(example));
		for (const { name, estimate } of result.parameters)
			if (name in example.truth)
				expect(Math.abs(estimate / example.truth[name] - 1)).toBeLessThan(Math.max(0.5 * sd, 1e-5));
	});
});

test("a start far from the truth is bridged by the smoothed samples, and without the bridge the answer is doubted", async () => {
	const example = lotkaVolterra();
	const train = await recordsOf(example, { sd: 1e-2, relative: true }, 1, inline);
	const far = problemOf(example.model, train, { "f[x]": -20, "g[y]": 15, "g[x^3]": 4 });
	expect(chosenNames(await invert(far, selectionOnly))).toEqual(trueNames(example));
	const alone = await invert(far, { ...selectionOnly, bridge: false });
	expect(chosenNames(alone)).not.toEqual(trueNames(example));
	expect(!alone.answered || alone.doubts.some(({ grave }) => grave)).toBe(true);
});

test("transforms of conditions, and a Fourier basis", async () => {
	const transformed = parseModel(
		`condition c
param p(1, c, c^2), q(1, c)
state x = 2
x' = q - p*x
measure y ~ normal(x, 0.01)`,
		"transformed.ode",
	);
	const pendulum = parseModel(
		`unknown f(x) = fourier(2, period: 2*pi)
param d
state x = 2, v = 0
x' = v
v' = f(x) + d*v
measure y ~ normal(x, 0.01)
measure w ~ normal(v, 0.01)`,
		"pendulum.ode",
	);
	const conditions = [-2, -1, 0, 1, 2].map((c) =>
		emptyRecord(`c = ${c}`, regularTimes(4, 0.1), ["y"], { c }),
	);
	const swing = [emptyRecord("swing", regularTimes(10, 0.1), ["y", "w"], {})];
	const examples: Pick<Example, "model" | "truth" | "design">[] = [
		{ model: transformed, truth: { "p[1]": 1, "p[c^2]": 0.5, "q[c]": 0.4 }, design: conditions },
		{ model: pendulum, truth: { d: -0.2, "f[sin(x)]": -1 }, design: swing },
	];
	for (const example of examples) {
		const train = await recordsOf({ ...example, initial: [], substeps: 8 }, { sd: 0.01 }, 1, inline);
		const { parameters } = await invert(problemOf(example.model, train), selectionOnly);
		expect(parameters.map(({ name }) => name)).toEqual(Object.keys(example.truth));
		for (const { estimate, sd, name } of parameters)
			expect(Math.abs(estimate - example.truth[name])).toBeLessThan(4 * sd!);
	}
});

test("weights of a function that depend on a condition", async () => {
	const model = parseModel(
		`condition c
unknown f(x) = polynomial(2)
state x = 2
x' = f(x)
measure y ~ normal(x, 0.01)`,
		"function-of-condition.ode",
	);
	const truth = { "f[x]": -1, "f[x*c]": 0.5 };
	const design = [-1, 0, 1].map((c) => ({
		...operatingConditions().design[0],
		name: `c = ${c}`,
		conditions: { c },
		times: Float64Array.from({ length: 41 }, (_, i) => i / 10),
	}));
	const times = design[0].times;
	const rows = Int32Array.from(times.keys());
	const train = design.map((experiment, e) => {
		const c = experiment.conditions.c;
		const noise = Float64Array.from(times, (_, k) => 0.01 * Math.sin(12.9 * k + 78.2 * e + k * k));
		const values = times.map((t, k) => 2 * Math.exp((-1 + 0.5 * c) * t) + noise[k]);
		return { ...experiment, outputs: new Map([["y", { times, rows, values }]]) };
	});
	const result = await invert(problemOf(model, train), { ...selectionOnly, functionsOfConditions: true });
	expect(chosenNames(result)).toEqual(Object.keys(truth).sort());
	for (const { name, estimate } of result.parameters)
		expect(Math.abs(estimate - truth[name as keyof typeof truth])).toBeLessThan(0.03);
});

test("many weights: found by sweeps, none missed and none too many", async () => {
	const example = manyWeights({ states: 6, experiments: 25, samples: 21, seed: 4 });
	const result = await invertExample(example, { sd: 0.02 }, 1);
	expect(chosenNames(result)).toEqual(trueNames(example));
	expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
});

test("records that are short tell their noise together: none counts for everything in the integral form", async () => {
	const example = manyWeights({ states: 6, experiments: 25, samples: 11, seed: 4 });
	const train = await recordsOf(example, { sd: 0.02 }, 1, inline);
	const work = new Workspace(problemOf(example.model, train), defaultOptions(inversion.options));
	const { rowWeights } = new IntegralForward(work.setting, work.smooth!, work.functions);
	const sizes = [...rowWeights].map((weight) => 1 / weight);
	// One by one, some records seem to have no noise at all.
	expect(Math.min(...work.smooth!.flatMap(({ noise }) => [...noise]))).toBeLessThan(1e-3);
	expect(Math.min(...sizes)).toBeGreaterThan(0.01);
	expect(Math.max(...sizes)).toBeLessThan(0.04);
});

test("many weights of states that stay 0 in every record: left out, and said to be unseen", async () => {
	const { design } = manyWeights({ states: 6, experiments: 25, samples: 21, seed: 4 });
	const states = [...Array(6).keys()];
	const text = [
		"condition c2, c3, c4, c5",
		`param ${states.flatMap((i) => states.map((j) => `p${i}_${j}(1, c2, c3, c4, c5)`)).join(", ")}`,
		"state x0 = 1, x1 = -1, x2 = 0, x3 = 0, x4 = 0, x5 = 0",
		...states.map((i) => `x${i}' = ${states.map((j) => `p${i}_${j}*x${j}`).join(" + ")}`),
		...states.map((i) => `measure y${i} ~ normal(x${i}, 0.02)`),
	].join("\n");
	const still = {
		model: parseModel(text, "still.ode"),
		truth: { "p0_0[1]": -0.5, "p0_1[1]": 0.8, "p1_1[1]": -0.7, "p2_0[c2]": 0.5 },
		design,
		initial: [],
		substeps: 16,
	};
	const result = await invertExample(still, { sd: 0.02 }, 1);
	expect(chosenNames(result)).toEqual(trueNames(still));
	// Five weights in each of six equations for each of three states.
	expect(result.doubts.filter(({ grave }) => grave).map(({ title }) => title)).toEqual([
		"90 candidates do nothing in these records",
	]);
});

test("many weights: long steps pause, and say how far they are", async () => {
	const example = manyWeights({ states: 6, experiments: 25, samples: 11, seed: 4 });
	const problem = problemOf(example.model, await recordsOf(example, { sd: 0.1 }, 3, inline));
	const run = await inversion.prepare(problem, defaultOptions(inversion.options));
	const labels: string[] = [];
	for (let done = false; !done; ) {
		const progress = await inversion.advance(run);
		labels.push(progress.label);
		done = progress.done;
	}
	for (const wanted of [/integrated along 7 of 25 records/, /linearised in 20 of 25 experiments/])
		expect(labels.some((label) => wanted.test(label))).toBe(true);
});

test("a noise that is declared tells that the start as given is good enough: no bridge is built", async () => {
	const example = operatingConditions();
	const starts = async (model: Model, sd = 0.1) => {
		const train = await recordsOf(example, { sd }, 3, inline);
		const run = await inversion.prepare(problemOf(model, train), {
			...defaultOptions(inversion.options),
			...selectionOnly,
		});
		while (!(await inversion.advance(run)).done);
		return { from: run.starts.results.map(({ from }) => from), chosen: run.final!.active };
	};
	const declared = await starts(example.model);
	const params = [...Array(8).keys()].map((i) => `p${i + 1}(1, c2, c3)`);
	const open = await starts(
		parseModel(
			`condition c2, c3
param ${params.join(", ")}, s
state x = p7, y = p8
x' = p1 + p2*x + p3*y
y' = p4 + p5*x + p6*y
measure xm ~ normal(x, s)
measure ym ~ normal(y, s)
`,
			"open.ode",
		),
	);
	expect(declared.from).toEqual(["given"]);
	expect(open.from).toEqual(["bridge"]);
	expect(open.chosen).toEqual(declared.chosen);
	// The noise is three times the declared one: no fit agrees with it, and the bridge is tried too.
	const noisy = await starts(example.model, 0.3);
	expect(noisy.from.slice(0, 2)).toEqual(["given", "bridge"]);
});

test.each([
	["six experiments", operatingConditions()],
	["many weights", manyWeights({ states: 6, experiments: 25, samples: 11, seed: 4 })],
])("a run that was stopped goes on to the same bits: %s", async (_name, example) => {
	const problem = problemOf(example.model, await recordsOf(example, { sd: 0.1 }, 3, inline));
	const options = { ...defaultOptions(inversion.options), stability: 20, starts: 1 };
	const whole = await inversion.prepare(problem, options);
	const saved: Uint8Array[] = [];
	while (!(await inversion.advance(whole)).done) saved.push(inversion.save(whole));
	const expected = JSON.stringify((await inversion.result(whole)).summary);
	for (const share of repeated([0.01, 0.3, 0.75], [0.01, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9])) {
		const run = await inversion.load(problem, options, saved[Math.ceil(share * saved.length) - 1]);
		while (!(await inversion.advance(run)).done);
		expect(JSON.stringify((await inversion.result(run)).summary)).toBe(expected);
	}
});
