/** What may stand in an expression, by the place where it stands. Exactly known parameters may stand anywhere. */
import type { Entry } from "./declarations.ts";

export type Use = "state" | "param" | "input" | "condition" | "unknown" | "t";

export interface Scope {
	/** Subject of the sentence `… cannot use the state "x"`. */
	readonly where: string;
	readonly allow: ReadonlySet<Use>;
	readonly remedy: string;
	/** What an undeclared name here should probably be. */
	readonly declare: "param" | "condition" | "let";
}

/** Equations, lets and measurements. */
export const always: Scope = {
	where: "this",
	allow: new Set<Use>(["state", "param", "input", "condition", "unknown", "t"]),
	remedy: "",
	declare: "param",
};

/** The left side of an equation where it is a mere name. */
export const leftSide: Scope = { ...always, declare: "let" };

const onlyKnown = "Only numbers and exactly known parameters stand here.";

export const scopes = {
	exact: {
		where: "an exactly known parameter",
		allow: new Set<Use>(),
		remedy: `${onlyKnown} To name an expression, write let.`,
		declare: "param",
	},
	bound: { where: "a set", allow: new Set<Use>(), remedy: onlyKnown, declare: "param" },
	prior: { where: "a distribution", allow: new Set<Use>(), remedy: onlyKnown, declare: "param" },
	family: { where: "this", allow: new Set<Use>(), remedy: onlyKnown, declare: "param" },
	basis: {
		where: "a basis",
		allow: new Set<Use>(),
		remedy: "Only the arguments of the function, numbers and exactly known parameters stand here.",
		declare: "param",
	},
	initial: {
		where: "an initial value",
		allow: new Set<Use>(["param", "condition"]),
		remedy: "Only numbers, parameters and conditions stand here.",
		declare: "param",
	},
	process: {
		where: "a random process",
		allow: new Set<Use>(["param", "condition"]),
		remedy: "Only numbers, parameters and conditions stand here.",
		declare: "param",
	},
	population: {
		where: "the law of a population",
		allow: new Set<Use>(["param", "condition"]),
		remedy: "Only numbers, parameters and conditions stand here.",
		declare: "param",
	},
	lasting: {
		where: "a time of memory",
		allow: new Set<Use>(["param", "condition"]),
		remedy: "Only numbers, parameters and conditions stand here.",
		declare: "param",
	},
	formula: {
		where: "the formula of an input",
		allow: new Set<Use>(["t"]),
		remedy:
			"Only t, numbers and exactly known parameters stand here. To name any other expression, write let.",
		declare: "param",
	},
	term: {
		where: "a term of a combination",
		allow: new Set<Use>(["condition"]),
		remedy: "Only conditions, numbers and exactly known parameters stand here.",
		declare: "condition",
	},
} as const satisfies Record<string, Scope>;

/** How a name counts; `undefined` for what is folded away. */
export function useOf(name: string, entry: Entry | undefined): Use | undefined {
	if (name === "t") return "t";
	if (!entry || entry.exact) return undefined;
	if (entry.kind === "let" || entry.kind === "function" || entry.kind === "measure") return undefined;
	return entry.kind;
}
