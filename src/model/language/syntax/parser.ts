/** Tokens to statements. A statement that cannot be read is reported and passed over. */
import { nearestName } from "../../../errors.ts";
import type { Span } from "../../model.ts";
import type { Reporter } from "../reporter.ts";
import { reservedNames, whyReserved } from "../vocabulary.ts";
import { ExpressionParser, SyntaxProblem } from "./expression-parser.ts";
import type { Token } from "./lexer.ts";
import { limits } from "./limits.ts";
import {
	type Argument,
	type AssumptionSyntax,
	type CutSyntax,
	declarationKeywords,
	type EquationSyntax,
	type EventSyntax,
	type Expr,
	type Item,
	type Keyword,
	type KnowledgeSyntax,
	type ModelSyntax,
} from "./syntax.ts";

const keywords = new Set<string>(declarationKeywords);

export function parseStatements(tokens: readonly Token[], reporter: Reporter): ModelSyntax {
	const parser = new ExpressionParser(tokens);
	const items: Item[] = [];
	const equations: EquationSyntax[] = [];
	const events: EventSyntax[] = [];
	const assumptions: AssumptionSyntax[] = [];
	const excused = new Set<string>();
	const spoiled = new Set<string>();
	const salvaged: Expr[] = [];
	while (parser.token.type !== "end") {
		const first = parser.token;
		const firstIndex = parser.index;
		if (first.type === "line") {
			parser.advance();
			continue;
		}
		if (items.length + equations.length + events.length + assumptions.length >= limits.declarations) {
			const { span, message, remedy } = tooMany(first.span);
			reporter.report(span, message!, remedy);
			break;
		}
		const isDeclaration = first.type === "name" && keywords.has(first.text) && first.primes === 0;
		const isEvent = first.type === "name" && first.text === "when" && first.primes === 0;
		const isAssumption = first.type === "name" && first.text === "assume" && first.primes === 0;
		parser.beginStatement();
		let stopped = false;
		try {
			const statement = isDeclaration
				? declaration(parser, parser.advance().text as Keyword, spoiled)
				: isEvent
					? event(parser)
					: isAssumption
						? assumption(parser)
						: equation(parser);
			if (parser.token.type !== "line") throw afterStatement(parser);
			if (Array.isArray(statement)) items.push(...statement);
			else if (parser.problems.length === 0) {
				if ("trigger" in statement) events.push(statement);
				else if (isAssumed(statement)) assumptions.push(statement);
				else equations.push(statement);
			}
		} catch (problem) {
			if (!(problem instanceof SyntaxProblem)) throw problem;
			stopped = true;
			parser.spoil(problem.span, problem.message, problem.remedy);
		}
		if (parser.problems.length === 0) continue;
		const read = tokens.slice(firstIndex, parser.index);
		if (isEvent) parser.skipBlock(firstIndex);
		parser.skipStatement();
		for (const { span, message, remedy } of parser.problems)
			if (message !== undefined) reporter.report(span, message, remedy);
		const names = tokens.slice(firstIndex, parser.index).filter(({ type }) => type === "name");
		for (const { text } of names) excused.add(text);
		// What stands before = was meant as an equation only if there is one.
		const isEquation =
			!isDeclaration &&
			!isEvent &&
			!isAssumption &&
			read.some(({ type, text }) => type === "sign" && text === "=");
		if (isEquation || (isDeclaration && first.text !== "unknown")) salvaged.push(...parser.read);
		if (!isEquation && stopped) for (const { text } of names) spoiled.add(text);
	}
	return { items, equations, events, assumptions, excused, spoiled, salvaged };
}

/** The items that could be read; names of others are added to `spoiled`. */
function declaration(parser: ExpressionParser, keyword: Keyword, spoiled: Set<string>): Item[] {
	const items: Item[] = [];
	do {
		const before = parser.problems.length;
		const found = item(parser, keyword);
		if (parser.problems.length === before) items.push(found);
		else spoiled.add(found.name);
		if (items.length > limits.declarations) throw tooMany(parser.token.span);
	} while (parser.take(","));
	return items;
}

function tooMany(span: Span): SyntaxProblem {
	return new SyntaxProblem(
		span,
		`more than ${limits.declarations} declarations and equations`,
		"Split the model.",
	);
}

function item(parser: ExpressionParser, keyword: Keyword): Item {
	const { token } = parser;
	if (token.type !== "name") throw parser.unexpected(`the name of the ${keyword}`, exampleOf(keyword));
	if (token.text === "in" && parser.peek(1).text === "[")
		throw parser.unexpected(`the name of the ${keyword}`, exampleOf(keyword));
	parser.advance();
	if (reservedNames.has(token.text)) {
		parser.spoil(token.span, `"${token.text}" ${whyReserved(token.text)}`, "Choose another name.");
		// `state x = 1, param k`: what follows is of another kind, and cannot be told.
		if (!goesOn(parser)) throw new SyntaxProblem(token.span);
	}
	const brackets = parser.take("(") ? plainArguments(parser) : undefined;
	const byRecord =
		(keyword === "param" || keyword === "unknown") && parser.take("[") ? recordWord(parser) : false;
	const knowledge = knowledgeOf(parser, keyword);
	const span: Span = { start: token.span.start, end: parser.previous.span.end };
	return {
		keyword,
		name: token.text,
		primes: token.primes,
		nameSpan: token.span,
		brackets,
		...(byRecord && { byRecord }),
		knowledge,
		span,
	};
}

/** `ka[record]`, `f(x)[record]`: the one word that stands between these brackets. */
function recordWord(parser: ExpressionParser): true {
	const { token } = parser;
	const example =
		"What differs from record to record is  param ka[record]  or  unknown f(x)[record] = polynomial(2)";
	if (token.type !== "name" || token.text !== "record") throw parser.unexpected("the word record", example);
	parser.advance();
	parser.expect("]", "after  [record", example);
	return true;
}

/** Whether what follows the name of an item is what may follow it. */
function goesOn({ token }: ExpressionParser): boolean {
	if (token.type === "name") return token.text === "in";
	return token.type === "line" || (token.type === "sign" && [",", "=", "~", "(", "["].includes(token.text));
}

function plainArguments(parser: ExpressionParser): Item["brackets"] {
	const args = parser.arguments(")");
	const named = args.find(({ name }) => name !== undefined);
	if (named) parser.spoil(named.nameSpan!, "an argument with a name", "Leave the name out here.");
	return args.map(({ value }) => value);
}

function knowledgeOf(parser: ExpressionParser, keyword: Keyword): KnowledgeSyntax | undefined {
	const { start } = parser.token.span;
	const spanned = (): Span => ({ start, end: parser.previous.span.end });
	if (parser.isSign("=") || parser.isSign("~")) {
		const sign = parser.advance().text as "=" | "~";
		const value = parser.expression();
		if (sign === "~" && (keyword === "param" || keyword === "state"))
			return { sign, ...cutOf(parser, value), span: spanned() };
		return { sign, value, span: spanned() };
	}
	if (parser.token.type !== "name" || parser.token.text !== "in") return undefined;
	parser.advance();
	if (parser.isSign("[")) return { sign: "in", ...ends(parser), span: spanned() };
	const value = parser.beforeRadius();
	parser.expect("+-", "and the largest error", "Write a set as [lo, hi], or as value +- radius.");
	const radius = parser.expression();
	return { sign: "+-", value, radius, span: spanned() };
}

function ends(parser: ExpressionParser): { lo: Expr; hi: Expr } {
	parser.advance();
	const lo = parser.expression();
	parser.expect(",", "between the lower and the upper end of the set");
	const hi = parser.expression();
	parser.expect("]", "after the upper end of the set");
	return { lo, hi };
}

/** What a distribution is cut to, where that is said: `normal(0, 1) > 0` reads as a comparison, `in [0, 5]` follows. */
function cutOf(parser: ExpressionParser, value: Expr): { value: Expr; cut?: CutSyntax } {
	const { start } = parser.token.span;
	if (value.kind === "comparison") {
		const { sign, left, right } = value;
		const span = { start: left.span.end, end: right.span.end };
		return { value: left, cut: { ...(sign[0] === ">" ? { lo: right } : { hi: right }), span } };
	}
	if (parser.token.text !== "in" || parser.peek(1).text !== "[") return { value };
	parser.advance();
	const { lo, hi } = ends(parser);
	return { value, cut: { lo, hi, span: { start, end: parser.previous.span.end } } };
}

/** `when x > 1, delay: 2 { x = 0, y = 1 }`; assignments may also stand on lines of their own. */
function event(parser: ExpressionParser): EventSyntax {
	const { start } = parser.advance().span;
	const example = "Like this:  when x > 1 { x = 0 }";
	const trigger = parser.expression();
	const options: Argument[] = [];
	while (parser.take(",")) {
		const name = parser.token;
		if (name.type !== "name" || parser.peek(1).text !== ":")
			throw parser.unexpected("the name of an option", "Like this:  when x > 1, delay: 2 { x = 0 }");
		parser.advance();
		parser.advance();
		options.push({ name: name.text, nameSpan: name.span, value: parser.expression() });
	}
	parser.expect("{", "and what then happens", example);
	const assignments: EventSyntax["assignments"][number][] = [];
	for (;;) {
		parser.skipLines();
		if (parser.take("}")) break;
		const name = parser.token;
		if (name.type !== "name") throw parser.unexpected("the name of a state", example);
		parser.advance();
		parser.expect("=", "and the new value", example);
		const value = parser.expression();
		assignments.push({ name: name.text, primes: name.primes, nameSpan: name.span, value });
		if (!parser.take(",") && parser.token.type !== "line" && !parser.isSign("}"))
			throw parser.unexpected('"," or "}"', example);
	}
	return { trigger, options, assignments, span: { start, end: parser.previous.span.end } };
}

function isAssumed(statement: EquationSyntax | AssumptionSyntax): statement is AssumptionSyntax {
	return "sign" in statement;
}

/** `assume p1 > 2*p2` */
function assumption(parser: ExpressionParser): AssumptionSyntax {
	const { start } = parser.advance().span;
	const remedy = "Compare two expressions with < or >:  assume x >= 0";
	const said = parser.expression();
	if (said.kind !== "comparison")
		throw new SyntaxProblem(said.span, "an assumption compares nothing", remedy);
	const { left, sign, right, signSpan } = said;
	if (sign === "==" || sign === "!=") throw new SyntaxProblem(signSpan, `"${sign}" in an assumption`, remedy);
	return { left, sign, right, span: { start, end: parser.previous.span.end } };
}

function equation(parser: ExpressionParser): EquationSyntax {
	const { token } = parser;
	const next = parser.peek(1);
	if (token.type === "name" && next.type === "name" && token.primes === 0) throw wrongKeyword(token);
	if (token.type === "sign" && token.text !== "(" && token.text !== "-" && token.text !== "[")
		throw new SyntaxProblem(
			token.span,
			`a statement begins with "${token.text}"`,
			"To go on with a line, end the line above in an operator or open a bracket in it.",
		);
	const left = parser.expression();
	if (left.kind === "comparison" && left.sign === "==") {
		throw new SyntaxProblem(left.signSpan, '"==" is not an operator', "Write = for an equation.");
	}
	if (!parser.isSign("=")) {
		if (parser.isSign("~") || (parser.token.type === "name" && parser.token.text === "in"))
			throw parser.unexpected(
				'"="',
				"To declare what is known, begin with a word:  param, state, measure, …",
			);
		throw parser.unexpected('"="', "An equation has two sides:  x' = -k*x");
	}
	parser.advance();
	const right = parser.expression();
	return { left, right, span: { start: left.span.start, end: right.span.end } };
}

function wrongKeyword(token: Token): SyntaxProblem {
	const near = nearestName(token.text, declarationKeywords);
	const remedy = near
		? `Did you mean "${near}"?`
		: `Write * for a product, or begin a declaration with ${declarationKeywords.join(", ")}.`;
	return new SyntaxProblem(token.span, `"${token.text}" begins no statement`, remedy);
}

function afterStatement(parser: ExpressionParser): SyntaxProblem {
	if (parser.isSign("="))
		return new SyntaxProblem(parser.token.span, 'a second "="', "One statement has one =; begin a new line.");
	const { type, text } = parser.token;
	if (text === "in" || text === "~")
		return new SyntaxProblem(
			parser.token.span,
			`a second sign, "${text}", in one declaration`,
			"It has one: = is known exactly, in holds for sure, ~ is a distribution.",
		);
	const atom = type === "name" || type === "number" || parser.isSign("(");
	return parser.unexpected(
		"the end of the statement",
		atom ? "Write * for a product, or begin a new line." : "",
	);
}

function exampleOf(keyword: Keyword): string {
	const examples: Record<Keyword, string> = {
		param: "param k = 2",
		state: "state x = 0",
		input: "input u",
		condition: "condition c",
		unknown: "unknown f(x) ~ kriging(trend: 2)",
		let: "let w = 2*pi*f",
		function: "function f(a, b) = a/(a + b)",
		measure: "measure y ~ normal(x, 0.1)",
	};
	return `Like this:  ${examples[keyword]}`;
}
