/**
 * Interval literals of IEEE 1788: `[1.5, 2/3]`, `[0x1.8p-3,]`, `[entire]`, `[]`, and uncertain numbers like `3.56?1`, which is 3.56 ± 0.01. Each number is read as an exact
 * fraction, and the bounds are the doubles next to it.
 */
import { fromRational } from "../exact.ts";
import { entire, type Interval } from "../interval.ts";
import { empty } from "./set-interval.ts";

export interface Literal {
	readonly value: Interval;
	/** The text writes two finite bounds, whether doubles can hold them or not. */
	readonly bounded: boolean;
	/** Whether the lower bound is below the upper one could not be told by the doubles next to them. */
	readonly doubtful: boolean;
}

interface Fraction {
	readonly num: bigint;
	readonly den: bigint;
}

/** Beyond this power of ten, or of two, every number is beyond all doubles, or next to 0. */
const FARTHEST = 5000;

/** What the text writes, or nothing if it is no literal. */
export function readLiteral(text: string): Literal | undefined {
	const bracketed = /^\s*\[([^[\]]*)\]\s*$/.exec(text);
	return bracketed
		? readBracketed(bracketed[1].trim().toLowerCase())
		: readUncertain(text.trim().toLowerCase());
}

function readBracketed(inside: string): Literal | undefined {
	if (inside === "" || inside === "empty") return sure(empty, false);
	if (inside === "entire") return sure(entire, false);
	const parts = inside.split(",").map((part) => part.trim());
	if (parts.length > 2) return undefined;
	const [first, second = first] = parts;
	const lo = first === "" && parts.length === 2 ? Number.NEGATIVE_INFINITY : readNumber(first);
	const hi = second === "" && parts.length === 2 ? Number.POSITIVE_INFINITY : readNumber(second);
	return lo === undefined || hi === undefined ? undefined : fromEnds(lo, hi);
}

function sure(value: Interval, bounded: boolean): Literal {
	return { value, bounded, doubtful: false };
}

type End = Fraction | number;

function fromEnds(from: End, to: End): Literal | undefined {
	const [lower, upper] = [around(from), around(to)];
	if (!(lower.lo <= upper.hi) || from === Number.POSITIVE_INFINITY || to === Number.NEGATIVE_INFINITY)
		return undefined;
	const bounded = typeof from !== "number" && typeof to !== "number";
	const same = bounded && from.num * to.den === to.num * from.den;
	const doubtful = lower.hi > upper.lo && !same;
	return { value: { lo: lower.lo, hi: upper.hi }, bounded, doubtful };
}

/** The doubles next to a bound. */
function around(end: End): Interval {
	return typeof end === "number" ? { lo: end, hi: end } : fromRational(end);
}

function readNumber(text: string): End | undefined {
	const infinite = /^([+-]?)inf(?:inity)?$/.exec(text);
	if (infinite) return infinite[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
	const ratio = /^([+-]?\d+)\s*\/\s*(\d+)$/.exec(text);
	if (ratio) return BigInt(ratio[2]) === 0n ? undefined : { num: whole(ratio[1]), den: BigInt(ratio[2]) };
	const hex = /^([+-]?)0x([\da-f]*)(?:\.([\da-f]*))?(?:p([+-]?\d+))?$/.exec(text);
	if (hex) {
		const digits = hex[2] + (hex[3] ?? "");
		if (digits === "") return undefined;
		const num = BigInt(`0x${digits}`);
		return scaled(hex[1] === "-" ? -num : num, 2n, clamp(hex[4]) - 4 * (hex[3] ?? "").length);
	}
	const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/.exec(text);
	if (!decimal || decimal[2] + (decimal[3] ?? "") === "") return undefined;
	const num = BigInt(decimal[2] + (decimal[3] ?? ""));
	return scaled(decimal[1] === "-" ? -num : num, 10n, clamp(decimal[4]) - (decimal[3] ?? "").length);
}

function whole(text: string): bigint {
	return BigInt(text.replace("+", ""));
}

function clamp(exponent: string | undefined): number {
	return Math.max(-FARTHEST, Math.min(FARTHEST, Number(exponent ?? 0)));
}

function scaled(num: bigint, base: 2n | 10n, exponent: number): Fraction {
	const size = BigInt(Math.abs(exponent));
	const power = base === 2n ? 2n ** size : 10n ** size;
	return exponent < 0 ? { num, den: power } : { num: num * power, den: 1n };
}

/** `m?r`: m ± r units of its last digit, half a unit without r, no bound for `??`; only upwards with u, only downwards with d; then a power of ten. */
function readUncertain(text: string): Literal | undefined {
	const match = /^([+-]?)(\d+)(?:\.(\d*))?\?(\?|\d*)([ud]?)(?:e([+-]?\d+))?$/.exec(text);
	if (!match) return undefined;
	const [, sign, before, after = "", radius, way, exponent] = match;
	// In half units, so that all is whole.
	const middle = 2n * BigInt(before + after) * (sign === "-" ? -1n : 1n);
	const reach = radius === "" ? 1n : radius === "?" ? 0n : 2n * BigInt(radius);
	const end = (halves: bigint): Fraction => {
		const { num, den } = scaled(halves, 10n, clamp(exponent) - after.length);
		return { num, den: 2n * den };
	};
	const unlimited = radius === "?";
	const lo = way === "u" ? end(middle) : unlimited ? Number.NEGATIVE_INFINITY : end(middle - reach);
	const hi = way === "d" ? end(middle) : unlimited ? Number.POSITIVE_INFINITY : end(middle + reach);
	const read = fromEnds(lo, hi);
	return read && { ...read, doubtful: false };
}
