/**
 * Where a test record starts: its initial values given its own data, for each particle's own parameters. The parameters
 * learn nothing here. Levenberg–Marquardt in sampled coordinates, one descent a particle and all of them in one batch, finds the
 * most probable start; the curvature there, data and prior together, gives the normal that starts are drawn from.
 */
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { choleskyInto, choleskySolveInto, solveUpperInto } from "../../../num/linear/cholesky.ts";
import { stream } from "../../../num/random.ts";
import { squared } from "../../../num/whole-power.ts";
import type { FilterParticles } from "../filter/experiment-filter.ts";
import type { Likelihood } from "../likelihood/likelihood.ts";
import { drawPriors, naturalValues } from "../likelihood/unknowns.ts";

/** Draws of the prior that are tried, and the best of them that are followed. */
const tried = 256;
const followed = 16;
const mostSteps = 30;
/** Numbers of the filter that one window may hold. */
const windowNumbers = 2_000_000;

/** Of each lane: half the squared misfit (prior included), its gradient, and the Gauss–Newton matrix. */
interface Evaluation {
	readonly cost: Float64Array;
	readonly gradient: readonly Float64Array[];
	readonly curvature: readonly Float64Array[];
}

/** The initial values of experiment e. */
export class RecordStart {
	readonly #own: readonly number[];
	readonly #prior: readonly { readonly mean: number; readonly sd: number }[];
	readonly #draws: Float64Array;

	constructor(
		readonly likelihood: Likelihood,
		readonly e: number,
		readonly seed: number,
	) {
		const { unknowns } = likelihood;
		this.#own = unknowns.flatMap(({ kind, experiment }, i) =>
			kind === "initial" && experiment === e ? [i] : [],
		);
		const own = this.#own.map((i) => unknowns[i]);
		this.#draws = drawPriors(own, tried, seed, "start");
		this.#prior = own.map((_, i) => {
			const values = this.#draws.subarray(i * tried, (i + 1) * tried);
			const mean = values.reduce((a, b) => a + b) / tried;
			return { mean, sd: Math.sqrt(values.reduce((sum, z) => sum + squared(z - mean), 0) / tried) };
		});
	}

	/** Writes natural initial values of n particles into their columns of theta, which hold the parameters already. */
	async drawInto(theta: Float64Array, n: number): Promise<void> {
		const d = this.#own.length;
		if (d === 0) return;
		// The middle particle first: where does the record start at all?
		const middle = new Float64Array((theta.length / n) * tried);
		for (let i = 0; i < theta.length / n; i++)
			middle.fill(theta[i * n + Math.floor(n / 2)], i * tried, (i + 1) * tried);
		const { cost } = await this.#evaluate(middle, this.#draws, tried);
		const best = Array.from(cost.keys())
			.sort((a, b) => rank(cost[a]) - rank(cost[b]) || a - b)
			.slice(0, followed);
		const starts = pick(this.#draws, tried, best);
		const first = await this.#descend(pick(middle, tried, best), starts, followed);
		const winner = first.at.cost.reduce((low, one, b, all) => (rank(one) < rank(all[low]) ? b : low), 0);
		const { z, at } = await this.#descend(theta, pick(first.z, followed, new Array(n).fill(winner)), n);
		const normals = this.#own.map((i) =>
			stream(this.seed, `bayes start of ${this.likelihood.unknowns[i].name}`),
		);
		const step = new Float64Array(d);
		for (let b = 0; b < n; b++) {
			const A = at.curvature[b].slice();
			if (!choleskyInto(A, d)) continue;
			for (let i = 0; i < d; i++) step[i] = normals[i].normal(b);
			solveUpperInto(step, A, d);
			for (let i = 0; i < d; i++) z[i * n + b] += step[i];
		}
		this.#writeInto(theta, z, n);
	}

	async #descend(
		theta: Float64Array,
		from: Float64Array,
		n: number,
	): Promise<{ z: Float64Array; at: Evaluation }> {
		const d = this.#own.length;
		let z = from;
		let at = await this.#evaluate(theta, z, n);
		const damping = new Float64Array(n).fill(1e-3);
		const settled = new Uint8Array(n);
		for (let k = 0; k < mostSteps && settled.includes(0); k++) {
			const trial = z.slice();
			for (let b = 0; b < n; b++) {
				const A = at.curvature[b].slice();
				for (let i = 0; i < d; i++) A[i * d + i] *= 1 + damping[b];
				const step = at.gradient[b].slice();
				if (settled[b] || !choleskyInto(A, d)) continue;
				choleskySolveInto(step, A, d);
				for (let i = 0; i < d; i++) trial[i * n + b] -= step[i];
			}
			const next = await this.#evaluate(theta, trial, n, at);
			z = z.slice();
			const merged = { cost: at.cost.slice(), gradient: [...at.gradient], curvature: [...at.curvature] };
			for (let b = 0; b < n; b++) {
				if (settled[b]) continue;
				const fall = at.cost[b] - next.cost[b];
				if (!(fall >= 0)) {
					damping[b] *= 10;
					// Nothing better anywhere near.
					if (!(damping[b] < 1e8)) settled[b] = 1;
					continue;
				}
				damping[b] = Math.max(1e-9, damping[b] / 10);
				// A thousandth of a standard deviation is far below what the draws differ by.
				if (fall < 1e-6) settled[b] = 1;
				for (let i = 0; i < d; i++) z[i * n + b] = trial[i * n + b];
				merged.cost[b] = next.cost[b];
				merged.gradient[b] = next.gradient[b];
				merged.curvature[b] = next.curvature[b];
			}
			at = merged;
		}
		return { z, at };
	}

	/** Lane j·n + b holds particle b with initial value j - 1 displaced; j = 0: none. `before` tells how far. */
	async #evaluate(theta: Float64Array, z: Float64Array, n: number, before?: Evaluation): Promise<Evaluation> {
		const { likelihood, e } = this;
		const d = this.#own.length;
		const lanes = (d + 1) * n;
		const delta = this.#prior.map(({ sd }, i) =>
			Float64Array.from({ length: n }, (_, b) =>
				Math.min(1e-4 * sd, 0.01 / Math.sqrt(before?.curvature[b][i * d + i] ?? 0)),
			),
		);
		const wideTheta = repeated(theta, n, d + 1);
		const wideZ = repeated(z, n, d + 1);
		for (let i = 0; i < d; i++) for (let b = 0; b < n; b++) wideZ[i * lanes + (i + 1) * n + b] += delta[i][b];
		this.#writeInto(wideTheta, wideZ, lanes);
		const out = this.#priorTerms(z, n);
		const particles: FilterParticles = likelihood.particles(wideTheta, lanes, e);
		const filter = likelihood.filters[e];
		const nOutputs = likelihood.model.measures.length;
		const laws = likelihood.model.measures.map(sampleLaw);
		const { y, present, within } = likelihood.samples[e];
		const state = filter.newState(lanes, false);
		const window = Math.max(1, Math.floor(windowNumbers / (3 * lanes * nOutputs)));
		const slopes = new Float64Array(d);
		for (let from = 0; from < filter.nSamples; from += window) {
			const to = Math.min(filter.nSamples, from + window);
			const { value, variance, noise } = await filter.moments(likelihood.compute, particles, state, from, to);
			for (let r = from * nOutputs; r < to * nOutputs; r++) {
				if (present[r] === 0) continue;
				const row = (r - from * nOutputs) * lanes;
				const law = laws[r % nOutputs];
				for (let b = 0; b < n; b++) {
					const expected = value[row + b];
					const own = law.isCount ? law.variance(expected, Math.sqrt(noise[row + b])) : noise[row + b];
					const weight = 1 / (own + variance[row + b]);
					// Of a limit, how far it is passed.
					const residual = within
						? expected - Math.min(Math.max(expected, within.lo[r]), within.hi[r])
						: expected - y[r];
					out.cost[b] += 0.5 * weight * residual * residual;
					for (let i = 0; i < d; i++) slopes[i] = (value[row + (i + 1) * n + b] - expected) / delta[i][b];
					const [g, A] = [out.gradient[b], out.curvature[b]];
					for (let i = 0; i < d; i++) {
						g[i] += weight * slopes[i] * residual;
						for (let j = 0; j < d; j++) A[i * d + j] += weight * slopes[i] * slopes[j];
					}
				}
			}
		}
		return out;
	}

	/** The prior as a normal of its own mean and spread. */
	#priorTerms(z: Float64Array, n: number): Evaluation {
		const d = this.#own.length;
		const cost = new Float64Array(n);
		const gradient = Array.from({ length: n }, () => new Float64Array(d));
		const curvature = Array.from({ length: n }, () => new Float64Array(d * d));
		for (const [i, { mean, sd }] of this.#prior.entries())
			for (let b = 0; b < n; b++) {
				const off = (z[i * n + b] - mean) / sd;
				cost[b] += 0.5 * off * off;
				gradient[b][i] = off / sd;
				curvature[b][i * d + i] = 1 / (sd * sd);
			}
		return { cost, gradient, curvature };
	}

	#writeInto(theta: Float64Array, z: Float64Array, n: number): void {
		const natural = naturalValues(
			this.#own.map((i) => this.likelihood.unknowns[i]),
			z,
			n,
		);
		for (const [k, i] of this.#own.entries()) theta.set(natural.subarray(k * n, (k + 1) * n), i * n);
	}
}

function rank(cost: number): number {
	return Number.isFinite(cost) ? cost : Number.MAX_VALUE;
}

/** The columns `which` of n. */
function pick(columns: Float64Array, n: number, which: readonly number[]): Float64Array {
	const rows = columns.length / n;
	return Float64Array.from(
		{ length: rows * which.length },
		(_, k) => columns[Math.floor(k / which.length) * n + which[k % which.length]],
	);
}

/** Each row of n, `times` times. */
function repeated(columns: Float64Array, n: number, times: number): Float64Array {
	const out = new Float64Array(columns.length * times);
	for (let i = 0; i < columns.length / n; i++)
		for (let j = 0; j < times; j++) out.set(columns.subarray(i * n, (i + 1) * n), (i * times + j) * n);
	return out;
}
