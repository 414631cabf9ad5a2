/** What is wrong with a file: collected, so that all of it is said at once. */
import { type Diagnostic, ModelError } from "../../model/diagnostic.ts";
import type { Span } from "../../model/model.ts";

export class Problems {
	readonly #found: Diagnostic[] = [];
	readonly #others: Problems[] = [];
	constructor(
		readonly source: string,
		readonly fileName: string,
	) {}

	add(span: Span, message: string, remedy: string): void {
		if (!this.#found.some((each) => each.span.start === span.start && each.message === message))
			this.#found.push({ span, message, remedy });
	}

	get isOfOneFile(): boolean {
		return this.#others.length === 0;
	}

	/** Of a file that this one names. */
	ofOther(source: string, fileName: string): Problems {
		const other = new Problems(source, fileName);
		this.#others.push(other);
		return other;
	}

	throwIfAny(): void {
		for (const other of this.#others) other.throwIfAny();
		if (this.#found.length === 0) return;
		const inOrder = [...this.#found].sort((a, b) => a.span.start - b.span.start);
		throw new ModelError(this.fileName, this.source, inOrder);
	}
}
