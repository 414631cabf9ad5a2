/** What is known of parameters, initial values and measurements, in all ways of the language. */
import type { Draws } from "../../src/num/draws.ts";
import { expression } from "./expressions.ts";
import type { Declared, Flavour } from "./models.ts";

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
	return d.pick(of[flavour])();
}

/** The declaration, and that of a spread where it is a parameter. */
export function measureOf(
	d: Draws,
	flavour: Flavour,
	name: string,
	value: string,
	declared: Declared,
): string[] {
	const { params, known } = declared;
	const before: string[] = [];
	const spread = (): string =>
		d.either(
			() => d.decimal(0.01, 0.3),
			() => d.decimal(0.01, 0.3),
			() => {
				const s = `s_${name}`;
				before.push(
					`param ${s} ${flavour === "distributions" ? "~ lognormal(-2, 0.5)" : d.pick(["", "in [0.01, 1]", "= 0.1"])}`,
				);
				return s;
			},
			() => `0.05 + 0.02*abs(${value})`,
			() => `0.02*exp(${d.pick([...params, ...known, "0.1"])})`,
		);
	const exact = (): string => `= ${value}`;
	const set = (): string =>
		`in ${value} +- ${d.chance(0.8) ? d.decimal(0.05, 0.5) : "(0.1 + 0.05*abs(sin(t)))"}`;
	const law = (): string => `~ normal(${value}, ${spread()})`;
	const logLaw = (): string =>
		`~ lognormal(${d.chance(0.5) ? `log(0.5 + (${value})^2)` : value}, ${spread()})`;
	const of: Record<Flavour, readonly (() => string)[]> = {
		free: [law, law, exact, set, logLaw],
		distributions: [law, law, law, logLaw],
		sets: [set],
		combination: [law, law, exact],
		cycle: [exact, law],
		process: [law, law, exact],
		mixed: [law, exact, set, logLaw],
	};
	const line = `measure ${name} ${d.pick(of[flavour])()}`;
	return [...before, line];
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
