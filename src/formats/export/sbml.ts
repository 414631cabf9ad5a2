/** A model as SBML, Level 3 Version 2: states are parameters with rate rules, what is measured has assignment rules. */
import { InputError } from "../../errors.ts";
import type { Node, UnaryFunction } from "../../model/graph.ts";
import * as Q from "../../model/rational.ts";
import type { Algebra } from "./algebra.ts";
import { type Identified, layoutOf } from "./identified.ts";
import { writeNodes } from "./write-node.ts";

const functions: Readonly<Partial<Record<UnaryFunction | "min" | "max", string>>> = {
	log: "ln",
	asin: "arcsin",
	acos: "arccos",
	atan: "arctan",
};
const apply = (op: string, ...args: readonly string[]): string => `<apply><${op}/>${args.join("")}</apply>`;
const number = (value: number): string => {
	const [digits, exponent] = String(value).split("e");
	return exponent === undefined
		? `<cn>${digits}</cn>`
		: `<cn type="e-notation">${digits}<sep/>${Number(exponent)}</cn>`;
};
const piecewise = (condition: string, yes: string, no: string): string =>
	`<piecewise><piece>${yes}${condition}</piece><otherwise>${no}</otherwise></piecewise>`;

const mathml: Algebra<string> = {
	number,
	pi: "<pi/>",
	name: (name) =>
		name === "t"
			? '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">t</csymbol>'
			: `<ci>${name}</ci>`,
	sum: (terms) =>
		apply("plus", ...terms.map(({ negative, value }) => (negative ? apply("minus", value) : value))),
	product: (factors) => apply("times", ...factors),
	quotient: (top, bottom) => apply("divide", top, bottom),
	negative: (value) => apply("minus", value),
	power: (base, exponent) => apply("power", base, exponent),
	root: (value) => `<apply><root/><degree><cn>2</cn></degree>${value}</apply>`,
	call: (name, args) =>
		name === "sign"
			? piecewise(
					apply("gt", args[0], number(0)),
					number(1),
					piecewise(apply("lt", args[0], number(0)), number(-1), number(0)),
				)
			: apply(functions[name] ?? name, ...args),
	compare: (sign, left, right) => apply(sign === "<" ? "lt" : "leq", left, right),
	choose: piecewise,
};

/** What is written beside a model: its parameters are those of a problem, with its own observables. */
export interface SbmlText {
	readonly text: string;
	/** The id of a name of the model. */
	idOf(name: string): string;
}

export function sbmlText(identified: Identified): SbmlText {
	const { model, title, inputs } = identified;
	if (inputs.length > 0)
		throw new InputError(
			`input ${inputs[0].name}`,
			"is a record, which SBML does not have",
			"Write it in the model as a formula of t, or export code:  --to python",
		);
	const layout = layoutOf(identified);
	const { names, states, params, outputs } = layout;
	const { events } = model;
	const eventNodes = events.flatMap(({ trigger, delay, priority, assignments }) => [
		conditionOf(trigger) ?? trigger,
		...(delay ? [delay] : []),
		...(priority ? [priority] : []),
		...assignments.map(({ value }) => value),
	]);
	const roots = [...layout.rhs, ...layout.values, ...eventNodes];
	const { shared, results } = writeNodes(
		roots,
		mathml,
		(symbol) => names.of(symbol),
		(wanted) => names.fresh(wanted),
	);
	const starts = layout.start.map((node) =>
		node.op === "const"
			? undefined
			: writeNodes(
					[node],
					mathml,
					(symbol) => names.of(symbol),
					(wanted) => names.fresh(wanted),
				),
	);
	const math = (inside: string): string =>
		`<math xmlns="http://www.w3.org/1998/Math/MathML">${inside}</math>`;
	const parameter = (id: string, isConstant: boolean, value?: number): string =>
		`<parameter id="${id}"${value === undefined ? "" : ` value="${value}"`} constant="${isConstant}"/>`;
	const rule = (kind: string, id: string, inside: string): string =>
		`<${kind}Rule variable="${id}">${math(inside)}</${kind}Rule>`;
	const declared = [
		...params.map(({ name, value }) => parameter(name, true, value)),
		...states.map((name, i) => {
			const { op, value } = layout.start[i];
			return parameter(name, false, op === "const" ? Q.toDouble(value!) : undefined);
		}),
		...shared.map(({ name }) => parameter(name, false)),
		...outputs.map((name) => parameter(name, false)),
	];
	// Parts of an initial value that are shared are put in where they stand: they are few.
	const initial = states.flatMap((name, i) => {
		const start = starts[i];
		if (!start) return [];
		const whole = start.shared.reduceRight(
			(text, part) => text.replaceAll(`<ci>${part.name}</ci>`, part.value),
			start.results[0],
		);
		return [`<initialAssignment symbol="${name}">${math(whole)}</initialAssignment>`];
	});
	const nRules = states.length;
	const rules = [
		...shared.map(({ name, value }) => rule("assignment", name, value)),
		...states.map((name, i) => rule("rate", name, results[i])),
		...outputs.map((name, i) => rule("assignment", name, results[nRules + i])),
	];
	let at = nRules + outputs.length;
	const written = events.map((event, k) => {
		const isPlain = conditionOf(event.trigger) !== undefined;
		const trigger = isPlain ? results[at] : apply("neq", results[at], number(0));
		at++;
		const delay = event.delay ? `<delay>${math(results[at++])}</delay>` : "";
		const priority = event.priority ? `<priority>${math(results[at++])}</priority>` : "";
		const set = event.assignments.map(
			({ target }) =>
				`<eventAssignment variable="${names.of(target)}">${math(results[at++])}</eventAssignment>`,
		);
		return `<event id="event_${k + 1}" useValuesFromTriggerTime="${!event.late}"><trigger initialValue="${event.initially}" persistent="${event.persistent}">${math(trigger)}</trigger>${priority}${delay}${list("EventAssignments", set)}</event>`;
	});
	const text = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by Odentify -->
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2">
<model id="model" name="${title.replace(/[<>&"]/g, " ").replace(/[^\x20-\x7e]/g, "?")}">
${list("Parameters", declared)}${list("InitialAssignments", initial)}${list("Rules", rules)}${list("Events", written)}</model>
</sbml>
`;
	return { text, idOf: (name) => names.of(name) };
}

/** The comparison that a trigger is, where it is one and no number. */
function conditionOf(trigger: Node): Node | undefined {
	const [condition, yes, no] = trigger.args;
	if (trigger.op !== "if" || yes.op !== "const" || no.op !== "const") return undefined;
	return Q.equal(yes.value!, Q.one) && Q.equal(no.value!, Q.zero) ? condition : undefined;
}

function list(name: string, items: readonly string[]): string {
	return items.length === 0 ? "" : `<listOf${name}>\n${items.join("\n")}\n</listOf${name}>\n`;
}
