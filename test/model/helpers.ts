import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ModelError } from "../../src/model/diagnostic.ts";
import type { Graph, Node } from "../../src/model/graph.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import type { Distribution, Knowledge, Model } from "../../src/model/model.ts";
import { mapNodes } from "../../src/model/walk.ts";

const folder = fileURLToPath(new URL("./models/", import.meta.url));

/** Nine models that show all that the language can say, by name. */
export function exampleTexts(): Map<string, string> {
	return new Map(readdirSync(folder).map((file) => [file, readFileSync(folder + file, "utf8")]));
}

export function parse(text: string): Model {
	return parseModel(text, "test.ode");
}

/** The rendered errors of a bad text. */
export function errorsOf(text: string): ModelError {
	try {
		parse(text);
	} catch (error) {
		if (error instanceof ModelError) return error;
		throw error;
	}
	throw new Error(`no error in:\n${text}`);
}

/** The same expression in another graph: equal expressions are then the same object. */
export function transplant(graph: Graph, node: Node): Node {
	return mapNodes(graph, [node], () => undefined)[0];
}

/** All that a model means, with its expressions moved to `graph`, so that two models can be compared by equality. */
export function meaning(model: Model, graph: Graph): unknown {
	const move = (node: Node): Node => transplant(graph, node);
	const family = ({ family: name, args, named }: Distribution): unknown => [
		name,
		args.map(move).map(({ id }) => id),
		[...named].map(([key, node]) => [key, move(node).id]),
	];
	const knowledge = (known: Knowledge): unknown => {
		switch (known.kind) {
			case "exact":
				return ["exact", move(known.value).id];
			case "set":
				return ["set", move(known.lo).id, move(known.hi).id];
			case "distribution":
				return ["distribution", family(known.distribution)];
			case "none":
				return ["none"];
		}
	};
	return {
		params: model.params.map((param) => [
			param.name,
			knowledge(param.knowledge),
			param.rate && knowledge(param.rate),
			param.terms?.map((term) => move(term).id),
		]),
		inputs: model.inputs.map((input) => [
			input.name,
			input.knowledge.kind === "formula" ? move(input.knowledge.value).id : knowledge(input.knowledge),
		]),
		conditions: model.conditions.map(({ name }) => name),
		unknowns: model.unknowns.map(({ name, params, kind, distribution }) => [
			name,
			params,
			kind,
			family(distribution),
		]),
		states: model.states.map(({ name, order, initial }) => [name, order, initial.map(knowledge)]),
		measures: model.measures.map((measure) => [
			measure.name,
			measure.kind,
			measure.family,
			move(measure.value).id,
			measure.spread && move(measure.spread).id,
		]),
		lets: model.lets.map(({ name, value }) => [name, move(value).id]),
		rhs: model.rhs.map((node) => move(node).id),
		equations: model.equations.map(({ left, right }) => [move(left).id, move(right).id]),
	};
}
