/** Nothing serious for axe-core: light and dark, wide and narrow, before and after a run. */
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPage, hasChromium, launch, pageFolder, Visit } from "./page.ts";
import { type StaticServer, staticServer } from "./static-server.ts";

interface AxeResult {
	readonly violations: readonly {
		readonly id: string;
		readonly impact: string;
		readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
	}[];
}

async function serious(visit: Visit): Promise<string[]> {
	await visit.page.evaluate(axe.source);
	const { violations } = (await visit.page.evaluate("axe.run()")) as AxeResult;
	return violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
}

describe.runIf(hasChromium)("axe-core finds nothing serious", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		await buildPage();
		server = await staticServer(pageFolder);
		browser = await launch();
	}, 180_000);
	afterAll(async () => {
		await browser?.close();
		await server?.close();
	});

	for (const [name, options] of [
		["light", { colorScheme: "light" }],
		["dark", { colorScheme: "dark" }],
		["on a phone", { colorScheme: "light", viewport: { width: 390, height: 800 }, hasTouch: true }],
	] as const)
		it(name, async () => {
			const visit = await Visit.open(browser, server.url, options);
			await visit.page.click(".options summary");
			await visit.openPanel();
			if (name === "light") expect(await serious(visit)).toEqual([]);
			await visit.openExample("compartments");
			await visit.run();
			expect(await serious(visit)).toEqual([]);
			const wider = await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
			expect(wider).toBeLessThanOrEqual(0);
			// Every column of the answer is in view, on a phone, too.
			const table = '[aria-label="Parameters"]';
			const hidden = await visit.page.$eval(table, (box) => box.scrollWidth - box.clientWidth);
			expect(hidden).toBeLessThanOrEqual(0);
			await visit.close();
		});

	for (const width of [320, 360, 375])
		it(`nothing reaches beyond a screen of ${width} pixels`, async () => {
			const visit = await Visit.open(browser, server.url, {
				viewport: { width, height: 700 },
				hasTouch: true,
			});
			const wider = () => visit.page.evaluate("document.documentElement.scrollWidth - innerWidth");
			expect(await wider()).toBeLessThanOrEqual(0);
			await visit.page.click(".new-menu summary");
			expect(await wider()).toBeLessThanOrEqual(0);
			await visit.page.keyboard.press("Escape");
			await visit.page.click(".options summary");
			await visit.openPanel();
			expect(await wider()).toBeLessThanOrEqual(0);
			await visit.openExample("compartments");
			await visit.choose("all");
			await visit.run();
			expect(await wider()).toBeLessThanOrEqual(0);
			await visit.close();
		});
});
