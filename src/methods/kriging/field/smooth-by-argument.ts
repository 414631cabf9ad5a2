/**
 * Smooth covariances with a length for each argument: a sum of exp(-Σ (x_a - x'_a)²/(2 ℓ_a²)) of several sizes. A rate may saturate
 * in one of its arguments and be straight in the other; one length for both is then too long for the first, which makes it too
 * sure there, or too short for the second.
 *
 * Every argument has the length of all others or one of its own, so that the number of parts grows with that of the arguments
 * and no faster; of two arguments these are all pairs.
 */
import { exp } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import type { FieldCovariance } from "./field-covariance.ts";

/** `lengths` rise, each twice the one before. */
export function smoothByArgument(lengths: readonly number[], nArgs: number): FieldCovariance {
	const parts = partsOf(lengths.length, nArgs);
	const count = lengths.length;
	const longest = lengths[count - 1];
	const rate = -0.5 / squared(longest);
	/** exp of each argument by each length. */
	const factors = new Float64Array(nArgs * count);
	/** Where the factors of each part are: of its first argument, of its second. */
	const at = Int32Array.from(parts.flatMap((part) => part.map((l, a) => a * count + l)));
	const prepare = (squares: Float64Array, from: number): void => {
		for (let a = 0; a < nArgs; a++) {
			// Half the length is the fourth power: one exponential serves all.
			let factor = exp(rate * squares[from + a]);
			for (let l = count - 1; l >= 0; l--) {
				factors[a * count + l] = factor;
				factor *= factor;
				factor *= factor;
			}
		}
	};
	const partAt = (p: number): number => {
		let value = 1;
		for (let i = p * nArgs; i < (p + 1) * nArgs; i++) value *= factors[at[i]];
		return value;
	};
	return {
		name: "smooth by argument",
		hyperNames: parts.map((part) => `v${part.map((l) => lengths[l]).join(",")}`),
		isLinear: true,
		isDefinite: true,
		value(hyper, squares, from) {
			prepare(squares, from);
			let value = 0;
			for (let p = 0; p < parts.length; p++) if (hyper[p] > 0) value += hyper[p] * partAt(p);
			return value;
		},
		slopesInto(out, hyper, squares, from) {
			prepare(squares, from);
			out.fill(0);
			for (let p = 0; p < parts.length; p++) {
				if (!(hyper[p] > 0)) continue;
				const value = hyper[p] * partAt(p);
				for (let a = 0; a < nArgs; a++) out[a] -= value / squared(lengths[parts[p][a]]);
			}
		},
		byLog(hyper, squares, from, i) {
			let exponent = 0;
			for (let a = 0; a < nArgs; a++) exponent -= squares[from + a] / (2 * squared(lengths[parts[i][a]]));
			return hyper[i] * exp(exponent);
		},
	};
}

/** Which length each argument has, part by part: first all the same, in their order. */
function partsOf(nLengths: number, nArgs: number): number[][] {
	const each = Array.from({ length: nLengths }, (_, l) => l);
	const same = each.map((l) => new Array<number>(nArgs).fill(l));
	if (nArgs === 1) return same;
	// Of two arguments the first apart from the second is the second apart from the first.
	const apart = nArgs === 2 ? [0] : Array.from({ length: nArgs }, (_, a) => a);
	const single = apart.flatMap((own) =>
		each.flatMap((l) =>
			each
				.filter((other) => other !== l)
				.map((other) => Array.from({ length: nArgs }, (_, a) => (a === own ? l : other))),
		),
	);
	return [...same, ...single];
}
