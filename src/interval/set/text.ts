/** Intervals from numbers and from text, and text from intervals. */
import { InputError } from "../../errors.ts";
import { dyadic } from "../dyadic.ts";
import type { Interval } from "../interval.ts";
import type { Side } from "../rounding.ts";
import { readLiteral } from "./literal.ts";
import { between, empty, given } from "./set-interval.ts";
import { signals } from "./signals.ts";

/** [lo, hi]; the empty set, and `signals.undefinedOperation`, where that is no interval. */
export function numsToInterval(lo: number, hi: number): Interval {
	const out = between(lo, hi);
	if (out === empty) signals.undefinedOperation = true;
	return out;
}

/** The narrowest interval that holds what a literal writes; the empty set, and `signals.undefinedOperation`, where the text is none. */
export function textToInterval(text: string): Interval {
	if (typeof text !== "string")
		throw new InputError(
			"interval",
			`${text} is no text`,
			'Write it in quotes:  textToInterval("[0.1, 0.2]").',
		);
	const literal = readLiteral(text);
	if (!literal) {
		signals.undefinedOperation = true;
		return empty;
	}
	if (literal.doubtful) signals.possiblyUndefinedOperation = true;
	return literal.value;
}

/** A decimal literal that holds all of a, with so many digits at most. */
export function intervalToText(a: Interval, digits = 17): string {
	if (!Number.isInteger(digits) || digits < 1)
		throw new InputError("digits", `${digits} is no number of digits`, "Give a whole number from 1 on.");
	return written(a, (x, side) => decimal(x, digits, side));
}

/** A literal that is exactly a, in hexadecimal. */
export function intervalToExact(a: Interval): string {
	return written(a, hexadecimal);
}

function written(a: Interval, write: (x: number, side: Side) => string): string {
	const x = given(a);
	if (x === empty) return "[empty]";
	if (x.lo === Number.NEGATIVE_INFINITY && x.hi === Number.POSITIVE_INFINITY) return "[entire]";
	if (x.lo === x.hi && write(x.lo, -1) === write(x.hi, 1)) return `[${write(x.lo, -1)}]`;
	const lo = x.lo === Number.NEGATIVE_INFINITY ? "-inf" : write(x.lo, -1);
	return `[${lo}, ${x.hi === Number.POSITIVE_INFINITY ? "inf" : write(x.hi, 1)}]`;
}

/** x rounded to so many decimal digits, down or up. */
function decimal(x: number, digits: number, side: Side): string {
	if (x === 0) return "0";
	if (x < 0) return `-${decimal(-x, digits, -side as Side)}`;
	const { m, e } = dyadic(x);
	const [num, den] = e >= 0 ? [m << BigInt(e), 1n] : [m, 1n << BigInt(-e)];
	// num/den = 0.ddd…·10^size, so that many digits are left after ·10^(digits - size).
	let size = num.toString().length - den.toString().length + 1;
	if (num * 10n ** BigInt(Math.max(1 - size, 0)) < den * 10n ** BigInt(Math.max(size - 1, 0))) size--;
	const shift = digits - size;
	const [top, bottom] = shift >= 0 ? [num * 10n ** BigInt(shift), den] : [num, den * 10n ** BigInt(-shift)];
	const cut = top / bottom;
	const rounded = side > 0 && cut * bottom !== top ? cut + 1n : cut;
	return placed(rounded, -shift);
}

/** n·10^exponent, without zeros at its end, with a point or an exponent, whichever is shorter. */
function placed(n: bigint, exponent: number): string {
	let digits = n.toString();
	let e = exponent;
	while (digits.endsWith("0") && digits.length > 1) {
		digits = digits.slice(0, -1);
		e++;
	}
	const point = digits.length + e;
	if (e >= 0 && point <= 21) return digits + "0".repeat(e);
	if (point > 0 && point < digits.length) return `${digits.slice(0, point)}.${digits.slice(point)}`;
	if (point <= 0 && point > -6) return `0.${"0".repeat(-point)}${digits}`;
	return `${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ""}e${point - 1}`;
}

function hexadecimal(x: number): string {
	if (x === 0) return "0x0p+0";
	if (x < 0) return `-${hexadecimal(-x)}`;
	let { m, e } = dyadic(x);
	// One hexadecimal digit before the point.
	while (m >> 52n === 0n) {
		m <<= 1n;
		e--;
	}
	const fraction = (m & ((1n << 52n) - 1n)).toString(16).padStart(13, "0").replace(/0+$/, "");
	const power = e + 52;
	return `0x1${fraction === "" ? "" : `.${fraction}`}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}
