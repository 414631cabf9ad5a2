/**
 * White noise in the equations, x' = … + G w with `input w ~ white(q)`: over a time h it adds an error of covariance q² ∫ Φ G Gᵀ Φᵀ
 * to the state, Φ being how the rest of the step moves it. Such noise has no value at an instant: the solver steps the
 * equations without it, and each step's error is added to the second moments.
 */

import { factorial } from "../../../../estimate/state-space/integrated-wiener.ts";
import { Differentiator } from "../../../../model/derivative.ts";
import type { Node } from "../../../../model/graph.ts";
import { isWhite } from "../../../../model/language/process-noise.ts";
import type { Model } from "../../../../model/model.ts";
import { substitute } from "../../../../model/walk.ts";
import { squared } from "../../../../num/whole-power.ts";
import { combination, type EntryAlgebra, type Row } from "../covariance.ts";
import type { Layout } from "../layout.ts";

export interface WhiteNoise {
	readonly name: string;
	readonly strength: Node;
	/** q G of each component. */
	readonly slopes: readonly Node[];
	/** How fast that changes along the solution, inputs held. */
	readonly rates: readonly Node[];
}

export function whiteNoises(model: Model): WhiteNoise[] {
	const { graph, inputs, rhs, components } = model;
	const still = withoutWhiteNoise(model);
	const d = new Differentiator(graph);
	return inputs.flatMap((input): WhiteNoise[] => {
		if (input.knowledge.kind !== "distribution" || !isWhite(input)) return [];
		const [strength] = input.knowledge.distribution.args;
		const slopes = d.jacobian(rhs, [input.name]).map((slope) => graph.mul(strength, slope));
		const rates = slopes.map((slope) =>
			d.directional(slope, ["t", ...components], [graph.one, ...still.rhs]),
		);
		return [{ name: input.name, strength, slopes, rates }];
	});
}

const stills = new WeakMap<Model, Model>();

/** The equations without it. */
export function withoutWhiteNoise(model: Model): Model {
	const { graph, inputs } = model;
	const white = inputs.filter(isWhite);
	if (white.length === 0) return model;
	const known = stills.get(model);
	if (known) return known;
	const none = new Map(white.map(({ name }) => [name, graph.zero]));
	const still = {
		...model,
		inputs: inputs.filter((input) => !isWhite(input)),
		rhs: substitute(graph, model.rhs, none),
	};
	stills.set(model, still);
	return still;
}

/** A small change of the state: by coordinate, missing where zero. */
type Change<V> = ReadonlyMap<number, V>;

/**
 * What one noise adds over a step, as columns u with the covariance Σ u uᵀ. The error that enters a time s h before the step's
 * end has become Σ v_i s^i by then, v_i = (h J)^i/i! q G √h; its mean square over s, by Legendre's polynomials, is a sum of squares.
 * As many terms as the solver has derivatives.
 *
 * `start`: q G √h of the components, `drift`: what h times its rate takes from it; `slopes`: of the right-hand sides.
 */
export function noiseColumns<V>(
	a: EntryAlgebra<V>,
	layout: Layout,
	{ start, drift }: { readonly start: Change<V>; readonly drift: Change<V> },
	slopes: readonly Row<V>[],
): Change<V>[] {
	const terms = Math.max(...layout.blocks.map(({ q }) => q)) + 1;
	const changes: Change<V>[] = [start];
	for (let i = 1; i < terms; i++) {
		const next = moved(a, layout, changes[i - 1], slopes);
		changes.push(i === 1 ? total(a, [next, drift]) : next);
	}
	return changes
		.map((_, k) =>
			total(
				a,
				changes.slice(k).map((one, j) => scaled(a, one, legendre(k + j, k) / factorial(k + j))),
			),
		)
		.map((one) => withDerivatives(a, layout, one, slopes));
}

/** The Cholesky factor of 1/(i + j + 1), in closed form. */
function legendre(i: number, k: number): number {
	return (Math.sqrt(2 * k + 1) * squared(factorial(i))) / (factorial(i - k) * factorial(i + k + 1));
}

/** h times the rate of a change of components, in scaled coordinates. */
function moved<V>(
	a: EntryAlgebra<V>,
	{ blocks }: Layout,
	change: Change<V>,
	slopes: readonly Row<V>[],
): Change<V> {
	const next = new Map<number, V>();
	for (const [k, { from, order }] of blocks.entries())
		for (let d = 0; d < order; d++) {
			const own =
				d + 1 < order ? change.get(from + d + 1) : combination(a, slopes[k], (at) => change.get(at));
			if (own !== undefined) next.set(from + d, a.times(own, d + 1));
		}
	return next;
}

/** The derivatives that the equations give, and those above them, move along. */
function withDerivatives<V>(
	a: EntryAlgebra<V>,
	layout: Layout,
	change: Change<V>,
	slopes: readonly Row<V>[],
): Change<V> {
	const whole = new Map(change);
	const most = Math.max(...layout.blocks.map(({ q, order }) => q - order));
	let now = change;
	for (let j = 0; j <= most; j++) {
		for (const [k, { from, q, order }] of layout.blocks.entries()) {
			if (order + j > q) continue;
			const own = combination(a, slopes[k], (at) => now.get(at));
			if (own !== undefined)
				whole.set(from + order + j, a.times(own, factorial(order) / factorial(order + j)));
		}
		now = moved(a, layout, now, slopes);
	}
	return whole;
}

function scaled<V>(a: EntryAlgebra<V>, change: Change<V>, factor: number): Change<V> {
	return new Map([...change].map(([at, value]) => [at, a.times(value, factor)]));
}

function total<V>(a: EntryAlgebra<V>, changes: readonly Change<V>[]): Change<V> {
	const sum = new Map<number, V>();
	for (const change of changes)
		for (const [at, value] of change) {
			const known = sum.get(at);
			sum.set(at, known === undefined ? value : a.add(known, value));
		}
	return sum;
}
