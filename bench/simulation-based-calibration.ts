/**
 * Simulation-based calibration: draw parameters from the prior, make data with them, find the posterior, and look at
 * the rank of the truth among its draws. If the sampler is right, ranks are uniform and 90 % intervals hold the truth
 * 90 times in a hundred.
 *
 * Reference: Talts, Betancourt, Simpson, Vehtari, Gelman, "Validating Bayesian inference algorithms with
 * simulation-based calibration", 2018.
 */

import { exp, log } from "../src/num/elementary/number.ts";
import { logGamma } from "../src/num/statistics/log-gamma.ts";
import { squared } from "../src/num/whole-power.ts";

export interface CalibrationReport {
	/** For each unknown: how often its central 90 % interval held the truth. */
	readonly coverage: readonly number[];
	/** For each unknown: probability of ranks at least as uneven, were they uniform. */
	readonly pValue: readonly number[];
	readonly replications: number;
}

/** `truth` and draws of each replication in turn: `draws` are columns of n, unknown by unknown. */
export class Calibration {
	readonly #ranks: number[][];
	#covered: number[];
	#count = 0;

	constructor(
		readonly nUnknowns: number,
		readonly bins = 20,
	) {
		this.#ranks = Array.from({ length: nUnknowns }, () => new Array<number>(bins).fill(0));
		this.#covered = new Array<number>(nUnknowns).fill(0);
	}

	add(truth: ArrayLike<number>, draws: Float64Array): void {
		const n = draws.length / this.nUnknowns;
		for (let i = 0; i < this.nUnknowns; i++) {
			const column = draws.subarray(i * n, (i + 1) * n);
			let below = 0;
			for (const value of column) if (value < truth[i]) below++;
			const share = (below + 0.5) / (n + 1);
			this.#ranks[i][Math.min(this.bins - 1, Math.floor(share * this.bins))]++;
			if (share > 0.05 && share < 0.95) this.#covered[i]++;
		}
		this.#count++;
	}

	report(): CalibrationReport {
		const expected = this.#count / this.bins;
		return {
			coverage: this.#covered.map((covered) => covered / this.#count),
			pValue: this.#ranks.map((ranks) => {
				const chiSquare = ranks.reduce((sum, seen) => sum + squared(seen - expected) / expected, 0);
				return chiSquareTail(chiSquare, this.bins - 1);
			}),
			replications: this.#count,
		};
	}
}

/** P(χ² > x) with k degrees of freedom: the regularised incomplete gamma function, by its series or its fraction. */
export function chiSquareTail(x: number, k: number): number {
	const a = k / 2;
	const y = x / 2;
	if (!(y > 0)) return 1;
	const front = exp(a * log(y) - y - logGamma(a));
	if (y < a + 1) {
		let term = 1 / a;
		let sum = term;
		for (let n = 1; n < 1000 && term > 1e-17 * sum; n++) sum += term *= y / (a + n);
		return 1 - front * sum;
	}
	let fraction = 0;
	for (let n = 200; n > 0; n--) fraction = (n * (n - a)) / (y + 2 * n + 1 - a - fraction);
	return front / (y + 1 - a - fraction);
}
