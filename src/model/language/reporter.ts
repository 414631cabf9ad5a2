/** Collects what is wrong with a text; reading goes on, so that every error is said at once. */
import { type Diagnostic, Lines, ModelError } from "../diagnostic.ts";
import type { Span } from "../model.ts";

export class Reporter {
	readonly #found: Diagnostic[] = [];
	#lines: Lines | undefined;
	readonly #said = new Set<string>();
	constructor(
		readonly source: string,
		readonly fileName: string,
	) {}

	/** The line (from 1) in which an offset lies. */
	lineOf(offset: number): number {
		this.#lines ??= new Lines(this.source);
		return this.#lines.position(offset).line;
	}

	get count(): number {
		return this.#found.length;
	}

	/** `key`: what is said once only, wherever it occurs again. */
	report(span: Span, message: string, remedy = "", key = `${span.start} ${message}`): void {
		if (this.#said.has(key)) return;
		this.#said.add(key);
		this.#found.push({ span, message, remedy });
	}

	/** In the order of the text. */
	diagnostics(): Diagnostic[] {
		return [...this.#found].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
	}

	throwIfAny(): void {
		if (this.#found.length > 0) throw new ModelError(this.fileName, this.source, this.diagnostics());
	}
}
