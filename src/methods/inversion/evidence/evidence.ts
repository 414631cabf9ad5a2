/**
 * How well a set of terms is supported: minus twice its log evidence (smaller is better), by Laplace's approximation. A
 * term costs more the better the data could have shown it, and less the more its weight is needed:
 *
 *   S/σ² + log det(I + D^½ BᵀB D^½/σ²) + aᵀ D⁻¹ a
 *
 * The weights have the prior N(0, D). In its own units each term's effect (effect-scales.ts) is of one size κ, which the states
 * alone tell; terms of one parameter or function share a κ of their own, which may differ from that by a factor of e² or so.
 * Before the data every term is rather not there than there.
 *
 * Reference: MacKay, "Bayesian interpolation", Neural Computation 4, 1992.
 */
import { choleskyInto, choleskyLogDeterminant } from "../../../num/cholesky.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { solveTriangleInto } from "../../../num/householder.ts";
import { squared } from "../../../num/whole-power.ts";
import type { EffectScales } from "../candidates/effect-scales.ts";
import { triangulateDampedInto } from "../descent/damped-triangle.ts";

/** How far the scale of a group may lie from the common one: standard deviation of its logarithm. */
const groupSpread = 2;
/** Odds against each term before the data, twice their logarithm: about 2 to 1. */
const termCost = 1.5;
/** Initial values that are unknown: a prior so wide that it says nothing, in deviations of the state. */
const openPrior = 10;

export interface Prior {
	/** Prior variance of each active unknown. */
	readonly variance: Float64Array;
	/** What the scales of the groups cost. */
	readonly penalty: number;
}

/** The prior that suits given values of the active unknowns best. */
export function priorFor(scales: EffectScales, active: readonly number[], values: Float64Array): Prior {
	const { effect, group, isRate, isTerm } = scales;
	const groups = new Map<number, { squares: number; count: number; terms: number; isRate: boolean }>();
	active.forEach((u, k) => {
		if (group[u] < 0) return;
		const own = groups.get(group[u]) ?? { squares: 0, count: 0, terms: 0, isRate: isRate[u] };
		own.squares += squared(values[k] * effect[u]);
		own.count++;
		own.terms += isTerm[u];
		groups.set(group[u], own);
	});
	const common = log(scales.typicalRate);
	let penalty = 0;
	const scale = new Map<number, number>();
	for (const [g, own] of groups) {
		const centre = own.isRate ? common : 0;
		// A candidate that stands alone must not make itself cheap by being small.
		const least = scales.shared[g] ? Number.NEGATIVE_INFINITY : centre;
		const l = Math.max(bestScale(own.squares, own.count, centre), least);
		scale.set(g, l);
		penalty += squared((l - centre) / groupSpread) + termCost * own.terms;
	}
	const variance = Float64Array.from(active, (u) =>
		group[u] < 0 ? squared(openPrior / effect[u]) : exp(2 * scale.get(group[u])!) / squared(effect[u]),
	);
	return { variance, penalty };
}

/** Minimum over l of 2 n l + S exp(-2 l) + ((l - centre) / spread)²: Newton's method, each step at most 1. */
function bestScale(squares: number, count: number, centre: number): number {
	let l = centre;
	for (let k = 0; k < 40; k++) {
		const fall = squares * exp(-2 * l);
		const slope = 2 * count - 2 * fall + (2 * (l - centre)) / squared(groupSpread);
		const step = slope / (4 * fall + 2 / squared(groupSpread));
		l -= Math.min(Math.max(step, -1), 1);
		if (Math.abs(step) < 1e-9) break;
	}
	return l;
}

/** A fit of some terms, as far as the evidence needs it. */
export interface FittedTerms {
	readonly active: readonly number[];
	/** Values of the active unknowns. */
	readonly values: Float64Array;
	readonly sse: number;
	/** BᵀB of the active unknowns. */
	readonly gram: Float64Array;
}

export function evidenceOf(
	scales: EffectScales,
	{ active, values, sse, gram }: FittedTerms,
	variance: number,
): number {
	const n = active.length;
	const prior = priorFor(scales, active, values);
	const k = posteriorPrecision(gram, n, prior.variance, variance);
	if (!choleskyInto(k, n)) return Number.POSITIVE_INFINITY;
	let cost = sse / variance + choleskyLogDeterminant(k, n) + prior.penalty;
	// Least of (a - â)ᵀ BᵀB (a - â)/σ² + aᵀ D⁻¹ a: what the prior asks for moves the values a little.
	const z = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		let sum = values[i] / prior.variance[i];
		cost += log(prior.variance[i]) + values[i] * sum;
		for (let j = 0; j < i; j++) sum -= k[i * n + j] * z[j];
		z[i] = sum / k[i * n + i];
		cost -= z[i] * z[i];
	}
	return Number.isNaN(cost) ? Number.POSITIVE_INFINITY : cost;
}

function posteriorPrecision(
	gram: Float64Array,
	n: number,
	prior: Float64Array,
	variance: number,
): Float64Array {
	const k = new Float64Array(n * n);
	for (let i = 0; i < n; i++) {
		for (let j = 0; j <= i; j++) k[i * n + j] = gram[i * n + j] / variance;
		k[i * n + i] += 1 / prior[i];
	}
	return k;
}

/** A linear least-squares problem by its triangle: subsets of its columns are cheap to judge. */
export class LinearEvidence {
	readonly #n: number;
	/** RᵀR and RᵀQᵀb, for the quick look. */
	readonly #gram: Float64Array;
	readonly #right: Float64Array;
	readonly #square: number;
	readonly #columns: Float64Array;
	readonly #lower: Float64Array;
	readonly #rhs: Float64Array;
	readonly #lowerRhs: Float64Array;
	readonly #work: Float64Array;
	readonly #prior: Float64Array;

	constructor(
		readonly scales: EffectScales,
		/** R and Qᵀb of all unknowns, and the sum of squares that no unknown can explain. */
		readonly triangle: Float64Array,
		readonly qtb: Float64Array,
		readonly rest: number,
		readonly variance: number,
		/** A first guess of the values, for the scales of the prior. */
		readonly guess: Float64Array,
	) {
		const n = qtb.length;
		this.#n = n;
		this.#columns = new Float64Array(n * n);
		this.#lower = new Float64Array(n * n);
		this.#rhs = new Float64Array(n);
		this.#lowerRhs = new Float64Array(n);
		this.#work = new Float64Array(n * n + n);
		this.#prior = new Float64Array(n);
		this.#gram = new Float64Array(n * n);
		this.#right = new Float64Array(n);
		for (let i = 0; i < n; i++) {
			for (let j = i; j < n; j++) {
				this.#right[j] += triangle[i * n + j] * qtb[i];
				for (let k = i; k <= j; k++) this.#gram[j * n + k] += triangle[i * n + j] * triangle[i * n + k];
			}
		}
		for (let j = 0; j < n; j++) for (let k = 0; k < j; k++) this.#gram[k * n + j] = this.#gram[j * n + k];
		this.#square = qtb.reduce((sum, value) => sum + value * value, rest);
	}

	/** Minus twice the log evidence of the terms, and their values: through the triangle, with all digits. */
	judge(active: readonly number[]): { cost: number; values: Float64Array } {
		const n = this.#n;
		const k = active.length;
		const noise = Math.sqrt(this.variance);
		const columns = this.#columns;
		const lower = this.#lower;
		const right = this.#rhs;
		const lowerRight = this.#lowerRhs;
		let values = this.#roughValues(
			active,
			Float64Array.from(active, (u) => this.guess[u]),
		);
		const prior = priorFor(this.scales, active, values);
		columns.fill(0, 0, n * k);
		lower.fill(0, 0, k * k);
		lowerRight.fill(0, 0, k);
		right.set(this.qtb);
		for (let j = 0; j < k; j++) {
			for (let i = 0; i <= active[j]; i++) columns[j * n + i] = this.triangle[i * n + active[j]];
			// The prior as one more observation: 0 = a / sd.
			lower[j * k + j] = noise / Math.sqrt(prior.variance[j]);
		}
		triangulateDampedInto(columns, n, active, lower, right, lowerRight, k);
		let left = this.rest;
		for (let i = k; i < n; i++) left += right[i] * right[i];
		for (let i = 0; i < k; i++) left += lowerRight[i] * lowerRight[i];
		let cost = left / this.variance + prior.penalty;
		for (let j = 0; j < k; j++)
			cost += 2 * log(Math.abs(columns[j * n + j]) / noise) + log(prior.variance[j]);
		values = right.slice(0, k);
		solveTriangleInto(values, columns, n, k);
		return { cost: Number.isNaN(cost) ? Number.POSITIVE_INFINITY : cost, values };
	}

	/** Values with the prior that suits a guess, good enough to find the prior that suits them. */
	#roughValues(active: readonly number[], guess: Float64Array): Float64Array {
		const k = active.length;
		const prior = priorFor(this.scales, active, guess).variance;
		active.forEach((u, i) => {
			this.#prior[u] = prior[i];
		});
		if (!(this.look(active, this.#prior) < Number.POSITIVE_INFINITY)) return guess;
		const l = this.#work;
		const values = l.slice(this.#n * this.#n, this.#n * this.#n + k);
		for (let i = k - 1; i >= 0; i--) {
			values[i] /= l[i * k + i];
			for (let j = 0; j < i; j++) values[j] -= l[i * k + j] * values[i];
		}
		return values;
	}

	/**
	 * About the same in a tenth of the time: with a given prior, and by normal equations, which lose digits where columns are
	 * nearly alike. Good for choosing what to judge.
	 */
	look(active: readonly number[], prior: Float64Array): number {
		const n = this.#n;
		const k = active.length;
		const l = this.#work;
		const z = l.subarray(n * n, n * n + k);
		let terms = 0;
		for (let i = 0; i < k; i++) terms += this.scales.isTerm[active[i]];
		let cost = this.#square / this.variance + termCost * terms;
		for (let i = 0; i < k; i++) {
			const row = active[i] * n;
			for (let j = 0; j <= i; j++) l[i * k + j] = this.#gram[row + active[j]] / this.variance;
			l[i * k + i] += 1 / prior[active[i]];
			z[i] = this.#right[active[i]] / this.variance;
		}
		let determinant = 1;
		for (let i = 0; i < k; i++) {
			let sum = z[i];
			for (let j = 0; j <= i; j++) {
				let entry = l[i * k + j];
				for (let m = 0; m < j; m++) entry -= l[i * k + m] * l[j * k + m];
				if (j < i) {
					l[i * k + j] = entry / l[j * k + j];
					sum -= l[i * k + j] * z[j];
				} else {
					if (!(entry > 0)) return Number.POSITIVE_INFINITY;
					// Logarithms are taken of products, a few at a time.
					determinant *= entry * prior[active[i]];
					if (!(determinant < 1e200)) {
						cost += log(determinant);
						determinant = 1;
					}
					l[i * k + i] = Math.sqrt(entry);
				}
			}
			z[i] = sum / l[i * k + i];
			cost -= z[i] * z[i];
		}
		return cost + log(determinant);
	}

	/**
	 * `look` for sets that differ in some terms only: the others, which stay, are eliminated once. Gives what a set of those terms
	 * costs more than none of them.
	 */
	lookWithin(
		stays: readonly number[],
		block: readonly number[],
		prior: Float64Array,
	): ((places: ArrayLike<number>, count: number) => number) | undefined {
		const n = this.#n;
		const k = stays.length;
		const m = block.length;
		const gram = (a: number, b: number): number =>
			this.#gram[a * n + b] / this.variance + (a === b ? 1 / prior[a] : 0);
		const l = new Float64Array(k * k);
		for (let i = 0; i < k; i++) for (let j = 0; j <= i; j++) l[i * k + j] = gram(stays[i], stays[j]);
		if (!choleskyInto(l, k)) return undefined;
		// Of each column of the block, and of the right-hand side: what the terms that stay explain.
		const solved = new Float64Array((m + 1) * k);
		for (let c = 0; c <= m; c++)
			for (let i = 0; i < k; i++) {
				let sum = c < m ? gram(stays[i], block[c]) : this.#right[stays[i]] / this.variance;
				for (let j = 0; j < i; j++) sum -= l[i * k + j] * solved[c * k + j];
				solved[c * k + i] = sum / l[i * k + i];
			}
		const left = new Float64Array((m + 1) * m);
		for (let c = 0; c <= m; c++)
			for (let d = 0; d < m; d++) {
				let sum = c < m ? gram(block[c], block[d]) : this.#right[block[d]] / this.variance;
				for (let i = 0; i < k; i++) sum -= solved[c * k + i] * solved[d * k + i];
				left[c * m + d] = sum;
			}
		const r = new Float64Array(m * m);
		const z = new Float64Array(m);
		return (places, count) => {
			let terms = 0;
			for (let i = 0; i < count; i++) terms += this.scales.isTerm[block[places[i]]];
			let cost = termCost * terms;
			let determinant = 1;
			for (let i = 0; i < count; i++) {
				let sum = left[m * m + places[i]];
				for (let j = 0; j <= i; j++) {
					let entry = left[places[i] * m + places[j]];
					for (let h = 0; h < j; h++) entry -= r[i * m + h] * r[j * m + h];
					if (j < i) {
						r[i * m + j] = entry / r[j * m + j];
						sum -= r[i * m + j] * z[j];
					} else {
						if (!(entry > 0)) return Number.POSITIVE_INFINITY;
						determinant *= entry * prior[block[places[i]]];
						r[i * m + i] = Math.sqrt(entry);
					}
				}
				z[i] = sum / r[i * m + i];
				cost -= z[i] * z[i];
			}
			return cost + log(determinant);
		};
	}

	/** Prior variances of all unknowns that suit the given terms. */
	priorAround(active: readonly number[], values: Float64Array): Float64Array {
		const all = [...Array(this.#n).keys()];
		const full = new Float64Array(this.#n);
		active.forEach((u, k) => {
			full[u] = values[k];
		});
		const own = priorFor(this.scales, active, values).variance;
		// Terms that are out have the width that they would have without a value of their own.
		const common = priorFor(this.scales, all, full).variance;
		active.forEach((u, k) => {
			common[u] = own[k];
		});
		return common;
	}
}
