/** Latent forces over a step, as code: exact transition and noise of each particle's own process. */

import {
	maternNoise,
	maternStationary,
	maternTransition,
} from "../../../../estimate/state-space/matern-terms.ts";
import type { Value } from "../../../../lower/builder.ts";
import type { MomentStep, Row, Symmetric } from "../covariance.ts";
import type { FilterScope } from "../filter-scope.ts";
import type { LatentForce } from "./latent-force.ts";

/** A and Q of one force over one step. */
interface Discretised {
	readonly A: readonly (readonly Value[])[];
	readonly Q: readonly (readonly Value[])[];
}

/** Below this τ the integrals come from their series, above from their limits: neither loses digits there. */
const farTau = 5;
const seriesTerms = 48;

export class ForceStep {
	/** λ and variance of each force. */
	readonly #rates: readonly Value[];
	readonly #variances: readonly Value[];
	#uniform: readonly Discretised[] | undefined;

	constructor(readonly scope: FilterScope) {
		const { b, spec } = scope;
		const lowering = scope.lowering(new Map());
		const positive = (value: Value): Value =>
			b.select(b.lt(b.constant(0), value), value, b.constant(Number.NaN));
		const { forces } = spec.layout;
		this.#rates = forces.map(({ p, length }) =>
			b.div(b.constant(Math.sqrt(2 * p + 1)), positive(lowering.lower([length])[0])),
		);
		this.#variances = forces.map(({ sd }) => {
			const own = positive(lowering.lower([sd])[0]);
			return b.mul(own, own);
		});
	}

	/** What is the same in all steps, outside of the loops. */
	hoist(): void {
		const { spec } = this.scope;
		if (spec.uniformSteps) this.#uniform = spec.layout.forces.map((force, k) => this.#discretise(force, k));
	}

	/** The rows of the transition, by coordinate. */
	transition(): ReadonlyMap<number, Row<Value>> {
		const rows = new Map<number, Row<Value>>();
		for (const [k, { from }] of this.scope.spec.layout.forces.entries())
			for (const [i, row] of this.#step(k).A.entries())
				rows.set(
					from + i,
					row.map((value, j) => ({ at: from + j, value })),
				);
		return rows;
	}

	addNoise(moments: MomentStep<Value>): void {
		for (const [k, { from }] of this.scope.spec.layout.forces.entries())
			moments.addBlock(from, this.#step(k).Q);
	}

	/** Forces begin anywhere within their process: zero mean and its own covariance. */
	startMoments(P: Symmetric<Value>): MomentStep<Value> {
		const { scope } = this;
		const moments = scope.momentStep(P);
		for (const [k, { from, p }] of scope.spec.layout.forces.entries())
			moments.addBlock(
				from,
				maternStationary(p).map((row) => row.map((c) => scope.entries.times(this.#variances[k], c))),
			);
		return moments;
	}

	/** λ^i of force k. */
	ratePower(k: number, i: number): Value {
		const { b } = this.scope;
		let power = b.constant(1);
		for (let j = 0; j < i; j++) power = b.mul(power, this.#rates[k]);
		return power;
	}

	#step(k: number): Discretised {
		return this.#uniform?.[k] ?? this.#discretise(this.scope.spec.layout.forces[k], k);
	}

	#discretise({ p }: LatentForce, k: number): Discretised {
		const { b, row, entries } = this.scope;
		const tau = row.scaled(b, this.#rates[k], 1);
		const decay = b.call("exp", b.neg(tau));
		const integrals = this.#integrals(2 * p, tau, b.mul(decay, decay));
		return {
			A: maternTransition(p).map((line) => line.map((terms) => b.mul(decay, this.#polynomial(terms, tau)))),
			Q: maternNoise(p).map((line) =>
				line.map((terms) => {
					const sum = terms
						.map((c, m) => (c === 0 ? undefined : entries.times(integrals[m], c)))
						.reduce((a, c) => (a && c ? b.add(a, c) : (a ?? c)));
					return b.mul(this.#variances[k], sum!);
				}),
			),
		};
	}

	#polynomial(terms: readonly number[], tau: Value): Value {
		const { b } = this.scope;
		return terms.reduceRight<Value>((sum, c) => b.add(b.mul(sum, tau), b.constant(c)), b.constant(0));
	}

	/** I_0 … I_most, the last by its series, each other from the next: all terms are positive. */
	#integrals(most: number, tau: Value, decay: Value): Value[] {
		const { b, entries } = this.scope;
		const x = b.add(tau, tau);
		const one = b.constant(1);
		let series = one;
		for (let k = seriesTerms; k > 0; k--)
			series = b.add(one, entries.times(b.mul(x, series), 1 / (most + 1 + k)));
		const powers = [one];
		for (let m = 1; m <= most + 1; m++) powers.push(b.mul(powers[m - 1], tau));
		const near = b.mul(b.mul(powers[most + 1], decay), entries.times(series, 1 / (most + 1)));
		let whole = 1;
		let partial = one;
		for (let j = most; j > 0; j--) partial = b.add(one, entries.times(b.mul(x, partial), 1 / j));
		for (let m = 1; m <= most; m++) whole *= m / 2;
		const far = entries.times(b.sub(one, b.mul(decay, partial)), whole / 2);
		const integrals = [b.select(b.lt(tau, b.constant(farTau)), near, far)];
		for (let m = most - 1; m >= 0; m--) {
			const sum = b.add(b.mul(powers[m + 1], decay), b.mul(b.constant(2), integrals[0]));
			integrals.unshift(entries.times(sum, 1 / (m + 1)));
		}
		return integrals;
	}
}
