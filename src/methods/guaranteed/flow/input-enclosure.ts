/**
 * Inputs between samples, enclosed: on each piece a polynomial of the time with coefficients in intervals, as samples and times were read
 * from text. Held samples, lines and cubic splines are such polynomials; a band-limited input is not.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { SignalCubic } from "../../../data/signal/signal-cubic.ts";
import { SignalLinear } from "../../../data/signal/signal-linear.ts";
import { SignalSinc } from "../../../data/signal/signal-sinc.ts";
import { SignalZoh } from "../../../data/signal/signal-zoh.ts";
import { InputError } from "../../../errors.ts";
import { type Interval, interval } from "../../../interval/interval.ts";
import { mid, rad } from "../../../interval/measure.ts";
import { add, div, mul, sqr, sub } from "../../../interval/operations.ts";
import { readOutward, readTime } from "../system.ts";
import { enclosedBends } from "./spline-bends.ts";

/** Numbers for each input over a step: the coefficients of 1, s, s², s³ for s in [0, 1], and how far the input may be off. */
export const inputStride = 5;

/** Bounds of input i over a step. */
export function inputBounds(over: Float64Array, i: number): [number, number] {
	const [c0, c1, c2, c3, r] = over.subarray(inputStride * i, inputStride * (i + 1));
	const rest = [c1, c2, c3];
	const size = rest.reduce((sum, c) => sum + Math.abs(c), Math.abs(c0) + r) * 2 ** -50;
	const least = rest.reduce((sum, c) => sum + Math.min(c, 0), c0 - r);
	const most = rest.reduce((sum, c) => sum + Math.max(c, 0), c0 + r);
	return [least - size - 1e-300, most + size + 1e-300];
}

const zero = interval(0);
const one = interval(1);

export class EnclosedInput {
	readonly #signal: SignalZoh | SignalLinear | SignalCubic;
	readonly #bends: readonly Interval[] | undefined;

	constructor(name: string, experiment: Experiment) {
		const signal = experiment.inputs.get(name);
		const subject = `input ${name} of ${experiment.name}`;
		if (signal instanceof SignalSinc)
			throw new InputError(
				subject,
				"is band-limited (sinc): between samples it depends on all samples, also on those before and after the record, so it cannot be enclosed",
				"Write  input: cubic,  input: linear  or  input: zoh  in the study.",
			);
		if (!(signal instanceof SignalZoh || signal instanceof SignalLinear || signal instanceof SignalCubic))
			throw new InputError(
				subject,
				"is not held or joined by lines or cubics between samples, so it cannot be enclosed",
				"Write  input: zoh,  input: linear  or  input: cubic  in the study.",
			);
		this.#signal = signal;
		if (signal instanceof SignalCubic)
			this.#bends = enclosedBends(
				Array.from(signal.times, readTime),
				Array.from(signal.values, (value) => readOutward(value)),
			);
	}

	/** The value at an instant; where it jumps, after the jump. */
	at(t: number): Interval {
		const { c, r } = this.over(t, t);
		return add({ lo: c[0], hi: c[0] }, { lo: -r, hi: r });
	}

	/** The input from one instant to another on the same piece. */
	over(from: number, to: number): { readonly c: Float64Array; readonly r: number } {
		const { times } = this.#signal;
		const i = pieceOf(times, from);
		if (i < 0 || i >= times.length - 1)
			return centred([this.#value(Math.min(Math.max(i, 0), times.length - 1))]);
		const p = this.#piece(i);
		if (p.length === 1) return centred(p);
		const start = fraction(times, i, from);
		const length = sub(fraction(times, i, to), start);
		// p(start + length·s), each coefficient by Horner's rule.
		const [a, b, c = zero, d = zero] = p;
		const value = add(a, mul(start, add(b, mul(start, add(c, mul(start, d))))));
		const slope = add(b, mul(start, add(mul(interval(2), c), mul(interval(3), mul(start, d)))));
		const bend = add(c, mul(interval(3), mul(start, d)));
		return centred([value, mul(length, slope), mul(sqr(length), bend), mul(mul(sqr(length), length), d)]);
	}

	#value(i: number): Interval {
		return readOutward(this.#signal.values[i]);
	}

	/** Coefficients in the fraction f of piece i. */
	#piece(i: number): Interval[] {
		const { times } = this.#signal;
		const left = this.#value(i);
		if (this.#signal instanceof SignalZoh) return [left];
		const rise = sub(this.#value(i + 1), left);
		if (!this.#bends) return [left, rise];
		const b0 = this.#bends[i];
		const b1 = this.#bends[i + 1];
		const sixth = div(sqr(sub(readTime(times[i + 1]), readTime(times[i]))), interval(6));
		return [
			left,
			sub(rise, mul(sixth, add(mul(interval(2), b0), b1))),
			mul(interval(3), mul(sixth, b0)),
			mul(sixth, sub(b1, b0)),
		];
	}
}

/** The piece that begins at or before t; -1 before the first sample. */
function pieceOf(times: Float64Array, t: number): number {
	let lo = 0;
	let hi = times.length;
	while (lo < hi) {
		const middle = (lo + hi) >> 1;
		if (times[middle] <= t) lo = middle + 1;
		else hi = middle;
	}
	return lo - 1;
}

/** Where t is in piece i, from 0 to 1; exactly at the samples themselves. */
function fraction(times: Float64Array, i: number, t: number): Interval {
	if (t === times[i]) return zero;
	if (t === times[i + 1]) return one;
	const from = readTime(times[i]);
	return div(sub(readTime(t), from), sub(readTime(times[i + 1]), from));
}

/** Middles of the coefficients, and what they may be off together. */
function centred(coefficients: readonly Interval[]): { c: Float64Array; r: number } {
	const c = new Float64Array(inputStride - 1);
	let off = zero;
	coefficients.forEach(({ lo, hi }, k) => {
		c[k] = mid(lo, hi);
		off = add(off, { lo: 0, hi: rad(lo, hi) });
	});
	return { c, r: off.hi };
}
