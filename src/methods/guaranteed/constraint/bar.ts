/** What a datum allows its output to be, outward for what is consistent, inward for what surely is. */
import { readOutward } from "../system.ts";

const U = 2 ** -53;

export const outDown = (x: number): number => x - Math.abs(x) * 4 * U - 1e-300;
export const outUp = (x: number): number => x + Math.abs(x) * 4 * U + 1e-300;

export interface Bar {
	readonly lo: number;
	readonly hi: number;
	readonly innerLo: number;
	readonly innerHi: number;
}

/** Anything goes; finite, for checkpoints. */
const anything = { innerLo: -Number.MAX_VALUE, innerHi: Number.MAX_VALUE };

/** The bar of a datum y whose largest error is between two numbers. */
export function plainBar(y: number, least: number, most: number): Bar {
	const read = readOutward(y);
	return {
		lo: outDown(read.lo - most),
		hi: outUp(read.hi + most),
		innerLo: outUp(read.hi - least),
		innerHi: outDown(read.lo + least),
	};
}

/**
 * Where the largest error s depends on unknowns, |y - h| <= s is said by two polynomials: `less`, h - s <= y, and `more`, h + s >= y.
 * Both together narrow the unknowns of s as well. The output itself, `both`, then says nothing that they do not.
 */
export function sideBars(
	y: number,
	most: number,
): { readonly both: Bar; readonly less: Bar; readonly more: Bar } {
	const read = readOutward(y);
	const { lo, hi } = plainBar(y, 0, most);
	return {
		both: { lo, hi, ...anything },
		// h >= y - s, so that h - s is not below y - 2s.
		less: { ...anything, lo: outDown(lo - most), hi: outUp(read.hi), innerHi: outDown(read.lo) },
		more: { ...anything, lo: outDown(read.lo), hi: outUp(hi + most), innerLo: outUp(read.hi) },
	};
}
