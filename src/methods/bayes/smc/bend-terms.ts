/**
 * Which coordinates of a cloud follow which others, and by which terms: products of two, and powers of one. All is told by the moments
 * of coordinates and terms, in units of standard deviations.
 *
 * Reference: Goodnight, "A tutorial on the SWEEP operator", The American Statistician 33, 1979.
 */
import { log } from "../../../num/elementary/number.ts";
import { choleskyInto, choleskyInverse } from "../../../num/linear/cholesky.ts";

export interface Following {
	/** The coordinate that follows. */
	readonly at: number;
	/** Those that it may follow. */
	readonly among: readonly number[];
	readonly constant: number;
	readonly terms: readonly { readonly factor: number; readonly of: readonly number[] }[];
	/** Log-likelihood that a particle gains by terms that are not straight. */
	readonly gain: number;
}

/** Log-likelihood that all particles must gain by a term: four standard errors of its factor. */
const significant = 8;
/** Of one coordinate: ridges that are thin to a hundredth of their length ask for more than cubes. */
const highestPower = 5;
/** Terms that a coordinate has at most; coordinates that others bend along; followers that are tried out at a time. */
const mostTerms = 12;
const mostLeads = 8;
const tried = 3;
/** What is left of a term that those before it tell, at least. */
const leftOver = 1e-9;

interface Term {
	readonly of: readonly number[];
	readonly mean: number;
}

export class BendTerms {
	readonly #terms: Term[] = [];
	/** Second moments of coordinates, then of terms. */
	readonly #G: Float64Array;
	readonly #size: number;

	constructor(
		x: Float64Array,
		weights: Float64Array,
		readonly d: number,
		/** Particles that the weighted ones count like. */
		readonly n: number,
	) {
		const nAll = weights.length;
		const leads = d <= mostLeads ? Array.from({ length: d }, (_, i) => i) : leadsOf(x, weights, d);
		const columns: Float64Array[] = [];
		const add = (...of: number[]): void => {
			const own = new Float64Array(nAll).fill(1);
			for (const j of of) for (let b = 0; b < nAll; b++) own[b] *= x[j * nAll + b];
			let mean = 0;
			for (let b = 0; b < nAll; b++) mean += weights[b] * own[b];
			for (let b = 0; b < nAll; b++) own[b] -= mean;
			columns.push(own);
			this.#terms.push({ of, mean });
		};
		for (let i = 0; i < d; i++) add(i);
		for (const [k, i] of leads.entries()) {
			for (const j of leads.slice(0, k + 1)) add(j, i);
			for (let power = 3; power <= highestPower; power++) add(...new Array<number>(power).fill(i));
		}
		this.#size = columns.length;
		this.#G = momentsOf(columns, weights);
	}

	/** Those that follow, the one first that all others lead. */
	followers(): Following[] {
		let active = Array.from({ length: this.d }, (_, i) => i);
		const found: Following[] = [];
		while (active.length > 1) {
			const likely = this.#likely(active);
			const best = likely
				.map((at) => this.following(at, active))
				.reduce<Following | undefined>((top, one) => (one.gain > (top?.gain ?? 0) ? one : top), undefined);
			if (!best) break;
			found.push(best);
			active = active.filter((i) => i !== best.at);
		}
		return found;
	}

	/** Terms of coordinates among these, as places in the matrix. */
	#among(active: readonly number[]): number[] {
		return this.#terms.flatMap(({ of }, f) =>
			of.length > 1 && of.every((j) => active.includes(j)) ? [f] : [],
		);
	}

	/** Coordinates that some term tells beyond what all others do, the best told first. */
	#likely(active: readonly number[]): number[] {
		const m = active.length;
		const G = this.#G;
		const at = (i: number, j: number): number => G[i * this.#size + j];
		const P = Float64Array.from({ length: m * m }, (_, k) => at(active[Math.floor(k / m)], active[k % m]));
		if (!choleskyInto(P, m)) return [];
		P.set(choleskyInverse(P, m));
		const gains = new Float64Array(m);
		const h = new Float64Array(m);
		for (const f of this.#among(active)) {
			let left = at(f, f);
			for (let i = 0; i < m; i++) {
				h[i] = 0;
				for (let k = 0; k < m; k++) h[i] += P[i * m + k] * at(active[k], f);
				left -= h[i] * at(active[i], f);
			}
			if (!(left > leftOver * at(f, f))) continue;
			const { of } = this.#terms[f];
			for (let i = 0; i < m; i++)
				if (!of.includes(active[i]))
					gains[i] = Math.max(gains[i], 0.5 * log(1 + (h[i] * h[i]) / (P[i * m + i] * left)));
		}
		return Array.from(gains.keys())
			.filter((i) => this.n * gains[i] > significant)
			.sort((a, b) => gains[b] - gains[a])
			.slice(0, tried)
			.map((i) => active[i]);
	}

	/** By all others, and by terms of them that are worth it, `most` at most. */
	following(target: number, active: readonly number[], most = mostTerms): Following {
		const straight = active.filter((i) => i !== target);
		const places = [...straight, ...(most > 0 ? this.#among(straight) : []), target];
		const m = places.length;
		const last = m - 1;
		const M = Float64Array.from(
			{ length: m * m },
			(_, k) => this.#G[places[Math.floor(k / m)] * this.#size + places[k % m]],
		);
		const chosen = straight.map((_, k) => k);
		for (const k of chosen) sweep(M, m, k);
		const before = M[last * m + last];
		while (chosen.length < straight.length + most) {
			let best = -1;
			let told = 0;
			for (let k = straight.length; k < last; k++) {
				if (chosen.includes(k)) continue;
				if (!(M[k * m + k] > leftOver * this.#G[places[k] * this.#size + places[k]])) continue;
				const own = (M[k * m + last] * M[k * m + last]) / M[k * m + k];
				if (own > told) [best, told] = [k, own];
			}
			const left = M[last * m + last];
			if (best < 0 || !(told < left) || !(-0.5 * this.n * log(1 - told / left) > significant)) break;
			sweep(M, m, best);
			chosen.push(best);
		}
		const isBent = chosen.length > straight.length && M[last * m + last] > 0;
		let constant = this.#terms[target].mean;
		const terms = chosen.map((k) => {
			const factor = M[k * m + last];
			const { of, mean } = this.#terms[places[k]];
			constant -= factor * mean;
			return { factor, of };
		});
		return {
			at: target,
			among: straight,
			constant,
			terms,
			gain: isBent ? 0.5 * log(before / M[last * m + last]) : 0,
		};
	}
}

/** Coordinates whose squares tell most of others beyond what all others do. */
function leadsOf(x: Float64Array, weights: Float64Array, d: number): number[] {
	const n = weights.length;
	const P = momentsOf(
		Array.from({ length: d }, (_, i) => x.subarray(i * n, (i + 1) * n)),
		weights,
	);
	if (!choleskyInto(P, d)) return [];
	P.set(choleskyInverse(P, d));
	const square = new Float64Array(n);
	const scores = Array.from({ length: d }, (_, j) => {
		for (let b = 0; b < n; b++) square[b] = weights[b] * (x[j * n + b] * x[j * n + b] - 1);
		const c = Float64Array.from({ length: d }, (_, i) => {
			let sum = 0;
			for (let b = 0; b < n; b++) sum += square[b] * x[i * n + b];
			return sum;
		});
		let most = 0;
		for (let i = 0; i < d; i++) {
			if (i === j) continue;
			let h = 0;
			for (let k = 0; k < d; k++) h += P[i * d + k] * c[k];
			most = Math.max(most, (h * h) / P[i * d + i]);
		}
		return most;
	});
	return Array.from(scores.keys())
		.sort((a, b) => scores[b] - scores[a])
		.slice(0, mostLeads)
		.sort((a, b) => a - b);
}

function momentsOf(columns: readonly Float64Array[], weights: Float64Array): Float64Array {
	const m = columns.length;
	const n = weights.length;
	const G = new Float64Array(m * m);
	const weighed = new Float64Array(n);
	for (let i = 0; i < m; i++) {
		for (let b = 0; b < n; b++) weighed[b] = weights[b] > 0 ? weights[b] * columns[i][b] : 0;
		for (let j = 0; j <= i; j++) {
			const other = columns[j];
			let sum = 0;
			for (let b = 0; b < n; b++) sum += weighed[b] * other[b];
			G[i * m + j] = sum;
			G[j * m + i] = sum;
		}
	}
	return G;
}

/** Row and column k change sides: what the others leave of each other, and factors of k in them. */
function sweep(M: Float64Array, m: number, k: number): void {
	const pivot = M[k * m + k];
	for (let j = 0; j < m; j++) M[k * m + j] /= pivot;
	for (let i = 0; i < m; i++) {
		if (i === k) continue;
		const by = M[i * m + k];
		if (by === 0) continue;
		for (let j = 0; j < m; j++) if (j !== k) M[i * m + j] -= by * M[k * m + j];
		M[i * m + k] = -by / pivot;
	}
	M[k * m + k] = 1 / pivot;
}
