/** A model in a few lines: equations as understood, states, inputs, parameters by what is known of them, methods. */
import type { Applicability } from "../../methods/applicability.ts";
import type { ModelDescription } from "../../model/describe.ts";
import type { Colors } from "./screen.ts";
import { cut, wrap, wrapItems } from "./wrap.ts";

const indent = 2;
const labelWidth = 12;

/** `  Label       text`, further lines below the first. */
export function labelled(label: string, lines: readonly string[]): string[] {
	return lines.map((line, i) => " ".repeat(indent) + (i === 0 ? label : "").padEnd(labelWidth) + line);
}

/** A model as `check` shows it. */
export interface CheckedModel extends ModelDescription {
	readonly methods: readonly Applicability[];
}

export function modelLines(model: CheckedModel, colors: Colors): string[] {
	return [
		...labelled(
			"Equations",
			model.equations.map(({ plain }) => cut(plain)),
		),
		...labelled("States", model.states.map(stateLine)),
		...labelled("Inputs", model.inputs.map(inputLine)),
		...labelled("Conditions", model.conditions.length > 0 ? [model.conditions.join(", ")] : []),
		...labelled("Parameters", parameterLines(model)),
		...labelled(
			"Unknown",
			model.unknownFunctions.map(
				(f) => `${f.name}(${f.arguments.join(", ")})${f.byRecord ? "[record]" : ""} ${f.text}`,
			),
		),
		...labelled(
			"Measured",
			model.measurements.map(({ text }) => cut(text)),
		),
		...labelled(
			"Methods",
			model.methods.flatMap((method) => methodLine(method, colors)),
		),
		...labelled(
			"Warnings",
			model.warnings.map(({ line, message, remedy }) => `line ${line}: ${message}. ${remedy}`),
		),
	];
}

function stateLine({ name, order, initial }: ModelDescription["states"][number]): string {
	const start = initial.map(({ component, text }) =>
		text ? `${component} ${text}` : `${component} unknown`,
	);
	return `${name} of order ${order}, starts each record at ${start.join(", ")}`;
}

function inputLine({ name, from, text }: ModelDescription["inputs"][number]): string {
	if (from === "data") return `${name} from the data`;
	return text.startsWith(name) ? text : `${name} ${text}`;
}

const kinds = [
	["exact", "exactly known"],
	["set", "in a set"],
	["distribution", "distributed"],
	["none", "unknown"],
] as const;

function parameterLines({ parameters }: ModelDescription): string[] {
	const plain = kinds.flatMap(([kind, words]) => {
		const own = parameters.filter((each) => each.kind === kind && each.terms === undefined);
		return own.length === 0 ? [] : [{ words, items: own.map(parameterText) }];
	});
	const combined = parameters.flatMap(({ name, terms }) => (terms ? [`${name}(${terms.join(", ")})`] : []));
	const groups = combined.length === 0 ? plain : [...plain, { words: "combinations", items: combined }];
	return groups.flatMap(({ words, items }) =>
		wrapItems(items, 80).map((line, i) => `${(i === 0 ? words : "").padEnd(15)} ${line}`),
	);
}

function parameterText({ name, byRecord, text }: ModelDescription["parameters"][number]): string {
	const full = byRecord ? `${name}[record]` : name;
	return text ? `${full} ${text}` : full;
}

function methodLine({ method, applies, why }: Applicability, colors: Colors): string[] {
	const word = applies ? "applies" : "does not apply";
	const paint = applies ? colors.green : colors.dim;
	return wrap(why, 80).map((line, i) =>
		i === 0 ? `${method.padEnd(11)} ${paint(word.padEnd(15))} ${line}` : `${" ".repeat(28)}${line}`,
	);
}
