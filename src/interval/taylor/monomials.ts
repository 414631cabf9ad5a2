/** Monomials in several variables up to a total degree, by rising degree, and where the product of two of them stands. */
import { squared } from "../../num/whole-power.ts";

export class Monomials {
	/** Number of monomials. */
	readonly length: number;
	readonly degree: Uint8Array;
	/** Exponents, nVars each. */
	readonly exponents: Uint8Array;
	/** How many monomials have at most this degree. */
	readonly upTo: Int32Array;
	/** Position of the product of monomials a and b, at a·length + b; -1 beyond the order. */
	readonly product: Int32Array;
	/** 1 where every exponent is even: the monomial is in [0, 1] on the unit box. */
	readonly even: Uint8Array;
	/** Position of each variable itself; -1 where the order is 0. */
	readonly linear: Int32Array;

	constructor(
		readonly nVars: number,
		readonly order: number,
	) {
		const all: number[][] = [];
		const upTo: number[] = [];
		for (let degree = 0; degree <= order; degree++) {
			append(all, nVars, degree);
			upTo.push(all.length);
		}
		this.length = all.length;
		this.upTo = Int32Array.from(upTo);
		this.degree = Uint8Array.from(all, (e) => e.reduce((sum, power) => sum + power, 0));
		this.exponents = Uint8Array.from(all.flat());
		this.even = Uint8Array.from(all, (e) => (e.every((power) => power % 2 === 0) ? 1 : 0));
		const position = new Map(all.map((e, i) => [e.join(), i]));
		this.product = new Int32Array(squared(all.length)).fill(-1);
		all.forEach((e, a) => {
			for (let b = 0; b < upTo[order - this.degree[a]]; b++)
				this.product[a * all.length + b] = position.get(e.map((power, v) => power + all[b][v]).join())!;
		});
		this.linear = Int32Array.from({ length: nVars }, (_, v) =>
			order === 0 ? -1 : position.get(Array.from({ length: nVars }, (_, w) => (v === w ? 1 : 0)).join())!,
		);
	}

	exponent(monomial: number, variable: number): number {
		return this.exponents[monomial * this.nVars + variable];
	}
}

function append(all: number[][], nVars: number, degree: number): void {
	if (nVars === 0) {
		if (degree === 0) all.push([]);
		return;
	}
	const place = (prefix: number[], left: number): void => {
		if (prefix.length === nVars - 1) {
			all.push([...prefix, left]);
			return;
		}
		for (let power = left; power >= 0; power--) place([...prefix, power], left - power);
	};
	place([], degree);
}

const known = new Map<string, Monomials>();
/** The monomials of so many variables up to an order; made once. */
export function monomials(nVars: number, order: number): Monomials {
	const key = `${nVars},${order}`;
	const found = known.get(key) ?? new Monomials(nVars, order);
	known.set(key, found);
	return found;
}
