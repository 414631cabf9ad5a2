/** The page without any server: its folder on a disk or a file share, opened as a file. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, Workplace } from "../cli/odentify.ts";
import { matFile } from "./mat-file.ts";
import { buildPage, drop, hasChromium, numbersOf, pageFolder, sharedBrowser, Visit } from "./page.ts";

describe.runIf(hasChromium)("the page from a file share", () => {
	const share = mkdtempSync(join(tmpdir(), "odentify share ö-"));
	const place = new Workplace();
	let browser: Browser;
	beforeAll(async () => {
		await build();
		await buildPage();
		cpSync(pageFolder, share, { recursive: true });
		browser = await sharedBrowser();
	}, 180_000);
	afterAll(async () => {
		place.clean();
		rmSync(share, { recursive: true, force: true });
	});
	const url = (name: string): string => pathToFileURL(join(share, name)).href;

	it("runs an example to the numbers of the command line", { timeout: 120_000 }, async () => {
		const visit = await Visit.open(browser, url("odentify.html"));
		await visit.openExample("compartments");
		expect(await visit.run()).toBe("proved");
		place.put("study.yaml", await visit.download('[data-file="study.yaml"]'));
		place.put("record.csv", await visit.download('[data-record="record.csv"]'));
		const summary = await visit.download('[data-file="summary.json"]');
		expect(place.run("run", "study.yaml", "--out", "out", "--quiet").code).toBe(0);
		expect(numbersOf(summary)).toEqual(numbersOf(place.text("out/summary.json")));
		expect(await visit.download('[data-file="trajectory.csv"]')).toBe(place.text("out/trajectory.csv"));
		// A reader that is WebAssembly works, too; and fonts are there.
		await drop(visit.page, [{ name: "new.mat", content: await matFile() }]);
		await visit.page.getByText("50 × 2").waitFor();
		expect(await visit.page.evaluate('document.fonts.check("12px KaTeX_Main")')).toBe(true);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("uses the other cores, where there are some", { timeout: 120_000 }, async () => {
		const visit = await Visit.open(browser, url("odentify.html"));
		const started: string[] = [];
		visit.page.on("request", (request) => started.push(request.url()));
		await visit.openExample("silverbox");
		await visit.setOption("particles", "200");
		expect(await visit.run()).toBe("converged");
		const cores = Number(await visit.page.evaluate("navigator.hardwareConcurrency"));
		// The engine's own worker is one; those beside it are more.
		expect(started.filter((each) => each.startsWith("blob:")).length > 1).toBe(cores > 1);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("is found where index.html is opened, with the study of a link", async () => {
		const first = await Visit.open(browser, url("index.html"));
		expect(new URL(first.page.url()).pathname).toMatch(/\/odentify\.html$/);
		await first.openPanel();
		await first.page.fill('input[aria-label="Training rows"]', "0..123");
		await first.page.press('input[aria-label="Training rows"]', "Enter");
		await first.page.getByRole("button", { name: "Share" }).click();
		const fragment = new URL(await first.page.inputValue("input.link")).hash;
		const second = await Visit.open(browser, url("index.html") + fragment);
		await second.openPanel();
		expect(await second.page.inputValue('input[aria-label="Training rows"]')).toBe("0..123");
		expect([...first.problems, ...second.problems]).toEqual([]);
		await first.close();
		await second.close();
	});

	it("allows no script but its own, and no request", () => {
		const html = readFileSync(join(share, "odentify.html"), "utf8");
		const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)!;
		expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[\w+/=]+' 'wasm-unsafe-eval'; /);
		expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|connect-src|https?:|\*/);
		expect(/<script [^>]*src=|<link rel="stylesheet"/.test(html.slice(0, html.indexOf("<script>")))).toBe(
			false,
		);
	});
});
