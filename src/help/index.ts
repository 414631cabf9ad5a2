/** Help as data: cards and pages from the docs, searchable without a network. The host reads the docs. */
export { type HelpCard, helpCards } from "./cards.ts";
export { type HelpPage, type HelpSection, type HelpSources, helpPages } from "./pages.ts";
export { type Hit, searchHelp } from "./search.ts";
