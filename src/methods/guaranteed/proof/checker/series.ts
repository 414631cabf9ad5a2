/** Power series in time of all lines of a tape, one degree after the other, in bounds. */
import {
	add,
	type Bounds,
	divide,
	down,
	isNothing,
	isNumber,
	multiply,
	negate,
	nothing,
	point,
	up,
} from "./bounds.ts";
import { cos, exp, log, sin } from "./functions.ts";
import type { Tape } from "./tape.ts";

export class Series {
	/** Coefficient k of line i. */
	readonly #of: Bounds[][];

	constructor(
		readonly tape: Tape,
		/** Lines that count: those after them are left out. */
		readonly length = tape.lines.length,
	) {
		this.#of = Array.from({ length }, () => []);
	}

	at(line: number, degree: number): Bounds {
		return this.#of[line][degree];
	}

	/** Coefficients of one degree of all lines, from those of the symbols, all lower degrees being known. */
	extend(degree: number, symbols: (symbol: number) => Bounds): void {
		for (let i = 0; i < this.length; i++) this.#of[i][degree] = this.#coefficient(i, degree, symbols);
	}

	#coefficient(i: number, k: number, symbols: (symbol: number) => Bounds): Bounds {
		const line = this.tape.lines[i];
		switch (line.op) {
			case "constant":
				return k === 0 ? line.value : nothing;
			case "symbol":
				return symbols(line.symbol);
			case "add":
				return add(this.#of[line.a][k], this.#of[line.b][k]);
			case "multiply":
				return this.#convolved(line.a, line.b, 0, k);
			case "recip": {
				const own = this.#of[line.a][0];
				if (k === 0) return divide(point(1), own);
				return divide(negate(this.#convolved(line.a, i, 1, k)), own);
			}
			case "exp":
				return k === 0 ? exp(this.#of[line.a][0]) : divide(this.#moment(line.a, i, k, k), point(k));
			case "log": {
				const own = this.#of[line.a][0];
				if (k === 0) return log(own);
				const lower = divide(this.#moment(i, line.a, k, k - 1), point(k));
				return divide(add(this.#of[line.a][k], negate(lower)), own);
			}
			case "sin":
				if (k === 0) return sin(this.#of[line.a][0]);
				return divide(this.#moment(line.a, line.partner, k, k), point(k));
			case "cos":
				if (k === 0) return cos(this.#of[line.a][0]);
				return negate(divide(this.#moment(line.a, line.partner, k, k), point(k)));
		}
	}

	/** Σ j·a_j·b_(k-j), j from 1 to `to`. */
	#moment(a: number, b: number, k: number, to: number): Bounds {
		let sum = nothing;
		for (let j = 1; j <= to; j++)
			if (!isNothing(this.#of[a][j]))
				sum = add(sum, multiply(multiply(point(j), this.#of[a][j]), this.#of[b][k - j]));
		return sum;
	}

	/** Σ a_j·b_(k-j), j from `from` to k: rounding is added once, from the sizes of all terms. */
	#convolved(a: number, b: number, from: number, k: number): Bounds {
		const [left, right] = [this.#of[a], this.#of[b]];
		let [lo, hi, size, count] = [0, 0, 0, 0];
		for (let j = from; j <= k; j++) {
			const [x, y] = [left[j], right[k - j]];
			if (isNothing(x) || isNothing(y)) {
				if (isNumber(x) && isNumber(y)) continue;
				return point(Number.NaN);
			}
			const [p, q, r, s] = [x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi];
			const [least, most] = [Math.min(p, q, r, s), Math.max(p, q, r, s)];
			lo += least;
			hi += most;
			size += Math.max(Math.abs(least), Math.abs(most));
			count++;
		}
		if (count === 0) return nothing;
		const error = (count + 2) * (size * 2 ** -52 + Number.MIN_VALUE);
		return { lo: down(lo - error), hi: up(hi + error) };
	}
}
