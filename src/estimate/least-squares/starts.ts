/**
 * Where to start from: the given point (or the middle of what is known), and the best of many drawn points, chosen so
 * that they differ.
 */

import { type Stream, stream } from "../../num/random.ts";
import { squared } from "../../num/whole-power.ts";
import { toSearch, type Unknown } from "../unknowns/unknowns.ts";

/** Points of the search space; the first is the given start. `evenly`: of each unknown one in every part of its range, a Latin hypercube. */
export function candidatePoints(
	unknowns: readonly Unknown[],
	count: number,
	seed: number,
	evenly = false,
): Float64Array[] {
	const given = Float64Array.from(unknowns, (unknown) => toSearch(unknown, unknown.start));
	const streams = unknowns.map(({ name }) => {
		const plain = stream(seed, `fit start ${name}`);
		return evenly ? stratified(plain, stream(seed, `fit order ${name}`), count - 1) : plain;
	});
	const drawn = Array.from({ length: count - 1 }, (_, k) =>
		Float64Array.from(unknowns, (unknown, i) => toSearch(unknown, unknown.draw(streams[i], k))),
	);
	return [given, ...drawn];
}

/** A range is this much narrower where values of the size of 1 are drawn from it. */
const narrower = 4;

/**
 * Every other point, or all (`every` 1), is drawn in towards 1 where nothing but a range is known: units are chosen so that numbers are of that size, and of ranges of many decades
 * hardly a point has all of its values there.
 */
export function nearOne(
	unknowns: readonly Unknown[],
	points: readonly Float64Array[],
	every = 2,
): Float64Array[] {
	const isRange = unknowns.map(isRangeAlone);
	return points.map((z, k) =>
		(k + 1) % every > 0 ? z : z.map((value, j) => (isRange[j] ? value / narrower : value)),
	);
}

/** One value in search coordinates, drawn in in the same way. */
export function towardsOne(unknown: Unknown, value: number): number {
	return isRangeAlone(unknown) ? value / narrower : value;
}

function isRangeAlone({ scale, lo, hi, start }: Unknown): boolean {
	const isOpen = !(lo > 0) || hi === Number.POSITIVE_INFINITY;
	return scale === "log" && !isOpen && lo < 1 && hi > 1 && start === Math.sqrt(lo * hi);
}

/** The first `count` numbers between 0 and 1 fall into `count` equal parts, one into each, in an order of their own. */
function stratified(plain: Stream, order: Stream, count: number): Stream {
	const keys = Array.from({ length: count }, (_, i) => order.uniform(i));
	const ranks = new Int32Array(count);
	keys
		.map((key, i) => ({ key, i }))
		.sort((a, b) => a.key - b.key)
		.forEach(({ i }, rank) => {
			ranks[i] = rank;
		});
	return {
		...plain,
		uniform: (index) =>
			index < count ? (ranks[index] + plain.uniform(index)) / count : plain.uniform(index),
	};
}

/**
 * The given start, then the cheapest candidates that are not close to one already chosen: the best point alone would
 * bring its neighbours along.
 */
export function chooseStarts(
	candidates: readonly Float64Array[],
	costs: readonly number[],
	count: number,
): number[] {
	const spread = candidates[0].map((_, i) => {
		const values = candidates.map((z) => z[i]).sort((a, b) => a - b);
		return values[Math.floor(0.9 * (values.length - 1))] - values[Math.floor(0.1 * (values.length - 1))] || 1;
	});
	const distance = (a: Float64Array, b: Float64Array): number =>
		Math.sqrt(a.reduce((sum, value, i) => sum + squared((value - b[i]) / spread[i]), 0) / a.length);
	const chosen = [0];
	const order = candidates
		.map((_, k) => k)
		.slice(1)
		.filter((k) => costs[k] < Number.POSITIVE_INFINITY)
		.sort((a, b) => costs[a] - costs[b]);
	for (const nearest of [0.15, 0])
		for (const k of order) {
			if (chosen.length >= count) break;
			if (chosen.includes(k)) continue;
			if (chosen.every((other) => distance(candidates[k], candidates[other]) >= nearest)) chosen.push(k);
		}
	return chosen;
}
