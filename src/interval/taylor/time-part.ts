/**
 * A Taylor model on part of the time of its step: g at s = from + length·σ for σ in [0, 1], where 0 <= from, length and
 * from + length <= 1. The shift of a polynomial of degree k by Horner's rule rounds 2k times a coefficient, and the magnitudes of all terms
 * sum up to at most the model's norm, as in the shift of the other variables.
 */
import type { TaylorModel, TaylorSpace } from "./taylor-model.ts";

const U = 2 ** -53;

export function timePartInto(
	space: TaylorSpace,
	out: TaylorModel,
	a: TaylorModel,
	from: number,
	length: number,
): void {
	const { M } = space;
	const { top } = a;
	space.copyInto(out, a);
	const c = out.c;
	for (let i = 0; i < top; i++)
		for (let k = top - 1; k >= i; k--) for (let m = 0; m < M; m++) c[k * M + m] += from * c[(k + 1) * M + m];
	let power = 1;
	for (let k = 1; k <= top; k++) {
		power *= length;
		for (let m = 0; m < M; m++) c[k * M + m] *= power;
	}
	out.r = (a.r + space.norm(a) * (4 * top + 4) * U) * space.up;
}
