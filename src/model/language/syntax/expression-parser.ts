/** Tokens to expressions, by recursive descent. Depth is limited, chains of + and * are loops. */
import type { Span } from "../../model.ts";
import * as Q from "../../rational.ts";
import type { Token } from "./lexer.ts";
import { limits } from "./limits.ts";
import { type Argument, type ComparisonSign, declarationKeywords, type Expr } from "./syntax.ts";

/** Ends the reading of one statement. Without a message: it has been said before. */
export class SyntaxProblem {
	constructor(
		readonly span: Span,
		readonly message?: string,
		readonly remedy = "",
	) {}
}

/** Words that never stand in an expression. */
const statementWords = new Set<string>([...declarationKeywords, "in", "when", "assume", "and", "or", "not"]);
const comparisons = new Set(["<", "<=", ">", ">=", "==", "!="]);
/** Characters, reported already, that were meant as an operator or as an exponent: what follows can still be read. */
const likeOperator = /^[·×⋅∙÷−–—]$/u;
const likeMinus = /^[−–—]$/u;
const likeExponent = /^[⁰¹²³⁴-⁹]$/u;

export class ExpressionParser {
	#at = 0;
	#depth = 0;
	/** Depth at which `+-` ends an expression; elsewhere it is a plus and a minus. */
	#radiusDepth = -1;
	/** What is wrong with the present statement, though it can be read further. */
	#problems: SyntaxProblem[] = [];
	/** Names and calls that were read in the present statement. */
	#read: Expr[] = [];

	constructor(readonly tokens: readonly Token[]) {}

	get index(): number {
		return this.#at;
	}
	get token(): Token {
		return this.tokens[this.#at];
	}
	get previous(): Token {
		return this.tokens[Math.max(0, this.#at - 1)];
	}
	advance(): Token {
		const { token } = this;
		if (token.type !== "end") this.#at++;
		return token;
	}
	peek(ahead: number): Token {
		return this.tokens[Math.min(this.#at + ahead, this.tokens.length - 1)];
	}
	isSign(text: string): boolean {
		return this.token.type === "sign" && this.token.text === text;
	}
	take(text: string): boolean {
		const found = this.isSign(text);
		if (found) this.#at++;
		return found;
	}
	expect(text: string, where: string, remedy = ""): Token {
		if (!this.isSign(text)) throw this.unexpected(`"${text}" ${where}`, remedy);
		return this.advance();
	}
	/** From here on, problems and what is read are those of a new statement. */
	beginStatement(): void {
		this.#problems = [];
		this.#read = [];
	}
	get problems(): readonly SyntaxProblem[] {
		return this.#problems;
	}
	get read(): readonly Expr[] {
		return this.#read;
	}
	/** Notes what is wrong, and goes on reading; the statement is not used. */
	spoil(span: Span, message?: string, remedy = ""): void {
		this.#problems.push(new SyntaxProblem(span, message, remedy));
	}

	/** Goes on with the next statement; numbers on the way there are looked at. */
	skipStatement(): void {
		for (; this.token.type !== "line" && this.token.type !== "end"; this.#at++)
			if (this.token.type === "number") this.#valueOf(this.token);
		this.#depth = 0;
		this.#radiusDepth = -1;
	}

	skipLines(): void {
		while (this.token.type === "line") this.#at++;
	}

	/** Goes on behind the } of a block that was opened since token `from`. */
	skipBlock(from: number): void {
		let open = 0;
		const isSign = ({ type, text }: Token, sign: string): boolean => type === "sign" && text === sign;
		for (let i = from; i < this.#at; i++)
			open += Number(isSign(this.tokens[i], "{")) - Number(isSign(this.tokens[i], "}"));
		for (; open > 0 && this.token.type !== "end"; this.#at++)
			open += Number(this.isSign("{")) - Number(this.isSign("}"));
	}

	unexpected(expected: string, remedy = ""): SyntaxProblem {
		const { token } = this;
		if (token.type === "error") return new SyntaxProblem(token.span);
		if (token.type === "line" || token.type === "end") {
			const { end } = this.previous.span;
			return new SyntaxProblem(
				{ start: end, end: end + 1 },
				`the statement ends where ${expected} is expected`,
				remedy,
			);
		}
		const shown = token.type === "name" ? token.text + "'".repeat(token.primes) : token.text;
		return new SyntaxProblem(token.span, `"${shown}" where ${expected} is expected`, remedy);
	}

	/** `or` binds loosest, then `and`, `not`, comparisons, and the rest. */
	expression(): Expr {
		return this.#words("or", () => this.#words("and", () => this.#not()));
	}

	#words(word: "and" | "or", part: () => Expr): Expr {
		const first = part();
		const parts = [first];
		while (this.#takeWord(word)) parts.push(part());
		if (parts.length === 1) return first;
		return { kind: "logic", word, parts, span: join(first, parts[parts.length - 1]) };
	}

	#not(): Expr {
		const { start } = this.token.span;
		if (!this.#takeWord("not")) return this.#comparison();
		this.#descend();
		const part = this.#not();
		this.#depth--;
		return { kind: "logic", word: "not", parts: [part], span: { start, end: part.span.end } };
	}

	#takeWord(word: string): boolean {
		const { type, text, primes } = this.token;
		const found = type === "name" && text === word && primes === 0;
		if (found) this.#at++;
		return found;
	}

	#comparison(): Expr {
		const left = this.#sum();
		if (this.token.type !== "sign" || !comparisons.has(this.token.text)) return left;
		const sign = this.advance();
		const right = this.#sum();
		if (this.token.type === "sign" && comparisons.has(this.token.text))
			throw new SyntaxProblem(
				this.token.span,
				"two comparisons in a row",
				"Join them with and:  a < b and b < c",
			);
		return {
			kind: "comparison",
			sign: sign.text as ComparisonSign,
			signSpan: sign.span,
			left,
			right,
			span: join(left, right),
		};
	}

	/** An expression that `+-` ends, as in `in x +- 0.1`. */
	beforeRadius(): Expr {
		this.#radiusDepth = this.#depth;
		const value = this.expression();
		this.#radiusDepth = -1;
		return value;
	}

	/** What stands between brackets, the opening one being read already. */
	arguments(closing: string): Argument[] {
		const args: Argument[] = [];
		if (this.take(closing)) return args;
		do {
			const named = this.token.type === "name" && this.token.primes === 0 && this.peek(1).text === ":";
			const name = named ? this.advance() : undefined;
			if (name) this.advance();
			args.push({ name: name?.text, nameSpan: name?.span, value: this.expression() });
		} while (this.take(","));
		this.expect(closing, 'or a "," before the next argument');
		return args;
	}

	#sum(): Expr {
		const first = this.#product();
		const terms = [{ negative: false, value: first }];
		for (;;) {
			if (this.isSign("+-")) {
				if (this.#radiusDepth === this.#depth) break;
				this.advance();
				terms.push({ negative: true, value: this.#product() });
			} else if (this.take("+")) terms.push({ negative: false, value: this.#product() });
			else if (this.take("-")) terms.push({ negative: true, value: this.#product() });
			else break;
		}
		if (terms.length === 1) return first;
		return { kind: "sum", terms, span: join(first, terms[terms.length - 1].value) };
	}

	#product(): Expr {
		const first = this.#signed();
		const factors = [{ inverse: false, value: first }];
		for (;;) {
			const { span } = this.token;
			if (this.isSign("*") && this.peek(1).text === "*" && this.peek(1).span.start === span.end) {
				const both = { start: span.start, end: this.peek(1).span.end };
				this.spoil(both, '"**" is not an operator', "Write ^ for a power.");
				this.advance();
			}
			if (this.take("*") || this.#passOver(likeOperator))
				factors.push({ inverse: false, value: this.#signed() });
			else if (this.take("/")) factors.push({ inverse: true, value: this.#signed() });
			else break;
		}
		if (factors.length === 1) return first;
		return { kind: "product", factors, span: join(first, factors[factors.length - 1].value) };
	}

	/** Everything that nests comes through here, so here the depth is counted. */
	#signed(): Expr {
		this.#descend();
		const { start } = this.token.span;
		let result: Expr;
		if (this.take("-") || this.#passOver(likeMinus)) {
			const value = this.#signed();
			result = { kind: "negative", value, span: { start, end: value.span.end } };
		} else if (this.take("+")) result = this.#signed();
		else result = this.#power();
		this.#depth--;
		return result;
	}

	#descend(): void {
		if (++this.#depth > limits.nesting)
			throw new SyntaxProblem(
				this.token.span,
				`more than ${limits.nesting} levels inside one another`,
				"Name parts of the expression with let.",
			);
	}

	#power(): Expr {
		const base = this.#atom();
		while (this.#passOver(likeExponent));
		if (!this.take("^")) return base;
		const exponent = this.#signed();
		return { kind: "power", base, exponent, span: join(base, exponent) };
	}

	#atom(): Expr {
		const { token } = this;
		if (token.type === "number") return this.#number();
		if (token.type === "name" && !statementWords.has(token.text)) return this.#nameOrCall();
		if (!this.take("(")) throw this.unexpected("a number, a name or a bracket");
		const inner = this.expression();
		this.expect(")", "to close the bracket");
		return inner;
	}

	/** A wrong character that was reported, and whose meaning is plain. */
	#passOver(pattern: RegExp): boolean {
		if (this.token.type !== "error" || !pattern.test(this.token.text)) return false;
		this.spoil(this.advance().span);
		return true;
	}

	#number(): Expr {
		const token = this.advance();
		const value = this.#valueOf(token);
		if (this.token.type === "name" && this.token.span.start === token.span.end) {
			const both = { start: token.span.start, end: this.token.span.end };
			this.spoil(
				both,
				"a number and a name without an operator",
				`Write ${token.text}*${this.token.text} for a product.`,
			);
			return this.#nameOrCall();
		}
		return { kind: "number", value, text: token.text, span: token.span };
	}

	#valueOf({ text, span }: Token): Q.Rational {
		const value = Q.rationalFromDecimal(text);
		if (value) return value;
		this.spoil(
			span,
			"a number that is too large, too small or has too many digits",
			"Numbers lie between 1e-308 and 1e308 and have at most 400 digits.",
		);
		return Q.one;
	}

	#nameOrCall(): Expr {
		const token = this.advance();
		if (token.primes > 0 || !this.isSign("("))
			return this.#keep({ kind: "name", name: token.text, primes: token.primes, span: token.span });
		this.advance();
		const args = this.arguments(")");
		const span = { start: token.span.start, end: this.previous.span.end };
		return this.#keep({ kind: "call", name: token.text, nameSpan: token.span, args, span });
	}

	#keep(expr: Expr): Expr {
		this.#read.push(expr);
		return expr;
	}
}

function join(a: { span: Span }, b: { span: Span }): Span {
	return { start: a.span.start, end: b.span.end };
}
