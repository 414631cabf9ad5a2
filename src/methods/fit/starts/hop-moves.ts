/** The ways in which a point is moved at random, away from its optimum. */
import { towardsOne } from "../../../estimate/least-squares/starts.ts";
import { toSearch, type Unknown } from "../../../estimate/unknowns/unknowns.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { stream } from "../../../num/random.ts";

export interface HopMove {
	/** How many other points there must be. */
	readonly needs: number;
	/** Moves of this kind from a point, of one strength: each call draws another. */
	from(point: Float64Array, others: readonly Float64Array[]): () => Float64Array;
}

/** Shakes of all unknowns, as shares of what they are drawn from: the least and the most. */
const shake = { least: 0.002, most: 0.1 };
/** Unknowns that are drawn anew at once, at most. */
const mostRedrawn = 6;
/** Draws of each unknown that tell its spread. */
const nDraws = 64;

/** `next` counts the draws; `nearOne`: those of which a range is all that is known are drawn in towards 1. */
export function hopMoves(
	unknowns: readonly Unknown[],
	bounds: { readonly lo: Float64Array; readonly hi: Float64Array },
	seed: number,
	next: () => number,
	nearOne = false,
): readonly HopMove[] {
	const random = stream(seed, "fit hops");
	const uniform = (): number => random.uniform(next());
	const below = (n: number): number => random.below(n, next());
	const oneOf = (points: readonly Float64Array[]): Float64Array => points[below(points.length)];
	const within = (z: Float64Array): Float64Array =>
		z.map((value, j) => Math.min(Math.max(value, bounds.lo[j]), bounds.hi[j]));
	const own = unknowns.map(({ name }) => stream(seed, `fit hop of ${name}`));
	const drawn = (j: number, index: number): number => {
		const z = toSearch(unknowns[j], unknowns[j].draw(own[j], index));
		return nearOne ? towardsOne(unknowns[j], z) : z;
	};
	const spreads = unknowns.map((_, j) => {
		const draws = Array.from({ length: nDraws }, (_, k) => drawn(j, k)).sort((a, b) => a - b);
		return draws[Math.floor(0.9 * (nDraws - 1))] - draws[Math.floor(0.1 * (nDraws - 1))];
	});
	return [
		{
			needs: 0,
			from(point) {
				const size = shake.least * exp(uniform() * log(shake.most / shake.least));
				return () => within(point.map((value, j) => value + size * spreads[j] * random.normal(next())));
			},
		},
		{
			needs: 0,
			from(point) {
				const count = 1 + Math.floor(uniform() * uniform() * Math.min(mostRedrawn, point.length));
				return () => {
					const moved = point.slice();
					for (let k = 0; k < count; k++) {
						const j = below(point.length);
						moved[j] = drawn(j, nDraws + next());
					}
					return within(moved);
				};
			},
		},
		{
			// Some of another's values.
			needs: 1,
			from: (point, others) => () => {
				const other = oneOf(others);
				const share = 0.1 + 0.4 * uniform();
				return point.map((value, j) => (uniform() < share ? other[j] : value));
			},
		},
		{
			// Towards another or past it, and along the difference of two.
			needs: 2,
			from: (point, others) => () => {
				const [other, third] = [oneOf(others), oneOf(others)];
				const towards = 1.2 * uniform() - 0.1;
				const along = 0.8 * uniform();
				return within(
					point.map((value, j) => {
						const near = uniform() < 0.7 ? towards * (other[j] - value) : 0;
						const far = uniform() < 0.3 ? along * (other[j] - third[j]) : 0;
						return value + near + far;
					}),
				);
			},
		},
	];
}
