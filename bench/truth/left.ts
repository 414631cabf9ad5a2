/** What an answer leaves of a problem's outputs without noise: root mean square, in units of the noise. A fault that it took up is not in it. */
import type { Prediction } from "../../src/estimate/result.ts";
import { log } from "../../src/num/elementary/number.ts";
import { squared } from "../../src/num/whole-power.ts";
import type { ProvedProblem } from "../../src/prove/problem.ts";

/** Undefined where an output has no prediction at its samples. */
export function leftBy(
	predictions: readonly Prediction[],
	{ clean, sd, noise }: ProvedProblem,
): number | undefined {
	let [sum, count] = [0, 0];
	for (const { record, output, y } of clean) {
		const own = predictions.find(
			(each) => each.part === "train" && each.output === output && each.experiment === record,
		);
		if (!own?.data || own.data.t.length !== y.length) return undefined;
		const at = new Map(Array.from(own.t, (t, i) => [t, own.y[i]]));
		for (let i = 0; i < y.length; i++, count++) {
			const predicted = at.get(own.data.t[i]);
			if (predicted === undefined) return undefined;
			const error = noise === "lognormal" ? log(y[i] / predicted) : y[i] - predicted;
			sum += squared(error / sd[output]);
		}
	}
	return Math.sqrt(sum / count);
}
