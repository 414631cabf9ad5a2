/**
 * Directions of λ that nothing depends on, or hardly, to first order. That may be false: where two rates can change places
 * it holds on the line on which they are equal, a saddle or a flat minimum. So such a direction is tried by finite steps,
 * both ways, with all else adjusted anew. Where the record is then explained better, the answer is taken from there; where
 * it is explained worse, the step at which that is seen says how well the direction is known.
 */
import { log, pow } from "../../../num/elementary/number.ts";
import { svdSmall } from "../../../num/linear/least-squares.ts";
import { type Adjusted, excessOf } from "./adjustment.ts";

/** Adjusts from λ; components in `held` stay. */
export type Adjuster = (lambda: Float64Array, held: ReadonlySet<number>) => Promise<Adjusted | undefined>;

export interface Tried {
	readonly adjusted: Adjusted;
	/** Directions (relative changes of λ) that only looked open or nearly so: errors along them come from finite steps. */
	readonly curved: readonly Float64Array[];
	/** Directions that first order does not see, and along which no step could be adjusted: nothing is known of them. */
	readonly untold: readonly Float64Array[];
}

interface Side {
	/** Where the squared misfit has grown by that of one standard deviation; undefined: as far off as first order says. */
	readonly at: Adjusted | undefined;
	readonly better: Adjusted | undefined;
	/** Whether it went as far as it should, or to where a difference is seen. */
	readonly told: boolean;
}

/** Relative standard deviations above this are tried. */
const doubtful = 0.5;
/** A relative step that shows nothing is nothing to go beyond. */
const farthest = 1;
const first = 0.02;
const maxSteps = 12;
const maxFailures = 4;
const maxMoves = 3;
/** A fall of the squared misfit, in units of the noise, that is worth a move. */
const worthwhile = 0.05;
/** What may be left of ŷ - y, relative to what noise makes of it. */
const closed = 0.01;

export async function tryDirections(
	start: Adjusted,
	adjuster: Adjuster,
	held: ReadonlySet<number>,
	variance: number,
): Promise<Tried> {
	let answer = start;
	/** Directions along which the answer is held, since no adjustment settles along them. */
	let pinned: { d: Float64Array; at: number }[] = [];
	const heldWith = (more: readonly { at: number }[]): Set<number> =>
		new Set([...held, ...more.map(({ at }) => at)]);
	for (let move = 0; ; move++) {
		const fixed = heldWith(pinned);
		const directions = [
			...pinned.map(({ d }) => ({ d, reach: farthest, linear: false })),
			...(pinned.length > 0 ? [] : answer.unseen).map((d) => ({ d, reach: farthest, linear: false })),
			...(pinned.length > 0 ? [] : poorlyKnown(answer, unitOf(answer, variance))),
		];
		const untold: Float64Array[] = [];
		const sides: { d: Float64Array; at: number; ends: Adjusted[] }[] = [];
		let better: { adjusted: Adjusted; d: Float64Array; at: number } | undefined;
		for (const { d, ...how } of directions) {
			const at = d.reduce((most, value, j) => (Math.abs(value) > Math.abs(d[most]) ? j : most), 0);
			const along = (sign: number): Promise<Side> =>
				walk(answer, adjuster, d, { sign, ...how }, heldWith([{ at }, ...pinned]), unitOf(answer, variance));
			const both = [await along(1), await along(-1)];
			for (const { better: found } of both)
				if (found && (!better || isBelow(found, better.adjusted))) better = { adjusted: found, d, at };
			const ends = both.flatMap((side) => side.at ?? []);
			if (ends.length > 0) sides.push({ d, at, ends });
			else if (!how.linear && !both.some(({ told }) => told)) untold.push(d);
		}
		if (better && move < maxMoves) {
			const moved = await adjuster(better.adjusted.lambda, held);
			const isFree = moved?.converged === true && !isBelow(better.adjusted, moved);
			answer = isFree ? moved : better.adjusted;
			pinned = isFree ? [] : [better];
			continue;
		}
		// Held without an error that finite steps give, a value would look exact.
		if (pinned.length > sides.length) return { adjusted: start, curved: [], untold };
		if (sides.length === 0) return { adjusted: answer, curved: [], untold };
		const without = await adjuster(answer.lambda, new Set([...fixed, ...heldWith(sides)]));
		if (!without) return { adjusted: answer, curved: [], untold };
		return {
			adjusted: { ...answer, covariance: withEnds(without, answer, sides, unitOf(answer, variance)) },
			curved: sides.map(({ d }) => d),
			untold,
		};
	}
}

/** The squared misfit of one standard deviation. */
function unitOf(answer: Adjusted, variance: number): number {
	return variance * excessOf(answer, variance);
}

/** Whether the least correction of the record is smaller; one that leaves ŷ ≠ y is none. */
function isBelow(a: Adjusted, b: Adjusted): boolean {
	return squaredMisfit(a) < squaredMisfit(b);
}

function squaredMisfit({ misfit, unclosed }: Adjusted): number {
	return unclosed < closed ? misfit : Number.POSITIVE_INFINITY;
}

/** Goes along ±d until the squared misfit has grown by one, or to the reach. */
async function walk(
	answer: Adjusted,
	adjuster: Adjuster,
	d: Float64Array,
	{ sign, reach, linear }: { sign: number; reach: number; linear: boolean },
	held: ReadonlySet<number>,
	unit: number,
): Promise<Side> {
	const to = async (s: number): Promise<{ rise: number; found?: Adjusted }> => {
		const lambda = answer.lambda.map((value, j) => value + sign * s * d[j] * (Math.abs(value) || 1));
		const found = await adjuster(lambda, held);
		if (!found?.converged || !(found.unclosed < closed)) return { rise: Number.POSITIVE_INFINITY };
		return { rise: (found.misfit - squaredMisfit(answer)) / unit, found };
	};
	let better: Adjusted | undefined;
	let low = { s: 0, rise: 0 };
	let high: { s: number; rise: number; found: Adjusted } | undefined;
	let limit = 2 * reach;
	let failures = 0;
	let s = linear && reach <= farthest ? reach : first;
	for (let step = 0; step < maxSteps && failures < maxFailures; step++) {
		const { rise, found } = await to(s);
		if (better && !(found && isBelow(found, better))) break;
		if (rise < -worthwhile) better = found;
		if (linear && s === reach && rise < 4) break;
		if (rise < 1) {
			low = { s, rise };
			// As far as first order says, and it is not seen: nothing is gained by going beyond.
			if (s >= reach) break;
		} else if (found) {
			high = { s, rise, found };
			if (rise < 1.3) break;
		} else {
			failures++;
			limit = s;
		}
		s = nextStep(low, high && high.s < limit ? high : undefined, limit, reach);
	}
	const at = low.s < reach && high && high.rise < 4 ? high.found : undefined;
	return { at, better, told: at !== undefined || low.s >= reach };
}

/** Between what is too little and too much, as a power of the step; else twice as far, or less. */
function nextStep(
	low: { s: number; rise: number },
	high: { s: number; rise: number } | undefined,
	limit: number,
	reach: number,
): number {
	if (high && low.s > 0 && low.rise > 0) {
		const power = Math.max(log(high.rise / low.rise) / log(high.s / low.s), 1);
		const s = low.s * pow(1.1 / low.rise, 1 / power);
		return Math.min(Math.max(s, low.s + 0.1 * (high.s - low.s)), high.s - 0.1 * (high.s - low.s));
	}
	// The misfit grows with the square of the step at least, on a line of symmetry with the fourth power.
	if (high) return low.s > 0 ? (low.s + high.s) / 2 : high.s * pow(0.9 / high.rise, 0.25);
	const far = Math.min(limit / 5, reach);
	return low.s > 0 ? (2 * low.s < limit ? Math.min(2 * low.s, reach) : (low.s + limit) / 2) : far;
}

/** Directions with a large error relative to the values, from the covariance of λ. */
function poorlyKnown(answer: Adjusted, unit: number): { d: Float64Array; reach: number; linear: boolean }[] {
	const p = answer.lambda.length;
	if (p < 2) return [];
	const count = Math.round(Math.sqrt(answer.covariance.length));
	const size = answer.lambda.map((value) => Math.abs(value) || 1);
	const relative = new Float64Array(p * p);
	for (let i = 0; i < p; i++)
		for (let j = 0; j < p; j++)
			relative[i * p + j] = (answer.covariance[i * count + j] * unit) / (size[i] * size[j]);
	if (!relative.every(Number.isFinite)) return [];
	const { s, v } = svdSmall(relative, p);
	return Array.from(s).flatMap((square, l) => {
		const reach = Math.sqrt(square);
		const d = Float64Array.from({ length: p }, (_, j) => v[j * p + l]);
		// One value that is zero within its error is nothing strange.
		const together = d.filter((value) => Math.abs(value) > 0.3).length > 1;
		return reach > doubtful && together ? [{ d, reach, linear: true }] : [];
	});
}

/** The covariance without the directions, and what their ends add to it. */
function withEnds(
	fixed: Adjusted,
	answer: Adjusted,
	sides: readonly { ends: readonly Adjusted[] }[],
	unit: number,
): Float64Array {
	const covariance = fixed.covariance.slice();
	const n = answer.quantities.length;
	for (const { ends } of sides)
		for (const end of ends) {
			const change = end.quantities.map((value, i) => value - answer.quantities[i]);
			for (let i = 0; i < n; i++)
				for (let j = 0; j < n; j++) covariance[i * n + j] += (change[i] * change[j]) / ends.length / unit;
		}
	return covariance;
}
