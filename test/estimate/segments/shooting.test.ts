/** Multiple shooting: its step is the least-squares step of all unknowns and starts together, and turns are counted. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { estimationOf } from "../../../src/estimate/forward/estimation.ts";
import type { Evaluation } from "../../../src/estimate/forward/forward.ts";
import { forwardOf } from "../../../src/estimate/forward/forward-of.ts";
import { searchBounds, searchReach } from "../../../src/estimate/least-squares/region.ts";
import { cutEstimation, startsAlong } from "../../../src/estimate/segments/cut-estimation.ts";
import { type ShootingPoint, ShootingProblem } from "../../../src/estimate/segments/shooting.ts";
import { halfTurn, swingsSlowly } from "../../../src/estimate/segments/turns.ts";
import { toSearch } from "../../../src/estimate/unknowns/unknowns.ts";
import { stream } from "../../../src/num/random.ts";
import { modelOf, regularTimes, simulateRecord } from "../../methods/fit/records.ts";

const model = modelOf(`param k in [0.1, 50], c in [0.01, 1]
param a in [0.2, 5]
state x = a, x' in [-3, 3]
x'' = -k*sin(x) - c*x'
measure y ~ normal(x, 0.01)`);
const records = [
	{ a: 1.2, v: 0, seed: 1 },
	{ a: 2.1, v: 0.5, seed: 2 },
].map(({ a, v, seed }) =>
	simulateRecord({
		model,
		values: { k: 4, c: 0.1, a },
		x0: [a, v],
		times: regularTimes(61, 0.2),
		noise: { y: 0.05 },
		seed,
		name: `record ${seed}`,
	}),
);
const whole = estimationOf(model, records, {}, inline);
const integration = { kind: "fixed", substeps: 4 } as const;

/** A point away from the optimum, and what is seen of it. */
async function somewhere(length: number) {
	const cut = cutEstimation(whole, length);
	const likelihood = { ...whole, forward: forwardOf(whole, integration) };
	const problem = new ShootingProblem(whole, cut, [0.1], searchBounds(likelihood), searchReach(likelihood));
	const natural = Float64Array.of(3, 0.2, 1.5, 0.3, -0.2);
	const [along] = await forwardOf(cut.states, integration).evaluate([natural], false);
	const random = stream(7, "starts");
	const starts = startsAlong(cut, along).map((x, i) => x + 0.1 * random.normal(i));
	const point = { z: natural.map((x, j) => toSearch(whole.unknowns[j], x)), starts };
	return { cut, problem, point, gap: Float64Array.of(3, 5) };
}

test("segments tile the records, each begins where the one before ends", async () => {
	const { cut, point, problem } = await somewhere(15);
	const seen = cut.seen.map((groups) => groups.reduce((sum, { from, to }) => sum + to - from, 0));
	expect(seen.reduce((a, b) => a + b)).toBe(whole.observations.nObservations);
	// From starts along one trajectory there are no gaps.
	const natural = Float64Array.of(3, 0.2, 1.5, 0.3, -0.2);
	const [along] = await forwardOf(cut.states, integration).evaluate([natural], false);
	const starts = startsAlong(cut, along);
	const [evaluation] = await forwardOf(cut.estimation, integration).evaluate(
		[problem.pointOf({ ...point, starts })],
		false,
	);
	cut.ends.forEach((places, s) => {
		for (const [c, i] of places.entries())
			expect(evaluation.value[i]).toBeCloseTo(starts[(s + 1) * 2 + c], 12);
	});
});

describe("where all is linear in unknowns and starts, one step goes to the optimum", () => {
	/** `known`: what the model says of its parameters. */
	const linear = (known: string) =>
		modelOf(`param a ${known}, b ${known}
state x ${known}, v = 2*b
x' = v + a
v' = -x + a*t
measure y ~ normal(x, 0.01)`);
	const times = regularTimes(31, 0.2);
	const train = [1, 2].map((seed) =>
		simulateRecord({
			model: linear(""),
			values: { a: 1, b: -0.5 },
			x0: [seed, -1],
			times,
			noise: { y: 0.05 },
			seed,
			name: `${seed}`,
		}),
	);

	test.each([
		[4, "in [-9, 9]"],
		[10, "in [-9, 9]"],
		[30, "in [-9, 9]"],
		[10, ""],
	])("segments of %i samples, param a %s", async (length, known) => {
		const estimation = estimationOf(linear(known), train, {}, inline);
		const cut = cutEstimation(estimation, length);
		const likelihood = { ...estimation, forward: forwardOf(estimation, integration) };
		const problem = new ShootingProblem(
			estimation,
			cut,
			[0.1],
			searchBounds(likelihood),
			searchReach(likelihood),
		);
		const forward = forwardOf(cut.estimation, integration);
		const gap = Float64Array.of(3, 5);
		const told = async (point: ShootingPoint): Promise<Evaluation> =>
			(await forward.evaluate([problem.pointOf(point)], true))[0];
		const moved = ({ z, starts }: ShootingPoint, by: ShootingPoint, share = 1): ShootingPoint => ({
			z: z.map((value, j) => value + share * by.z[j]),
			starts: starts.map((value, i) => value + share * by.starts[i]),
		});
		const random = stream(length, "linear");
		const drawn = (k: number): ShootingPoint => ({
			z: Float64Array.from(estimation.unknowns, (_, j) => random.normal(1000 * k + j)),
			starts: Float64Array.from({ length: 2 * problem.nSegments }, (_, i) =>
				random.normal(1000 * k + 100 + i),
			),
		});
		const begin = drawn(0);
		const end = moved(begin, problem.step(begin, await told(begin), gap, 0, new Set())!);
		const there = await told(end);
		const least = problem.cost(end, there, gap);
		for (const value of problem.step(end, there, gap, 0, new Set())!.z)
			expect(Math.abs(value)).toBeLessThan(1e-7);
		for (let k = 1; k <= 20; k++) {
			const beside = moved(end, drawn(k), 1e-2);
			expect(problem.cost(beside, await told(beside), gap)).toBeGreaterThan(least);
		}
		// Damped steps are shorter, those that are held stay.
		const damped = problem.step(begin, await told(begin), gap, 10, new Set([1]))!;
		expect(damped.z[1]).toBeCloseTo(0, 12);
		expect(Math.abs(damped.z[0])).toBeLessThan(Math.abs(end.z[0] - begin.z[0]));
	});
});

test("turns are counted through noise, and what does not swing has none", () => {
	const seen = (y: (t: number) => number, noise: number) => {
		const random = stream(3, "turns");
		const values = Float64Array.from({ length: 200 }, (_, i) => y(i / 10) + noise * random.normal(i));
		const times = regularTimes(200, 0.1);
		const series = { times, values, rows: Int32Array.from(times.keys()) };
		const record = { ...records[0], times, outputs: new Map([["y", series]]) };
		return estimationOf(model, [record], {}, inline).observations;
	};
	const of = (y: (t: number) => number, noise: number) => halfTurn(seen(y, noise));
	// Half a turn of sin(2 t) are 15.7 samples.
	for (const noise of [0, 0.05, 0.2]) expect(of((t) => Math.sin(2 * t), noise)).toBeGreaterThan(13);
	for (const noise of [0, 0.05, 0.2]) expect(of((t) => Math.sin(2 * t), noise)).toBeLessThan(19);
	for (const noise of [0, 0.05]) expect(of((t) => Math.exp(-t / 5), noise)).toBeUndefined();
	expect(of((t) => t, 0)).toBeUndefined();
	// Noise around a constant turns too, but every few samples.
	expect(of(() => 0, 1)).toBe(4);
	expect(swingsSlowly(seen(() => 0, 1))).toBe(false);
	expect(swingsSlowly(seen((t) => Math.sin(2 * t), 0.2))).toBe(true);
});
