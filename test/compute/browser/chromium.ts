/** Chromium as one more engine: a study that Node has run, run again in a page, with the files of both. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { root } from "../../cli/odentify.ts";
import { hasChromium, launch } from "../../workbench/page.ts";
import type { EngineRun } from "../engines.ts";
import type { InPage } from "./in-page.ts";

export class Chromium {
	private constructor(
		readonly browser: Browser,
		readonly page: Page,
	) {}

	static async open(): Promise<Chromium | undefined> {
		if (!hasChromium) return undefined;
		const browser = await launch();
		const page = await browser.newPage();
		await page.addScriptTag({ content: await bundled() });
		return new Chromium(browser, page);
	}

	/** Once more what another engine did; how it ended is taken from there. */
	async again(given: Readonly<Record<string, string | Uint8Array>>, done: EngineRun): Promise<EngineRun> {
		const text = (name: string): string => done.files.get(name)!.toString("utf8");
		const files = Object.fromEntries(
			Object.entries(given).map(([name, content]) => [
				name,
				typeof content === "string" ? content : `base64:${Buffer.from(content).toString("base64")}`,
			]),
		);
		const asked: InPage = {
			files,
			title: /<title>(.*) · Odentify/.exec(text("report.html"))![1],
			resolved: text("study.yaml"),
			bibliography: readFileSync(join(root, "docs/references.bib"), "utf8"),
		};
		const made = (await this.page.evaluate(`odentifyInPage.run(${JSON.stringify(asked)})`)) as [
			string,
			string,
		][];
		return {
			code: done.code,
			err: done.err,
			files: new Map([
				["study.yaml", done.files.get("study.yaml")!],
				...made.map(([name, content]): [string, Buffer] => [
					name,
					content.startsWith("base64:")
						? Buffer.from(content.slice("base64:".length), "base64")
						: Buffer.from(content),
				]),
			]),
		};
	}

	close(): Promise<void> {
		return this.browser.close();
	}
}

/** The library and what runs in the page, as one script. */
async function bundled(): Promise<string> {
	const made = await build({
		root,
		configFile: false,
		logLevel: "error",
		build: {
			write: false,
			minify: false,
			lib: {
				entry: join(root, "test/compute/browser/in-page.ts"),
				formats: ["iife"],
				name: "odentifyInPage",
			},
		},
	});
	const [{ output }] = [made].flat() as { output: { code: string }[] }[];
	return output[0].code;
}
