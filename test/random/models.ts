/**
 * Random models, as text of the language: every declaration, every kind of knowledge. A flavour says what kinds of knowledge
 * prevail, so that each method finds models that it applies to.
 */

import { populations } from "../../src/model/language/vocabulary.ts";
import { Draws } from "../../src/num/statistics/draws.ts";
import { cycleModel } from "./cycle-model.ts";
import { condition, expression, type Manner } from "./expressions.ts";
import { initialKnowledge, paramKnowledge } from "./knowledge.ts";
import { measureOf } from "./measurements.ts";
import { unknownFunction } from "./unknown-functions.ts";

export const flavours = [
	"free",
	"distributions",
	"sets",
	"combination",
	"cycle",
	"process",
	"mixed",
] as const;
export type Flavour = (typeof flavours)[number];

/** What is declared so far. */
export interface Declared {
	readonly lines: string[];
	/** Exactly known parameters: what declarations may use. */
	readonly known: string[];
	readonly params: string[];
	readonly conditions: string[];
	readonly inputs: string[];
	/** Calls of unknown functions and of noise, ready to stand in an equation. */
	readonly unknowns: string[];
	/** Calls of functions of one's own. */
	readonly calls: string[];
}

export const nothingDeclared = (): Declared => ({
	lines: [],
	known: [],
	params: [],
	conditions: [],
	inputs: [],
	unknowns: [],
	calls: [],
});

/** Name of the parameter that differs from record to record. */
export const population = "r";

const stateNames = ["x", "z", "v_1", "theta"];

export function modelText(d: Draws, flavour: Flavour): string {
	if (flavour === "cycle" && d.chance(0.7)) return cycleModel(d);
	const orders = Array.from({ length: d.whole(1, 3) }, () => (d.chance(0.7) ? 1 : d.chance(0.9) ? 2 : 3));
	const components = orders.flatMap((order, i) =>
		Array.from({ length: order }, (_, k) => stateNames[i] + "'".repeat(k)),
	);
	const declared = nothingDeclared();
	declareParams(d, flavour, declared);
	declareInputs(d, flavour, declared);
	declareUnknowns(d, flavour, declared, components);
	declareFunction(d, declared, components);
	const { lines, known, params, conditions, inputs, calls } = declared;
	for (const component of components)
		lines.push(`state ${component} ${initialKnowledge(d, flavour, declared)}`.trimEnd());
	const wild = d.chance(0.25) ? 0.6 : 0.05;
	const leaves = [
		...components,
		...components,
		...params,
		...params,
		...known,
		...inputs,
		...conditions,
		...calls,
	];
	if (d.chance(0.4)) {
		lines.push(`let w = ${expression(d, { leaves: [...components, ...params], wild }, d.whole(0, 2))}`);
		leaves.push("w");
	}
	if (d.chance(0.2)) leaves.push("t");
	lines.push(...equations(d, orders, { leaves, wild }, declared));
	lines.push(...laws(d, flavour, declared, components, orders));
	const values =
		flavour === "process"
			? orders.map((_, i) => stateNames[i])
			: flavour === "cycle"
				? [components[0]]
				: Array.from({ length: d.chance(0.35) ? 2 : 1 }, () =>
						d.chance(0.65) ? d.pick(components) : expression(d, { leaves, wild }, 1),
					);
	for (const [i, value] of values.entries())
		lines.push(...measureOf(d, flavour, `y${i + 1}`, value, declared));
	return dressed(d, lines);
}

function declareParams(d: Draws, flavour: Flavour, declared: Declared): void {
	const { lines, known, params, conditions } = declared;
	if (d.chance(0.4)) {
		lines.push(`param g = ${d.decimal(0.5, 3)}`);
		known.push("g");
		if (d.chance(0.3)) {
			lines.push(`param h = ${expression(d, { leaves: ["g"], wild: 0 }, 1)} + 0.1`);
			known.push("h");
		}
	}
	if (d.chance(flavour === "combination" ? 0.7 : flavour === "cycle" ? 0 : 0.15)) {
		lines.push("condition c");
		conditions.push("c");
	}
	for (const name of ["a", "b", "k"].slice(0, d.whole(1, 3))) {
		lines.push(`param ${name} ${paramKnowledge(d, flavour, declared)}`.trimEnd());
		params.push(name);
	}
	if (d.chance(populationShare[flavour])) {
		lines.push(populationOf(d, declared));
		params.push(population);
	}
	if (conditions.length > 0 && (flavour === "combination" || d.chance(0.3))) {
		const terms = ["1", "c", "c^2", "exp(c)", "sin(c)", "c/(1 + c^2)"];
		lines.push(`param p(${terms.slice(0, d.whole(1, terms.length)).join(", ")})`);
		params.push("p");
	}
	if (flavour === "sets" ? d.chance(0.15) : flavour === "mixed" && d.chance(0.2)) {
		lines.push("param q in [0.1, 0.3], q' in [-0.01, 0.02]");
		params.push("q");
	}
}

/** Methods other than `fit` and `bayes` refuse a population. */
const populationShare: Record<Flavour, number> = {
	free: 0.1,
	distributions: 0.2,
	sets: 0,
	combination: 0,
	cycle: 0,
	process: 0,
	mixed: 0.05,
};

/** A parameter that differs from record to record, around what all have in common. */
function populationOf(d: Draws, { params, conditions }: Declared): string {
	const middle = d.either(
		() => d.decimal(-1, 0.5),
		() => d.pick([...params, "0.2"]),
		() => `${d.pick(params)} + 0.1*${d.pick([...conditions, "log(2)"])}`,
	);
	const width = d.either(
		() => d.decimal(0.1, 0.6),
		() => `0.1 + abs(${d.pick(params)})`,
	);
	return `param ${population}[record] ~ ${d.pick([...populations.keys()])}(${middle}, ${width})`;
}

function declareInputs(d: Draws, flavour: Flavour, { lines, inputs, params }: Declared): void {
	if (flavour === "cycle") return;
	if (d.chance(0.4)) inputs.push("u");
	if (inputs.length > 0) lines.push("input u");
	if (d.chance(0.2)) {
		lines.push(`input v = ${expression(d, { leaves: ["t", "t"], wild: 0 }, d.whole(1, 2))}`);
		inputs.push("v");
	}
	if (d.chance(flavour === "distributions" || flavour === "mixed" ? 0.15 : 0)) {
		const length = params.length > 0 && d.chance(0.3) ? params[0] : d.decimal(0.1, 1);
		const law = d.either(
			() => `matern(${d.pick(["0.5", "1.5", "2.5"])}, ${d.decimal(0.2, 1)}, ${length})`,
			() => `white(${length})`,
		);
		lines.push(`input f ~ ${law}`);
		inputs.push("f");
	}
	if (d.chance(flavour === "sets" ? 0.2 : flavour === "mixed" ? 0.05 : 0)) {
		lines.push(`input w_1 in ${d.pick(["[-0.1, 0.2]", "0.1 +- 0.05"])}`);
		inputs.push("w_1");
	}
}

function declareUnknowns(
	d: Draws,
	flavour: Flavour,
	declared: Declared,
	components: readonly string[],
): void {
	const { lines, unknowns, inputs, known } = declared;
	const process = flavour === "process" || (flavour === "mixed" && d.chance(0.15));
	const basis = flavour === "combination" ? d.chance(0.5) : flavour === "mixed" && d.chance(0.15);
	if (process) {
		const args = [d.pick(components), ...d.some([...components, ...inputs], 0.3)].slice(0, 3);
		const names = args.map((_, i) => `s${i + 1}`);
		lines.push(`unknown F(${names.join(", ")}) ~ kriging(${d.chance(0.7) ? `trend: ${d.whole(0, 2)}` : ""})`);
		unknowns.push(`F(${args.join(", ")})`);
	}
	if (basis) {
		const args = d.chance(0.7) ? ["s"] : ["s", "s2"];
		lines.push(`unknown G(${args.join(", ")}) = ${unknownFunction(d, args, known)}`);
		unknowns.push(`G(${args.map(() => d.pick(components)).join(", ")})`);
	}
	if (d.chance(flavour === "distributions" ? 0.08 : flavour === "mixed" ? 0.03 : 0))
		unknowns.push(`noise(${d.decimal(0.05, 0.5)})`);
}

/** A formula with arguments, of which equations have a call. */
function declareFunction(d: Draws, { lines, calls, params }: Declared, components: readonly string[]): void {
	if (!d.chance(0.15)) return;
	lines.push(`function hill(s, r_1) = ${expression(d, { leaves: ["s", "r_1"], wild: 0.05 }, d.whole(1, 2))}`);
	calls.push(`hill(${d.pick(components)}, ${d.pick([...params, "0.7"])})`);
	// Functions of functions, and of themselves; by draws of their own, which move no others.
	const own = new Draws(d.seed, "functions of functions");
	for (
		let level = 1, inner = (s: string): string => `hill(${s}, 0.4)`;
		level <= 4 && own.chance(0.4);
		level++
	) {
		const name = `level${level}`;
		lines.push(`function ${name}(s) = ${inner(own.chance(0.5) ? inner("s") : `s + ${inner("0.3*s")}`)}`);
		inner = (s) => `${name}(${s})`;
		calls.push(inner(own.pick(components)));
	}
}

/** What holds at all times, and what happens at instants: few methods take either. */
function laws(
	d: Draws,
	flavour: Flavour,
	{ params }: Declared,
	components: readonly string[],
	orders: readonly number[],
): string[] {
	const lines: string[] = [];
	const part = (): string => d.pick([...components, ...params, d.decimal(-1, 1)]);
	const share: Partial<Record<Flavour, number>> = { sets: 0.2, mixed: 0.1, free: 0.02 };
	if (d.chance(share[flavour] ?? 0))
		lines.push(
			d.either(
				() => `assume ${d.pick(components)} ${d.pick([">=", ">"])} ${d.decimal(-9, -0.5)}`,
				() => `assume ${part()} ${d.pick(["<", "<="])} ${d.decimal(1, 9)} + ${part()}`,
			),
		);
	if (d.chance(flavour === "mixed" ? 0.1 : 0.01)) {
		const options = d.some(
			["delay: 0.1", "late: true", "persistent: false", "priority: 3", "initially: false"],
			0.3,
		);
		const top = stateNames[0] + "'".repeat(orders[0] - 1);
		lines.push(
			`when ${condition(d, part)}${options.map((each) => `, ${each}`).join("")} { ${top} = 0.5*${d.pick(components)} }`,
		);
	}
	return lines;
}

/** One for each state: solved, with a mass, with sides exchanged; or two that share their highest derivatives. */
function equations(
	d: Draws,
	orders: readonly number[],
	manner: Manner,
	{ inputs, unknowns }: Declared,
): string[] {
	// All inputs have to be used, and unknown functions should be.
	const used = [
		...inputs.map((name) => ` + ${d.decimal(0.1, 1)}*${name}`),
		...unknowns.map((call) => ` + ${call}`),
	];
	const sides = orders.map((order, i) => {
		const x = stateNames[i];
		const damping = Array.from({ length: order }, (_, k) => ` - ${d.decimal(0.3, 2)}*${x}${"'".repeat(k)}`);
		const more = d.chance(0.85) ? ` + ${d.decimal(0.1, 1)}*${expression(d, manner, d.whole(0, 3))}` : "";
		return { top: x + "'".repeat(order), right: `${damping.join("")}${more}${i === 0 ? used.join("") : ""}` };
	});
	const coupled = sides.length > 1 && d.chance(0.15);
	return sides.map(({ top, right }, i) => {
		if (coupled && i < 2) return `${top} + ${i === 0 ? "0.3" : "(-0.2)"}*${sides[1 - i].top} =${right}`;
		return d.either(
			() => `${top} =${right}`,
			() => `${top} =${right}`,
			() =>
				`(1 + ${d.pick(manner.leaves.filter((leaf) => /^[abgk]$/.test(leaf)).concat("0.5"))}^2)*${top} =${right}`,
			() => `0 =${right} - 2*${top}`,
		);
	});
}

/** Comments, joined declarations and typographic signs, which mean nothing. */
function dressed(d: Draws, lines: readonly string[]): string {
	const text = lines.join("\n");
	return d.either(
		() => text,
		() => `# a model\n\n${text.replaceAll(" +- ", " ± ")}  # its end\n`,
		() => text.replace(/ \+ /, " +\n\t"),
	);
}
