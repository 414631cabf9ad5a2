/**
 * Keeps the answer while the solver runs: states at the times asked for, or at each step, and interpolants if wanted.
 */
import { InputError } from "../errors.ts";
import { DenseRecord, interpolateInto } from "./dense-output.ts";
import type { Settings } from "./settings.ts";
import type { Stepper } from "./stepper.ts";

export class Recorder {
	private times: Float64Array;
	private states: Float64Array;
	private count = 0;
	private readonly saveAt: Float64Array | undefined;
	private readonly record: DenseRecord | undefined;
	private readonly direction: number;
	private vectors = new Float64Array(0);
	private readonly between: Float64Array;

	constructor(
		private readonly n: number,
		settings: Settings,
		t0: number,
		x0: Float64Array,
	) {
		this.saveAt = settings.saveAt;
		this.direction = settings.direction;
		const capacity = this.saveAt?.length ?? 64;
		this.times = new Float64Array(capacity);
		this.states = new Float64Array(capacity * n);
		this.between = new Float64Array(n);
		this.record = settings.dense ? new DenseRecord(n) : undefined;
		if (this.saveAt) this.saveUpTo(t0, x0);
		else this.save(t0, x0);
	}

	/**
	 * Takes in a step from (t, x) to (tNew, xNew), before the stepper goes on. With `until`, only what lies before that time counts:
	 * something happens there, and `reach` says what holds then.
	 */
	step(
		stepper: Stepper,
		t: number,
		x: Float64Array,
		h: number,
		tNew: number,
		xNew: Float64Array,
		until?: number,
	): void {
		const { record, saveAt } = this;
		const end = until ?? tNew;
		const inside = saveAt !== undefined && this.pending(end, false);
		if (record || inside) {
			const size = stepper.nDense * this.n;
			if (this.vectors.length < size) this.vectors = new Float64Array(size);
			stepper.denseInto(this.vectors, t, x, h, xNew);
			record?.add(t, end, x, this.vectors, stepper.nDense, tNew - t);
		}
		if (!saveAt) {
			if (until === undefined) this.save(tNew, xNew);
			return;
		}
		while (this.pending(end, false)) {
			const s = (saveAt[this.count] - t) / (tNew - t);
			interpolateInto(this.between, s, x, this.vectors, stepper.nDense, this.n);
			this.save(saveAt[this.count], this.between);
		}
		if (until === undefined) this.saveUpTo(tNew, xNew);
	}

	/** What holds at t from now on, after something happened there. */
	reach(t: number, x: Float64Array): void {
		if (this.saveAt) this.saveUpTo(t, x);
		else this.save(t, x);
	}

	get t(): Float64Array {
		return this.times.slice(0, this.count);
	}

	get x(): Float64Array {
		return this.states.slice(0, this.count * this.n);
	}

	/** The function `Solution.at`. */
	interpolation(t0: number, x0: Float64Array): ((t: number, out: Float64Array) => void) | undefined {
		const { record } = this;
		if (!record) return undefined;
		return (t, out) => {
			if (record.at(t, out)) return;
			if (t === t0) out.set(x0);
			else throw new InputError(`solution at t = ${t}`, "lies outside the times that were solved");
		};
	}

	private saveUpTo(t: number, x: Float64Array): void {
		while (this.pending(t, true)) this.save(this.saveAt![this.count], x);
	}

	/** Whether the next time to save lies before t (or at it). */
	private pending(t: number, orAt: boolean): boolean {
		const { saveAt, count, direction } = this;
		if (!saveAt || count >= saveAt.length) return false;
		return direction * saveAt[count] < direction * t || (orAt && saveAt[count] === t);
	}

	private save(t: number, x: Float64Array): void {
		if (this.count === this.times.length) {
			this.times = grown(this.times);
			this.states = grown(this.states);
		}
		this.times[this.count] = t;
		this.states.set(x, this.count * this.n);
		this.count++;
	}
}

function grown(values: Float64Array): Float64Array<ArrayBuffer> {
	const larger = new Float64Array(2 * values.length);
	larger.set(values);
	return larger;
}
