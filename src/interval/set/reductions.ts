/** Sums of many numbers, as if computed exactly and rounded once, to the nearest double. */
import { InputError } from "../../errors.ts";
import { addDyadic, type Dyadic, dyadic, dyadicNearest, mulDyadic } from "../dyadic.ts";

/** Σ x. */
export function sum(x: ArrayLike<number>): number {
	return total(
		x.length,
		(i) => x[i],
		(i) => dyadic(x[i]),
	);
}

/** Σ |x|. */
export function sumAbs(x: ArrayLike<number>): number {
	return total(
		x.length,
		(i) => Math.abs(x[i]),
		(i) => dyadic(Math.abs(x[i])),
	);
}

/** Σ x². */
export function sumSquare(x: ArrayLike<number>): number {
	return dot(x, x);
}

/** Σ x·y. */
export function dot(x: ArrayLike<number>, y: ArrayLike<number>): number {
	if (x.length !== y.length)
		throw new InputError("vectors", `have ${x.length} and ${y.length} entries`, "Give two of one length.");
	return total(
		x.length,
		(i) => (Number.isFinite(x[i]) && Number.isFinite(y[i]) ? 0 : x[i] * y[i]),
		(i) => mulDyadic(dyadic(x[i]), dyadic(y[i])),
	);
}

/** `value`: as a double, for what is not finite; `exact`: for what is. */
function total(n: number, value: (i: number) => number, exact: (i: number) => Dyadic): number {
	let beyond = 0;
	for (let i = 0; i < n; i++) if (!Number.isFinite(value(i))) beyond += value(i);
	if (beyond !== 0) return beyond;
	let all: Dyadic = { m: 0n, e: 0 };
	for (let i = 0; i < n; i++) all = addDyadic(all, exact(i));
	return dyadicNearest(all);
}
