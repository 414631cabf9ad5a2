/** Formulas of PEtab: text to a tree, by the table of operators of its specification. What is wrong is told with its column. */
import { InputError, nearestName } from "../../errors.ts";
import { decimalNumber } from "../numbers.ts";
import { apply, type Formula, named, numeral } from "../sbml/formula.ts";

/** Functions of one number, by the name that the tree has for them. */
const unary: ReadonlyMap<string, string> = new Map([
	...`exp abs sin cos tan cot sec csc arcsin arccos arctan arccot arcsec arccsc sinh cosh tanh coth sech csch
	arcsinh arccosh arctanh arccoth arcsech arccsch`
		.split(/\s+/)
		.map((name): [string, string] => [name, name]),
	["ln", "ln"],
	["asin", "arcsin"],
	["acos", "arccos"],
	["atan", "arctan"],
	["floor", "floor"],
	["ceil", "ceiling"],
]);
const others = ["pow", "sqrt", "log", "log2", "log10", "sign", "min", "max", "piecewise"];
const comparisons: Readonly<Record<string, string>> = {
	"<": "lt",
	"<=": "leq",
	">": "gt",
	">=": "geq",
	"==": "eq",
	"!=": "neq",
};

interface Token {
	readonly kind: "number" | "name" | "sign" | "end";
	readonly text: string;
	readonly at: number;
}

/** `place` is where the text stands: file and line. */
export function petabFormula(text: string, place: string): Formula {
	return new Parser(text, place).whole();
}

class Parser {
	readonly #tokens: readonly Token[];
	#next = 0;
	#depth = 0;

	constructor(
		readonly text: string,
		readonly place: string,
	) {
		this.#tokens = this.#tokensOf(text);
	}

	whole(): Formula {
		const formula = this.#junction();
		if (this.#peek().kind !== "end") this.#fail(`"${this.#peek().text}" is not expected`);
		return formula;
	}

	#tokensOf(text: string): Token[] {
		const tokens: Token[] = [];
		const pattern =
			/\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|<=|>=|==|!=|&&|\|\||[-+*/^<>!(),]))/y;
		const end = text.trimEnd().length;
		while (pattern.lastIndex < end) {
			const from = pattern.lastIndex;
			const found = pattern.exec(text);
			if (!found) this.#fail(`"${text.slice(from).trimStart()[0]}" is not expected`, from);
			const [whole, number, name, sign] = found!;
			const value = number ?? name ?? sign;
			tokens.push({
				kind: number !== undefined ? "number" : name !== undefined ? "name" : "sign",
				text: value,
				at: from + whole.length - value.length,
			});
		}
		return [...tokens, { kind: "end", text: "", at: end }];
	}

	#fail(problem: string, at = this.#peek().at): never {
		throw new InputError(
			`${this.place}, formula ${this.text.trim()}`,
			`${problem} at character ${at + 1}`,
			"Write it with the operators and functions of PEtab.",
		);
	}
	#peek(): Token {
		return this.#tokens[this.#next];
	}
	#takes(...signs: readonly string[]): string | undefined {
		const { kind, text } = this.#peek();
		if (kind !== "sign" || !signs.includes(text)) return undefined;
		this.#next++;
		return text;
	}
	#needs(sign: string): void {
		if (!this.#takes(sign)) {
			const { kind, text } = this.#peek();
			this.#fail(kind === "end" ? `${sign} is missing` : `${sign} is expected in place of "${text}"`);
		}
	}

	/** and, or: of one rank, from left to right. */
	#junction(): Formula {
		if (++this.#depth > 200) this.#fail("brackets are nested too deeply");
		let left = this.#comparison();
		for (let sign = this.#takes("&&", "||"); sign; sign = this.#takes("&&", "||"))
			left = apply(sign === "&&" ? "and" : "or", left, this.#comparison());
		this.#depth--;
		return left;
	}
	#comparison(): Formula {
		let left = this.#sum();
		const signs = Object.keys(comparisons);
		for (let sign = this.#takes(...signs); sign; sign = this.#takes(...signs))
			left = apply(comparisons[sign], left, this.#sum());
		return left;
	}
	#sum(): Formula {
		let left = this.#product();
		for (let sign = this.#takes("+", "-"); sign; sign = this.#takes("+", "-"))
			left = apply(sign === "+" ? "plus" : "minus", left, this.#product());
		return left;
	}
	#product(): Formula {
		let left = this.#signed();
		for (let sign = this.#takes("*", "/"); sign; sign = this.#takes("*", "/"))
			left = apply(sign === "*" ? "times" : "divide", left, this.#signed());
		return left;
	}
	#signed(): Formula {
		const sign = this.#takes("+", "-", "!");
		if (sign === undefined) return this.#power();
		if (++this.#depth > 200) this.#fail("signs are nested too deeply");
		const inside = this.#signed();
		this.#depth--;
		return sign === "+" ? inside : apply(sign === "-" ? "minus" : "not", inside);
	}
	#power(): Formula {
		const base = this.#atom();
		// From right to left; a sign may stand after it.
		return this.#takes("^", "**") ? apply("power", base, this.#signed()) : base;
	}
	#atom(): Formula {
		const token = this.#peek();
		if (this.#takes("(")) {
			const inside = this.#junction();
			this.#needs(")");
			return inside;
		}
		if (token.kind === "end" || token.kind === "sign")
			this.#fail(token.kind === "end" ? "something is missing" : `"${token.text}" is not expected`);
		this.#next++;
		if (token.kind === "number") {
			const value = decimalNumber(token.text);
			return numeral(value ?? this.#fail(`${token.text} is too large a number`, token.at));
		}
		const { text } = token;
		if (this.#takes("(")) return this.#call(text, token.at);
		if (/^(true|false)$/i.test(text)) return { kind: "truth", value: /^true$/i.test(text) };
		if (text === "time") return { kind: "time" };
		if (/^(inf|nan)$/i.test(text)) this.#fail(`${text} is no number to compute with`, token.at);
		return named(text);
	}

	#call(name: string, at: number): Formula {
		const args: Formula[] = [];
		if (!this.#takes(")")) {
			do args.push(this.#junction());
			while (this.#takes(","));
			this.#needs(")");
		}
		const counts = (...allowed: readonly number[]): void => {
			if (!allowed.includes(args.length))
				this.#fail(
					`${name} takes ${allowed.join(" or ")} argument${allowed.at(-1) === 1 ? "" : "s"}, not ${args.length}`,
					at,
				);
		};
		const plain = unary.get(name);
		if (plain !== undefined) {
			counts(1);
			return apply(plain, ...args);
		}
		switch (name) {
			case "pow":
				counts(2);
				return apply("power", ...args);
			case "sqrt":
				counts(1);
				return apply("root", args[0], numeral(2));
			case "log":
				counts(1, 2);
				return args.length === 1 ? apply("ln", args[0]) : apply("log", ...args);
			case "log2":
			case "log10":
				counts(1);
				return apply("log", args[0], numeral(name === "log2" ? 2 : 10));
			case "sign":
				counts(1);
				return apply(
					"piecewise",
					numeral(1),
					apply("gt", args[0], numeral(0)),
					numeral(-1),
					apply("lt", args[0], numeral(0)),
					numeral(0),
				);
			case "min":
			case "max":
				counts(2);
				return apply(name, ...args);
			case "piecewise":
				if (args.length < 3 || args.length % 2 === 0)
					this.#fail("piecewise takes pairs of a value and a condition, and a last value", at);
				return apply("piecewise", ...args);
		}
		const near = nearestName(name, [...unary.keys(), ...others]);
		return this.#fail(
			`unknown function "${name}"${near === undefined ? "" : ` (did you mean ${near}?)`}`,
			at,
		);
	}
}
