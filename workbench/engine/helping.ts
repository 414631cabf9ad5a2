/** The docs as the page shows them: fetched when somebody asks for help, and there without a network. */
import { helpCards, helpPages } from "../../src/help/index.ts";
import type { HelpTexts, MethodFacts } from "../contract.ts";

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

export function helpTexts(methods: readonly MethodFacts[]): HelpTexts {
	return { cards: helpCards(sources, methods), pages: helpPages(sources) };
}
