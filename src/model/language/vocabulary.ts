/** The words of the language: functions, reserved names, and the families that stand after `=` and `~`. */
import { unaryFunctions } from "../graph.ts";
import { declarationKeywords } from "./syntax/syntax.ts";

const unary = new Set<string>([...unaryFunctions, "sqrt", "log10", "log2", "ceil"]);

/** How many arguments a function takes: exactly `least`, or more where `more` says so. */
export function arityOf(name: string): { least: number; more: boolean } | undefined {
	if (unary.has(name)) return { least: 1, more: false };
	if (name === "min" || name === "max") return { least: 2, more: true };
	if (name === "piecewise") return { least: 3, more: true };
	return name === "if" ? { least: 3, more: false } : undefined;
}

export const functionNames: readonly string[] = [...unary, "min", "max", "if", "piecewise"];

/** What every object of JavaScript has by these names: where values are kept by name, they would be taken for given. */
const namesOfObjects: ReadonlySet<string> = new Set(
	Object.getOwnPropertyNames(Object.prototype).filter((name) => /^[a-z]/i.test(name)),
);

export const reservedNames: ReadonlySet<string> = new Set([
	...namesOfObjects,
	...declarationKeywords,
	...functionNames,
	"in",
	"when",
	"assume",
	"and",
	"or",
	"not",
	"true",
	"false",
	"t",
	"pi",
]);

/** Why a reserved name cannot be given to something else. */
export function whyReserved(name: string): string {
	return namesOfObjects.has(name) ? "is a name that JavaScript keeps" : "is a word of the language";
}

/** What people write from habit, and how it is written here. */
export const habits: ReadonlyMap<string, string> = new Map([
	["ln", "Write log(…): it is the natural logarithm."],
	["e", "Write exp(1), or declare it with:  param e"],
	["Pi", "Write pi."],
	["PI", "Write pi."],
	["π", "Write pi."],
	["time", "Write t for the time."],
	["pow", "Write a^b for a power."],
	["sgn", "Write sign(…)."],
	["arcsin", "Write asin(…)."],
	["arccos", "Write acos(…)."],
	["arctan", "Write atan(…)."],
	["atan2", "Write atan(y/x); the quadrant is yours to add."],
	["fabs", "Write abs(…)."],
	["cot", "Write 1/tan(…)."],
	["sech", "Write 1/cosh(…)."],
	["heaviside", "Write if(x < 0, 0, 1)."],
	["where", "Write if(a < b, p, q)."],
	["ceiling", "Write ceil(…)."],
]);

/** What an argument of a family must be, where it is constant. */
export interface ArgumentRule {
	readonly name: string;
	/** What it is to a measurement, where its name is another: `size` of counts takes the place of the spread. */
	readonly role?: "value" | "spread";
	readonly must?: "positive" | "whole";
	readonly optional?: boolean;
	/** Only by its name, like `rounded: 0.1`, never by its place. */
	readonly byName?: boolean;
	/** The same at all times: of parameters and conditions only. */
	readonly lasting?: boolean;
	readonly least?: number;
	readonly most?: number;
	/** A constant, and one of these. */
	readonly among?: readonly number[];
}

export interface Family {
	readonly args: readonly ArgumentRule[];
	/** All arguments are given by name: `kriging(trend: 2)`. */
	readonly onlyNamed?: boolean;
	/** The first two are the lower and the upper end of an interval. */
	readonly interval?: boolean;
	/** It lies above the first, and below the second where there is one. */
	readonly ends?: readonly [lo: number, hi?: number];
	/** Any number of rising numbers in place of `args`: the knots of a spline. */
	readonly rising?: { readonly least: number };
	/** Any number of expressions of the function's arguments in place of `args`. */
	readonly expressions?: boolean;
	/** Location and spread are those of the logarithm. */
	readonly ofLogarithm?: true;
	/** How it is written, for messages. */
	readonly example: string;
}

const positive = (name: string): ArgumentRule => ({ name, must: "positive" });

/** Distributions of a number, with the meaning they have in Stan. */
export const distributions: ReadonlyMap<string, Family> = new Map<string, Family>([
	["normal", { args: [{ name: "mean" }, positive("sd")], example: "normal(mean, sd)" }],
	["lognormal", { args: [{ name: "mu" }, positive("sigma")], ends: [0], example: "lognormal(mu, sigma)" }],
	[
		"student",
		{ args: [positive("df"), { name: "middle" }, positive("scale")], example: "student(df, middle, scale)" },
	],
	["uniform", { args: [{ name: "lo" }, { name: "hi" }], interval: true, example: "uniform(lo, hi)" }],
	["halfnormal", { args: [positive("sd")], ends: [0], example: "halfnormal(sd)" }],
	["gamma", { args: [positive("shape"), positive("rate")], ends: [0], example: "gamma(shape, rate)" }],
	["loguniform", { args: [positive("lo"), { name: "hi" }], interval: true, example: "loguniform(lo, hi)" }],
	["cauchy", { args: [{ name: "middle" }, positive("scale")], example: "cauchy(middle, scale)" }],
	["laplace", { args: [{ name: "mean" }, positive("scale")], example: "laplace(mean, scale)" }],
	["loglaplace", { args: [{ name: "mu" }, positive("scale")], ends: [0], example: "loglaplace(mu, scale)" }],
	["exponential", { args: [positive("rate")], ends: [0], example: "exponential(rate)" }],
	["weibull", { args: [positive("shape"), positive("scale")], ends: [0], example: "weibull(shape, scale)" }],
	["rayleigh", { args: [positive("scale")], ends: [0], example: "rayleigh(scale)" }],
	["chisquare", { args: [positive("df")], ends: [0], example: "chisquare(df)" }],
	["beta", { args: [positive("a"), positive("b")], ends: [0, 1], example: "beta(a, b)" }],
]);

/** Laws of a parameter that differs from record to record. */
export const populations: ReadonlyMap<string, Family> = new Map<string, Family>([
	[
		"lognormal",
		{ args: [{ name: "mu" }, positive("omega")], ofLogarithm: true, example: "lognormal(mu, omega)" },
	],
	["normal", { args: [{ name: "mean" }, positive("sd")], example: "normal(mean, sd)" }],
]);

/** What the last digit is worth, where samples were rounded. */
const rounded: ArgumentRule = { ...positive("rounded"), optional: true, byName: true };

/** The time that errors are remembered for. */
const correlated: ArgumentRule = { ...positive("correlated"), optional: true, byName: true, lasting: true };

/** Distributions of a measurement: the value, the spread, and plain numbers that give the shape; of counts, their mean. */
export const errorDistributions: ReadonlyMap<string, Family> = new Map<string, Family>([
	[
		"normal",
		{ args: [{ name: "value" }, positive("spread"), correlated, rounded], example: "normal(x, 0.1)" },
	],
	[
		"lognormal",
		{ args: [{ name: "value" }, positive("spread"), correlated, rounded], example: "lognormal(log(x), 0.1)" },
	],
	["laplace", { args: [{ name: "value" }, positive("spread"), rounded], example: "laplace(x, 0.1)" }],
	[
		"loglaplace",
		{ args: [{ name: "value" }, positive("spread"), rounded], example: "loglaplace(log(x), 0.1)" },
	],
	[
		"student",
		{ args: [positive("df"), { name: "value" }, positive("spread"), rounded], example: "student(4, x, 0.1)" },
	],
	["poisson", { args: [{ name: "mean", role: "value" }], example: "poisson(x)" }],
	[
		"negbinomial",
		{
			args: [
				{ name: "mean", role: "value" },
				{ ...positive("size"), role: "spread" },
			],
			example: "negbinomial(x, 10)",
		},
	],
]);

/** Where an argument stands among those of an error distribution; -1 where it has none such. */
export function placeOfArgument(family: string, role: "value" | "spread"): number {
	return errorDistributions.get(family)!.args.findIndex((rule) => roleOf(rule) === role);
}

function roleOf({ role, name }: ArgumentRule): string {
	return role ?? name;
}

/** Places of the arguments that are neither the value nor the spread. */
export function shapePlaces(family: string): number[] {
	const { args } = errorDistributions.get(family)!;
	return [...args.keys()].filter(
		(place) => !args[place].optional && !["value", "spread"].includes(roleOf(args[place])),
	);
}

/** Finite bases of an unknown function. */
export const bases: ReadonlyMap<string, Family> = new Map<string, Family>([
	["spline", { args: [], rising: { least: 2 }, example: "spline(0, 1, 2, 3)" }],
	["polynomial", { args: [{ name: "degree", must: "whole", least: 1, most: 12 }], example: "polynomial(3)" }],
	[
		"fourier",
		{
			args: [
				{ name: "order", must: "whole", least: 1, most: 100 },
				{ name: "period", must: "positive", optional: true },
			],
			example: "fourier(2, period: 10)",
		},
	],
	[
		"rational",
		{
			args: [
				{ name: "above", must: "whole", least: 0, most: 12 },
				{ name: "below", must: "whole", least: 1, most: 12 },
			],
			example: "rational(2, 1)",
		},
	],
	["library", { args: [], expressions: true, example: "library(1, x, x*sin(x))" }],
]);

/** Random processes for an unknown function. */
export const functionProcesses: ReadonlyMap<string, Family> = new Map<string, Family>([
	[
		"kriging",
		{
			args: [{ name: "trend", must: "whole", optional: true, least: 0, most: 2 }],
			onlyNamed: true,
			example: "kriging(trend: 2)",
		},
	],
]);

/** Random processes in time, for an input that nobody measured. */
export const inputProcesses: ReadonlyMap<string, Family> = new Map<string, Family>([
	[
		"matern",
		{
			args: [{ name: "nu", among: [0.5, 1.5, 2.5] }, positive("sd"), positive("length")],
			example: "matern(1.5, 1, 0.2)",
		},
	],
	["white", { args: [positive("q")], example: "white(0.1)" }],
]);

/** All of them, by what they stand for. */
export const families = {
	distributions,
	populations,
	errorDistributions,
	bases,
	functionProcesses,
	inputProcesses,
};

/** `noise(q)` in an equation: short for an input of white noise. */
export const noiseName = "noise";

/** Whether a name stands after `=` or `~` in a declaration, and nowhere else. */
export function isFamily(name: string): boolean {
	return Object.values(families).some((each) => each.has(name));
}
