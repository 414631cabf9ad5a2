/** No label is clipped, and none lies on another: the boxes of all texts in plots and on tracks are measured. */
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openPage, Visit } from "./page.ts";
import type { StaticServer } from "./static-server.ts";

/** Texts that reach beyond their drawing, and pairs that share more than a sliver. Runs in the page. */
const measure = `(() => {
	const found = [];
	for (const svg of document.querySelectorAll("svg.plot, .track svg")) {
		const frame = svg.getBoundingClientRect();
		if (frame.width === 0) continue;
		const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim() !== "" && text.getBoundingClientRect().width > 0);
		const boxes = texts.map((text) => text.getBoundingClientRect());
		const where = svg.closest("figure, [data-track]")?.textContent.trim().slice(0, 40);
		for (const [i, box] of boxes.entries()) {
			if (box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
				found.push(where + ": clipped " + texts[i].textContent);
			for (let j = 0; j < i; j++) {
				const w = Math.min(box.right, boxes[j].right) - Math.max(box.left, boxes[j].left);
				const h = Math.min(box.bottom, boxes[j].bottom) - Math.max(box.top, boxes[j].top);
				if (w > 2 && h > 4) found.push(where + ": " + texts[i].textContent + " on " + texts[j].textContent);
			}
		}
	}
	return found;
})()`;

describe.runIf(hasChromium)("labels", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	for (const [example, method] of [
		["silverbox", "bayes"],
		["compartments", "all"],
	])
		it(`of ${example} by ${method} on screens of every size`, { timeout: 120_000 }, async () => {
			const visit = await Visit.open(browser, server.url);
			const { page } = visit;
			await visit.openExample(example);
			await visit.choose(method);
			await visit.run();
			await page.getByText("(saved)").waitFor();
			for (const [width, height] of [
				[1280, 860],
				[1600, 1000],
				[390, 844],
			]) {
				await page.setViewportSize({ width, height });
				await page.reload();
				await visit.ready();
				await page.waitForSelector("article.result");
				// All figures are drawn, as for a print.
				await page.evaluate("dispatchEvent(new Event('beforeprint'))");
				await page.waitForTimeout(300);
				expect([width, await page.evaluate(measure)]).toEqual([width, []]);
				expect(await page.locator("article svg.plot").count()).toBeGreaterThan(2);
				const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
				expect(wider).toBeLessThanOrEqual(0);
			}
			await visit.close();
		});
});
