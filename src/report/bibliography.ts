/** References as a reader expects them, from the entries of docs/references.bib. */
import { list } from "../estimate/judge/words.ts";

/** One sentence for each key: authors, title, where, year. */
export function readBibliography(text: string): Map<string, string> {
	const entries = new Map<string, string>();
	for (const match of text.matchAll(/@\w+\s*\{\s*([^,\s]+)\s*,/g)) {
		const fields = readFields(text, match.index + match[0].length);
		entries.set(match[1], sentence(fields));
	}
	return entries;
}

/** The entry of a key as it stands in the file. */
export function bibtexOf(text: string, key: string): string | undefined {
	for (const match of text.matchAll(/@\w+\s*\{\s*([^,\s]+)\s*,/g)) {
		if (match[1] !== key) continue;
		let at = match.index + match[0].length;
		while (at < text.length && text[at] !== "}") {
			const name = /^[\s,]*[\w-]+\s*=\s*/.exec(text.slice(at));
			at = name ? valueEnd(text, at + name[0].length) : at + 1;
		}
		return text.slice(match.index, at + 1);
	}
	return undefined;
}

/** Fields up to the bracket that closes the entry. */
function readFields(text: string, start: number): Map<string, string> {
	const fields = new Map<string, string>();
	let at = start;
	for (;;) {
		const name = /^[\s,]*([\w-]+)\s*=\s*/.exec(text.slice(at));
		if (!name) return fields;
		at += name[0].length;
		const end = valueEnd(text, at);
		const value = text.slice(at, end).trim();
		fields.set(name[1].toLowerCase(), plain(value.replace(/^[{"]|[}"]$/g, "")));
		at = end;
	}
}

/** Where a value ends: at a comma or a closing bracket outside of its own brackets and quotes. */
function valueEnd(text: string, start: number): number {
	let depth = 0;
	let quoted = false;
	for (let i = start; i < text.length; i++) {
		if (text[i] === '"' && depth === 0) quoted = !quoted;
		else if (text[i] === "{") depth++;
		else if (text[i] === "}" && --depth < 0) return i;
		else if (text[i] === "," && depth === 0 && !quoted) return i;
	}
	return text.length;
}

const accents: Readonly<Record<string, string>> = {
	'"': "\u0308",
	"'": "\u0301",
	"`": "\u0300",
	"^": "\u0302",
	"~": "\u0303",
};

/** TeX accents and dashes as characters, brackets dropped. */
function plain(value: string): string {
	return value
		.replace(
			/\{?\\(["'`^~])\{?\\?(\w)\}?\}?/g,
			(_, accent: string, letter: string) => `${letter}${accents[accent]}`,
		)
		.replace(/\{\\ss\}|\\ss\b/g, "ß")
		.replace(/\{\\o\}|\\o\b/g, "ø")
		.replaceAll("---", "—")
		.replaceAll("--", "–")
		.replace(/\\&/g, "&")
		.replace(/[{}]/g, "")
		.replace(/\s+/g, " ")
		.normalize("NFC")
		.trim();
}

function sentence(fields: ReadonlyMap<string, string>): string {
	const get = (...names: string[]): string | undefined => names.map((name) => fields.get(name)).find(Boolean);
	const authors = get("author", "editor")?.split(/ and /).map(firstNameFirst) ?? [];
	const volume = [get("volume"), get("number") && get("volume") ? `(${get("number")})` : ""].join("");
	const where = [
		get("journal", "booktitle", "publisher", "institution", "howpublished"),
		volume || get("number"),
		get("pages"),
	]
		.filter(Boolean)
		.join(" ")
		.replace(/ (\S*\d+[–-]\d+)$/, ", $1");
	const address = fields.get("doi") ? `doi:${fields.get("doi")}` : fields.get("url");
	return `${[list(authors), get("title"), where, get("year"), address].filter(Boolean).join(". ")}.`;
}

function firstNameFirst(name: string): string {
	const [family, given] = name.split(/,\s*/);
	return given ? `${given} ${family}` : name.trim();
}
