/** The colour of a method: one accent each, the same in the terminal, in the report and in the workbench. */
import { methods, singleMethods } from "./registry.ts";

export interface Accent {
	readonly light: string;
	readonly dark: string;
	/** Colour of a terminal. */
	readonly terminal: "blue" | "magenta" | "green" | "cyan" | "yellow" | "red";
}

/** By name; a method of another version has the colour of the first. */
export function accentOf(method: string): Accent {
	return (methods.get(method) ?? singleMethods[0]).accent;
}
