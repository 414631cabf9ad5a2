/**
 * Elimination in a linear problem of very many terms, one at a time: when a term goes, the others and their covariance follow by
 * a rank-one change, so that no term costs a new factorisation. A term is dropped when its square, in standard errors, is below
 * what the evidence asks for: the prior width of its weight over its error, as a logarithm.
 */

import { InternalError } from "../../errors.ts";
import { invertDefiniteInto } from "../../num/definite-inverse.ts";
import { log } from "../../num/elementary/number.ts";
import type { EffectScales } from "./effect-scales.ts";
import type { NormalEquations } from "./normal-equations.ts";

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
	/** Covariance of the values for residuals of unit variance. */
	readonly covariance: Float64Array;
	readonly steps: readonly SweepStep[];
}

/** Least square of a term that is kept, in standard errors. */
const leastSquare = 6;

export interface SweepTask {
	/** Unknowns in the order of the equations, and where they are now; the equations give the way from there. */
	readonly unknowns: readonly number[];
	readonly point: Float64Array;
	readonly equations: NormalEquations;
	readonly scales: EffectScales;
	readonly variance: number;
	mayDrop(u: number): boolean;
}

export function sweep(task: SweepTask): Sweep {
	const { unknowns, point, equations, scales, variance } = task;
	// Terms that have nothing to do with one another, as those of different equations in the integral form, go apart.
	const blocks = blocksOf(equations, unknowns.length).map((members) =>
		blockOf(unknowns, point, equations, members),
	);
	const width = typicalEffect(blocks, scales, variance);
	const done = blocks.map((block) => sweepBlock(block, task, width));
	const place = done
		.flatMap(({ order, k }, b) => order.slice(0, k).map((u, i) => ({ u, b, i })))
		.sort((a, b) => a.u - b.u);
	const size = place.length;
	const covariance = new Float64Array(size * size);
	place.forEach((left, a) => {
		place.forEach((right, c) => {
			if (left.b === right.b) covariance[a * size + c] = done[left.b].c[left.i * done[left.b].n + right.i];
		});
	});
	return {
		active: place.map(({ u }) => u),
		values: Float64Array.from(place, ({ b, i }) => done[b].values[i]),
		covariance,
		steps: done.flatMap(({ steps }) => steps),
	};
}

interface Block {
	readonly n: number;
	readonly c: Float64Array;
	readonly values: Float64Array;
	readonly order: number[];
	/** How many are still there. */
	k: number;
	readonly steps: SweepStep[];
}

function blockOf(
	unknowns: readonly number[],
	point: Float64Array,
	{ gram, right }: NormalEquations,
	members: readonly number[],
): Block {
	const all = unknowns.length;
	const n = members.length;
	const c = inverseOf(gram, all, members);
	const step = new Float64Array(n);
	for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) step[i] += c[i * n + j] * right[members[j]];
	return {
		n,
		c,
		values: Float64Array.from(members, (m, k) => point[unknowns[m]] + step[k]),
		order: members.map((m) => unknowns[m]),
		k: n,
		steps: [],
	};
}

/** Inverse of the block of BᵀB; what the data leave open gets a width so large that it is dropped first. */
function inverseOf(gram: Float64Array, all: number, members: readonly number[]): Float64Array {
	const n = members.length;
	const largest = members.reduce((most, m) => Math.max(most, gram[m * all + m]), 0);
	const c = new Float64Array(n * n);
	for (let share = 1e-12; ; share *= 100) {
		for (let i = 0; i < n; i++) {
			for (let j = 0; j <= i; j++) c[i * n + j] = gram[members[i] * all + members[j]];
			c[i * n + i] += share * largest;
		}
		if (invertDefiniteInto(c, n)) return c;
		if (!(share < 1)) throw new InternalError("the normal equations are not finite");
	}
}

function sweepBlock(block: Block, { scales, variance, mayDrop }: SweepTask, width: number): Block {
	const { n, c, values, order, steps } = block;
	let rise = 0;
	while (block.k > 1) {
		const found = weakest(block, scales, variance, width, mayDrop);
		if (!found || found.margin >= 0) break;
		rise += found.t ** 2 * variance;
		steps.push({
			dropped: order[found.at],
			t: found.t,
			next: found.next === undefined ? null : { term: order[found.next.at], t: found.next.t },
			rise,
		});
		const k = --block.k;
		moveToEnd(c, values, order, n, found.at, k);
		const pivot = c[k * n + k];
		const own = values[k];
		const last = c.slice(k * n, k * n + k);
		for (let i = 0; i < k; i++) {
			const factor = last[i] / pivot;
			if (factor === 0) continue;
			values[i] -= factor * own;
			subtractRow(c, i * n, last, factor, k);
		}
	}
	return block;
}

function subtractRow(c: Float64Array, row: number, last: Float64Array, factor: number, k: number): void {
	for (let j = 0; j < k; j++) c[row + j] -= factor * last[j];
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
	{ values, order, c, n, k }: Block,
	{ effect }: EffectScales,
	variance: number,
	width: number,
	mayDrop: (u: number) => boolean,
): Weak | undefined {
	let best: Weak | undefined;
	let second: Weak | undefined;
	for (let i = 0; i < k; i++) {
		if (!mayDrop(order[i])) continue;
		const squaredError = c[i * n + i] * variance;
		const square = values[i] ** 2 / squaredError;
		const asked = Math.max(log((width / effect[order[i]]) ** 2 / squaredError) + 1, leastSquare);
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
function typicalEffect(blocks: readonly Block[], { effect }: EffectScales, variance: number): number {
	let sum = 0;
	let count = 0;
	for (const { order, values, c, n } of blocks)
		order.forEach((u, i) => {
			if (!(values[i] ** 2 > 25 * c[i * n + i] * variance)) return;
			sum += (values[i] * effect[u]) ** 2;
			count++;
		});
	return count > 0 ? Math.sqrt(sum / count) : 1;
}

/** Exchanges place `at` with `end` in rows, columns, values and order. */
function moveToEnd(
	c: Float64Array,
	values: Float64Array,
	order: number[],
	n: number,
	at: number,
	end: number,
): void {
	if (at === end) return;
	for (let j = 0; j < n; j++) [c[at * n + j], c[end * n + j]] = [c[end * n + j], c[at * n + j]];
	for (let i = 0; i < n; i++) [c[i * n + at], c[i * n + end]] = [c[i * n + end], c[i * n + at]];
	[values[at], values[end]] = [values[end], values[at]];
	[order[at], order[end]] = [order[end], order[at]];
}
