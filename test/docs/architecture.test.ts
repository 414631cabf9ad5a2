/** The map for those who carry on is true: what it links is there, and each number is computed where it says. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");

interface Link {
	readonly text: string;
	/** From the root. */
	readonly target: string;
}

function linksOf(markdown: string, page: string): Link[] {
	return [...markdown.matchAll(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g)]
		.filter(([, , target]) => !/^https?:/.test(target))
		.map(([, text, target]) => ({ text, target: relative(root, resolve(root, dirname(page), target)) }));
}

/** `name` in code letters that links a source has to be declared there. */
function lacks({ text, target }: Link): boolean {
	if (!existsSync(join(root, target))) return true;
	const symbol = /^`(\w+)`$/.exec(text)?.[1];
	if (symbol === undefined || !target.endsWith(".ts")) return false;
	const declared = new RegExp(
		`^(?:export )?(?:async )?(?:function\\*?|class|interface|const|type) ${symbol}\\b`,
		"m",
	);
	return !declared.test(read(target));
}

test.each(["docs/architecture.md", "CONTRIBUTING.md", "CHANGELOG.md", "README.md"])("links of %s", (page) => {
	const links = linksOf(read(page), page);
	expect(links.length).toBeGreaterThan(1);
	expect(links.filter(lacks)).toEqual([]);
});

test("every folder of the sources has its line", () => {
	const page = read("docs/architecture.md");
	for (const { target } of linksOf(page, "docs/architecture.md").filter(({ target }) =>
		/^src\/\w+$/.test(target),
	))
		expect(statSync(join(root, target)).isDirectory(), target).toBe(true);
	const ranks = read("test/architecture/imports.test.ts");
	const rooms = [...ranks.matchAll(/^\t(\w+): \d+,$/gm)].map((match) => match[1]);
	expect(rooms.length).toBeGreaterThan(10);
	for (const room of rooms) expect(page).toMatch(new RegExp(`\\[\`(src/)?${room}\`\\]`));
});

/** All that a source comes to by imports. */
function reachOf(file: string, seen = new Set<string>()): Set<string> {
	if (seen.has(file)) return seen;
	seen.add(file);
	for (const [, specifier] of read(file).matchAll(/from "(\.[^"]+\.ts)"/g))
		reachOf(relative(root, resolve(root, dirname(file), specifier)), seen);
	return seen;
}

describe("from a number to the line that computes it", () => {
	const page = read("docs/architecture.md");
	const table = page.slice(page.indexOf("| number in the report"), page.indexOf("## Where to add"));
	const rows = table
		.split("\n")
		.slice(2)
		.filter((row) => row.startsWith("|"))
		.map((row) => row.split("|").slice(1, -1));

	test("every method is there", () => {
		const named = rows.map(([number]) => number).join();
		for (const method of ["fit", "bayes", "guaranteed", "periodic", "inversion", "kriging", "all"])
			expect(named).toContain(`\`${method}\``);
	});

	test.each(rows.map((row) => [row[0].trim(), row] as const))("%s", (_, [, filled, computed]) => {
		const [from] = linksOf(filled, "docs/architecture.md");
		const reach = reachOf(from.target);
		for (const { target } of linksOf(computed, "docs/architecture.md")) expect([...reach]).toContain(target);
	});
});
