/** Axes: from numbers to pixels, and the round numbers that are written beside them. */
import { decimalExponent, tenTo } from "../num/whole-power.ts";

export interface Scale {
	readonly lo: number;
	readonly hi: number;
	(value: number): number;
}

export function linearScale(lo: number, hi: number, from: number, to: number): Scale {
	const slope = (to - from) / (hi - lo);
	return Object.assign((value: number) => from + (value - lo) * slope, { lo, hi });
}

export interface Ticks {
	readonly values: readonly number[];
	readonly labels: readonly string[];
	/** Power of ten that is set apart from the labels: 0 for none. */
	readonly exponent: number;
}

/** About `count` round numbers between lo and hi, with labels of equal decimals. */
export function niceTicks(lo: number, hi: number, count: number): Ticks {
	if (!(hi > lo)) return { values: [], labels: [], exponent: 0 };
	const raw = (hi - lo) / Math.max(1, count);
	const power = tenTo(decimalExponent(raw));
	// The nearest of 1, 2, 5 and 10, in ratio: the bounds are the square roots of their products.
	const step =
		power *
		[1, 2, 5, 10][[Math.SQRT2, Math.sqrt(10), Math.sqrt(50)].filter((bound) => raw > bound * power).length];
	const values: number[] = [];
	for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) values.push(k * step);
	const largest = Math.max(Math.abs(lo), Math.abs(hi));
	const apart = largest >= 1e5 || largest < 1e-2;
	const exponent = apart ? decimalExponent(largest) : 0;
	const decimals = Math.min(12, Math.max(0, -decimalExponent((step / tenTo(exponent)) * 1.001)));
	const labels = values.map((value) => {
		const label = (value / tenTo(exponent)).toFixed(decimals);
		return /^-0\.?0*$/.test(label) ? label.slice(1) : label.replace("-", "−");
	});
	return { values, labels, exponent };
}

/** The smallest range that holds all finite numbers given, with a margin; something sensible when there are none. */
export class Extent {
	lo = Infinity;
	hi = -Infinity;

	include(values: ArrayLike<number>): this {
		for (let i = 0; i < values.length; i++) this.one(values[i]);
		return this;
	}
	one(value: number): this {
		if (Number.isFinite(value)) {
			if (value < this.lo) this.lo = value;
			if (value > this.hi) this.hi = value;
		}
		return this;
	}
	padded(share: number): { lo: number; hi: number } {
		if (!(this.lo <= this.hi)) return { lo: 0, hi: 1 };
		const width = this.hi - this.lo;
		// A constant gets a range of its own size around it.
		const margin = width > 0 ? width * share : Math.abs(this.lo) * 0.1 || 1;
		return { lo: this.lo - margin, hi: this.hi + margin };
	}
}

/** `×10⁻⁶` */
export function powerOfTen(exponent: number): string {
	const raised = [...String(exponent)].map((digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]));
	return `×10${raised.join("")}`;
}
