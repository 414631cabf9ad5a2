/** Where within a step a condition changes: found on the interpolant, between two neighbouring times. */
import { InputError } from "../../errors.ts";
import { interpolateInto } from "../dense-output.ts";
import { brief } from "../failure.ts";
import type { Ivp, Switching } from "../ivp.ts";
import type { Stepper } from "../stepper.ts";

/** Points of a step at which conditions are looked at, the end included: what changes and changes back between two is not seen. */
const LOOKS = 8;
/** Changes that follow one another closer than this share of the solution's time lead nowhere. */
const NEAR = 1e-9;
/** So many of them in a row: the solution slides along a condition. */
const SLIDING = 40;
/** So many events in a row: they never end. */
const ENDLESS = 10_000;

export class Crossing {
	/** The state at the instant that was found. */
	readonly state: Float64Array;
	private readonly switching: Switching | undefined;
	private readonly n: number;
	private readonly before: Float64Array;
	private readonly after: Float64Array;
	private vectors = new Float64Array(0);
	private inARow = 0;

	constructor(
		ivp: Ivp,
		private readonly duration: number,
	) {
		this.switching = ivp.switching;
		this.n = ivp.n;
		this.state = new Float64Array(this.switching ? ivp.n : 0);
		this.before = new Float64Array(this.switching?.count ?? 0);
		this.after = new Float64Array(this.switching?.count ?? 0);
	}

	/**
	 * The first instant after t that is seen to lie on another side of a condition, or at which something is due; `state` is then
	 * the state there. `undefined`: the step is smooth.
	 */
	within(
		stepper: Stepper,
		t: number,
		x: Float64Array,
		h: number,
		tNew: number,
		xNew: Float64Array,
	): number | undefined {
		const { switching, n } = this;
		if (!switching) return undefined;
		if (switching.count > 0) {
			const size = stepper.nDense * n;
			if (this.vectors.length < size) this.vectors = new Float64Array(size);
			stepper.denseInto(this.vectors, t, x, h, xNew);
			switching.valuesInto(this.before, t, x);
			const at = (time: number): boolean => this.differs(stepper.nDense, time, t, x, tNew, xNew);
			let a = t;
			for (let k = 1; k <= LOOKS; k++) {
				const b = k === LOOKS ? tNew : t + (k / LOOKS) * (tNew - t);
				if (at(b)) return this.narrow(at, a, b);
				a = b;
			}
		}
		if (tNew !== switching.next) return undefined;
		this.state.set(xNew);
		return tNew;
	}

	/** Counts changes that lead nowhere. */
	landed(t: number, advance: number, happened: boolean): void {
		this.inARow = advance < NEAR * this.duration ? this.inARow + 1 : 0;
		if (this.inARow > SLIDING && !happened) this.switching!.thaw();
		if (this.inARow > ENDLESS)
			throw new InputError(
				"events",
				`follow one another without end near t = ${brief(t)}`,
				"End the simulation before, or let an event set something that keeps its condition false for a while.",
			);
	}

	private narrow(differsAt: (time: number) => boolean, from: number, to: number): number {
		let [a, b] = [from, to];
		const small = 1e-18 * this.duration;
		while (Math.abs(b - a) > small) {
			const middle = a / 2 + b / 2;
			if (middle === a || middle === b) break;
			if (differsAt(middle)) b = middle;
			else a = middle;
		}
		differsAt(b);
		return b;
	}

	private differs(
		nVectors: number,
		time: number,
		t: number,
		x: Float64Array,
		tNew: number,
		xNew: Float64Array,
	): boolean {
		const { state, before, after } = this;
		if (time === tNew) state.set(xNew);
		else interpolateInto(state, (time - t) / (tNew - t), x, this.vectors, nVectors, this.n);
		this.switching!.valuesInto(after, time, state);
		for (let i = 0; i < after.length; i++) if (after[i] !== before[i]) return true;
		return false;
	}
}
