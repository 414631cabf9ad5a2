/** A column of text in which the same words come again and again, as names of groups do. */

/** Beyond so many different words, or rows, it names no groups. */
const most = { words: 10_000, rows: 2_000_000 };

export class Labels {
	readonly #words = new Map<string, string>();
	#rows: string[] | undefined = [];

	/** In a quoted field a quote stands twice. */
	add(row: number, bytes: Uint8Array, isQuoted: boolean): void {
		if (!this.#rows) return;
		const decoded = new TextDecoder().decode(bytes);
		const text = isQuoted ? decoded.replaceAll('""', '"') : decoded;
		const word = this.#words.get(text) ?? text;
		this.#words.set(word, word);
		this.#rows[row] = word;
		if (this.#words.size > most.words || row >= most.rows) this.#rows = undefined;
	}

	/** The words of the first rows; nothing where they are too many. */
	rows(count: number): readonly string[] | undefined {
		return this.#rows && Array.from({ length: count }, (_, row) => this.#rows![row] ?? "");
	}
}
