/** The docs as help: all of them, in sections that can be found, with nothing in them that a page would obey. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { helpCards } from "../../src/help/cards.ts";
import { blocksHtml, markdownBlocks } from "../../src/help/markdown.ts";
import { helpPages } from "../../src/help/pages.ts";
import { searchHelp } from "../../src/help/search.ts";
import { methods } from "../../src/methods/registry.ts";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const names = (readdirSync(docs, { recursive: true }) as string[]).filter((name) => name.endsWith(".md"));
const sources = Object.fromEntries(
	names.map((name) => [
		name.replaceAll("\\", "/").replace(/\.md$/, ""),
		readFileSync(join(docs, name), "utf8"),
	]),
);
const pages = helpPages(sources);

describe("pages", () => {
	it("are all docs, each with a title and sections", () => {
		expect(pages.map(({ id }) => id)).toEqual(Object.keys(sources));
		for (const { title, sections, id } of pages) {
			expect(title, id).not.toBe("");
			expect(sections.length, id).toBeGreaterThan(0);
			const ids = sections.map((section) => section.id);
			expect(new Set(ids).size, id).toBe(ids.length);
		}
	});

	it("lead to one another: every link inside is a section that is there, or its page", () => {
		const ids = new Set(pages.flatMap(({ id, sections }) => [id, ...sections.map((section) => section.id)]));
		const links = pages.flatMap(({ sections }) =>
			sections.flatMap(({ html }) => [...html.matchAll(/href="#help\/([^"]+)"/g)].map((match) => match[1])),
		);
		expect(links.length).toBeGreaterThan(20);
		for (const link of links) expect(ids.has(link) || ids.has(link.split("#")[0]), link).toBe(true);
	});

	it("keep code as it is, and tables whole", () => {
		const language = pages.find(({ id }) => id === "language")!;
		expect(language.sections[0].html).toContain("m*x&#39;&#39; + c*x&#39; + k*x + k3*x^3 = u");
		const knowledge = language.sections.find(({ title }) => title === "Four kinds of knowledge")!;
		expect(knowledge.html.match(/<tr>/g)).toHaveLength(5);
	});
});

describe("cards", () => {
	const cards = helpCards(sources, methods.values());

	it("are one for the language and one for each method", () => {
		expect(cards.map(({ id }) => id)).toEqual(["language", ...methods.keys()]);
		for (const { html, page, id } of cards) {
			expect(html.length, id).toBeGreaterThan(200);
			expect(
				pages.some((each) => each.id === page),
				page,
			).toBe(true);
		}
	});

	it("have every option of a method with its default", () => {
		for (const { name, options } of methods.values()) {
			const { text } = cards.find(({ id }) => id === name)!;
			for (const option of Object.keys(options)) expect(text, name).toContain(option);
		}
	});
});

describe("search", () => {
	const first = (query: string): string => searchHelp(pages, query)[0]?.section.id;

	it.each([
		["events", "language#events"],
		["train test", "study-file#train-and-test"],
		["identifiab verdict", "methods/fit#what-the-verdicts-mean"],
		["sheet workbook", "study-file#data"],
	])("%s", (query, id) => {
		expect(searchHelp(pages, query, 3).map(({ section }) => section.id)).toContain(id);
	});

	it("finds nothing for nothing, and says where a word stands", () => {
		expect(searchHelp(pages, "  ")).toEqual([]);
		expect(searchHelp(pages, "qqqzzz")).toEqual([]);
		expect(first("lognormal")).toBeDefined();
		expect(searchHelp(pages, "lognormal")[0].excerpt.toLowerCase()).toContain("lognormal");
	});
});

describe("markdown", () => {
	const html = (text: string): string => blocksHtml(markdownBlocks(text), (target) => target);

	it.each([
		["a *b* **c** `d<e`", "<p>a <i>b</i> <b>c</b> <code>d&lt;e</code></p>"],
		["- a\n- b\n  more\n\nend", "<ul><li>a</li><li>b more</li></ul>\n<p>end</p>"],
		[
			"1. a\n\n   ```ode\n   x\n   ```\n2. b",
			'<ol><li><p>a</p>\n<pre><code class="language-ode">x</code></pre></li><li>b</li></ol>',
		],
		[
			"| a | `b|c` |\n|---|---|\n| 1 | 2 |",
			'<table><thead><tr><th scope="col">a</th><th scope="col"><code>b|c</code></th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
		],
		["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
		['[x](" onclick=1)', "<p>[x](&quot; onclick=1)</p>"],
		["```\na\n\nb", '<pre><code class="">a\n\nb</code></pre>'],
		["", ""],
	])("%j", (text, expected) => {
		expect(html(text)).toBe(expected);
	});

	it("leaves no address that runs", () => {
		const [page] = helpPages({ p: "# p\n\n[x](javascript:alert(1)) [y](https://a.b/c)" });
		expect(page.sections[0].html).toBe('<p>x) <a href="https://a.b/c">y</a></p>');
	});
});
