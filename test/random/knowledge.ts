/** What is known of parameters and initial values, in all ways of the language. */
import type { Draws } from "../../src/num/statistics/draws.ts";
import { expression } from "./expressions.ts";
import { type Declared, type Flavour, population } from "./models.ts";

export function paramKnowledge(d: Draws, flavour: Flavour, { known }: Declared): string {
	const ways = {
		none: () => "",
		set: () => setOf(d),
		law: () => lawOf(d, known),
		exact: () => `= ${d.decimal(0.2, 2)}`,
	};
	const of: Record<Flavour, readonly (keyof typeof ways)[]> = {
		free: ["none", "none", "set", "law", "exact"],
		distributions: ["law", "law", "law", "law", "exact"],
		sets: ["set", "set", "set", "set", "exact"],
		combination: ["none", "none", "law", "exact"],
		cycle: ["none", "none", "law", "set", "exact"],
		process: ["none", "exact", "law"],
		mixed: ["none", "set", "law", "exact"],
	};
	return ways[d.pick(of[flavour])]();
}

export function initialKnowledge(d: Draws, flavour: Flavour, declared: Declared): string {
	const { params, known, conditions } = declared;
	// A combination has no value before its weights are found, but may stand where an initial value is.
	const exact = (): string =>
		d.either(
			() => `= ${d.decimal(-1, 1)}`,
			() => `= ${d.decimal(0, 1)}`,
			() => `= ${expression(d, { leaves: [...params, ...known, ...conditions], wild: 0.1 }, d.whole(0, 2))}`,
		);
	const set = (): string => `in [${d.decimal(-0.5, 0)}, ${d.decimal(0.1, 1)}]`;
	const law = (): string => `~ normal(${d.decimal(-1, 1)}, ${d.decimal(0.05, 1)})`;
	const none = (): string => "";
	const of: Record<Flavour, readonly (() => string)[]> = {
		free: [exact, exact, set, law, none],
		distributions: [exact, exact, law],
		sets: [exact, exact, set],
		combination: [exact, exact, none, law],
		cycle: [none, none, law],
		process: [none, none, exact, law],
		mixed: [exact, set, law, none],
	};
	// Of a population each record begins as it is known to, or is refused.
	if (params.includes(population) && d.chance(0.9)) return exact();
	return d.pick(of[flavour])();
}

function setOf(d: Draws): string {
	const lo = d.between(-0.5, 1);
	return d.either(
		() => `in [${lo.toFixed(3)}, ${(lo + d.between(0.05, 1.5)).toFixed(3)}]`,
		() => `in ${lo.toFixed(2)} +- ${d.decimal(0.05, 0.4)}`,
	);
}

function lawOf(d: Draws, known: readonly string[]): string {
	const positive = (): string =>
		known.length > 0 && d.chance(0.2) ? `0.1 + exp(-${d.pick(known)})` : d.decimal(0.1, 1);
	return `~ ${d.either(
		() => `normal(${d.decimal(-0.5, 1)}, ${positive()})`,
		() => `normal(mean: ${d.decimal(0, 1)}, sd: ${positive()})`,
		() => `lognormal(log(${d.decimal(0.2, 2)}), ${positive()})`,
		() => `uniform(${d.decimal(-0.5, 0.3)}, ${d.decimal(0.5, 2)})`,
		() => `halfnormal(${positive()})`,
		() => `gamma(${d.whole(1, 4)}, ${positive()})`,
		() => `beta(${d.decimal(1, 3)}, ${d.decimal(1, 3)})`,
		() => `loguniform(${d.decimal(0.05, 0.3)}, ${d.decimal(0.5, 5)})`,
		() =>
			`${d.pick(["laplace", "cauchy", "student"])}(${d.decimal(0.5, 1)}, ${positive()}`
				.replace("student(", "student(4, ")
				.concat(")"),
		() => `${d.pick(["exponential", "rayleigh", "chisquare"])}(${positive()})`,
		() => `${d.pick(["weibull", "loglaplace"])}(${d.decimal(0.5, 2)}, ${positive()})`,
		() => `normal(${d.decimal(-0.5, 1)}, ${positive()}) ${d.pick(["> 0", "< 1", "in [0, 2]", ">= -0.5"])}`,
		() => `gamma(2, ${positive()}) in [0.05, 8]`,
	)}`;
}
