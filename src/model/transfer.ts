/** A model on its way to another thread: all of it but its graph is plain data, and there the expressions are made anew in a graph of their own, the same ones. */
import { Graph, type Node } from "./graph.ts";
import type { Model } from "./model.ts";
import { mapNodes } from "./walk.ts";

export type PlainModel = Omit<Model, "graph">;

export function plainModel({ graph: _, ...rest }: Model): PlainModel {
	return rest;
}

export function adoptedModel(plain: PlainModel): Model {
	const graph = new Graph();
	const copies = new Map<object, unknown>();
	const adopt = (value: unknown): unknown => {
		if (typeof value !== "object" || value === null) return value;
		const known = copies.get(value);
		if (known !== undefined) return known;
		if (isNode(value)) {
			const [node] = mapNodes(graph, [value], (each) => copies.get(each) as Node | undefined);
			copies.set(value, node);
			return node;
		}
		const copy = Array.isArray(value)
			? value.map(adopt)
			: value instanceof Map
				? new Map([...value].map(([key, each]) => [key, adopt(each)]))
				: Object.fromEntries(Object.entries(value).map(([key, each]) => [key, adopt(each)]));
		copies.set(value, copy);
		return copy;
	};
	return { ...(adopt(plain) as PlainModel), graph };
}

function isNode(value: object): value is Node {
	return "op" in value && "args" in value && "size" in value && "id" in value;
}
