/**
 * Text to tokens. A line end is a token only where it ends a statement: inside open brackets, and after an operator,
 * the line goes on. A character that has no meaning is reported and becomes an `error` token, so that the statement
 * it stands in is passed over without further complaint.
 */
import type { Span } from "../../model.ts";
import type { Reporter } from "../reporter.ts";
import { limits } from "./limits.ts";
import { declarationKeywords } from "./syntax.ts";

export interface Token {
	readonly type: "number" | "name" | "sign" | "line" | "end" | "error";
	/** Names without their primes. */
	readonly text: string;
	readonly primes: number;
	readonly span: Span;
}

const blank = /[^\S\n]+/y;
const comment = /#[^\n]*/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const letter = "\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lo}";
const word = new RegExp(`[${letter}][${letter}0-9_]*`, "uy");
const simpleName = new RegExp(`^[${letter}][${letter}0-9_]*$`, "u");
const prime = /['’′]+/y;
const sign = /\+-|±|<=|>=|==|!=|≤|≥|≠|[-+*/^()[\]{},=~:<>]/y;

/** Signs after which a line goes on. */
const open = new Set(["+-", "<=", ">=", "==", "!=", "-", "+", "*", "/", "^", ",", "=", "~", ":", "<", ">"]);
const sameSign: Record<string, string> = { "±": "+-", "≤": "<=", "≥": ">=", "≠": "!=" };
/** Words that begin a statement, and words after which a line goes on. */
const keywords = new Set<string>([...declarationKeywords, "when", "assume"]);
const openWords = new Set(["and", "or", "not"]);

/** What a wrong character is usually meant to be. */
const meant: readonly (readonly [RegExp, string])[] = [
	[/[·×⋅∙]/u, "Write * for a product."],
	[/[−–—]/u, "Write - (the plain minus sign)."],
	[/÷/u, "Write / for a quotient."],
	[/[⁰¹²³⁴-⁹]/u, "Write ^ for a power, like x^2."],
	[/[₀-₉]/u, "Write the index as a plain digit, like k3."],
	[/;/u, "One statement stands on a line: begin a new line."],
	[/["˙¨″]/u, "Write x'' with two single quotes for a second derivative."],
	[/[%!@$&|\\?`]/u, "It has no meaning in a model; a comment starts with #."],
	[/∈/u, "Write the word in."],
	[/_/u, "A name begins with a letter."],
];

export function tokenize(source: string, reporter: Reporter): Token[] {
	const tokens: Token[] = [];
	const brackets: { text: string; span: Span }[] = [];
	let at = 0;
	let lineStart = true;

	const match = (pattern: RegExp): string | undefined => {
		pattern.lastIndex = at;
		return pattern.exec(source)?.[0];
	};
	const push = (
		type: Token["type"],
		length: number,
		text = source.slice(at, at + length),
		primes = 0,
	): void => {
		tokens.push({ type, text, primes, span: { start: at, end: at + length } });
		at += length;
		lineStart = false;
	};
	const endLine = (): void => {
		const last = tokens[tokens.length - 1];
		const goesOn =
			!last ||
			last.type === "line" ||
			(last.type === "sign" && open.has(last.text)) ||
			(last.type === "name" && last.primes === 0 && openWords.has(last.text));
		// Between { and } each line is an assignment of its own.
		const within = brackets.at(-1)?.text;
		if ((within === undefined || within === "{") && !goesOn) push("line", 0);
	};
	const unclosed = (): void => {
		const bracket = brackets[0];
		if (bracket) reporter.report(bracket.span, `bracket "${bracket.text}" is never closed`, "Close it.");
		brackets.length = 0;
	};

	while (at < source.length) {
		if (source[at] === "\n") {
			endLine();
			at++;
			lineStart = true;
			continue;
		}
		const skipped = match(blank) ?? match(comment);
		if (skipped !== undefined) {
			at += skipped.length;
			continue;
		}
		const name = match(word);
		if (name !== undefined) {
			// A declaration begins a statement, whatever was left open above.
			if (lineStart && keywords.has(name)) {
				if (brackets.length > 0) push("error", 0);
				unclosed();
				if (tokens.length > 0 && tokens[tokens.length - 1].type !== "line") push("line", 0);
			}
			pushName(name);
			continue;
		}
		const digits = match(number);
		if (digits !== undefined) {
			push("number", digits.length);
			continue;
		}
		const found = match(sign);
		if (found !== undefined) {
			if (found === "(" || found === "[" || found === "{")
				brackets.push({ text: found, span: { start: at, end: at + 1 } });
			else if (found === ")" || found === "]" || found === "}") brackets.pop();
			push("sign", found.length, sameSign[found] ?? found);
			continue;
		}
		strange();
	}
	if (brackets.length > 0) {
		unclosed();
		push("error", 0);
	}
	push("line", 0);
	push("end", 0);
	return tokens;

	function pushName(name: string): void {
		const start = at;
		at += name.length;
		const primes = match(prime)?.length ?? 0;
		at = start;
		const text = name.normalize("NFKC");
		const span = { start, end: start + name.length + primes };
		const simple = simpleName.test(text);
		if (!simple)
			reporter.report(span, "a name with unusual characters", "Use plain letters, digits and underscores.");
		if (name.length > limits.name)
			reporter.report(span, `a name has more than ${limits.name} characters`, "Use a shorter one.");
		if (primes > limits.order) {
			const remedy = `At most ${limits.order} primes are read; write the equation for lower derivatives.`;
			reporter.report(span, `a derivative of order ${primes}`, remedy);
		}
		push(
			!simple || name.length > limits.name || primes > limits.order ? "error" : "name",
			name.length + primes,
			text,
			primes,
		);
	}

	function strange(): void {
		const character = String.fromCodePoint(source.codePointAt(at)!);
		const span = { start: at, end: at + character.length };
		if (/['’′]/.test(character))
			reporter.report(
				span,
				"a prime that follows no name",
				"Write x' for the derivative of x, without a space.",
			);
		else {
			const remedy = meant.find(([pattern]) => pattern.test(character))?.[1] ?? "Take it out.";
			reporter.report(span, `unexpected character ${show(character)}`, remedy);
		}
		push("error", character.length);
	}
}

function show(character: string): string {
	if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return `"${character}"`;
	return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}
