/** Student's law of several numbers: draws around a centre with tails that are heavier than what they are weighed by. */

import { log } from "../../../num/elementary/number.ts";
import { choleskyLogDeterminant, solveLowerInto } from "../../../num/linear/cholesky.ts";
import type { Stream } from "../../../num/random.ts";
import { logGamma } from "../../../num/statistics/log-gamma.ts";

export class HeavyNormal {
	readonly #constant: number;

	constructor(
		readonly centre: Float64Array,
		/** L of the scale matrix L Lᵀ. */
		readonly root: Float64Array,
		/** A whole number. */
		readonly degrees: number,
	) {
		const n = centre.length;
		this.#constant =
			logGamma((degrees + n) / 2) -
			logGamma(degrees / 2) -
			(n / 2) * log(degrees * Math.PI) -
			choleskyLogDeterminant(root, n) / 2;
	}

	/** The draw of this index, and with `sign` -1 its mirror image. */
	draw(random: Stream, index: number, sign: 1 | -1 = 1): Float64Array {
		const n = this.centre.length;
		const first = index * (n + this.degrees);
		let square = 0;
		for (let k = 0; k < this.degrees; k++) {
			const e = random.normal(first + n + k);
			square += e * e;
		}
		const factor = sign / Math.sqrt(square / this.degrees);
		const e = Float64Array.from({ length: n }, (_, i) => random.normal(first + i) * factor);
		return this.centre.map((value, i) => {
			let sum = value;
			for (let j = 0; j <= i; j++) sum += this.root[i * n + j] * e[j];
			return sum;
		});
	}

	logDensity(x: Float64Array): number {
		const n = this.centre.length;
		const d = x.map((value, i) => value - this.centre[i]);
		solveLowerInto(d, this.root, n);
		const square = d.reduce((sum, each) => sum + each * each, 0);
		return this.#constant - ((this.degrees + n) / 2) * log(1 + square / this.degrees);
	}
}
