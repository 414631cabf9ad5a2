/** What expressions are written with: one set of operations, in which every language says how it writes them. */
import type { UnaryFunction } from "../../model/graph.ts";

export interface Algebra<T> {
	/** A number that is not negative. */
	number(value: number): T;
	readonly pi: T;
	name(name: string): T;
	/** Each with its sign. */
	sum(terms: readonly { readonly negative: boolean; readonly value: T }[]): T;
	product(factors: readonly T[]): T;
	quotient(top: T, bottom: T): T;
	negative(value: T): T;
	power(base: T, exponent: T): T;
	root(value: T): T;
	call(name: UnaryFunction | "min" | "max", args: readonly T[]): T;
	compare(sign: "<" | "<=", left: T, right: T): T;
	choose(condition: T, yes: T, no: T): T;
}

/** How a language writes what differs between languages that are read from left to right. */
export interface Dialect {
	number(value: number): string;
	readonly pi: string;
	power(base: string, exponent: string): string;
	call(name: UnaryFunction | "min" | "max" | "sqrt", args: readonly string[]): string;
	choose(condition: string, yes: string, no: string): string;
}

interface Written {
	readonly text: string;
	readonly level: number;
}

/** How tightly a text holds together. */
const level = { comparison: 0, sum: 1, product: 2, power: 3, atom: 4 } as const;

export function infixAlgebra(dialect: Dialect): Algebra<Written> & { text(written: Written): string } {
	const atom = (text: string): Written => ({ text, level: level.atom });
	const at = ({ text, level: own }: Written, least: number): string => (own < least ? `(${text})` : text);
	const inside = (each: Written): string => each.text;
	return {
		text: inside,
		number: (value) => atom(dialect.number(value)),
		pi: atom(dialect.pi),
		name: atom,
		sum: (terms) => ({
			text: terms
				.map(({ negative, value }, i) => {
					const sign = i === 0 ? (negative ? "-" : "") : negative ? " - " : " + ";
					return sign + at(value, level.product);
				})
				.join(""),
			level: level.sum,
		}),
		product: (factors) => ({
			text: factors.map((factor) => at(factor, level.power)).join("*"),
			level: level.product,
		}),
		quotient: (top, bottom) => ({
			text: `${at(top, level.product)}/${at(bottom, level.power)}`,
			level: level.product,
		}),
		negative: (value) => ({ text: `-${at(value, level.power)}`, level: level.sum }),
		// Languages differ in how a^b^c is read: a power of a power has brackets.
		power: (base, exponent) => ({
			text: dialect.power(at(base, level.atom), at(exponent, level.atom)),
			level: level.power,
		}),
		root: (value) => atom(dialect.call("sqrt", [value.text])),
		call: (name, args) => atom(dialect.call(name, args.map(inside))),
		compare: (sign, left, right) => ({
			text: `${at(left, level.sum)} ${sign} ${at(right, level.sum)}`,
			level: level.comparison,
		}),
		choose: (condition, yes, no) =>
			atom(dialect.choose(condition.text, at(yes, level.sum), at(no, level.sum))),
	};
}
