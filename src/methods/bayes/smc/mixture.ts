/**
 * A cloud as a mixture of proposals: one where it is in one piece, more where it falls into parts or bends, so that draws of the
 * mixture weigh evenly under the cloud's own law.
 *
 * A part is cut in two, by two means in coordinates of its own covariance, where two normal laws describe it much better than
 * one: halves of a normal cloud lose log 2 by being two and win less than that back.
 */

import { exp, log } from "../../../num/elementary/number.ts";
import { choleskyLogDeterminant, solveLowerInto } from "../../../num/linear/cholesky.ts";
import type { Kinds } from "./chart.ts";
import { Proposal } from "./proposal.ts";

export interface MixturePart {
	readonly share: number;
	readonly proposal: Proposal;
}

/** Log-likelihood that a particle must gain by a cut, and particles a coordinate that a part must hold. */
const worthwhile = 0.3;
const fewest = 8;
const mostParts = 4;
const mostRounds = 12;
const tries = 8;
/** As in the last moves: proposals that are too narrow would miss what the cloud lacks. */
const wider = 1.1;

export class Mixture {
	private constructor(readonly parts: readonly MixturePart[]) {}

	/** To n particles of even weight, in columns. */
	static fit(z: Float64Array, n: number, d: number, kinds: Kinds = {}): Mixture {
		const whole = Int32Array.from({ length: n }, (_, b) => b);
		const groups: Int32Array[] = [whole];
		for (let at = 0; at < groups.length && groups.length < mostParts; ) {
			const halves = cut(z, n, d, groups[at]);
			if (halves) groups.splice(at, 1, ...halves);
			else at++;
		}
		return new Mixture(
			groups.map((group) => ({
				share: group.length / n,
				proposal: fitted(z, n, d, group, kinds).heavy(wider),
			})),
		);
	}
}

function fitted(z: Float64Array, n: number, d: number, group: Int32Array, kinds: Kinds = {}): Proposal {
	return Proposal.fit(
		columnsOf(z, n, d, group),
		new Float64Array(group.length).fill(1 / group.length),
		d,
		kinds,
	);
}

/** The two halves of a group, where they are worth it: of several tries the best. */
function cut(z: Float64Array, n: number, d: number, group: Int32Array): Int32Array[] | undefined {
	if (d === 0 || group.length < 2 * fewest * (d + 1)) return undefined;
	const one = fitted(z, n, d, group);
	const white = whitened(z, n, d, group, one);
	let best: { gain: number; halves: Int32Array[] } | undefined;
	for (let k = 0; k < tries; k++) {
		const at = (share: number): number => Math.floor(share * group.length) % group.length;
		const side = twoMeans(white, d, at(k / tries), at((k + 0.5) / tries + 0.5));
		const halves = [0, 1].map((which) => group.filter((_, at) => side[at] === which));
		if (halves.some(({ length }) => length < fewest * (d + 1))) continue;
		const gain = halves.reduce((sum, half) => {
			const share = half.length / group.length;
			return sum + share * (log(share) - 0.5 * choleskyLogDeterminant(fitted(z, n, d, half).L, d));
		}, 0.5 * choleskyLogDeterminant(one.L, d));
		if (gain > (best?.gain ?? worthwhile)) best = { gain, halves };
	}
	return best?.halves;
}

/**
 * Points of a group one after another, of unit covariance in the coordinates in which its law is normal: where some follow others
 * along a bend, as they are they would lie far apart along it.
 */
function whitened(
	z: Float64Array,
	n: number,
	d: number,
	group: Int32Array,
	proposal: Proposal,
): Float64Array {
	const size = group.length;
	const straight = proposal.straightened(columnsOf(z, n, d, group), size);
	const points = new Float64Array(size * d);
	for (let k = 0; k < size; k++) {
		const point = points.subarray(k * d, (k + 1) * d);
		for (let i = 0; i < d; i++) point[i] = straight[i * size + k];
		solveLowerInto(point, proposal.L, d);
	}
	return points;
}

function columnsOf(z: Float64Array, n: number, d: number, group: Int32Array): Float64Array {
	const own = new Float64Array(d * group.length);
	for (let i = 0; i < d; i++)
		for (let k = 0; k < group.length; k++) own[i * group.length + k] = z[i * n + group[k]];
	return own;
}

/** Which of two centres each point is nearer to, beginning with two of the points. */
function twoMeans(points: Float64Array, d: number, first: number, second: number): Uint8Array {
	const n = points.length / d;
	const centres = [first, second].map((k) => points.slice(k * d, (k + 1) * d));
	const side = new Uint8Array(n);
	const counts = new Float64Array(2);
	for (let round = 0; round < mostRounds; round++) {
		const [a, b] = centres;
		let middle = 0;
		for (let i = 0; i < d; i++) middle += 0.5 * (b[i] * b[i] - a[i] * a[i]);
		let changed = round === 0;
		for (let k = 0; k < n; k++) {
			let along = 0;
			for (let i = 0; i < d; i++) along += (b[i] - a[i]) * points[k * d + i];
			const nearer = along > middle ? 1 : 0;
			changed ||= nearer !== side[k];
			side[k] = nearer;
		}
		if (!changed) break;
		counts.fill(0);
		for (const centre of centres) centre.fill(0);
		for (let k = 0; k < n; k++) {
			const centre = centres[side[k]];
			counts[side[k]]++;
			for (let i = 0; i < d; i++) centre[i] += points[k * d + i];
		}
		if (counts[0] === 0 || counts[1] === 0) break;
		for (const [which, centre] of centres.entries()) for (let i = 0; i < d; i++) centre[i] /= counts[which];
	}
	return side;
}

/** Log density of a mixture of proposals, with the given share of each, at point b. */
export function logMixture(parts: readonly MixturePart[], z: Float64Array, n: number, b: number): number {
	if (parts.length === 1) return log(parts[0].share) + parts[0].proposal.logDensity(z, n, b);
	const terms = parts.map(({ share, proposal }) => log(share) + proposal.logDensity(z, n, b));
	const top = Math.max(...terms);
	return top + log(terms.reduce((sum, term) => sum + exp(term - top), 0));
}
