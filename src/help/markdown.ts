/**
 * The part of Markdown that the docs are written in, as blocks and as HTML: headings, paragraphs, lists, tables, code,
 * links. All text is escaped on its way; links lead to other pages of the help, or out.
 */
import { html, Markup } from "../report/markup.ts";

export type Block =
	| { readonly kind: "heading"; readonly level: number; readonly text: string }
	| { readonly kind: "paragraph"; readonly text: string }
	| { readonly kind: "code"; readonly language: string; readonly text: string }
	| { readonly kind: "list"; readonly isNumbered: boolean; readonly items: readonly (readonly Block[])[] }
	| {
			readonly kind: "table";
			readonly head: readonly string[];
			readonly rows: readonly (readonly string[])[];
	  };

/** Where a link of a page leads: an address, or nothing where it is no part of the help. */
export type LinkTarget = (target: string) => string | undefined;

export function markdownBlocks(text: string): Block[] {
	const lines = text.replace(/<!--[\s\S]*?-->/g, "").split(/\r?\n/);
	return new BlockReader(lines).read();
}

class BlockReader {
	#at = 0;
	constructor(private readonly lines: readonly string[]) {}

	read(): Block[] {
		const blocks: Block[] = [];
		while (this.#at < this.lines.length) {
			if (this.lines[this.#at].trim() === "") this.#at++;
			else blocks.push(this.#block());
		}
		return blocks;
	}

	#block(): Block {
		const line = this.lines[this.#at];
		const fence = /^```(\w*)/.exec(line);
		if (fence) return this.#code(fence[1]);
		const heading = /^(#{1,6}) +(.*)$/.exec(line);
		if (heading) {
			this.#at++;
			return { kind: "heading", level: heading[1].length, text: heading[2].trim() };
		}
		if (line.startsWith("|")) return this.#table();
		if (itemMark.test(line)) return this.#list();
		return { kind: "paragraph", text: this.#while((next) => !isStart(next)).join(" ") };
	}

	#code(language: string): Block {
		this.#at++;
		const text = this.#while((line) => !line.startsWith("```"), true);
		this.#at++;
		return { kind: "code", language, text: text.join("\n") };
	}

	#table(): Block {
		const rows = this.#while((line) => line.startsWith("|")).map(cellsOf);
		const [head, ...rest] = rows;
		return { kind: "table", head, rows: rest.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell))) };
	}

	#list(): Block {
		const isNumbered = /^\d/.test(this.lines[this.#at]);
		const items: Block[][] = [];
		while (this.#at < this.lines.length && itemMark.test(this.lines[this.#at])) {
			const indent = itemMark.exec(this.lines[this.#at])![0].length;
			const own = [this.lines[this.#at++].slice(indent)];
			// What is indented below an item, or goes on without an empty line, belongs to it.
			while (this.#at < this.lines.length) {
				const line = this.lines[this.#at];
				const isDeep = /^ {2,}/.test(line);
				const goesOn = line.trim() !== "" && !isStart(line);
				const isGap = line.trim() === "" && /^ {2,}\S/.test(this.lines[this.#at + 1] ?? "");
				if (!isDeep && !goesOn && !isGap) break;
				own.push(isDeep ? line.slice(Math.min(indent, line.search(/\S|$/))) : line);
				this.#at++;
			}
			items.push(new BlockReader(own).read());
			while (this.lines[this.#at]?.trim() === "" && itemMark.test(this.lines[this.#at + 1] ?? "")) this.#at++;
		}
		return { kind: "list", isNumbered, items };
	}

	#while(holds: (line: string) => boolean, withEmpty = false): string[] {
		const found: string[] = [];
		while (this.#at < this.lines.length) {
			const line = this.lines[this.#at];
			if (found.length > 0 || withEmpty) if (!holds(line)) break;
			if (!withEmpty && line.trim() === "") break;
			found.push(line);
			this.#at++;
		}
		return found;
	}
}

const itemMark = /^(?:[-*]|\d+\.) +/;

function isStart(line: string): boolean {
	return /^(?:```|#{1,6} |\|)/.test(line) || itemMark.test(line);
}

/** A bar inside code does not end a cell. */
function cellsOf(line: string): string[] {
	const cells: string[] = [];
	let cell = "";
	let inCode = false;
	for (const c of line.trim().replace(/^\|/, "").replace(/\|$/, "")) {
		if (c === "`") inCode = !inCode;
		if (c === "|" && !inCode) {
			cells.push(cell.trim());
			cell = "";
		} else cell += c;
	}
	return [...cells, cell.trim()];
}

export function blocksHtml(blocks: readonly Block[], link: LinkTarget): string {
	return blocks.map((block) => blockMarkup(block, link)).join("\n");
}

function blockMarkup(block: Block, link: LinkTarget): Markup {
	switch (block.kind) {
		case "heading": {
			const level = Math.min(block.level + 1, 6);
			const text = inline(block.text, link);
			return html`${new Markup(`<h${level} id="${anchorOf(block.text)}">`)}${text}${new Markup(`</h${level}>`)}`;
		}
		case "paragraph":
			return html`<p>${inline(block.text, link)}</p>`;
		case "code":
			return html`<pre><code class="${block.language && `language-${block.language}`}">${block.text}</code></pre>`;
		case "list": {
			const items = block.items.map((item) => {
				const [only] = item;
				const isShort = item.length === 1 && only.kind === "paragraph";
				return html`<li>${isShort ? inline(only.text, link) : new Markup(blocksHtml(item, link))}</li>`;
			});
			return block.isNumbered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
		}
		case "table":
			return html`<table><thead><tr>${block.head.map((cell) => html`<th scope="col">${inline(cell, link)}</th>`)}</tr></thead><tbody>${block.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell, link)}</td>`)}</tr>`)}</tbody></table>`;
	}
}

/** Code, links, bold and slanted words; pictures are left out. */
function inline(text: string, link: LinkTarget): Markup {
	const parts: Markup[] = [];
	const marks = /`([^`]+)`|!\[[^\]]*\]\([^)]*\)|\[([^\]]+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*/g;
	let from = 0;
	for (const match of text.matchAll(marks)) {
		parts.push(html`${text.slice(from, match.index)}`);
		from = match.index + match[0].length;
		const [, code, words, target, bold, slanted] = match;
		if (code !== undefined) parts.push(html`<code>${code}</code>`);
		else if (words !== undefined) {
			const to = link(target);
			parts.push(to === undefined ? inline(words, link) : html`<a href="${to}">${inline(words, link)}</a>`);
		} else if (bold !== undefined) parts.push(html`<b>${inline(bold, link)}</b>`);
		else if (slanted !== undefined) parts.push(html`<i>${slanted}</i>`);
	}
	parts.push(html`${text.slice(from)}`);
	return html`${parts}`;
}

/** As on the pages of the repository: words in lower case with dashes between them. */
export function anchorOf(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, "")
		.trim()
		.replace(/\s/g, "-");
}

/** The words of blocks, without marks. */
export function blocksText(blocks: readonly Block[]): string {
	return blocks.map(blockText).join("\n");
}

function blockText(block: Block): string {
	switch (block.kind) {
		case "list":
			return block.items.map(blocksText).join("\n");
		case "table":
			return [block.head, ...block.rows].map((row) => row.map(bare).join(" ")).join("\n");
		case "code":
			return block.text;
		default:
			return bare(block.text);
	}
}

function bare(text: string): string {
	return text
		.replace(/!\[[^\]]*\]\([^)]*\)/g, "")
		.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
		.replace(/[`*]/g, "");
}
