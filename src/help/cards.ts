/** What fits on one card: the language, and each method; taken from the docs, so that they say the same. */
import type { Method } from "../methods/method.ts";
import { type Block, blocksHtml, blocksText, markdownBlocks } from "./markdown.ts";
import { type HelpSources, helpAddress } from "./pages.ts";

export interface HelpCard {
	/** `language`, or the name of a method. */
	readonly id: string;
	readonly title: string;
	readonly html: string;
	readonly text: string;
	/** The page that says more. */
	readonly page: string;
}

/** Sections of the language's page that are on its card. */
const onLanguageCard = ["Four kinds of knowledge", "Expressions", "Distributions"];

type CardMethod = Pick<Method, "name" | "says" | "options">;

/** One for the language and one for each method that has a page. */
export function helpCards(sources: HelpSources, methods: Iterable<CardMethod>): HelpCard[] {
	const cards = [...methods].flatMap((method) => methodCard(sources, method) ?? []);
	const language = languageCard(sources);
	return language ? [language, ...cards] : cards;
}

function languageCard(sources: HelpSources): HelpCard | undefined {
	if (!Object.hasOwn(sources, "language")) return undefined;
	const blocks = markdownBlocks(sources.language);
	const example = blocks.find((block) => block.kind === "code");
	const parts = onLanguageCard.flatMap((title) => {
		const own = sectionOf(blocks, title);
		return own.length > 0 ? [{ kind: "heading", level: 2, text: title } as Block, ...own] : [];
	});
	return cardOf("language", "The language on one card", "language", [
		...(example ? [example] : []),
		...parts,
	]);
}

function methodCard(sources: HelpSources, { name, says, options }: CardMethod): HelpCard | undefined {
	const page = `methods/${name}`;
	if (!Object.hasOwn(sources, page)) return undefined;
	const blocks = markdownBlocks(sources[page]);
	const lead = blocks.find((block) => block.kind === "paragraph");
	const example = blocks.find((block) => block.kind === "code" && ["ode", "yaml"].includes(block.language));
	const table: Block = {
		kind: "table",
		head: ["option", "meaning", "default"],
		rows: Object.entries(options).map(([option, { says: meaning, default: usual }]) => [
			`\`${option}\``,
			meaning,
			String(usual),
		]),
	};
	return cardOf(name, `${name}: ${says}`, page, [
		...(lead ? [lead] : []),
		...(example ? [example] : []),
		...(table.rows.length > 0 ? [{ kind: "heading", level: 2, text: "Options" } as Block, table] : []),
	]);
}

function sectionOf(blocks: readonly Block[], title: string): Block[] {
	const isHeading = (block: Block): boolean => block.kind === "heading" && block.level === 2;
	const start = blocks.findIndex((block) => isHeading(block) && (block as { text: string }).text === title);
	if (start < 0) return [];
	const rest = blocks.slice(start + 1);
	const end = rest.findIndex(isHeading);
	return end < 0 ? rest : rest.slice(0, end);
}

function cardOf(id: string, title: string, page: string, blocks: readonly Block[]): HelpCard {
	// Links of a card lead to its page, which has them whole.
	return { id, title, html: blocksHtml(blocks, () => helpAddress(page)), text: blocksText(blocks), page };
}
