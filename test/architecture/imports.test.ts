/** Walks the imports of src/ and papers/ and holds the rank table of the architecture. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const src = fileURLToPath(new URL("../../src", import.meta.url));
const papers = fileURLToPath(new URL("../../papers", import.meta.url));

/** A folder may import itself and any folder of lower rank. Folders of equal rank do not know one another. */
const rank: Record<string, number> = {
	"errors.ts": 0,
	"version.ts": 0,
	num: 1,
	interval: 2,
	model: 2,
	data: 2,
	lower: 3,
	formats: 3,
	solve: 4,
	compute: 5,
	estimate: 6,
	methods: 7,
	study: 8,
	library: 9,
	report: 9,
	prove: 10,
	templates: 10,
	help: 10,
	papers: 10,
	cli: 11,
	"index.ts": 12,
	node: 13,
};

/** Sources below a folder, as they are named from src/, where papers/ is one room more. */
const sourcesOf = (folder: string, room: string): string[] =>
	readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
		.map((file) => room + file.split(sep).join("/"));
const files = [...sourcesOf(src, ""), ...sourcesOf(papers, "papers/")];
const pathOf = (file: string): string => resolve(file.startsWith("papers/") ? dirname(papers) : src, file);
const nameOf = (path: string): string => {
	const home = path.startsWith(papers + sep) ? dirname(papers) : src;
	return relative(home, path).split(sep).join("/");
};

const imports = files.flatMap((file) => {
	const text = readFileSync(pathOf(file), "utf8");
	const specifiers = [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map((match) => match[1]);
	return specifiers.map((specifier) => ({
		file,
		specifier,
		target: specifier.startsWith(".") ? nameOf(resolve(dirname(pathOf(file)), specifier)) : undefined,
	}));
});

/** What Node has in place of an index: that index, and some names of its own. */
const isNodeEntry = (file: string): boolean => file.endsWith("node/index.ts");
const roomOf = (file: string): string => file.split("/")[0];
const isNodeOnly = (file: string): boolean => roomOf(file) === "cli" || file.split("/").includes("node");

describe("imports", () => {
	test("every folder has a rank", () => {
		expect([...new Set(files.map(roomOf))].filter((room) => !(room in rank))).toEqual([]);
	});

	test("go down in rank only", () => {
		const wrong = imports.filter(({ file, target }) => {
			if (target === undefined || roomOf(file) === roomOf(target)) return false;
			return !(rank[roomOf(target)] < rank[roomOf(file)]);
		});
		expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
	});

	test("method folders do not know one another; what several share is in estimate/", () => {
		const methodOf = (file: string): string | undefined => /^(?:methods|papers)\/([^/]+)\//.exec(file)?.[1];
		const wrong = imports.filter(({ file, target }) => {
			const [from, to] = [methodOf(file), methodOf(target ?? "")];
			return from !== undefined && to !== undefined && from !== to;
		});
		expect(wrong).toEqual([]);
	});

	test("nothing in src/ is built with papers/: the command loads them when it is asked to", () => {
		const wrong = imports.filter(
			({ file, target }) => roomOf(file) !== "papers" && roomOf(target ?? "") === "papers",
		);
		expect(wrong).toEqual([]);
	});

	test("no internal file imports an index", () => {
		const wrong = imports.filter(
			({ file, target }) => target?.endsWith("index.ts") && file !== "index.ts" && !isNodeEntry(file),
		);
		expect(wrong).toEqual([]);
	});

	test("Node is known to cli/ and node/ folders only, and these to one another only", () => {
		const wrong = imports.filter(
			({ file, specifier, target }) =>
				!isNodeOnly(file) && (specifier.startsWith("node:") || (target !== undefined && isNodeOnly(target))),
		);
		expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
	});

	test("the page knows what the package exports, and nothing inside a method", () => {
		const page = fileURLToPath(new URL("../../workbench", import.meta.url));
		const sources = readdirSync(page, { recursive: true, encoding: "utf8" }).filter((file) =>
			/\.(ts|svelte)$/.test(file),
		);
		const known = sources.flatMap((file) =>
			[
				...readFileSync(resolve(page, file), "utf8").matchAll(/(?:from|import\()\s*"([^"]*\/src\/[^"]+)"/g),
			].map(([, specifier]) => nameOf(resolve(dirname(resolve(page, file)), specifier))),
		);
		expect(known.length).toBeGreaterThan(50);
		expect([...new Set(known)].filter((target) => !/^(\w+\/)?index\.ts$/.test(target))).toEqual([]);
	});
});
