/** Between records the learned field errs by as much as it says, also where every record is near to its trend. */
import { expect, test } from "vitest";
import { krigingOptions } from "../../../src/methods/kriging/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { repetitions } from "../../repetitions.ts";
import { learned, planeFields, startsBetween } from "./fields.ts";

test("two switches that hold one another down: the field between three records", {
	timeout: 120_000,
}, async () => {
	const field = planeFields["two switches"];
	const points = startsBetween(field, 60);
	let square = 0;
	let alone = 0;
	let count = 0;
	for (const seed of [1, 2].slice(0, repetitions(1, 2))) {
		const { run } = await learned(field, [], defaultOptions(krigingOptions), seed);
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
