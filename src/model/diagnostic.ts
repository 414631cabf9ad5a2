/** What is wrong with a model text, where, and what to do: the model language throws nothing else. */
import { InputError } from "../errors.ts";
import type { Span } from "./model.ts";

export interface Diagnostic {
	readonly span: Span;
	/** `unknown name "k2"` */
	readonly message: string;
	/** `Did you mean "k3"? Declare it with:  param k2` */
	readonly remedy: string;
}

/** All errors of one model text. Its message is what the user reads. */
export class ModelError extends InputError {
	constructor(
		readonly fileName: string,
		readonly source: string,
		readonly diagnostics: readonly Diagnostic[],
	) {
		super(fileName, `${diagnostics.length} error${diagnostics.length === 1 ? "" : "s"} in the model`);
		this.message = renderDiagnostics(fileName, source, diagnostics);
	}
}

/** More than this many errors are counted, not shown. */
const mostShown = 50;

/** Each diagnostic with file, line, column, the line itself, a caret, and what to do. */
export function renderDiagnostics(
	fileName: string,
	source: string,
	diagnostics: readonly Diagnostic[],
): string {
	const lines = new Lines(source);
	const shown = diagnostics
		.slice(0, mostShown)
		.map((diagnostic) => render(fileName, lines, lines.position(diagnostic.span.start), diagnostic));
	const left = diagnostics.length - mostShown;
	if (left > 0) shown.push(`… and ${left} more error${left === 1 ? "" : "s"}`);
	return shown.join("\n");
}

/** Line and column (from 1) of an offset. */
export function position(source: string, offset: number): { line: number; column: number } {
	return new Lines(source).position(offset);
}

/** A text by lines: made once where many places are to be found. */
export class Lines {
	readonly #lines: readonly string[];
	readonly #starts: number[] = [];
	constructor(source: string) {
		this.#lines = source.split("\n");
		let next = 0;
		for (const line of this.#lines) {
			this.#starts.push(next);
			next += line.length + 1;
		}
	}

	/** Line and column (from 1) of an offset, by bisection. */
	position(offset: number): { line: number; column: number } {
		let lo = 0;
		let hi = this.#starts.length;
		while (hi - lo > 1) {
			const middle = (lo + hi) >> 1;
			if (this.#starts[middle] <= offset) lo = middle;
			else hi = middle;
		}
		return { line: lo + 1, column: offset - this.#starts[lo] + 1 };
	}

	/** Without its end. */
	text(line: number): string {
		return this.#lines[line - 1].replace(/\r$/, "");
	}
}

function render(
	fileName: string,
	lines: Lines,
	{ line, column }: { line: number; column: number },
	{ span, message, remedy }: Diagnostic,
): string {
	const text = lines.text(line);
	// A long line is shown from 60 characters before the place, so that the caret stays on the screen.
	const from = Math.max(0, column - 61);
	const shown = text.slice(from, from + 100).replace(/\p{Cc}/gu, " ");
	const width = Math.max(1, Math.min(span.end - span.start, shown.length - (column - 1 - from)));
	const gutter = String(line);
	return [
		`${fileName}:${line}:${column}: ${message}`,
		`  ${gutter} | ${shown}`,
		`  ${" ".repeat(gutter.length)} | ${" ".repeat(column - 1 - from)}${"^".repeat(width)}`,
		...(remedy ? [`  ${remedy}`] : []),
	].join("\n");
}
