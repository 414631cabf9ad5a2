/**
 * What errors do that are not small. To first order the error of a simulation shrinks again once its path has passed a saddle, though
 * a state that is a little off there ends elsewhere. So the errors that matter most, those that move a state as far as its band reaches
 * at the time when this is widest, are carried along by the learned system itself: from step to step
 *
 *     d(right) = x(right; x̄ + d) - x(right; x̄) + what the error of the field adds on the way, to first order,
 *
 * and the band is at least as wide as they lead. Where the system is nearly linear between them they lead no further than it.
 */
import { normalQuantile975 } from "../../../num/quantile.ts";
import type { BoundDynamics } from "../dynamics.ts";
import { type Path, product } from "./path.ts";

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
	for (let i = 0; i < n; i++) {
		let widest = 0;
		for (let k = 1; k < deltas.length; k++) if (sd[k * n + i] > sd[widest * n + i]) widest = k;
		const size = sd[widest * n + i];
		if (!(size > 0)) continue;
		const along = deltas[widest].subarray(i * width, (i + 1) * width);
		for (const sign of [1, -1]) {
			const towards = along.map((value) => (sign * normalQuantile975 * value) / size);
			let d = moved(deltas[0], towards, n);
			note(0);
			for (let k = 0; k < steps.length && d.every(Number.isFinite); k++) {
				const added = moved(deltas[k + 1], towards, n);
				const carried = product(steps[k].a, moved(deltas[k], towards, n), n, 1);
				const next = difference(bound, path, k, d);
				d = next.map((value, j) => value + added[j] - carried[j]);
				note(k + 1);
			}
			function note(k: number): void {
				for (let j = 0; j < n; j++) {
					const reach = Math.abs(d[j]) / normalQuantile975;
					// What runs away has no end.
					if (!(reach <= found[k * n + j]))
						found[k * n + j] = Number.isNaN(reach) ? Number.POSITIVE_INFINITY : reach;
				}
			}
		}
	}
	return found;
}

function moved(delta: Float64Array, towards: Float64Array, n: number): Float64Array {
	const width = towards.length;
	const out = new Float64Array(n);
	for (let i = 0; i < n; i++) for (let c = 0; c < width; c++) out[i] += delta[i * width + c] * towards[c];
	return out;
}

/** How far apart two states are after a step, that were d apart before it: both by one Runge–Kutta step, whose errors cancel. */
function difference(bound: BoundDynamics, { t, x, n }: Path, k: number, d: Float64Array): Float64Array {
	const [left, right] = [t[k], t[k + 1]];
	bound.u.enter(left, right);
	const from = x.subarray(k * n, (k + 1) * n);
	const there = stepped(bound, left, right - left, from);
	const other = stepped(
		bound,
		left,
		right - left,
		from.map((value, i) => value + d[i]),
	);
	return other.map((value, i) => value - there[i]);
}

function stepped(bound: BoundDynamics, t: number, h: number, x: Float64Array): Float64Array {
	const slope = (time: number, by: Float64Array | undefined, share: number): Float64Array => {
		const out = new Float64Array(x.length);
		bound.rhs(time, by ? x.map((value, i) => value + share * by[i]) : x, out);
		return out;
	};
	const k1 = slope(t, undefined, 0);
	const k2 = slope(t + h / 2, k1, h / 2);
	const k3 = slope(t + h / 2, k2, h / 2);
	const k4 = slope(t + h, k3, h);
	return x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
}
