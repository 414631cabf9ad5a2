/**
 * The model in scaled coordinates X_i = h^i/i! x^(i), as expressions. Powers of the step are symbols of their own, so
 * that whatever they meet (c·x' = c·(1/h)·X_1) is folded with the parameters once, outside all loops.
 */
import { Differentiator } from "../../../model/derivative.ts";
import type { Node } from "../../../model/graph.ts";
import { substitute } from "../../../model/walk.ts";
import { type FilterSpec, isFlowing } from "./filter-spec.ts";
import { stateNames } from "./layout.ts";

/** Symbols of h^i/i! and i!/h^i; no name of the language holds a #. */
export const upSymbol = (i: number): string => `up#${i}`;
export const downSymbol = (i: number): string => `down#${i}`;

export interface ScaledModel {
	/** h^n/n! times the right-hand side of each block, and its slopes by components and forces (where they are used). */
	readonly rhs: readonly Node[];
	readonly rhsSlopes: readonly (readonly Node[])[];
	/** Of each measure: expected value, its slopes by components and forces, and the spread of the noise (1 where its law has none). */
	readonly measures: readonly {
		readonly value: Node;
		readonly slopes: readonly Node[];
		readonly spread: Node;
	}[];
	/** Of each white noise: √h q G of each component and -h times its rate, both as coordinates; and q. */
	readonly noises: readonly {
		readonly start: readonly Node[];
		readonly drift: readonly Node[];
		readonly strength: Node;
	}[];
}

export function scaledModel(spec: FilterSpec): ScaledModel {
	const { model, layout, linearisation } = spec;
	const { graph } = model;
	const names = stateNames(model, layout);
	const replacement = new Map<string, Node>();
	for (const [name, { derivative }] of layout.places)
		if (derivative > 0) replacement.set(name, graph.mul(graph.sym(downSymbol(derivative)), graph.sym(name)));
	const scaled = (node: Node): Node => substitute(graph, [node], replacement)[0];
	const d = new Differentiator(graph);
	const slopes = (node: Node): Node[] => d.jacobian([node], names);
	const rhs = layout.blocks.map(({ rhs: own, order }) => graph.mul(graph.sym(upSymbol(order)), scaled(own)));
	const h = graph.sym(upSymbol(1));
	/** Over the root of a step. */
	const rooted = (nodes: readonly Node[]): Node[] =>
		nodes.map((node, i) => {
			const { derivative } = layout.places.get(model.components[i])!;
			const up = derivative > 0 ? graph.sym(upSymbol(derivative)) : graph.one;
			return graph.mul(graph.sqrt(h), up, scaled(node));
		});
	return {
		rhs,
		rhsSlopes: linearisation === "ekf1" || isFlowing(spec) ? rhs.map(slopes) : [],
		measures: model.measures.map(({ value, spread }) => {
			const own = scaled(value);
			return { value: own, slopes: slopes(own), spread: scaled(spread ?? graph.one) };
		}),
		noises: layout.noises.map((noise) => ({
			start: rooted(noise.slopes),
			drift: rooted(noise.rates.map((rate) => graph.neg(graph.mul(h, rate)))),
			strength: noise.strength,
		})),
	};
}
