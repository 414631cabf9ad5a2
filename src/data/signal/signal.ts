/** Inputs between samples: what u(t) is at any instant, given u at the instants of a record. */
import { InputError } from "../../errors.ts";
import { SignalCubic } from "./signal-cubic.ts";
import { SignalLinear } from "./signal-linear.ts";
import { SignalSinc } from "./signal-sinc.ts";
import { SignalZoh } from "./signal-zoh.ts";

export const INTERPOLATIONS = ["zoh", "linear", "cubic", "sinc"] as const;

/**
 * `zoh` holds a sample until the next; `linear` joins samples by lines; `cubic` by a spline (not-a-knot, twice
 * differentiable); `sinc` by the band-limited function through them.
 */
export type Interpolation = (typeof INTERPOLATIONS)[number];

export interface Signal {
	/** The value at `t`; where it jumps, its limit from the right, or from the left with `side` -1. */
	at(t: number, side?: -1 | 1): number;
	/** Where the signal jumps or bends, in order: an integrator has to step exactly onto these. */
	readonly knots: Float64Array;
}

/** A signal through samples. Before the first and after the last it holds their values. */
export interface SampledSignal extends Signal {
	readonly times: Float64Array;
	readonly values: Float64Array;
	/**
	 * The values at `times[i] + offset (times[i + 1] - times[i])`, for `i` in `from..to-1` and all offsets (0 to 1),
	 * into `out[(i - from) * offsets.length + j]`. Where the signal jumps these are limits from inside the interval.
	 */
	nodesInto(out: Float64Array, from: number, to: number, offsets: ArrayLike<number>): void;
}

/** The signal through `values` at `times`, which have to increase. */
export function signalFrom(
	times: Float64Array,
	values: Float64Array,
	interpolation: Interpolation,
): SampledSignal {
	const n = times.length;
	if (n === 0 || values.length !== n) {
		throw new InputError(
			"signal",
			`has ${n} times and ${values.length} values`,
			"Give one value for each time.",
		);
	}
	for (let i = 0; i < n; i++) {
		if (!Number.isFinite(times[i]) || !Number.isFinite(values[i])) {
			throw new InputError("signal", `has the value ${values[i]} at time ${times[i]} (sample ${i})`);
		}
		if (i > 0 && !(times[i] > times[i - 1])) {
			throw new InputError(
				"signal",
				`has time ${times[i]} after ${times[i - 1]} (sample ${i})`,
				"Times have to increase.",
			);
		}
	}
	switch (interpolation) {
		case "zoh":
			return new SignalZoh(times, values);
		case "linear":
			return new SignalLinear(times, values);
		case "cubic":
			return new SignalCubic(times, values);
		case "sinc":
			return new SignalSinc(times, values);
		default:
			throw new InputError(
				"input",
				`is ${JSON.stringify(interpolation)}`,
				`Known are ${INTERPOLATIONS.join(", ")}.`,
			);
	}
}

/** A signal that is a smooth function of time. */
export function formulaSignal(f: (t: number) => number): Signal {
	return { at: (t) => f(t), knots: new Float64Array(0) };
}
