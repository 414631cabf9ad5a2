/** Options of a method that come from a program, checked as those of a study file are. */
import { InputError, nearestName } from "../errors.ts";
import type { GivenOptions, OptionSpec, OptionTable } from "./options.ts";

export function checkOptions(method: string, table: OptionTable, given: GivenOptions): void {
	for (const [name, value] of Object.entries(given)) {
		const subject = `option ${name} of ${method}`;
		const spec = Object.hasOwn(table, name) ? table[name] : undefined;
		if (!spec) {
			const near = nearestName(name, Object.keys(table));
			const all = `The options are ${Object.keys(table).join(", ")}.`;
			throw new InputError(subject, "is not known", near ? `Did you mean ${near}? ${all}` : all);
		}
		const wanted = expectation(spec);
		if (!fits(spec, value))
			throw new InputError(subject, `is ${JSON.stringify(value) ?? String(value)}`, `It is ${wanted}.`);
	}
}

function fits(spec: OptionSpec, value: unknown): boolean {
	switch (spec.type) {
		case "boolean":
			return typeof value === "boolean";
		case "choice":
			return typeof value === "string" && spec.choices.includes(value);
		case "number":
			return isWithin(spec, value);
		case "integer":
			return Number.isInteger(value) && isWithin(spec, value);
		case "integerOrAuto":
			return value === "auto" || (Number.isInteger(value) && isWithin(spec, value));
	}
}

function isWithin({ min, max }: { min?: number; max?: number }, value: unknown): boolean {
	return (
		typeof value === "number" &&
		value >= (min ?? Number.NEGATIVE_INFINITY) &&
		value <= (max ?? Number.POSITIVE_INFINITY)
	);
}

function expectation(spec: OptionSpec): string {
	switch (spec.type) {
		case "boolean":
			return "true or false";
		case "choice":
			return `one of ${spec.choices.join(", ")}`;
		default: {
			const what = spec.type === "number" ? "a number" : "a whole number";
			const from = spec.min === undefined ? "" : ` from ${spec.min}`;
			const to = spec.max === undefined ? "" : ` to ${spec.max}`;
			return `${what}${from}${to}${spec.type === "integerOrAuto" ? ", or auto" : ""}`;
		}
	}
}
