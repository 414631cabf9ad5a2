/** How each language writes numbers, powers, functions and choices. */
import type { Dialect } from "./algebra.ts";

/** With a point or an exponent, so that no language takes it for a whole number. */
const decimal = (value: number): string => {
	const text = String(value);
	return /[.e]/.test(text) ? text : `${text}.0`;
};
const brackets = (name: string, args: readonly string[]): string => `${name}(${args.join(", ")})`;
const named =
	(names: Readonly<Record<string, string>>, prefix = ""): Dialect["call"] =>
	(name, args) =>
		brackets(names[name] ?? `${prefix}${name}`, args);

export const python: Dialect = {
	number: decimal,
	pi: "math.pi",
	power: (base, exponent) => `${base}**${exponent}`,
	call: named({ abs: "abs", min: "min", max: "max", sign: "sign" }, "math."),
	choose: (condition, yes, no) => `(${yes} if ${condition} else ${no})`,
};

export const c: Dialect = {
	number: decimal,
	pi: "3.141592653589793",
	power: (base, exponent) => brackets("pow", [base, exponent]),
	call: named({ abs: "fabs", min: "fmin", max: "fmax" }),
	choose: (condition, yes, no) => `(${condition} ? ${yes} : ${no})`,
};

export const javascript: Dialect = {
	number: String,
	pi: "Math.PI",
	power: (base, exponent) => brackets("Math.pow", [base, exponent]),
	call: named({}, "Math."),
	choose: (condition, yes, no) => `(${condition} ? ${yes} : ${no})`,
};

export const matlab: Dialect = {
	number: String,
	pi: "pi",
	power: (base, exponent) => `${base}^${exponent}`,
	call: named({}),
	choose: (condition, yes, no) => brackets("choose", [condition, yes, no]),
};

export const julia: Dialect = {
	number: decimal,
	pi: "pi",
	power: (base, exponent) => `${base}^${exponent}`,
	call: named({}),
	choose: (condition, yes, no) => `(${condition} ? ${yes} : ${no})`,
};
