/** The remainder of a step's polynomial: radii I with z0 + ∫f(P + I) inside P + I, which prove that every solution from P(ζ) is there. */
import type { TaylorModel } from "../../../../interval/taylor/taylor-model.ts";
import type { StepModels } from "./step-models.ts";

const U = 2 ** -53;

export class PicardStep {
	readonly #step: StepModels;
	readonly #integral: TaylorModel;
	/** What the set is unsure of at the start, over a jump. */
	#rest: Float64Array | undefined;

	constructor(step: StepModels) {
		this.#step = step;
		this.#integral = step.space.model();
	}

	/** Radii I with z0 + h∫f(P + I) inside P + I; the models of the states then carry them. */
	verify(hLo: number, hHi: number, negligible: number): boolean {
		this.#rest = undefined;
		return this.#proves(hLo, hHi, negligible);
	}

	/**
	 * The same over a jump, where f is all between its sides, from a set with a remainder of its own: z0 + rest + h∫f(P + I) strictly inside P + I. As long as a solution is in there it is inside by a distance, so
	 * that none can leave. No slopes are needed, nor that solutions are unique.
	 */
	verifyInclusion(hLo: number, hHi: number, negligible: number, rest: Float64Array): boolean {
		const { taylor } = this.#step;
		this.#rest = rest;
		taylor.branches = true;
		try {
			return this.#proves(hLo, hHi, negligible);
		} finally {
			taylor.branches = false;
			this.#rest = undefined;
		}
	}

	#proves(hLo: number, hHi: number, negligible: number): boolean {
		const n = this.#step.nStates;
		const radii = this.#rest?.slice() ?? new Float64Array(n);
		let defect = this.#defects(radii, hLo, hHi, negligible);
		// Over a corner the series knew one side only: the integral itself is the better polynomial.
		const { taylor } = this.#step;
		for (let round = 0; round < 2 && defect && (taylor.kink || taylor.jumps); round++) {
			this.#takeIntegrals(hLo / 2 + hHi / 2);
			defect = this.#defects(radii, hLo, hHi, negligible);
		}
		if (!defect) return false;
		for (let round = 0; round < 8; round++) {
			const grow = round === 0 ? 1.5 : 2.5;
			for (let i = 0; i < n; i++) radii[i] = Math.max(radii[i], defect[i] * grow) + 1e-290;
			const next = this.#defects(radii, hLo, hHi, negligible);
			if (!next) return false;
			if (next.every((value, i) => (this.#rest ? value < radii[i] : value <= radii[i]))) {
				this.#refine(next, hLo, hHi, negligible);
				return true;
			}
			defect = next;
		}
		return false;
	}

	/** P becomes z0 + h∫f(P), of the models that were evaluated last. */
	#takeIntegrals(h: number): void {
		const { M, timeOrder } = this.#step.space;
		for (let i = 0; i < this.#step.nStates; i++) {
			this.#step.space.integrateInto(this.#integral, this.#step.taylor.output(i), h, h);
			const { c, top } = this.#integral;
			for (let j = M; j < (timeOrder + 1) * M; j++) this.#step.symbols[i].c[j] = j < (top + 1) * M ? c[j] : 0;
		}
	}

	/**
	 * Inside P + I there is a solution, and it is inside the image of P + I too, and in the image of that: again as long as it pays, which
	 * it does for disturbances. The models of the states then carry the radii.
	 */
	#refine(proved: Float64Array, hLo: number, hHi: number, negligible: number): void {
		let radii = proved;
		for (let round = 0; round < 4; round++) {
			const next =
				radii.some((value) => value > 100 * negligible) && this.#defects(radii, hLo, hHi, negligible);
			if (!next) break;
			const gained = next.some((value, i) => value < 0.9 * radii[i]);
			radii = next.map((value, i) => Math.min(value, radii[i]));
			if (!gained) break;
		}
		for (let i = 0; i < radii.length; i++) this.#step.symbols[i].r = radii[i];
	}

	/** |z0 + h∫f(P + I) - P| for the radii I of the states. */
	#defects(radii: Float64Array, hLo: number, hHi: number, negligible: number): Float64Array | undefined {
		const { nStates: n, symbols } = this.#step;
		const { M, timeOrder } = this.#step.space;
		for (let i = 0; i < n; i++) symbols[i].r = radii[i];
		this.#step.spend();
		if (!this.#step.taylor.evaluate(symbols, negligible, this.#step.known)) return undefined;
		const out = new Float64Array(n);
		for (let i = 0; i < n; i++) {
			const integral = this.#integral;
			this.#step.space.integrateInto(integral, this.#step.taylor.output(i), hLo, hHi);
			const p = this.#step.symbols[i].c;
			let sum = 0;
			let size = 0;
			for (let j = M; j < (timeOrder + 1) * M; j++) {
				const value = j < (integral.top + 1) * M ? integral.c[j] : 0;
				sum += Math.abs(value - p[j]);
				size += Math.abs(value) + Math.abs(p[j]);
			}
			const rest = this.#rest?.[i] ?? 0;
			out[i] = (sum + integral.r + size * U + rest) * this.#step.space.up + 1e-300;
			if (!(out[i] < Number.POSITIVE_INFINITY)) return undefined;
		}
		return out;
	}

	/**
	 * What it costs to pass a corner of the equations on this step, beside the tolerance, where time moves its argument by more than what is open of the
	 * unknowns: then a shorter step ends before the corner, or is over it sooner. 0 where there is nothing to gain.
	 */
	cornerCost(tolerance: number): number {
		const { kink } = this.#step.taylor;
		if (!kink || !(kink.whole > 3 * kink.start)) return 0;
		const { M } = this.#step.space;
		let most = 0;
		for (const { c, r } of this.#step.symbols.slice(0, this.#step.nStates)) {
			let size = 1e-3;
			for (let m = 0; m < M; m++) size += Math.abs(c[m]);
			most = Math.max(most, r / (tolerance * size));
		}
		return most > 1 ? most : 0;
	}
}
