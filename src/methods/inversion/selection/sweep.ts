/**
 * Elimination in a linear problem of very many terms, one at a time: when a term goes, the others and their covariance follow by
 * a rank-one change, so that no term costs a new factorisation. A term is dropped when its square, in standard errors, is below
 * what the evidence asks for: the prior width of its weight over its error, as a logarithm.
 */

import { InternalError } from "../../../errors.ts";
import { log } from "../../../num/elementary/number.ts";
import { invertDefiniteInSlices } from "../../../num/linear/definite-inverse.ts";
import { squared } from "../../../num/whole-power.ts";
import type { EffectScales } from "../candidates/effect-scales.ts";
import type { NormalEquations } from "../descent/normal-equations.ts";
import type { Slices } from "../slices.ts";
import { Elimination } from "./elimination.ts";

export interface SweepStep {
	readonly dropped: number;
	/** In standard errors. */
	readonly t: number;
	/** The smallest of the others at that moment. */
	readonly next: { readonly term: number; readonly t: number } | null;
	/** How much the sum of squares rises, in all so far. */
	readonly rise: number;
}

export interface Sweep {
	readonly active: readonly number[];
	readonly values: Float64Array;
	readonly steps: readonly SweepStep[];
}

/** Least square of a term that is kept, in standard errors. */
const leastSquare = 6;
/** Fewer terms are done in a moment. */
const sliced = 200;

export interface SweepTask {
	/** Unknowns in the order of the equations, and where they are now; the equations give the way from there. */
	readonly unknowns: readonly number[];
	readonly point: Float64Array;
	readonly equations: NormalEquations;
	readonly scales: EffectScales;
	readonly variance: number;
	mayDrop(u: number): boolean;
}

export function* sweeping(task: SweepTask): Slices<Sweep> {
	const { unknowns, point, equations, scales, variance } = task;
	// Terms that have nothing to do with one another, as those of different equations in the integral form, go apart.
	const blocks: Elimination[] = [];
	for (const members of blocksOf(equations, unknowns.length))
		blocks.push(yield* blockOf(unknowns, point, equations, members));
	const width = typicalEffect(blocks, scales, variance);
	const steps: SweepStep[] = [];
	for (const block of blocks) steps.push(...(yield* sweepBlock(block, task, width)));
	const left = blocks
		.flatMap(({ order, values, k }) => order.slice(0, k).map((u, i) => ({ u, value: values[i] })))
		.sort((a, b) => a.u - b.u);
	return { active: left.map(({ u }) => u), values: Float64Array.from(left, ({ value }) => value), steps };
}

function* blockOf(
	unknowns: readonly number[],
	point: Float64Array,
	{ gram, right }: NormalEquations,
	members: readonly number[],
): Slices<Elimination> {
	const n = members.length;
	const c = yield* inverseOf(gram, unknowns.length, members);
	const step = new Float64Array(n);
	for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) step[i] += c[i * n + j] * right[members[j]];
	const values = Float64Array.from(members, (m, k) => point[unknowns[m]] + step[k]);
	return new Elimination(
		c,
		values,
		members.map((m) => unknowns[m]),
	);
}

/** Inverse of the block of BᵀB; what the data leave open gets a width so large that it is dropped first. */
function* inverseOf(gram: Float64Array, all: number, members: readonly number[]): Slices<Float64Array> {
	const n = members.length;
	// A term without any effect, as that of a state that stays 0, has no size of its own.
	const largest = members.reduce((most, m) => Math.max(most, gram[m * all + m]), 0) || 1;
	const c = new Float64Array(n * n);
	for (let share = 1e-12; ; share *= 100) {
		for (let i = 0; i < n; i++) {
			for (let j = 0; j <= i; j++) c[i * n + j] = gram[members[i] * all + members[j]];
			c[i * n + i] += share * largest;
		}
		const inverting = invertDefiniteInSlices(c, n);
		for (let next = inverting.next(); ; next = inverting.next()) {
			if (next.done) {
				if (next.value) return c;
				break;
			}
			if (n > sliced) yield `errors of ${n} terms, ${next.value} of them`;
		}
		if (!(share < 1)) throw new InternalError("the normal equations are not finite");
	}
}

function* sweepBlock(
	block: Elimination,
	{ scales, variance, mayDrop }: SweepTask,
	width: number,
): Slices<SweepStep[]> {
	const { order } = block;
	const droppable = new Set(order.filter(mayDrop));
	const steps: SweepStep[] = [];
	let rise = 0;
	while (block.k > 0) {
		const found = weakest(block, scales, variance, width, droppable);
		if (!found || found.margin >= 0) break;
		rise += squared(found.t) * variance;
		steps.push({
			dropped: order[found.at],
			t: found.t,
			next: found.next === undefined ? null : { term: order[found.next.at], t: found.next.t },
			rise,
		});
		if (block.takeOut(found.at) && block.k > sliced) yield `${block.k} terms are left`;
	}
	return steps;
}

/** Connected parts of the pattern of BᵀB. */
function blocksOf({ gram }: NormalEquations, n: number): number[][] {
	const seen = new Uint8Array(n);
	const blocks: number[][] = [];
	for (let start = 0; start < n; start++) {
		if (seen[start]) continue;
		seen[start] = 1;
		const block = [start];
		for (let at = 0; at < block.length; at++)
			for (let j = 0; j < n; j++)
				if (!seen[j] && gram[block[at] * n + j] !== 0) {
					seen[j] = 1;
					block.push(j);
				}
		blocks.push(block.sort((a, b) => a - b));
	}
	return blocks;
}

interface Weak {
	readonly at: number;
	readonly t: number;
	/** Negative: to be dropped. */
	readonly margin: number;
	readonly next?: { readonly at: number; readonly t: number };
}

function weakest(
	{ values, order, variance: variances, k }: Elimination,
	{ effect }: EffectScales,
	variance: number,
	width: number,
	droppable: ReadonlySet<number>,
): Weak | undefined {
	let best: Weak | undefined;
	let second: Weak | undefined;
	for (let i = 0; i < k; i++) {
		if (!droppable.has(order[i])) continue;
		const squaredError = variances[i] * variance;
		const square = squared(values[i]) / squaredError;
		const asked = Math.max(log(squared(width / effect[order[i]]) / squaredError) + 1, leastSquare);
		const margin = square - asked;
		if (best && !(margin < best.margin) && second && !(margin < second.margin)) continue;
		const here = { at: i, t: Math.sqrt(square), margin };
		if (!best || margin < best.margin) {
			second = best;
			best = here;
		} else second = here;
	}
	return best && { ...best, next: second };
}

/** Root mean square effect of the terms that clearly stand out. */
function typicalEffect(blocks: readonly Elimination[], { effect }: EffectScales, variance: number): number {
	let sum = 0;
	let count = 0;
	for (const { order, values, variance: variances } of blocks)
		order.forEach((u, i) => {
			if (!(squared(values[i]) > 25 * variances[i] * variance)) return;
			sum += squared(values[i] * effect[u]);
			count++;
		});
	return count > 0 ? Math.sqrt(sum / count) : 1;
}
