/** Finds sections of the help by words: no index, no network. */
import type { HelpPage, HelpSection } from "./pages.ts";

export interface Hit {
	readonly section: HelpSection;
	/** A line of it with the first word that was looked for. */
	readonly excerpt: string;
}

/** A word in a title counts so many times one in the text. */
const titleWeight = 20;
const pageWeight = 6;
const mostOfText = 5;
const around = 60;

/** Sections that have every word of the query, or one that begins so; best first. */
export function searchHelp(pages: readonly HelpPage[], query: string, most = 20): Hit[] {
	const words = wordsOf(query);
	if (words.length === 0) return [];
	return pages
		.flatMap(({ sections }) => sections)
		.map((section) => ({ section, score: scoreOf(section, words) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.slice(0, most)
		.map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }));
}

function scoreOf({ title, pageTitle, text }: HelpSection, words: readonly string[]): number {
	const [inTitle, inPage, inText] = [title, pageTitle, text].map(wordsOf);
	let score = 0;
	for (const word of words) {
		const count = (list: readonly string[]): number => list.filter((each) => each.startsWith(word)).length;
		const own =
			titleWeight * Math.min(count(inTitle), 1) +
			pageWeight * Math.min(count(inPage), 1) +
			Math.min(count(inText), mostOfText);
		if (own === 0) return 0;
		score += own;
	}
	return score;
}

function wordsOf(text: string): string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function excerptOf(text: string, [word]: readonly string[]): string {
	const flat = text.replace(/\s+/g, " ");
	const at = Math.max(0, flat.toLowerCase().indexOf(word));
	const start = Math.max(0, at - around);
	const end = Math.min(flat.length, at + word.length + 2 * around);
	return `${start > 0 ? "…" : ""}${flat.slice(start, end).trim()}${end < flat.length ? "…" : ""}`;
}
