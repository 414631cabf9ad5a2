/** Text is typed over what is selected without a complaint of the browser, wherever the page lies. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Serving, serve } from "../../src/cli/serve/server.ts";
import { buildPage, hasChromium, pageFolder, sharedBrowser, Visit } from "./page.ts";
import { type StaticServer, staticServer } from "./static-server.ts";

describe.runIf(hasChromium)("the editor of the model", () => {
	const runs = mkdtempSync(join(tmpdir(), "odentify-editing-"));
	let plain: StaticServer;
	let serving: Serving;
	let browser: Browser;
	beforeAll(async () => {
		await buildPage();
		plain = await staticServer(pageFolder);
		serving = await serve({ page: pageFolder, runs, port: 0, token: "a-token-for-the-page" });
		browser = await sharedBrowser();
	}, 180_000);
	afterAll(async () => {
		await plain?.close();
		await serving?.close();
		rmSync(runs, { recursive: true, force: true });
	});

	for (const [place, url] of [
		["served", () => serving.url],
		["on a plain server", () => plain.url],
		["as a file", () => pathToFileURL(join(pageFolder, "odentify.html")).href],
	] as const)
		it(place, { timeout: 60_000 }, async () => {
			const visit = await Visit.open(browser, url());
			const { page } = visit;
			const content = page.locator(".editor .cm-content");
			const { keyboard, mouse } = page;
			const text = async (): Promise<string> =>
				(await content.locator(".cm-line").allTextContents()).join("\n");
			const before = await text();

			await content.click();
			await keyboard.press("Control+a");
			await keyboard.type("state");
			await keyboard.press("Escape");
			expect(await text()).toBe("state");
			await keyboard.press("Control+z");
			expect(await text()).toBe(before);

			// Several lines, by the mouse, from the middle of one to the middle of another.
			await keyboard.press("Control+End");
			const start = (await content.locator(".cm-line").nth(1).boundingBox())!;
			const end = (await content.locator(".cm-line").nth(3).boundingBox())!;
			await mouse.move(start.x + 30, start.y + start.height / 2);
			await mouse.down();
			await mouse.move(end.x + 50, end.y + end.height / 2, { steps: 5 });
			await mouse.up();
			await keyboard.type("q");
			await keyboard.press("Escape");
			expect((await text()).split("\n")).toHaveLength(before.split("\n").length - 2);
			await keyboard.press("Control+z");
			expect(await text()).toBe(before);

			// As an input method or a dictation does, and a paste.
			await keyboard.press("Control+a");
			await keyboard.insertText("param k = 2");
			expect(await text()).toBe("param k = 2");
			await keyboard.press("Control+z");
			expect(await text()).toBe(before);

			// A bracket goes around what is selected.
			await keyboard.press("Control+Home");
			await keyboard.press("Shift+End");
			await keyboard.type("(");
			expect((await text()).split("\n")[0]).toBe(`(${before.split("\n")[0]})`);
			await keyboard.press("Control+z");

			for (const key of ["Delete", "Backspace", "Control+x"]) {
				await keyboard.press("Control+a");
				await keyboard.press(key);
				expect([key, await text()]).toEqual([key, ""]);
				await keyboard.press("Control+z");
				expect([key, await text()]).toEqual([key, before]);
			}
			await page.waitForSelector(".errors", { state: "detached" });
			expect(visit.problems).toEqual([]);
			await visit.close();
		});
});
