/** Two switches that hold one another down, learned from three records: between these all errs by as much as it says. */
import { expect, test } from "vitest";
import { testSimulations } from "../../../src/methods/kriging/answer/predictions.ts";
import { krigingOptions } from "../../../src/methods/kriging/options.ts";
import { smoothedState } from "../../../src/methods/kriging/time/smoothed-record.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { drained } from "../../../src/num/drained.ts";
import { repetitions } from "../../repetitions.ts";
import { learned, planeFields, startsBetween } from "./fields.ts";

const field = planeFields["two switches"];
const options = defaultOptions(krigingOptions);
/** Learned once; other records are only foretold. */
const first = learned(field, startsBetween(field, repetitions(4, 24)), options, 1);

// Where every record is near to its trend, too.
test("the field between three records", { timeout: 600_000 }, async () => {
	const points = startsBetween(field, 60);
	let square = 0;
	let alone = 0;
	let count = 0;
	for (const seed of [1, 2].slice(0, repetitions(1, 2))) {
		const { run } = seed === 1 ? await first : await learned(field, [], options, seed);
		const truths = points.map((x) => {
			const out = new Float64Array(2);
			field.field(Float64Array.from(x), out);
			return out;
		});
		for (const fn of [0, 1]) {
			const { value, sd } = run.fieldError.predict(fn, points);
			const likely = run.pass.field.predict(fn, points);
			points.forEach((_, i) => {
				square += ((value[i] - truths[i][fn]) / sd[i]) ** 2;
				alone += ((value[i] - truths[i][fn]) / likely.sd[i]) ** 2;
				count++;
			});
		}
	}
	// With the most likely hyperparameters alone errors are several times what is stated.
	expect(Math.sqrt(alone / count)).toBeGreaterThan(2);
	expect(Math.sqrt(square / count)).toBeLessThan(1.5);
});

/** 0.1 % and 99.9 % of the sum of so many squares of standard normal values. */
const squares = { 8: [0.857, 26.12], 48: [23.29, 84.04] } as const;

// As unsure as they are said to be, also where a record begins fast and comes to rest.
test("first states of other records", { timeout: 600_000 }, async () => {
	const { run, tests } = await first;
	let square = 0;
	let smoothed = 0;
	const simulated = drained(testSimulations(run));
	for (const [i, { simulation }] of simulated.entries()) {
		const other = drained(run.smoothOther(run.problem.test[i]));
		const x = smoothedState(run.dynamics, other, 0);
		for (let c = 0; c < 2; c++) {
			const truth = tests[i].states[c];
			square += ((simulation.x[c] - truth) / simulation.sd[c]) ** 2;
			smoothed += (x[c] - truth) ** 2 / other.tracks[c].covariance(0, 0, 0, 0);
		}
	}
	const [least, most] = squares[(2 * simulated.length) as 8 | 48];
	expect(square).toBeGreaterThan(least);
	expect(square).toBeLessThan(most);
	// A smoother that is stationary in time is too sure there.
	expect(smoothed).toBeGreaterThan(most);
});
