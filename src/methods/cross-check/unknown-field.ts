/** The model without its equations: what `kriging` learns, so that it can be held against them. */
import { onlyInSpreads } from "../../estimate/observe/declared-spreads.ts";
import type { Node } from "../../model/graph.ts";
import { parseModel } from "../../model/language/parse-model.ts";
import type { Model } from "../../model/model.ts";
import { knowledgeText, measureText } from "../../model/print/model.ts";
import { symbolsOf } from "../../model/walk.ts";
import { type Derived, withDistributions } from "./derived-knowledge.ts";

/** Largest number of arguments of a field that is learned from points. */
const mostArguments = 5;

/**
 * For `kriging`: the same states and measurements, but the highest derivative of each state as an unknown function of all
 * states and inputs. Only where every state is measured itself; otherwise a sentence that says what is missing.
 */
export function withUnknownField(model: Model): Derived | string {
	if (model.conditions.length > 0) return "Conditions change the field from record to record.";
	const unmeasured = model.states.find(
		({ components }) => !model.measures.some(({ value }) => isSymbol(value, components[0])),
	);
	if (unmeasured)
		return `state ${unmeasured.name} is not measured itself, so its equation cannot be learned without the model.`;
	const force = model.inputs.find(({ knowledge }) => knowledge.kind === "distribution");
	if (force) return `input ${force.name} is an unknown force: the field cannot be learned apart from it.`;
	const ofErrors = onlyInSpreads(model);
	const data = model.inputs.filter(({ name, knowledge }) => knowledge.kind === "none" && !ofErrors.has(name));
	const formulas = model.inputs.filter(({ knowledge }) => knowledge.kind === "formula");
	const args = [...model.components, ...[...data, ...formulas].map(({ name }) => name)];
	if (args.length > mostArguments)
		return `The field has ${args.length} arguments (${args.join(", ")}): too many to be learned without the model.`;
	const letters = args.map(
		(name) => `${"d".repeat(name.length - name.replace(/'+$/, "").length)}${name.replace(/'+$/, "")}`,
	);
	if (new Set(letters).size < letters.length)
		letters.forEach((_, i) => {
			letters[i] = `a${i + 1}`;
		});
	// Names for known numbers and expressions are not carried along: what they stand for is.
	const measured = model.measures
		.filter(({ value }) => model.components.some((name) => isSymbol(value, name)))
		.map(({ written: _, ...measure }) => measure);
	const ofNoise = measured.flatMap(({ spread, correlated, shape = [] }) => [spread, correlated, ...shape]);
	const spreads = symbolsOf(ofNoise.filter((node) => node !== undefined));
	const lines = [
		...[...data.map(({ name }) => name), ...[...ofErrors].filter((name) => spreads.has(name))].map(
			(name) => `input ${name}`,
		),
		...formulas.map(({ name, knowledge }) =>
			knowledge.kind === "formula"
				? `input ${name}${knowledgeText({ kind: "exact", value: knowledge.value })}`
				: "",
		),
		...model.params
			.filter(({ name }) => spreads.has(name))
			.map(({ name, knowledge }) => `param ${name}${knowledgeText(knowledge)}`),
		...model.states.map(
			({ name }) => `unknown ${fieldOf(model, name)}(${letters.join(", ")}) ~ kriging(trend: 1)`,
		),
		...model.states.map(({ components }) => `state ${components.join(", ")}`),
		...model.states.map(
			({ name, order }) => `${name}${"'".repeat(order)} = ${fieldOf(model, name)}(${args.join(", ")})`,
		),
		...measured.map((measure) => `measure ${measureText(measure)}`),
	];
	const plain = parseModel(lines.join("\n"), model.fileName);
	const random = withDistributions(plain);
	return {
		model: random?.model ?? plain,
		assumptions: [
			"The field was learned without the equations, as a smooth function of all states and inputs.",
			...(random?.assumptions ?? []),
		],
	};
}

/** The name of the unknown function that stands for the equation of a state. */
export function fieldOf(model: Model, state: string): string {
	const taken = new Set([...model.components, ...model.inputs.map(({ name }) => name)]);
	let name = `f${state}`;
	while (taken.has(name)) name = `f${name}`;
	return name;
}

function isSymbol(node: Node, name: string): boolean {
	return node.op === "sym" && node.name === name;
}
