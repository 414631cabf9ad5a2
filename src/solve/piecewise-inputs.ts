/**
 * Input signals as a solver sees them: within one smooth piece at a time, and with the limits from inside at its ends, where
 * a held input jumps and an interpolated one bends.
 */

/** A signal over time (data/signal/signal.ts makes them from samples). */
export interface InputSignal {
	/** The value at `t`; where it jumps, its limit from the right, or from the left with `side` -1. */
	at(t: number, side?: -1 | 1): number;
	/** Times at which it is not smooth. */
	readonly knots: ArrayLike<number>;
}

const CUBE_ROOT_EPSILON = 6e-6;

export class PiecewiseInputs {
	private tLeft = -Infinity;
	private tRight = Infinity;
	/** The time that `values` belongs to: right-hand side and derivatives are asked for at the same time in turn. */
	private valuesTime = Number.NaN;
	private readonly values: Float64Array;
	private readonly slopes: Float64Array;

	constructor(private readonly signals: readonly InputSignal[]) {
		this.values = new Float64Array(signals.length);
		this.slopes = new Float64Array(signals.length);
	}

	enter(tLeft: number, tRight: number): void {
		this.tLeft = tLeft;
		this.tRight = tRight;
		this.valuesTime = Number.NaN;
	}

	/** Values at t, in a vector that the next call overwrites. */
	at(t: number): Float64Array {
		if (t !== this.valuesTime) {
			for (let i = 0; i < this.signals.length; i++) this.values[i] = this.inside(this.signals[i], t);
			this.valuesTime = t;
		}
		return this.values;
	}

	/** Slopes at t, by differences within the piece. */
	slopesAt(t: number): Float64Array {
		const { tLeft, tRight } = this;
		const length = tRight - tLeft;
		const reach = CUBE_ROOT_EPSILON * (length < Infinity ? length : Math.max(1, Math.abs(t)));
		const before = Math.max(t - reach, tLeft);
		const after = Math.min(t + reach, tRight);
		for (let i = 0; i < this.signals.length; i++) {
			const rise = this.inside(this.signals[i], after) - this.inside(this.signals[i], before);
			this.slopes[i] = rise / (after - before);
		}
		return this.slopes;
	}

	private inside(signal: InputSignal, t: number): number {
		// A last stage may miss the end of the piece by rounding.
		if (t >= this.tRight) return signal.at(this.tRight, -1);
		return signal.at(Math.max(t, this.tLeft), 1);
	}
}

/** All knots of some signals, in order, each once. */
export function knotsOf(signals: readonly InputSignal[]): Float64Array {
	if (signals.length === 1) return Float64Array.from(signals[0].knots);
	const all = new Set<number>();
	for (const { knots } of signals) for (let i = 0; i < knots.length; i++) all.add(knots[i]);
	return Float64Array.from(all).sort();
}
