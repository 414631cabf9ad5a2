/** Declarations of a model text changed in their places: all else stays as it was written, comments too. */
import type { Span } from "../model.ts";
import { Reporter } from "./reporter.ts";
import { tokenize } from "./syntax/lexer.ts";
import { parseStatements } from "./syntax/parser.ts";
import type { Item, Keyword } from "./syntax/syntax.ts";

/** A declaration by its keyword and its name with primes. */
export interface Declared {
	readonly keyword: Keyword;
	readonly name: string;
}

export type Rewriting =
	/** What stands after the name: ` in [0.5, 2]`; empty where nothing does. */
	| (Declared & { readonly after: string })
	| (Declared & { readonly remove: true })
	/** `assume …`, all of them. */
	| { readonly assumptions: "remove" };

interface Edit extends Span {
	readonly text: string;
}

/** The text must be one that can be read. What names no declaration changes nothing. */
export function rewritten(source: string, changes: readonly Rewriting[]): string {
	const reporter = new Reporter(source, "model");
	const { items, assumptions } = parseStatements(tokenize(source, reporter), reporter);
	reporter.throwIfAny();
	const edits = changes.flatMap((change): Edit[] => {
		if ("assumptions" in change) return assumptions.map(({ span }) => wholeLine(source, span));
		const own = items.filter(
			({ keyword, name, primes }) => keyword === change.keyword && name + "'".repeat(primes) === change.name,
		);
		return own.map((item) => ("remove" in change ? removal(source, item) : after(item, change.after)));
	});
	return edits
		.sort((a, b) => b.start - a.start)
		.reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), source);
}

function after({ nameSpan, span }: Item, text: string): Edit {
	return { start: nameSpan.end, end: Math.max(span.end, nameSpan.end), text };
}

/** With the comma that goes with it; the whole line where nothing else stands there. */
function removal(source: string, { span }: Item): Edit {
	const next = /^\s*,\s*/.exec(source.slice(span.end));
	if (next) return { start: span.start, end: span.end + next[0].length, text: "" };
	const before = /\s*,\s*$/.exec(source.slice(0, span.start));
	if (before) return { start: span.start - before[0].length, end: span.end, text: "" };
	return wholeLine(source, span);
}

function wholeLine(source: string, { start, end }: Span): Edit {
	const from = source.lastIndexOf("\n", start - 1) + 1;
	const to = source.indexOf("\n", end);
	return { start: from, end: to < 0 ? source.length : to + 1, text: "" };
}
