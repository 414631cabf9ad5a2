/**
 * Doubles as whole numbers times powers of two, for the few cases that only exact arithmetic can decide.
 */
import { exponent, pow2 } from "../num/elementary/primitives.ts";
import { positiveRational } from "./exact.ts";
import type { Side } from "./rounding.ts";

/** m·2^e. */
export interface Dyadic {
	readonly m: bigint;
	readonly e: number;
}

/** A finite x, exactly. */
export function dyadic(x: number): Dyadic {
	if (x === 0) return { m: 0n, e: 0 };
	// Below 2^-1022 all doubles are multiples of 2^-1074.
	const e = Math.max(exponent(x) - 52, -1074);
	const first = Math.trunc(-e / 2);
	return { m: BigInt(x * pow2(first) * pow2(-e - first)), e };
}

export function addDyadic(x: Dyadic, y: Dyadic): Dyadic {
	const e = Math.min(x.e, y.e);
	return { m: (x.m << BigInt(x.e - e)) + (y.m << BigInt(y.e - e)), e };
}

export function mulDyadic(x: Dyadic, y: Dyadic): Dyadic {
	return { m: x.m * y.m, e: x.e + y.e };
}

/** The best bound of m·2^e on the given side. */
export function dyadicToward({ m, e }: Dyadic, side: Side): number {
	if (m === 0n) return 0;
	if (m < 0n) return 0 - dyadicToward({ m: -m, e }, -side as Side);
	const { lo, hi } = e >= 0 ? positiveRational(m << BigInt(e), 1n) : positiveRational(m, 1n << BigInt(-e));
	return side < 0 ? lo : hi;
}

/** The double nearest to m·2^e, the even one of two; ±Inf from half a step beyond the greatest double on. */
export function dyadicNearest(x: Dyadic): number {
	const lo = dyadicToward(x, -1);
	const hi = dyadicToward(x, 1);
	if (lo === hi) return lo;
	const overflow: Dyadic = { m: 1n, e: 1024 };
	const below = addDyadic(x, negative(lo === Number.NEGATIVE_INFINITY ? negative(overflow) : dyadic(lo)));
	const above = addDyadic(hi === Number.POSITIVE_INFINITY ? overflow : dyadic(hi), negative(x));
	const nearer = addDyadic(below, negative(above)).m;
	if (nearer !== 0n) return nearer < 0n ? lo : hi;
	// Of two neighbours the one whose last bit is 0; beyond the greatest double, whose last bit is 1, Inf.
	if (!Number.isFinite(lo) || !Number.isFinite(hi)) return Number.isFinite(lo) ? hi : lo;
	return isEven(lo) ? lo : hi;
}

function negative(x: Dyadic): Dyadic {
	return { m: -x.m, e: x.e };
}

function isEven(x: number): boolean {
	return (dyadic(x).m & 1n) === 0n;
}
