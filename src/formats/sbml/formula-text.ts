/** Formulas as text of the model language. Numbers and truth values stand for one another in SBML; here each is written as what its place asks for. */
import type { SbmlFunction } from "./document.ts";
import { apply, type Formula, numeral, visit } from "./formula.ts";
import { Names } from "./names.ts";

const level = {
	or: 0,
	and: 1,
	not: 2,
	comparison: 3,
	sum: 4,
	product: 5,
	sign: 6,
	power: 7,
	atom: 8,
} as const;

const conditions = new Set(["eq", "neq", "gt", "lt", "geq", "leq", "and", "or", "xor", "not", "implies"]);
const signs: Readonly<Record<string, string>> = {
	eq: "==",
	neq: "!=",
	gt: ">",
	lt: "<",
	geq: ">=",
	leq: "<=",
};
const sameName = new Set(["exp", "abs", "floor", "sin", "cos", "tan", "sinh", "cosh", "tanh"]);
const otherName: Readonly<Record<string, string>> = {
	ln: "log",
	ceiling: "ceil",
	arcsin: "asin",
	arccos: "acos",
	arctan: "atan",
};

/** What the language has no word for, written with what it has. */
const written: Readonly<Record<string, (x: Formula) => Formula>> = {
	sec: (x) => reciprocal(apply("cos", x)),
	csc: (x) => reciprocal(apply("sin", x)),
	cot: (x) => reciprocal(apply("tan", x)),
	sech: (x) => reciprocal(apply("cosh", x)),
	csch: (x) => reciprocal(apply("sinh", x)),
	coth: (x) => reciprocal(apply("tanh", x)),
	arcsec: (x) => apply("arccos", reciprocal(x)),
	arccsc: (x) => apply("arcsin", reciprocal(x)),
	arccot: (x) => apply("arctan", reciprocal(x)),
	arcsinh: (x) =>
		apply("ln", apply("plus", x, apply("root", apply("plus", square(x), numeral(1)), numeral(2)))),
	arccosh: (x) =>
		apply("ln", apply("plus", x, apply("root", apply("minus", square(x), numeral(1)), numeral(2)))),
	arctanh: (x) =>
		apply(
			"divide",
			apply("ln", apply("divide", apply("plus", numeral(1), x), apply("minus", numeral(1), x))),
			numeral(2),
		),
	arcsech: (x) => apply("arccosh", reciprocal(x)),
	arccsch: (x) => apply("arcsinh", reciprocal(x)),
	arccoth: (x) => apply("arctanh", reciprocal(x)),
};

interface Written {
	readonly text: string;
	readonly level: number;
	readonly isCondition: boolean;
}

export class FormulaText {
	/** For each function which of its arguments are conditions, and whether it is one itself. */
	readonly #types = new Map<string, { params: readonly boolean[]; result: boolean }>();
	readonly #functions: ReadonlyMap<string, SbmlFunction>;
	/** Whether a factorial of something that varies was written. */
	usesFactorial = false;

	constructor(
		functions: readonly SbmlFunction[],
		readonly names: Names,
		/** How an id is written; `undefined` in place of a name that is not there. */
		readonly nameOf: (id: string) => string,
		readonly factorialName: string,
	) {
		this.#functions = new Map(functions.map((each) => [each.id, each]));
	}

	number(formula: Formula, least: number = level.or): string {
		return at(this.#asNumber(this.#write(formula, undefined)), least);
	}
	condition(formula: Formula): string {
		return this.#asCondition(this.#write(formula, undefined)).text;
	}

	/** `f(a, b) = a/b` */
	definition({ id, params, body }: SbmlFunction): string | undefined {
		if (!body || params.length === 0) return undefined;
		const types = this.#typesOf(id);
		const formals = this.#formals(params, types.params);
		const inside = this.#write(body, formals);
		const text = types.result ? this.#asCondition(inside).text : this.#asNumber(inside).text;
		return `${this.nameOf(id)}(${params.map((param) => formals.get(param)!.text).join(", ")}) = ${text}`;
	}

	#formals(params: readonly string[], isCondition: readonly boolean[]): Map<string, Written> {
		const names = new Names();
		return new Map(
			params.map((param, i) => [
				param,
				{ text: names.of(param), level: level.atom, isCondition: isCondition[i] },
			]),
		);
	}

	#typesOf(id: string): { params: readonly boolean[]; result: boolean } {
		const known = this.#types.get(id);
		if (known) return known;
		const { params = [], body } = this.#functions.get(id) ?? {};
		this.#types.set(id, { params: params.map(() => false), result: false });
		const used = new Set<string>();
		const note = (part: Formula | undefined): void => {
			if (part?.kind === "name") used.add(part.id);
		};
		if (body)
			visit(body, (part) => {
				if (part.kind === "apply" && ["and", "or", "xor", "not", "implies"].includes(part.op))
					part.args.forEach(note);
				else if (part.kind === "apply" && part.op === "piecewise")
					part.args.forEach((arg, i) => {
						if (i % 2 === 1) note(arg);
					});
				else if (part.kind === "call")
					this.#typesOf(part.id).params.forEach((isCondition, i) => {
						if (isCondition) note(part.args[i]);
					});
			});
		const types = {
			params: params.map((param) => used.has(param)),
			result: body ? this.#isCondition(body) : false,
		};
		this.#types.set(id, types);
		return types;
	}

	#isCondition(formula: Formula): boolean {
		if (formula.kind === "truth") return true;
		if (formula.kind === "call") return this.#typesOf(formula.id).result;
		if (formula.kind !== "apply") return false;
		if (formula.op === "piecewise") return formula.args.length > 0 && this.#isCondition(formula.args[0]);
		return conditions.has(formula.op);
	}

	#asNumber(each: Written): Written {
		if (!each.isCondition) return each;
		return { text: `if(${each.text}, 1, 0)`, level: level.atom, isCondition: false };
	}
	#asCondition(each: Written): Written {
		if (each.isCondition) return each;
		return { text: `${at(each, level.sum)} != 0`, level: level.comparison, isCondition: true };
	}

	#write(formula: Formula, bound: ReadonlyMap<string, Written> | undefined): Written {
		const atom = (text: string, isCondition = false): Written => ({ text, level: level.atom, isCondition });
		switch (formula.kind) {
			case "number":
				return formula.text.startsWith("-")
					? { text: formula.text, level: level.sum, isCondition: false }
					: atom(formula.text);
			case "name":
				return bound?.get(formula.id) ?? atom(this.nameOf(formula.id));
			case "time":
				return atom("t");
			case "truth":
				return atom(String(formula.value), true);
			case "rate":
				return atom(`${this.nameOf(formula.id)}'`);
			case "call":
				return this.#call(formula, bound);
			case "apply":
				return this.#apply(formula.op, formula.args, bound);
		}
	}

	#call(
		{ id, args }: Extract<Formula, { kind: "call" }>,
		bound: ReadonlyMap<string, Written> | undefined,
	): Written {
		const definition = this.#functions.get(id);
		if (definition?.params.length === 0 && definition.body) return this.#write(definition.body, undefined);
		const { params, result } = this.#typesOf(id);
		const inside = args.map((arg, i) => {
			const each = this.#write(arg, bound);
			return (params[i] ? this.#asCondition(each) : this.#asNumber(each)).text;
		});
		return { text: `${this.nameOf(id)}(${inside.join(", ")})`, level: level.atom, isCondition: result };
	}

	#apply(op: string, args: readonly Formula[], bound: ReadonlyMap<string, Written> | undefined): Written {
		const number = (formula: Formula, least: number = level.or): string =>
			at(this.#asNumber(this.#write(formula, bound)), least);
		const condition = (formula: Formula, least: number = level.or): string =>
			at(this.#asCondition(this.#write(formula, bound)), least);
		const as = (text: string, own: number, isCondition = false): Written => ({
			text,
			level: own,
			isCondition,
		});
		const call = (name: string, ...inside: readonly string[]): Written =>
			as(`${name}(${inside.join(", ")})`, level.atom);
		const joined = (sign: string, own: number): string => args.map((arg) => number(arg, own + 1)).join(sign);
		switch (op) {
			case "pi":
				return as("pi", level.atom);
			case "plus": {
				if (args.length === 0) return as("0", level.atom);
				if (args.length === 1) return this.#asNumber(this.#write(args[0], bound));
				const terms = args.map((arg, i) => {
					const taken = i > 0 && arg.kind === "apply" && arg.op === "minus" && arg.args.length === 1;
					const sign = i === 0 ? "" : taken ? " - " : " + ";
					return sign + number(taken ? arg.args[0] : arg, level.product);
				});
				return as(terms.join(""), level.sum);
			}
			case "minus": {
				if (args.length > 1)
					return as(`${number(args[0], level.product)} - ${number(args[1], level.product)}`, level.sum);
				const inside = this.#asNumber(this.#write(args[0], bound));
				// -a*b is -(a*b); a second sign keeps its brackets.
				const isPlain = inside.level === level.product && !inside.text.startsWith("-");
				return as(
					`-${isPlain ? inside.text : at(inside, level.power)}`,
					isPlain ? level.product : level.sign,
				);
			}
			case "times":
				return args.length === 0
					? as("1", level.atom)
					: args.length === 1
						? this.#asNumber(this.#write(args[0], bound))
						: as(joined("*", level.product), level.product);
			case "divide":
				return as(`${number(args[0], level.sign)}/${number(args[1], level.power)}`, level.product);
			case "power":
				return as(`${number(args[0], level.atom)}^${number(args[1], level.atom)}`, level.power);
			case "root":
				if (args[1].kind === "number" && args[1].value === 2) return call("sqrt", number(args[0]));
				return as(`${number(args[0], level.atom)}^(1/${number(args[1], level.power)})`, level.power);
			case "log": {
				const base = args[1].kind === "number" ? args[1].value : Number.NaN;
				if (base === 10 || base === 2) return call(`log${base}`, number(args[0]));
				return as(`log(${number(args[0])})/log(${number(args[1])})`, level.product);
			}
			case "min":
			case "max":
				return args.length === 1
					? as(number(args[0], level.atom), level.atom)
					: as(`${op}(${args.map((arg) => number(arg)).join(", ")})`, level.atom);
			case "quotient": {
				const ratio = as(
					`${number(args[0], level.sign)}/${number(args[1], level.power)}`,
					level.product,
				).text;
				return call("if", `${ratio} < 0`, `ceil(${ratio})`, `floor(${ratio})`);
			}
			case "rem":
				return this.#write(
					apply("minus", args[0], apply("times", args[1], apply("quotient", ...args))),
					bound,
				);
			case "factorial":
				if (args[0].kind === "number") return as(String(factorial(Math.ceil(args[0].value))), level.atom);
				this.usesFactorial = true;
				return call(this.factorialName, number(args[0]));
			case "piecewise":
				return this.#piecewise(args, bound);
			case "not":
				return as(`not ${condition(args[0], level.not)}`, level.not, true);
			case "and":
			case "or":
				if (args.length < 2)
					return args.length === 0
						? as(String(op === "and"), level.atom, true)
						: this.#asCondition(this.#write(args[0], bound));
				return as(args.map((arg) => condition(arg, level[op] + 1)).join(` ${op} `), level[op], true);
			case "xor":
				return args.length === 0
					? as("false", level.atom, true)
					: args
							.map((arg) => this.#asCondition(this.#write(arg, bound)))
							.reduce((a, b) =>
								as(
									`${at(a, level.not)} and not ${at(b, level.comparison)} or not ${at(a, level.comparison)} and ${at(b, level.not)}`,
									level.or,
									true,
								),
							);
			case "implies":
				return as(
					`not ${condition(args[0], level.comparison)} or ${condition(args[1], level.and)}`,
					level.or,
					true,
				);
		}
		const sign = signs[op];
		if (sign !== undefined) {
			const parts = args.map((arg) => number(arg, level.sum));
			const pairs = parts.slice(1).map((part, i) => `${parts[i]} ${sign} ${part}`);
			if (pairs.length === 0) return as("true", level.atom, true);
			return as(pairs.join(" and "), pairs.length === 1 ? level.comparison : level.and, true);
		}
		if (sameName.has(op)) return call(op, number(args[0]));
		if (otherName[op] !== undefined) return call(otherName[op], number(args[0]));
		return this.#write(written[op](args[0]), bound);
	}

	#piecewise(args: readonly Formula[], bound: ReadonlyMap<string, Written> | undefined): Written {
		const isCondition = args.length > 0 && this.#isCondition(args[0]);
		const value = (formula: Formula): string => {
			const each = this.#write(formula, bound);
			return (isCondition ? this.#asCondition(each) : this.#asNumber(each)).text;
		};
		// Where no condition holds and nothing is said, the last value stands.
		const whole = args.length % 2 === 1 ? args : [...args, args[args.length - 2] ?? numeral(0)];
		if (whole.length === 1) return this.#write(whole[0], bound);
		const inside = whole.map((arg, i) =>
			i % 2 === 1 ? this.#asCondition(this.#write(arg, bound)).text : value(arg),
		);
		const text =
			whole.length === 3 ? `if(${inside[1]}, ${inside[0]}, ${inside[2]})` : `piecewise(${inside.join(", ")})`;
		return { text, level: level.atom, isCondition };
	}
}

/** The factorials that a double can hold, as a function of the language. */
export function factorialDefinition(name: string): string {
	const cases = Array.from({ length: 170 }, (_, n) => `${factorial(n)}, n < ${n + 0.5}`);
	return `${name}(n) = piecewise(${cases.join(", ")}, ${factorial(170)})`;
}

function factorial(n: number): number {
	let product = 1;
	for (let k = 2; k <= Math.min(n, 170); k++) product *= k;
	return product;
}

function at(each: Written, least: number): string {
	return each.level < least ? `(${each.text})` : each.text;
}
function reciprocal(x: Formula): Formula {
	return apply("divide", numeral(1), x);
}
function square(x: Formula): Formula {
	return apply("power", x, numeral(2));
}
