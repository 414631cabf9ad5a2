/** A model's declarations in a few words. */
import { type ModelDescription, position } from "../../src/model/index.ts";

const kinds = [
	["exact", "exactly known"],
	["set", "in a set"],
	["distribution", "with a distribution"],
	["none", "unknown"],
] as const;

export function declaredLines(description: ModelDescription): string[] {
	const { parameters, states, inputs, measurements, conditions, unknownFunctions } = description;
	const groups = kinds.flatMap(([kind, words]) => {
		const own = parameters.filter((each) => each.kind === kind && each.terms === undefined);
		return own.length === 0 ? [] : [`${few(own.length, "parameter")} ${words}: ${names(own)}`];
	});
	const combined = parameters.filter(({ terms }) => terms !== undefined);
	if (combined.length > 0) groups.push(`${few(combined.length, "combination")} of terms: ${names(combined)}`);
	const free = states.flatMap(({ initial }) => initial).filter(({ kind }) => kind !== "exact");
	return [
		...groups,
		...(unknownFunctions.length > 0
			? [`${few(unknownFunctions.length, "unknown function")}: ${names(unknownFunctions)}`]
			: []),
		`${few(states.length, "state")}: ${states.map(({ name, order }) => (order > 1 ? `${name} (order ${order})` : name)).join(", ")}${free.length > 0 ? `; ${few(free.length, "start")} to be found` : ""}`,
		...(inputs.length > 0 ? [`${few(inputs.length, "input")}: ${names(inputs)}`] : []),
		...(conditions.length > 0 ? [`${few(conditions.length, "condition")}: ${conditions.join(", ")}`] : []),
		`measured: ${names(measurements)}`,
	];
}

function names(list: readonly { readonly name: string }[]): string {
	return list.map(({ name }) => name).join(", ");
}

export function few(n: number, thing: string): string {
	return `${n} ${thing}${n === 1 ? "" : "s"}`;
}

/** `line 7, column 12` */
export function placeOf(source: string, offset: number): string {
	const { line, column } = position(source, offset);
	return `line ${line}, column ${column}`;
}
