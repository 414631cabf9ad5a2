/**
 * What errors do that are not small. To first order the error of a simulation shrinks again once its path has passed a saddle, though
 * a state that is a little off there ends elsewhere. So the errors that matter most, those that move a state as far as its band reaches
 * at the time when this is widest, are carried along by the learned system itself: from step to step
 *
 *     d(right) = x(right; x̄ + d) - x(right; x̄) + what the error of the field adds on the way, to first order,
 *
 * and the band is at least as wide as they lead. Where the system is nearly linear between them they lead no further than it.
 */
import { dot } from "../../../num/linear/dense.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import type { BoundDynamics } from "../dynamics.ts";
import { type Path, product } from "./path.ts";

/** As good as no bound at all. */
const without = 1e100;

/** `deltas`: errors at the ends of the steps, as columns (n × width). Standard deviations, row by row. */
export function largeErrors(
	bound: BoundDynamics,
	path: Path,
	deltas: readonly Float64Array[],
	sd: Float64Array,
): Float64Array {
	const { n, steps } = path;
	const width = deltas[0].length / n;
	const found = sd.slice();
	const alone = steps.map((_, k) =>
		isStiff(bound, path, k) ? undefined : stepped(bound, path, k, undefined),
	);
	for (let i = 0; i < n; i++) {
		let widest = 0;
		for (let k = 1; k < deltas.length; k++) if (sd[k * n + i] > sd[widest * n + i]) widest = k;
		const size = sd[widest * n + i];
		if (!(size > 0)) continue;
		const along = deltas[widest].subarray(i * width, (i + 1) * width);
		for (const sign of [1, -1]) {
			const towards = along.map((value) => (sign * normalQuantile975 * value) / size);
			const small = deltas.map((delta) => moved(delta, towards, n));
			let d = small[0];
			for (let k = 0; k < steps.length; k++) {
				const { a } = steps[k];
				const from = alone[k];
				const carried = product(a, small[k], n, 1);
				// Both by one Runge–Kutta step, whose errors cancel; where that is too long for it, to first order.
				const next = from
					? stepped(bound, path, k, d).map((value, j) => value - from[j])
					: product(a, d, n, 1);
				d = next.map((value, j) => value + small[k + 1][j] - carried[j]);
				if (!d.every((value) => Math.abs(value) < without)) d = new Float64Array(n).fill(without);
				for (let j = 0; j < n; j++) {
					const at = (k + 1) * n + j;
					found[at] = Math.max(found[at], Math.abs(d[j]) / normalQuantile975);
				}
				if (d[0] === without) {
					// What runs away does not come back.
					found.fill(without, (k + 2) * n);
					break;
				}
			}
		}
	}
	return found;
}

/** h |J| up to which a step of Runge and Kutta is stable. */
const stable = 2;

function isStiff(bound: BoundDynamics, { t, x, n }: Path, k: number): boolean {
	const jacobian = new Float64Array(n * n);
	bound.u.enter(t[k], t[k + 1]);
	bound.jacobian(t[k], x.subarray(k * n, (k + 1) * n), jacobian);
	return !((t[k + 1] - t[k]) * Math.sqrt(dot(jacobian, jacobian)) <= stable);
}

function moved(delta: Float64Array, towards: Float64Array, n: number): Float64Array {
	const width = towards.length;
	const out = new Float64Array(n);
	for (let i = 0; i < n; i++) for (let c = 0; c < width; c++) out[i] += delta[i * width + c] * towards[c];
	return out;
}

/** The state at the end of a step, from the path's own at its beginning or from so far beside it. */
function stepped(
	bound: BoundDynamics,
	path: Path,
	k: number,
	beside: Float64Array | undefined,
): Float64Array {
	const { n } = path;
	const t = path.t[k];
	const h = path.t[k + 1] - t;
	bound.u.enter(t, path.t[k + 1]);
	const x = path.x.slice(k * n, (k + 1) * n);
	if (beside) for (let i = 0; i < n; i++) x[i] += beside[i];
	const slope = (time: number, by: Float64Array | undefined, share: number): Float64Array => {
		const out = new Float64Array(n);
		bound.rhs(time, by ? x.map((value, i) => value + share * by[i]) : x, out);
		return out;
	};
	const k1 = slope(t, undefined, 0);
	const k2 = slope(t + h / 2, k1, h / 2);
	const k3 = slope(t + h / 2, k2, h / 2);
	const k4 = slope(t + h, k3, h);
	return x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
}
