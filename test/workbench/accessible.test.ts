/** Nothing serious for axe-core: light and dark, wide and narrow, before and after a run. */
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openPage, Visit } from "./page.ts";
import type { StaticServer } from "./static-server.ts";

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
		({ server, browser } = await openPage());
	}, 180_000);

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

	it("nothing reaches beyond a screen of 320, 360 or 375 pixels", async () => {
		const widths = [375, 360, 320];
		const visit = await Visit.open(browser, server.url, {
			viewport: { width: widths[0], height: 700 },
			hasTouch: true,
		});
		const { page } = visit;
		const wider = async (): Promise<number[]> => {
			const found: number[] = [];
			for (const width of widths) {
				await page.setViewportSize({ width, height: 700 });
				// Two frames: what follows the size has followed.
				await page.evaluate("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))");
				if (Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0)
					found.push(width);
			}
			return found;
		};
		expect(await wider()).toEqual([]);
		await page.click(".new-menu summary");
		expect(await wider()).toEqual([]);
		await page.keyboard.press("Escape");
		await page.click(".options summary");
		await visit.openPanel();
		expect(await wider()).toEqual([]);
		await visit.openExample("compartments");
		await visit.choose("all");
		await visit.run();
		expect(await wider()).toEqual([]);
		await visit.close();
	});
});
