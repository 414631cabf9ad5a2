/** The page ships the terms of every package that is in it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../cli/odentify.ts";
import { buildPage, hasChromium, openPage, pageFolder, Visit } from "./page.ts";

interface Licences {
	notePackages(found: Map<string, string>): Plugin;
	licenceText(found: ReadonlyMap<string, string>): string;
}
const load = async (): Promise<Licences> =>
	import(pathToFileURL(join(root, "workbench/build/licences.mjs")).href);

const namesIn = (text: string): string[] =>
	[...text.matchAll(/^={78}\n(\S+) \d+\.\d/gm)].map(([, name]) => name);

describe("what a build puts together", () => {
	const folder = mkdtempSync(join(tmpdir(), "odentify-licences-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	const put = (path: string, content: string): void => {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	};

	it("is noted with its terms: of the page, of its workers, of packages inside packages", async () => {
		const terms: Record<string, string> = {
			"page-part": "LICENSE",
			"worker-part": "license.txt",
			"@some/inner": "COPYING.md",
			unused: "LICENSE",
		};
		for (const [name, file] of Object.entries(terms)) {
			const at =
				name === "@some/inner" ? "node_modules/page-part/node_modules/@some/inner" : `node_modules/${name}`;
			put(`${at}/package.json`, JSON.stringify({ name, version: "1.2.3", license: "X", main: "i.js" }));
			put(`${at}/${file}`, `terms of ${name}`);
			put(`${at}/i.js`, `export const value = "${name}";`);
		}
		put(
			"node_modules/page-part/i.js",
			'import { value as inner } from "@some/inner"; export const value = inner + "!";',
		);
		put("worker.js", 'import { value } from "worker-part"; postMessage(value);');
		put(
			"main.js",
			'import { value } from "page-part"; document.title = value; new Worker(new URL("./worker.js", import.meta.url), { type: "module" });',
		);
		put("index.html", '<script type="module" src="./main.js"></script>');
		const { notePackages, licenceText } = await load();
		const found = new Map<string, string>();
		const common = { root: folder, configFile: false, logLevel: "error" } as const;
		const worker = { format: "es", plugins: () => [notePackages(found)] } as const;
		await build({ ...common, plugins: [notePackages(found)], worker });
		const text = licenceText(found);
		expect(namesIn(text).filter((name) => name !== "vite" && name !== "rolldown")).toEqual([
			"@some/inner",
			"page-part",
			"worker-part",
		]);
		for (const name of ["@some/inner", "page-part", "worker-part"])
			expect(text).toContain(`terms of ${name}`);
		rmSync(join(folder, "node_modules/worker-part/license.txt"));
		expect(() => licenceText(found)).toThrow("worker-part has no licence file");
	});
});

describe("the page", () => {
	beforeAll(buildPage, 180_000);
	const beside = (): string => readFileSync(join(pageFolder, "licences.txt"), "utf8");
	const inside = (): string => {
		const html = readFileSync(join(pageFolder, "odentify.html"), "utf8");
		return /<script type="text\/plain" id="licences">\n([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
	};

	it("names every package that its sources import", () => {
		// Not those of Node's folders, of types alone, and of the building itself.
		const files = ["src", "workbench"].flatMap((top) =>
			readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
				.filter((file) => /\.(ts|svelte)$/.test(file) && !/\.d\.ts$|(^|\/)(node|cli)\//.test(file))
				.map((file) => readFileSync(join(root, top, file), "utf8")),
		);
		const imported = files.flatMap((text) =>
			[
				...text.matchAll(
					/(?:^import(?! type)(?:[^"]* from)? |\bimport\()"((?:@[^/"]+\/)?[^./"@][^/"]*)(?:\/[^"]*)?"/gm,
				),
			].map(([, name]) => name),
		);
		// What begins with a dollar stands in the text of a program that is exported.
		const packages = [...new Set(imported)].filter((name) => !/^(node:|virtual:|\$)/.test(name));
		expect(packages.length).toBeGreaterThan(8);
		for (const text of [beside(), inside()]) {
			expect(namesIn(text)).toEqual(expect.arrayContaining(packages));
			for (const name of ["svelte", "@lezer/highlight", "style-mod"]) expect(namesIn(text)).toContain(name);
			for (const said of ["HDF5 Copyright", "Emscripten", "SIL Open Font License", "Khan Academy"])
				expect(text).toContain(said);
		}
	});

	it.runIf(hasChromium)("leads to them, from a server and as one file", { timeout: 120_000 }, async () => {
		const { server, browser } = await openPage();
		const file = pathToFileURL(join(pageFolder, "odentify.html")).href;
		for (const [url, text] of [
			[server.url, beside()],
			[file, inside()],
		]) {
			const visit = await Visit.open(browser, url);
			await visit.page.click("[data-help]");
			const [opened] = await Promise.all([
				visit.context.waitForEvent("page"),
				visit.page.getByRole("link", { name: /Licences/ }).click(),
			]);
			await opened.waitForLoadState();
			const shown = await opened.evaluate("document.body.innerText");
			expect(namesIn(String(shown))).toEqual(namesIn(text));
			expect(visit.problems).toEqual([]);
			await visit.close();
		}
	});
});
