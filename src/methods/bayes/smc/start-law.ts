/**
 * A law to start from in place of the prior, for a record so long that a first part of it already says where the posterior
 * lies: half of its draws are around the tops of the posterior, which are sought from the cloud of the part, and half are of
 * that cloud itself. What all samples leave possible, part of them leave possible too: so it is wider than the posterior
 * wherever that lies, and where the tops tell the shape badly the way is only longer.
 *
 * Reference: Hesterberg, "Weighted average importance sampling and defensive mixture distributions", Technometrics 37, 1995.
 */

import { exp } from "../../../num/elementary/number.ts";
import { choleskyInto, choleskyLogDeterminant } from "../../../num/linear/cholesky.ts";
import { stream } from "../../../num/random.ts";
import { climb, type LogDensity, type Top } from "./climb.ts";
import { logMixture, Mixture, type MixturePart } from "./mixture.ts";
import { Proposal } from "./proposal.ts";

/** Draws of the cloud that are looked at for a start; starts for each piece of it; how much wider than the tops the law is. */
const looked = 64;
const startsEach = 2;
const wider = 2;
/** Tops so much lower, as log densities, are none that count. */
const muchLower = 30;

export class StartLaw {
	private constructor(readonly parts: readonly MixturePart[]) {}

	/** From a cloud of n particles that have seen the share `part` of what `f` is of. */
	static async from(
		cloud: Float64Array,
		n: number,
		part: number,
		scales: readonly number[] | undefined,
		f: LogDensity,
	): Promise<StartLaw> {
		const d = cloud.length / n;
		const pieces = Mixture.fit(cloud, n, d, { scales }).parts;
		const curvature = Proposal.fit(cloud, new Float64Array(n).fill(1 / n), d)
			.precision()
			.map((value) => value / part);
		const tops = apart(await climb(f, await startsOf(cloud, n, pieces, f), curvature));
		if (tops.length === 0) return new StartLaw(pieces);
		const best = Math.max(...tops.map(weightOf));
		const weights = tops.map((top) => exp(weightOf(top) - best));
		const total = weights.reduce((sum, weight) => sum + weight, 0);
		return new StartLaw([
			// No top that counts is left without draws.
			...tops.map((top, k) => ({
				share: 0.25 * (weights[k] / total + 1 / tops.length),
				proposal: Proposal.around(top.at, top.curvature).heavy(wider),
			})),
			...pieces.map(({ share, proposal }) => ({ share: 0.5 * share, proposal })),
		]);
	}

	/** n draws in columns. */
	draw(n: number, seed: number, purpose: string): Float64Array {
		const d = this.parts[0].proposal.mean.length;
		const z = new Float64Array(d * n);
		let from = 0;
		let reached = 0;
		for (const [k, { share, proposal }] of this.parts.entries()) {
			reached += share;
			const to = k === this.parts.length - 1 ? n : Math.min(n, 2 * Math.round((reached * n) / 2));
			const random = stream(seed, `bayes start ${k} ${purpose}`);
			for (let b = from; b < to; b++) proposal.drawInto(z, n, b, random);
			from = Math.max(from, to);
		}
		return z;
	}

	logDensity(z: Float64Array, n: number): Float64Array {
		return Float64Array.from({ length: n }, (_, b) => logMixture(this.parts, z, n, b));
	}
}

/** The likeliest draws of every piece. */
async function startsOf(
	cloud: Float64Array,
	n: number,
	pieces: readonly MixturePart[],
	f: LogDensity,
): Promise<Float64Array[]> {
	const d = cloud.length / n;
	const m = Math.min(looked, n);
	const z = new Float64Array(d * m);
	for (let k = 0; k < m; k++)
		for (let i = 0; i < d; i++) z[i * m + k] = cloud[i * n + Math.floor(((k + 0.5) * n) / m)];
	const values = await f(z, m);
	const order = Array.from(values.keys())
		.filter((b) => Number.isFinite(values[b]))
		.sort((a, b) => values[b] - values[a]);
	const left = pieces.map(() => startsEach);
	return order
		.filter((b) => {
			const near = pieces.map(({ proposal }) => proposal.logDensity(z, m, b));
			return left[near.indexOf(Math.max(...near))]-- > 0;
		})
		.map((b) => Float64Array.from({ length: d }, (_, i) => z[i * m + b]));
}

/** One of those that are the same, the highest first; without those that are much lower. */
function apart(tops: readonly Top[]): Top[] {
	const kept: Top[] = [];
	for (const top of [...tops].sort((a, b) => b.value - a.value)) {
		if (!choleskyInto(top.curvature.slice(), top.at.length)) continue;
		if (kept.length > 0 && top.value < kept[0].value - muchLower) continue;
		if (kept.every((other) => distance(other, top) > top.at.length)) kept.push(top);
	}
	return kept;
}

/** Square of it, in standard deviations of the first. */
function distance({ at, curvature }: Top, other: Top): number {
	const d = at.length;
	let sum = 0;
	for (let i = 0; i < d; i++)
		for (let j = 0; j < d; j++) sum += (other.at[i] - at[i]) * curvature[i * d + j] * (other.at[j] - at[j]);
	return sum;
}

/** Log of the mass around a top by Laplace's method, up to a constant. */
function weightOf({ at, value, curvature }: Top): number {
	const L = curvature.slice();
	return choleskyInto(L, at.length) ? value - 0.5 * choleskyLogDeterminant(L, at.length) : value;
}
