/**
 * How the state of a model becomes blocks of integrated Wiener processes.
 *
 * `native`: one block for each state variable, with the equation on its highest derivative (x'' of an oscillator), so
 * that a measured displacement corrects the velocity too. `stacked`: one block for each component of the first-order
 * form, as in [longbottom2024]; x and x' are then uncorrelated with EKF0.
 */
import { InputError } from "../../../errors.ts";
import type { Node } from "../../../model/graph.ts";
import type { Model } from "../../../model/model.ts";
import { type LatentForce, latentForces } from "./noise/latent-force.ts";
import { type WhiteNoise, whiteNoises, withoutWhiteNoise } from "./noise/white-noise.ts";

export type LayoutName = "native" | "stacked";

export interface Block {
	/** Number of integrations of the Wiener process: coordinates 0 to q. */
	readonly q: number;
	/** The derivative that the equation gives. */
	readonly order: number;
	readonly rhs: Node;
	/** First coordinate of the block in the state. */
	readonly from: number;
	/** Components of the model that are coordinates 0 to order - 1. */
	readonly components: readonly string[];
}

export interface Layout {
	readonly name: LayoutName;
	readonly blocks: readonly Block[];
	/** Unknown inputs; their coordinates stand after those of the blocks. */
	readonly forces: readonly LatentForce[];
	/** Errors of the equations, which come anew at every instant. */
	readonly noises: readonly WhiteNoise[];
	readonly nCoordinates: number;
	/** Where each component of the model stands: block and derivative. */
	readonly places: ReadonlyMap<string, { readonly block: number; readonly derivative: number }>;
}

/**
 * `q` belongs to the states of the highest order; in the native layout those of lower order get as much less, so that
 * all converge alike.
 */
export function layoutOf(model: Model, name: LayoutName, q: number): Layout {
	const highest = Math.max(...model.states.map(({ order }) => order));
	const { rhs: equations } = withoutWhiteNoise(model);
	let from = 0;
	const blocks = model.states.flatMap(({ components, order }): Block[] => {
		const first = model.components.indexOf(components[0]);
		const make = (parts: readonly string[], rhs: Node, own: number): Block => {
			const block = { q: own, order: parts.length, rhs, from, components: parts };
			from += own + 1;
			return block;
		};
		if (name === "native") return [make(components, equations[first + order - 1], q - (highest - order))];
		return components.map((component, i) => make([component], equations[first + i], q));
	});
	const low = blocks.find((block) => !(block.q >= block.order));
	if (low)
		throw new InputError(
			"bayes: q",
			`${q} is too low: ${low.components[0]} needs its derivative of order ${low.order}`,
			`Give at least ${q + low.order - low.q}.`,
		);
	const places = new Map(
		blocks.flatMap(({ components }, block) =>
			components.map((component, derivative) => [component, { block, derivative }] as const),
		),
	);
	const forces = latentForces(model, from);
	const nCoordinates = forces.reduce((end, force) => end + force.p + 1, from);
	return { name, blocks, forces, noises: whiteNoises(model), nCoordinates, places };
}

/** Whether something unseen drives the model: there is then no trajectory without the data. */
export function isDriven({ forces, noises }: Layout): boolean {
	return forces.length + noises.length > 0;
}

/** The names that the state gives values to: components of the model, then forces. */
export function stateNames(model: Model, { forces }: Layout): string[] {
	return [...model.components, ...forces.map(({ name }) => name)];
}

/** The coordinate of a component or a force. */
export function coordinateOf({ places, blocks, forces }: Layout, name: string): number {
	const place = places.get(name);
	return place
		? blocks[place.block].from + place.derivative
		: forces.find((force) => force.name === name)!.from;
}
