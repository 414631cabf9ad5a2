/**
 * A tape as power series in time whose coefficients are polynomials in ζ, in plain floating point: the polynomial part
 * of a verified step, found by the recurrences of automatic differentiation. Nothing here is rigorous, and nothing needs to be:
 * whatever polynomial comes out is verified afterwards.
 */
import type { JetFunction } from "../../interval/taylor/jets.ts";
import { jetNumbers } from "../../interval/taylor/taylor-functions.ts";
import type { TaylorSpace } from "../../interval/taylor/taylor-model.ts";
import type { Instruction, Tape } from "./tape.ts";

const partners = { sin: "cos", cos: "sin", sinh: "cosh", cosh: "sinh" } as const;

export class SeriesEvaluator {
	/** Coefficient of s^k ζ^m of a slot at (slot·(K + 1) + k)·M + m. */
	readonly values: Float64Array;
	readonly #space: TaylorSpace;
	readonly #tape: Tape;
	readonly #stride: number;
	/** For sin its cosine, and the other way round, as for sinh; the slope of tan and tanh; 1/a at s = 0 for log and pow. */
	readonly #partner: Float64Array;
	readonly #a: Float64Array;
	readonly #b: Float64Array;

	constructor(tape: Tape, space: TaylorSpace) {
		this.#tape = tape;
		this.#space = space;
		this.#stride = space.size;
		this.values = new Float64Array(tape.instructions.length * space.size);
		this.#partner = new Float64Array(tape.instructions.length * space.size);
		this.#a = new Float64Array(space.M);
		this.#b = new Float64Array(space.M);
	}

	/** Where slot's coefficients start. */
	offset(slot: number): number {
		return slot * this.#stride;
	}

	/** The coefficients of s^k of all slots, those below k being known. `symbols[n]` holds the series of symbol n. */
	order(k: number, symbols: readonly Float64Array[]): void {
		const { M } = this.#space;
		const { instructions } = this.#tape;
		for (let slot = 0; slot < instructions.length; slot++) {
			const o = slot * this.#stride + k * M;
			this.values.fill(0, o, o + M);
			this.#one(instructions[slot], slot, k, symbols);
		}
	}

	#one(instruction: Instruction, slot: number, k: number, symbols: readonly Float64Array[]): void {
		const v = this.values;
		const { M } = this.#space;
		const { op, a, b, c, d, n, value } = instruction;
		const at = (which: number, j = k): number => which * this.#stride + j * M;
		const o = at(slot);
		const copy = (from: number, factor: number): void => {
			for (let m = 0; m < M; m++) v[o + m] += factor * v[from + m];
		};
		switch (op) {
			case "const":
				if (k === 0) v[o] = middle(value);
				return;
			case "sym":
				for (let m = 0; m < M; m++) v[o + m] = symbols[n][k * M + m];
				return;
			case "add":
				copy(at(a), 1);
				return copy(at(b), 1);
			case "scale":
				return copy(at(a), middle(value));
			case "mul":
				for (let j = 0; j <= k; j++) this.#multiply(v, o, v, at(a, j), v, at(b, k - j), 1);
				return;
			case "powInt":
				return this.#wholePower(slot, a, n, k);
			case "abs":
				return copy(at(a), v[at(a, 0)] < 0 ? -1 : 1);
			case "sign":
				if (k === 0) v[o] = Math.sign(v[at(a, 0)]);
				return;
			case "min":
				return copy(at(v[at(a, 0)] <= v[at(b, 0)] ? a : b), 1);
			case "max":
				return copy(at(v[at(a, 0)] >= v[at(b, 0)] ? a : b), 1);
			case "if":
				return copy(at(v[at(a, 0)] < v[at(b, 0)] ? c : d), 1);
			default:
				return this.#function(instruction, slot, k);
		}
	}

	/** The coefficient k of a^n: a square by its own rule, higher powers by raising the truncated series. */
	#wholePower(slot: number, a: number, n: number, k: number): void {
		const v = this.values;
		const { M } = this.#space;
		const at = (which: number, j: number): number => which * this.#stride + j * M;
		const o = at(slot, k);
		if (n === 2) {
			for (let j = 0; j <= k; j++) this.#multiply(v, o, v, at(a, j), v, at(a, k - j), 1);
			return;
		}
		// Afresh for each k: higher powers are rare, and their series short.
		const K = k + 1;
		let power = v.slice(at(a, 0), at(a, 0) + K * M);
		for (let i = 1; i < n; i++) {
			const next = new Float64Array(K * M);
			for (let p = 0; p <= k; p++)
				for (let q = 0; p + q <= k; q++) this.#multiply(next, (p + q) * M, power, p * M, v, at(a, q), 1);
			power = next;
		}
		v.set(power.subarray(k * M, K * M), o);
	}

	#function({ op, a, b, value }: Instruction, slot: number, k: number): void {
		const v = this.values;
		const partner = this.#partner;
		const { M } = this.#space;
		const at = (which: number, j: number): number => which * this.#stride + j * M;
		const o = at(slot, k);
		if (k === 0) {
			this.#compose(v, o, op as JetFunction, at(a, 0), value);
			const other = partners[op as keyof typeof partners];
			if (other) this.#compose(partner, o, other, at(a, 0), value);
			if (op === "tan" || op === "tanh") this.#slope(op, o, at(slot, 0), 0);
			if (op === "log" || op === "pow") this.#compose(partner, o, "recip", at(a, 0), value);
			return;
		}
		const sum = this.#b;
		sum.fill(0);
		const base = at(slot, 0);
		switch (op) {
			case "exp":
				for (let j = 1; j <= k; j++) this.#multiply(v, o, v, at(a, j), v, base + (k - j) * M, j / k);
				return;
			case "atan":
			case "asin":
				for (let j = 1; j <= k; j++) this.#multiply(v, o, v, at(a, j), v, at(b, k - j), j / k);
				return;
			case "sin":
			case "cos": {
				const sign = op === "sin" ? 1 : -1;
				partner.fill(0, o, o + M);
				for (let j = 1; j <= k; j++) {
					this.#multiply(v, o, v, at(a, j), partner, base + (k - j) * M, (sign * j) / k);
					this.#multiply(partner, o, v, at(a, j), v, base + (k - j) * M, (-sign * j) / k);
				}
				return;
			}
			case "sinh":
			case "cosh":
				partner.fill(0, o, o + M);
				for (let j = 1; j <= k; j++) {
					this.#multiply(v, o, v, at(a, j), partner, base + (k - j) * M, j / k);
					this.#multiply(partner, o, v, at(a, j), v, base + (k - j) * M, j / k);
				}
				return;
			case "tan":
			case "tanh":
				for (let j = 1; j <= k; j++) this.#multiply(v, o, v, at(a, j), partner, base + (k - j) * M, j / k);
				return this.#slope(op, o, base, k);
			case "recip":
				for (let j = 1; j <= k; j++) this.#multiply(sum, 0, v, at(a, j), v, base + (k - j) * M, -1);
				return this.#multiply(v, o, sum, 0, v, base, 1);
			case "log":
				for (let j = 1; j < k; j++) this.#multiply(sum, 0, v, base + j * M, v, at(a, k - j), -j / k);
				for (let m = 0; m < M; m++) sum[m] += v[at(a, k) + m];
				return this.#multiply(v, o, sum, 0, partner, base, 1);
			case "pow": {
				const p = middle(value);
				for (let j = 1; j <= k; j++)
					this.#multiply(sum, 0, v, at(a, j), v, base + (k - j) * M, (p * j - (k - j)) / k);
				return this.#multiply(v, o, sum, 0, partner, base, 1);
			}
			default:
				throw new RangeError(`${op} has no series rule.`);
		}
	}

	/** The coefficient k of 1 + y² or 1 - y², of the series y that starts at `base`, into the partner's at `o`. */
	#slope(op: "tan" | "tanh", o: number, base: number, k: number): void {
		const { M } = this.#space;
		const v = this.values;
		const sign = op === "tan" ? 1 : -1;
		this.#partner.fill(0, o, o + M);
		for (let j = 0; j <= k; j++)
			this.#multiply(this.#partner, o, v, base + j * M, v, base + (k - j) * M, sign);
		if (k === 0) this.#partner[o] += 1;
	}

	/** f of a polynomial in ζ, by Horner's rule at its constant term. */
	#compose(
		out: Float64Array,
		o: number,
		f: JetFunction,
		from: number,
		exponent: { readonly lo: number; readonly hi: number },
	): void {
		const { M, order } = this.#space;
		const x = this.#a;
		x.set(this.values.subarray(from, from + M));
		const jet = jetNumbers(f, x[0], order, exponent);
		x[0] = 0;
		let acc = new Float64Array(M);
		acc[0] = jet[order];
		for (let i = order - 1; i >= 0; i--) {
			const next = new Float64Array(M);
			this.#multiply(next, 0, acc, 0, x, 0, 1);
			next[0] += jet[i];
			acc = next;
		}
		out.set(acc, o);
	}

	/** out += factor·a·b, truncated. */
	#multiply(
		out: Float64Array,
		o: number,
		a: Float64Array,
		i: number,
		b: Float64Array,
		j: number,
		factor: number,
	): void {
		const { M, order, table } = this.#space;
		const { product, degree, upTo } = table;
		for (let m = 0; m < M; m++) {
			const x = a[i + m] * factor;
			if (x === 0) continue;
			const end = upTo[order - degree[m]];
			const row = m * M;
			for (let n = 0; n < end; n++) out[o + product[row + n]] += x * b[j + n];
		}
	}
}

function middle({ lo, hi }: { readonly lo: number; readonly hi: number }): number {
	return lo === hi ? lo : lo / 2 + hi / 2;
}
