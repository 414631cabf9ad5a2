/** Residuals of a fit as instruments are judged by them: a decay with a swing, four directions taken out. */
import { predictedBy, type ResidualSeries, withTaken } from "../../../src/estimate/judge/series.ts";
import { stream } from "../../../src/num/random.ts";
import { directions } from "./simulated.ts";

export const n = 60;
export const times = Float64Array.from({ length: n }, (_, i) => 0.2 * i);
const sd = new Float64Array(n).fill(0.1);
/** A decay with a swing: what a model says of output k. */
export const curve = (k: number) => times.map((t) => (1 + k) * Math.exp(-0.1 * t) * Math.cos(t + k));
export const slope = (k: number) =>
	times.map((t) => (1 + k) * Math.exp(-0.1 * t) * (-0.1 * Math.cos(t + k) - Math.sin(t + k)));

interface Wrong {
	/** In units of the output. */
	readonly add?: (t: number, k: number, i: number) => number;
	readonly outputs?: number;
	readonly shape?: "slow" | "swinging" | "rough";
}

/** Residuals of outputs whose fit has taken four directions out, as each method tells them. */
export function fitted(
	seed: number,
	{ add = () => 0, outputs = 2, shape = "slow" }: Wrong = {},
): ResidualSeries[] {
	const random = stream(seed, "instrument");
	const count = n * outputs;
	const columns = directions(count, { shape, p: 4, n, random });
	const values = Float64Array.from({ length: count }, (_, at) => {
		const [k, i] = [Math.floor(at / n), at % n];
		return random.normal(at) + add(times[i], k, i) / sd[i];
	});
	for (const column of columns) {
		const share = values.reduce((sum, value, i) => sum + value * column[i], 0);
		for (let i = 0; i < count; i++) values[i] -= share * column[i];
	}
	return withTaken(
		Array.from({ length: outputs }, (_, k) => ({
			experiment: "record",
			output: `y${k}`,
			t: times,
			observed: curve(k),
			residual: values.slice(k * n, (k + 1) * n),
			noise: "declared" as const,
			predicted: predictedBy({ t: times, y: curve(k) }, times, sd, false),
			along: Float64Array.from({ length: n * columns.length }, (_, at) => {
				const [i, j] = [Math.floor(at / columns.length), at % columns.length];
				return columns[j][k * n + i];
			}),
		})),
	);
}
