/**
 * Ten fields in the plane, each learned from three records and held against records from elsewhere between them: how often
 * bands hold the true state, start by start.
 */

import type { Experiment } from "../../../src/data/experiment.ts";
import { simulateTests } from "../../../src/methods/kriging/answer/predictions.ts";
import { type KrigingOptions, KrigingRun } from "../../../src/methods/kriging/run.ts";
import { exp, log, sin } from "../../../src/num/elementary/number.ts";
import { stream } from "../../../src/num/random.ts";
import { evenTimes, problemOf, recordOf, solve } from "./problems.ts";
import { plane } from "./tasks.ts";

export interface PlaneField {
	readonly field: (x: Float64Array, out: Float64Array) => void;
	/** Where the three records start, and how long they are. */
	readonly from: readonly (readonly [number, number])[];
	readonly until: number;
	/** Standard deviation of the noise. */
	readonly sd: number;
}

const samples = 40;

export const planeFields: Readonly<Record<string, PlaneField>> = {
	"two switches": {
		field(x, out) {
			out[0] = 3 / (1 + x[1] * x[1]) - x[0];
			out[1] = 3 / (1 + exp(2.5 * log(Math.abs(x[0])))) - x[1];
		},
		from: [
			[0.2, 0.4],
			[2.8, 2.6],
			[2.4, 0.1],
		],
		until: 6,
		sd: 0.03,
	},
	"saturated prey": {
		field(x, out) {
			const eaten = (x[0] * x[1]) / (1 + 0.5 * x[0]);
			out[0] = x[0] * (1 - x[0] / 4) - eaten;
			out[1] = -0.5 * x[1] + 0.6 * eaten;
		},
		from: [
			[3, 0.5],
			[0.5, 1.5],
			[3.2, 1.6],
		],
		until: 10,
		sd: 0.02,
	},
	"two competitors": {
		field(x, out) {
			out[0] = x[0] * (1 - x[0] - 1.4 * x[1]);
			out[1] = x[1] * (1 - x[1] - 1.3 * x[0]);
		},
		from: [
			[0.1, 0.15],
			[1.2, 0.9],
			[0.6, 1.3],
		],
		until: 10,
		sd: 0.01,
	},
	"damped pendulum": {
		field(x, out) {
			out[0] = x[1];
			out[1] = -sin(x[0]) - 0.2 * x[1];
		},
		from: [
			[2, 0],
			[0.5, 1],
			[-1.5, -0.5],
		],
		until: 8,
		sd: 0.03,
	},
	"two wells": {
		field(x, out) {
			out[0] = x[1];
			out[1] = x[0] - x[0] * x[0] * x[0] - 0.4 * x[1];
		},
		from: [
			[-1.6, 0.2],
			[1.5, -0.6],
			[0.2, 1],
		],
		until: 8,
		sd: 0.02,
	},
	"van der Pol": {
		field(x, out) {
			out[0] = x[1];
			out[1] = (1 - x[0] * x[0]) * x[1] - x[0];
		},
		from: [
			[0.3, 0],
			[2, 1],
			[-1, -2],
		],
		until: 7,
		sd: 0.04,
	},
	"FitzHugh–Nagumo": {
		field(x, out) {
			out[0] = x[0] - (x[0] * x[0] * x[0]) / 3 - x[1] + 0.5;
			out[1] = 0.24 * (x[0] + 0.7 - 0.8 * x[1]);
		},
		from: [
			[-1, 1],
			[1.5, 0],
			[0.2, 0.9],
		],
		until: 12,
		sd: 0.03,
	},
	Brusselator: {
		field(x, out) {
			out[0] = 1 + x[0] * x[0] * x[1] - 2.6 * x[0];
			out[1] = 1.6 * x[0] - x[0] * x[0] * x[1];
		},
		from: [
			[0.4, 1.2],
			[1.8, 0.8],
			[1.2, 2.2],
		],
		until: 8,
		sd: 0.02,
	},
	"Selkov's glycolysis": {
		field(x, out) {
			const v = (0.15 + x[0] * x[0]) * x[1];
			out[0] = v - x[0];
			out[1] = 0.6 - v;
		},
		from: [
			[0.2, 0.6],
			[1.2, 0.4],
			[0.5, 1.8],
		],
		until: 10,
		sd: 0.012,
	},
	"an enzyme and its product": {
		field(x, out) {
			out[0] = 1 / (1 + x[1] * x[1] * x[1]) - (0.8 * x[0]) / (0.3 + x[0]);
			out[1] = x[0] - x[1];
		},
		from: [
			[0.1, 0.2],
			[1.4, 0.2],
			[0.2, 1.3],
		],
		until: 8,
		sd: 0.012,
	},
};

export interface StartCoverage {
	readonly start: readonly [number, number];
	inside: number;
	bounded: number;
	all: number;
	/** Sum of squared errors in units of their standard deviations. */
	square: number;
}

/** Points between the records: random mixtures of three true states of different records. */
export function startsBetween({ from, until, field }: PlaneField, count: number): [number, number][] {
	const times = evenTimes(samples, until / (samples - 1));
	const truths = from.map((x0) => solve({ ...plane(field, x0, 2), x0 }, times));
	const random = stream(1, "starts between records");
	return Array.from({ length: count }, (_, i): [number, number] => {
		const weights = truths.map((_, r) => -log(random.uniform(8 * i + r)));
		const total = weights.reduce((a, b) => a + b, 0);
		const at = truths.map((_, r) => Math.floor(samples * random.uniform(8 * i + 4 + r)));
		const mixed = (c: number): number =>
			truths.reduce((sum, x, r) => sum + (weights[r] / total) * x[2 * at[r] + c], 0);
		return [mixed(0), mixed(1)];
	});
}

interface Recorded {
	readonly states: Float64Array;
	readonly record: Experiment;
}

/** The field learned from its three records, with the tests from other starts. */
export async function learned(
	{ field, from, until, sd }: PlaneField,
	starts: readonly (readonly [number, number])[],
	options: KrigingOptions,
	seed: number,
): Promise<{ run: KrigingRun; tests: readonly Recorded[]; times: Float64Array }> {
	const times = evenTimes(samples, until / (samples - 1));
	const truth = plane(field, from[0], 2);
	const recorded = (x0: readonly [number, number], i: number): Recorded => {
		const states = solve({ ...truth, x0 }, times);
		const record = recordOf(truth, states, { times, from: 0, to: samples, sd, seed: 1000 * seed + i });
		return { states, record: { ...record, name: `record ${i}` } };
	};
	const train = from.map((x0, i) => recorded(x0, i).record);
	const tests = starts.map((start, i) => recorded(start, 100 + i));
	const problem = problemOf(
		truth,
		train,
		tests.map(({ record }) => record),
		sd,
	);
	const run = new KrigingRun(problem, options);
	while (!(await run.advance()).done);
	return { run, tests, times };
}

/** One seed of noise, added to `found`. */
export async function addCoverage(
	of: PlaneField,
	found: readonly StartCoverage[],
	options: KrigingOptions,
	seed: number,
): Promise<void> {
	const starts = found.map(({ start }) => start);
	const { run, tests, times } = await learned(of, starts, options, seed);
	simulateTests(run).forEach(({ simulation }, i) => {
		const { t, x, sd: error, boundedUntil } = simulation;
		times.forEach((time, k) => {
			found[i].all += 2;
			const at = t.indexOf(time);
			if (at < 0 || !(time <= boundedUntil)) return;
			found[i].bounded += 2;
			for (let c = 0; c < 2; c++) {
				const score = (x[at * 2 + c] - tests[i].states[k * 2 + c]) / error[at * 2 + c];
				found[i].square += score * score;
				if (Math.abs(score) <= 1.96) found[i].inside++;
			}
		});
	});
}
