/** What is typed at the options of a method. */
import type { OptionSpec } from "../../src/methods/index.ts";
import { numberOf, type Typed } from "../page/typed.ts";

/** An emptied field asks for the default again. */
export function optionOf(spec: OptionSpec, text: string): Typed<unknown> {
	if (text.trim() === "") return { value: spec.default };
	if (spec.type === "boolean" || spec.type === "choice") return { value: text };
	const orAuto = spec.type === "integerOrAuto";
	if (orAuto && text.trim() === "auto") return { value: "auto" };
	const typed = numberOf(text, { whole: spec.type !== "number", min: spec.min, max: spec.max });
	return "why" in typed && orAuto ? { why: `${typed.why}, nor auto` } : typed;
}

/** Values by name in a line of text: `k3: 4, x(0): 1`. */
export function setText(set: Readonly<Record<string, number>>): string {
	return Object.entries(set)
		.map(([name, value]) => `${name}: ${value}`)
		.join(", ");
}

export function setOf(text: string): Typed<Record<string, number>> {
	const set: Record<string, number> = {};
	for (const part of text.split(/[,;]\s*(?![^(]*\))/)) {
		if (part.trim() === "") continue;
		const match = /^\s*([^:=]+?)\s*[:=]\s*(\S+)\s*$/.exec(part);
		const value = match ? Number(match[2]) : Number.NaN;
		if (!match || !Number.isFinite(value))
			return { why: "is not a list of names with numbers, as k3: 4, m: 1" };
		set[match[1]] = value;
	}
	return { value: set };
}
