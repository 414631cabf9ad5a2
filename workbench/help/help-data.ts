/** The docs as the page shows them: fetched when somebody asks for help, and there without a network. */
import { type HelpCard, type HelpPage, helpCards, helpPages, searchHelp } from "../../src/help/index.ts";
import type { MethodFacts } from "../contract.ts";

const texts = import.meta.glob<string>(
	[
		"../../docs/{guide,language,study-file,summary,workbench,sbml,petab,library}.md",
		"../../docs/methods/*.md",
	],
	{ query: "?raw", import: "default", eager: true },
);
const sources = Object.fromEntries(
	Object.entries(texts).map(([path, text]) => [path.replace(/^.*\/docs\/|\.md$/g, ""), text]),
);

export interface Help {
	readonly cards: readonly HelpCard[];
	readonly pages: readonly HelpPage[];
	readonly search: (query: string) => ReturnType<typeof searchHelp>;
}

export function helpOf(methods: readonly MethodFacts[]): Help {
	const pages = helpPages(sources);
	return { cards: helpCards(sources, methods), pages, search: (query) => searchHelp(pages, query) };
}
