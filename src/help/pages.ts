/** The docs as pages of the help: in sections, each of which can be shown and found by itself. */
import { anchorOf, type Block, blocksHtml, blocksText, markdownBlocks } from "./markdown.ts";

/** Text of a page by its name: `language`, `methods/fit`. The host reads them. */
export type HelpSources = Readonly<Record<string, string>>;

export interface HelpSection {
	/** `language#events`; of the first part the page's own. */
	readonly id: string;
	readonly page: string;
	/** Title of the page, and of the section. */
	readonly pageTitle: string;
	readonly title: string;
	readonly html: string;
	readonly text: string;
}

export interface HelpPage {
	readonly id: string;
	readonly title: string;
	/** The first sentences. */
	readonly lead: string;
	readonly sections: readonly HelpSection[];
}

/** Links inside lead to `#help/PAGE#SECTION`; links to what is no page of the help keep their words only. */
export const helpAddress = (id: string): string => `#help/${id}`;

export function helpPages(sources: HelpSources): HelpPage[] {
	return Object.entries(sources).map(([id, text]) => pageOf(id, text, sources));
}

function pageOf(id: string, text: string, sources: HelpSources): HelpPage {
	const blocks = markdownBlocks(text);
	const first = blocks.find((block) => block.kind === "heading" && block.level === 1);
	const title = first?.kind === "heading" ? first.text : id;
	const parts = partsOf(blocks.filter((block) => block !== first));
	const link = (target: string): string | undefined => linkFrom(id, target, sources);
	const lead = parts[0].blocks.find((block) => block.kind === "paragraph");
	return {
		id,
		title,
		lead: lead?.kind === "paragraph" ? blocksText([lead]) : "",
		sections: parts.map(({ heading, blocks: own }) => ({
			id: heading === undefined ? id : `${id}#${anchorOf(heading)}`,
			page: id,
			pageTitle: title,
			title: heading ?? title,
			html: blocksHtml(own, link),
			text: blocksText(own),
		})),
	};
}

interface Part {
	readonly heading?: string;
	readonly blocks: Block[];
}

function partsOf(blocks: readonly Block[]): Part[] {
	const parts: Part[] = [{ blocks: [] }];
	for (const block of blocks)
		if (block.kind === "heading" && block.level === 2) parts.push({ heading: block.text, blocks: [] });
		else parts.at(-1)!.blocks.push(block);
	return parts;
}

/** `../language.md#events` from `methods/fit` is `language#events`. */
function linkFrom(page: string, target: string, sources: HelpSources): string | undefined {
	if (/^https?:\/\//.test(target)) return target;
	const [path, anchor] = target.split("#");
	const parts = page.split("/").slice(0, -1);
	for (const part of path.split("/")) {
		if (part === "..") parts.pop();
		else if (part !== "" && part !== ".") parts.push(part);
	}
	const id = path === "" ? page : parts.join("/").replace(/\.md$/, "");
	if (!Object.hasOwn(sources, id)) return undefined;
	return helpAddress(anchor ? `${id}#${anchor}` : id);
}
