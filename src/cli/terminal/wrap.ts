/** Text in lines of at most `width` characters; its own line breaks are kept. */
export function wrap(text: string, width: number): string[] {
	return text.split("\n").flatMap((paragraph) => fill(paragraph.split(" "), " ", width));
}

/** Items in lines of at most `width` characters, none of them broken: `a, b,` and `c`. */
export function wrapItems(items: readonly string[], width: number): string[] {
	return fill(
		items.map((item, i) => (i < items.length - 1 ? `${item},` : item)),
		" ",
		width,
	);
}

/** The first `width` characters of a text that is longer. */
export function cut(text: string, width = 200): string {
	const characters = [...text];
	return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : text;
}

function fill(pieces: readonly string[], glue: string, width: number): string[] {
	const lines: string[] = [];
	for (const piece of pieces) {
		const last = lines[lines.length - 1];
		if (last === undefined || last.length + glue.length + piece.length > width) lines.push(piece);
		else lines[lines.length - 1] = last + glue + piece;
	}
	return lines;
}
