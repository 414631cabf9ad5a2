/**
 * Inputs that jump, as step 2 sees them. Where an input jumps, so does the derivative of the state; the smoother of step 1
 * cannot follow, and finds the mean of both sides at the jump and something between them beside it. So the equations are
 * taken with the mean input there, and the error is allowed for: half the jump, fading over the time that the smoother
 * averages over, which is the ratio of the errors of a state and of its derivative.
 */
import { exp } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import { type InputSignal, knotsOf } from "../../../solve/piecewise-inputs.ts";
import { BoundDynamics, type Dynamics } from "../dynamics.ts";
import { type SmoothedRecord, smoothedState, withConditions } from "../time/smoothed-record.ts";
import type { KernelSum } from "./kernel-sum.ts";

/** Signals with the mean of both sides where they jump. */
export function meanSignals(signals: readonly InputSignal[]): InputSignal[] {
	return signals.map((signal) => ({
		at: (t: number) => (signal.at(t, -1) + signal.at(t, 1)) / 2,
		knots: signal.knots,
	}));
}

/** Variance that jumps add to the derivative of each equation: equation by equation, over the grid of the record. */
export function jumpVariance(
	dynamics: Dynamics,
	smoothed: SmoothedRecord,
	functions: readonly KernelSum[],
	params: Float64Array,
): Float64Array[] | undefined {
	const { record, tracks } = smoothed;
	const { grid } = record;
	const knots = knotsOf(record.signals).filter((t) => t >= grid[0] && t <= grid[grid.length - 1]);
	const jumping = knots.filter((t) => record.signals.some((signal) => signal.at(t, 1) !== signal.at(t, -1)));
	if (jumping.length === 0) return undefined;
	const { equations } = dynamics.layout;
	const jumps = jumpsAt(dynamics, smoothed, functions, params, jumping);
	return equations.map(({ component, track, order }) => {
		const sizes = standingOut(jumps, dynamics.n, component);
		const { variance } = tracks[track];
		const n = grid.length;
		return grid.map((t, i) => {
			const width = Math.sqrt(variance[(order - 1) * n + i] / variance[order * n + i]);
			let sum = 0;
			for (let k = 0; k < jumping.length; k++) {
				const away = Math.abs(t - jumping[k]) / width;
				if (away < reach) sum += squared(0.5 * sizes[k] * exp(-away));
			}
			return sum;
		});
	});
}

/** Widths beyond which a jump is forgotten. */
const reach = 8;

/** How much each derivative jumps, knot by knot. */
function jumpsAt(
	dynamics: Dynamics,
	smoothed: SmoothedRecord,
	functions: readonly KernelSum[],
	params: Float64Array,
	knots: Float64Array,
): Float64Array {
	const { record } = smoothed;
	const { n } = dynamics;
	const [left, right] = ([-1, 1] as const).map((side) => {
		const signals = record.signals.map((signal) => ({
			at: (t: number) => signal.at(t, side),
			knots: signal.knots,
		}));
		return new BoundDynamics(dynamics, functions, withConditions(params, record), signals);
	});
	const jumps = new Float64Array(knots.length * n);
	const before = new Float64Array(n);
	const after = new Float64Array(n);
	let i = 0;
	knots.forEach((t, k) => {
		while (i + 1 < record.grid.length && record.grid[i + 1] <= t) i++;
		const x = smoothedState(dynamics, smoothed, i);
		left.rhs(t, x, before);
		right.rhs(t, x, after);
		for (let c = 0; c < n; c++) jumps[k * n + c] = after[c] - before[c];
	});
	return jumps;
}

/** An input held between samples of something smooth is a stair: the smoother sees a slope, and no jump stands out. */
function standingOut(jumps: Float64Array, n: number, component: number): Float64Array {
	const own = Float64Array.from({ length: jumps.length / n }, (_, k) => jumps[k * n + component]);
	return own.map((jump, k) => jump - ((own[k - 1] ?? jump) + (own[k + 1] ?? jump)) / 2);
}
