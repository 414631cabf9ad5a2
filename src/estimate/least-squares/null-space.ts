/**
 * What a Jacobian shows of its unknowns. A direction is open when moving along it changes the outputs by no more than the
 * Jacobian itself may be wrong: by Weyl's bound, a matrix that is off by a share `error` of each column has singular values
 * that are off by that share of √n at most, once columns have unit length. Smaller ones cannot be told from 0, in any units.
 */
import { svdSmall, triangulate } from "../../num/linear/least-squares.ts";
import { squared } from "../../num/whole-power.ts";

/** Sensitivities come from integration to a tolerance of 1e-8, or from differences of such values: known to this share. */
export const sensitivityError = 1e-7;
/** The same of what is exact but for rounding: for work with numbers, not for what is said of unknowns. */
export const roundingError = 1e-11;

export interface NullSpace {
	/** Lengths of the columns; 1 for one of zeros. */
	readonly norms: Float64Array;
	/** Singular values of the Jacobian with columns of unit length, falling; right vectors in columns (n × n). */
	readonly s: Float64Array;
	readonly v: Float64Array;
	/** How many directions are seen; the others are open. */
	readonly rank: number;
	/** Open directions: share of each unknown, scaled by how strongly it acts on the outputs; of unit length. */
	readonly open: readonly Float64Array[];
}

/**
 * Of a row-major Jacobian of n columns, which is kept as it is. `changes`: what is much for each unknown; then one that acts so
 * much less than another by it is taken to do nothing, as differences and projections leave rounding where nothing is.
 */
export function nullSpace(
	jacobian: Float64Array,
	n: number,
	{ error = sensitivityError, changes }: { error?: number; changes?: (unknown: number) => number } = {},
): NullSpace {
	const m = n === 0 ? 0 : jacobian.length / n;
	const norms = new Float64Array(n);
	for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) norms[j] += squared(jacobian[i * n + j]);
	for (let j = 0; j < n; j++) norms[j] = Math.sqrt(norms[j]);
	const effects = changes ? norms.map((norm, j) => norm * changes(j)) : undefined;
	const least = error * (effects?.reduce((most, effect) => Math.max(most, effect), 0) ?? 0);
	const isIdle = norms.map((norm, j) => (norm === 0 || (effects && !(effects[j] > least)) ? 1 : 0));
	for (let j = 0; j < n; j++) if (isIdle[j]) norms[j] = 1;
	const scaled = jacobian.map((value, i) => (isIdle[i % n] ? 0 : value / norms[i % n]));
	const { s, v } = svdSmall(triangulate(scaled, new Float64Array(m), m, n).r, n);
	const rank = s.filter((value) => value > error * Math.sqrt(n)).length;
	const open = Array.from({ length: n - rank }, (_, l) =>
		Float64Array.from({ length: n }, (_, i) => v[i * n + rank + l]),
	);
	return { norms, s, v, rank, open };
}

/** Open directions in the coordinates of the Jacobian; of unit length there. */
export function openSteps({ open, norms }: Pick<NullSpace, "open" | "norms">): Float64Array[] {
	return open.map((direction) => {
		const step = direction.map((share, j) => share / norms[j]);
		const length = Math.sqrt(step.reduce((sum, value) => sum + value * value, 0));
		return step.map((value) => value / length);
	});
}

/** An unknown has part in open directions from this share on. */
const openShare = 1e-3;

/** Part of two unknowns in what is open, the same whichever directions span it: an element of the projector onto them. */
function sharedPart(open: readonly Float64Array[], i: number, j: number): number {
	return open.reduce((sum, direction) => sum + direction[i] * direction[j], 0);
}

/** Whether the data leave an unknown open to first order. */
export function isOpen(open: readonly Float64Array[], unknown: number): boolean {
	return sharedPart(open, unknown, unknown) > squared(openShare);
}

/** Unknowns that can make up for one another, and in how many ways. */
export interface OpenGroup {
	readonly members: readonly number[];
	readonly ways: number;
}

/** What is open, cut into groups that have nothing to do with one another. One alone acts on nothing. */
export function openGroups(open: readonly Float64Array[]): OpenGroup[] {
	const left = Array.from(open[0]?.keys() ?? []).filter((i) => isOpen(open, i));
	const groups: OpenGroup[] = [];
	while (left.length > 0) {
		const members = left.splice(0, 1);
		for (const i of members)
			for (let k = left.length - 1; k >= 0; k--)
				if (Math.abs(sharedPart(open, i, left[k])) > squared(openShare)) members.push(...left.splice(k, 1));
		members.sort((a, b) => a - b);
		groups.push({ members, ways: Math.round(members.reduce((sum, i) => sum + sharedPart(open, i, i), 0)) });
	}
	return groups;
}
