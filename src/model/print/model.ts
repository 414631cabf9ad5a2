/** A model as text in its own language: parsed again it means the same. Comments are not kept. */

import type { Node } from "../graph.ts";
import type { Expr } from "../language/syntax/syntax.ts";
import { placeOfArgument, shapePlaces } from "../language/vocabulary.ts";
import type {
	Assumption,
	Distribution,
	Input,
	Knowledge,
	Measure,
	Model,
	ModelEvent,
	Param,
	StateVariable,
	UnknownFunction,
} from "../model.ts";
import { printEquation, printExpression } from "./expression.ts";
import { infix } from "./infix.ts";
import { layoutOfSyntax } from "./syntax-layout.ts";

export function printModel(model: Model): string {
	const blocks = [
		[
			...model.inputs.map((input) => line("input", input.name + inputText(input))),
			...model.conditions.map(({ name }) => line("condition", name)),
			...model.params.map((param) => line("param", paramText(param))),
			...model.unknowns.map((each) =>
				line(
					"unknown",
					`${each.name}(${each.params.join(", ")})${each.byRecord ? "[record]" : ""} ${formText(each)}`,
				),
			),
			...model.states.map((state) => line("state", stateText(state))),
		],
		model.functions.map(({ name, params, written }) =>
			line("function", `${name}(${params.join(", ")}) = ${infix(layoutOfSyntax(written), "language")}`),
		),
		model.lets.map(({ name, value, written }) =>
			line(
				"let",
				`${name} = ${written ? infix(layoutOfSyntax(written), "language") : printExpression(value)}`,
			),
		),
		model.equations.map(printEquation),
		model.events.map(eventText),
		(model.assumptions ?? []).map((each) => `assume ${assumptionText(each)}`),
		model.measures.map((measure) => line("measure", measureText(measure))),
	];
	return blocks
		.filter((block) => block.length > 0)
		.map((block) => `${block.join("\n")}\n`)
		.join("\n");
}

/** `when x > 1, delay: 2 { x = 0 }` */
/** `x >= 0`, as it was written. */
export function assumptionText({ written: { left, sign, right } }: Assumption): string {
	const show = (expr: Expr): string => infix(layoutOfSyntax(expr), "language");
	return `${show(left)} ${sign} ${show(right)}`;
}

export function eventText({ trigger, delay, priority, assignments, written, ...flags }: ModelEvent): string {
	const show = (expr: Expr | undefined, node: Node): string =>
		expr ? infix(layoutOfSyntax(expr), "language") : printExpression(node);
	const given = (name: string): Expr | undefined =>
		written?.options.find((option) => option.name === name)?.value;
	const options = [
		...(delay ? [`, delay: ${show(given("delay"), delay)}`] : []),
		...(priority ? [`, priority: ${show(given("priority"), priority)}`] : []),
		...(flags.persistent ? [] : [", persistent: false"]),
		...(flags.initially ? [] : [", initially: false"]),
		...(flags.late ? [", late: true"] : []),
	];
	const condition = written ? show(written.trigger, trigger) : `${printExpression(trigger)} > 0.5`;
	const set = assignments.map(
		({ target, value }, i) => `${target} = ${show(written?.assignments[i]?.value, value)}`,
	);
	return `when ${condition}${options.join("")} { ${set.join(", ")} }`;
}

/** What is known of a number, as it stands after its name: ` ~ normal(0, 1)`. */
export function knowledgeText(knowledge: Knowledge): string {
	switch (knowledge.kind) {
		case "exact":
			return ` = ${printExpression(knowledge.value)}`;
		case "set":
			return ` in [${printExpression(knowledge.lo)}, ${printExpression(knowledge.hi)}]`;
		case "distribution":
			return ` ~ ${familyText(knowledge.distribution)}`;
		case "none":
			return "";
	}
}

/** What is said of the form of an unknown function, as it stands after its arguments. */
export function formText({ kind, distribution, composed }: UnknownFunction): string {
	const text = composed ? infix(layoutOfSyntax(composed.written), "language") : familyText(distribution);
	return `${kind === "basis" ? "=" : "~"} ${text}`;
}

export function familyText({ family, args, named, cut }: Distribution): string {
	const all = [
		...args.map(printExpression),
		...[...named].map(([name, node]) => `${name}: ${printExpression(node)}`),
	];
	return `${family}(${all.join(", ")})${cut ? cutText(cut) : ""}`;
}

function cutText({ lo, hi }: NonNullable<Distribution["cut"]>): string {
	if (lo && hi) return ` in [${printExpression(lo)}, ${printExpression(hi)}]`;
	return lo ? ` > ${printExpression(lo)}` : ` < ${printExpression(hi!)}`;
}

export function inputText({ knowledge }: Input): string {
	return knowledge.kind === "formula" ? ` = ${printExpression(knowledge.value)}` : knowledgeText(knowledge);
}

/** What is measured and how well, as it stands after the name. */
export function measureText(measure: Measure): string {
	const value = measure.written
		? infix(layoutOfSyntax(measure.written.value), "language")
		: printExpression(measure.value);
	const spread = measure.written?.spread
		? infix(layoutOfSyntax(measure.written.spread), "language")
		: measure.spread && printExpression(measure.spread);
	switch (measure.kind) {
		case "exact":
			return `${measure.name} = ${value}`;
		case "set":
			return `${measure.name} in ${value} +- ${spread}`;
		case "distribution":
			return `${measure.name} ~ ${measure.family}(${argumentsText(measure, value, spread)})`;
	}
}

/** In the order in which the language takes them. */
function argumentsText(
	{ family, shape, rounded, correlated, written }: Measure,
	value: string,
	spread: string | undefined,
): string {
	const args: string[] = [];
	args[placeOfArgument(family!, "value")] = value;
	if (spread !== undefined) args[placeOfArgument(family!, "spread")] = spread;
	shapePlaces(family!).forEach((place, i) => {
		args[place] = written?.shape
			? infix(layoutOfSyntax(written.shape[i]), "language")
			: printExpression(shape![i]);
	});
	if (correlated) {
		const text = written?.correlated && infix(layoutOfSyntax(written.correlated), "language");
		args.push(`correlated: ${text ?? printExpression(correlated)}`);
	}
	if (rounded) args.push(`rounded: ${printExpression(rounded)}`);
	return args.join(", ");
}

function paramText({ name, knowledge, rate, terms, byRecord }: Param): string {
	if (byRecord) return `${name}[record]${knowledgeText(knowledge)}`;
	if (terms) return `${name}(${terms.map(printExpression).join(", ")})`;
	return `${name}${knowledgeText(knowledge)}${rate ? `, ${name}'${knowledgeText(rate)}` : ""}`;
}

function stateText({ components, initial }: StateVariable): string {
	return components.map((component, i) => component + knowledgeText(initial[i])).join(", ");
}

function line(keyword: string, rest: string): string {
	return `${keyword.padEnd(7)} ${rest}`;
}
