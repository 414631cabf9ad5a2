/** The forms of unknown functions, put into a model text from elsewhere: a study's own candidates. */
import type { Span } from "../model.ts";
import { Reporter } from "./reporter.ts";
import { ExpressionParser, SyntaxProblem } from "./syntax/expression-parser.ts";
import { tokenize } from "./syntax/lexer.ts";
import { limits } from "./syntax/limits.ts";
import { parseStatements } from "./syntax/parser.ts";
import { visitExpr } from "./syntax/syntax.ts";
import { bases } from "./vocabulary.ts";

/** A term, or a basis or several, as it is put into a text. */
export interface Candidate {
	readonly text: string;
	readonly isBasis: boolean;
}

/** What is to be the form of one function. */
export interface GivenForm {
	readonly name: string;
	readonly candidates: readonly Candidate[];
}

/** Where one of them came to stand, in the text that was written. */
interface Written extends Span {
	readonly name: string;
	readonly index: number;
}

export interface TextWithForms {
	readonly text: string;
	/** A place of this text in the text that was given, or the candidate that stands there. */
	readonly origin: (span: Span) => Span | Pick<Written, "name" | "index">;
}

/** What the candidates replace stays as it is where the text cannot be read, or has no function of that name. */
export function withForms(source: string, forms: readonly GivenForm[]): TextWithForms {
	if (forms.length === 0 || source.length > limits.text) return { text: source, origin: (span) => span };
	const reporter = new Reporter(source, "model");
	const { items } = parseStatements(tokenize(source, reporter), reporter);
	const places = items
		.filter(({ keyword }) => keyword === "unknown")
		.flatMap(({ name, knowledge, span }) => {
			const form = reporter.count === 0 ? forms.find((each) => each.name === name) : undefined;
			return form ? [{ form, ...(knowledge?.span ?? { start: span.end, end: span.end }) }] : [];
		})
		.sort((a, b) => a.start - b.start);
	let text = "";
	let read = 0;
	const kept: { readonly from: number; readonly at: number }[] = [];
	const written: Written[] = [];
	for (const { form, start, end } of places) {
		kept.push({ from: read, at: text.length });
		text += `${source.slice(read, start)}${start === end ? " " : ""}=`;
		// Terms beside one another are one list.
		form.candidates.forEach(({ text: own, isBasis }, index) => {
			const before = form.candidates[index - 1];
			const isInside = before !== undefined && !before.isBasis;
			if (isBasis) text += isInside ? ") + " : before ? " + " : " ";
			else text += isInside ? ", " : before ? " + library(" : " library(";
			written.push({ name: form.name, index, start: text.length, end: text.length + own.length });
			text += own;
		});
		if (form.candidates.at(-1)?.isBasis === false) text += ")";
		read = end;
	}
	kept.push({ from: read, at: text.length });
	text += source.slice(read);
	return {
		text,
		origin(span) {
			const own = written.find(({ start, end }) => start <= span.start && span.start <= end);
			if (own) return own;
			const { from, at } = kept.findLast((each) => each.at <= span.start)!;
			return { start: span.start - at + from, end: span.end - at + from };
		},
	};
}

/** Reads one candidate; throws `ModelError`. What remarks stand behind it is left out. */
export function readCandidate(given: string, fileName: string): Candidate {
	const reporter = new Reporter(given, fileName);
	const tokens = tokenize(given, reporter);
	const parser = new ExpressionParser(tokens);
	let isBasis = false;
	let text = "";
	try {
		parser.skipLines();
		const { start } = parser.token.span;
		if (parser.token.type === "end")
			throw new SyntaxProblem(parser.token.span, "there is no term", "Write one, such as  x*sin(y)");
		visitExpr(parser.expression(), (part) => {
			if (part.kind === "call" && bases.has(part.name)) isBasis = true;
		});
		text = given.slice(start, parser.previous.span.end);
		parser.skipLines();
		if (parser.peek(0).type !== "end")
			throw parser.unexpected("the end of the term", "Several terms are a list:  [1, x, x*y]");
	} catch (problem) {
		if (!(problem instanceof SyntaxProblem)) throw problem;
		parser.spoil(problem.span, problem.message, problem.remedy);
	}
	for (const { span, message, remedy } of parser.problems)
		if (message !== undefined) reporter.report(span, message, remedy);
	reporter.throwIfAny();
	return { text, isBasis };
}
