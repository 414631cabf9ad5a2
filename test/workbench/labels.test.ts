/** No label is clipped, and none lies on another: the boxes of all texts in plots and on tracks are measured. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPage, hasChromium, launch, pageFolder, Visit } from "./page.ts";
import { type StaticServer, staticServer } from "./static-server.ts";

/** Texts that reach beyond their drawing, and pairs that share more than a sliver. Runs in the page. */
const measure = `(() => {
	const found = [];
	for (const svg of document.querySelectorAll("svg.plot, .track svg")) {
		const frame = svg.getBoundingClientRect();
		if (frame.width === 0) continue;
		const texts = [...svg.querySelectorAll("text")].filter(({ textContent }) => textContent.trim() !== "");
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
		await buildPage();
		server = await staticServer(pageFolder);
		browser = await launch();
	}, 180_000);
	afterAll(async () => {
		await browser?.close();
		await server?.close();
	});

	for (const [width, height] of [
		[1280, 860],
		[1600, 1000],
		[390, 844],
	])
		it(`at ${width} × ${height}`, { timeout: 120_000 }, async () => {
			const visit = await Visit.open(browser, server.url, { viewport: { width, height } });
			const { page } = visit;
			for (const [example, method] of [
				["silverbox", "bayes"],
				["compartments", "all"],
			]) {
				await visit.openExample(example);
				await visit.choose(method);
				await visit.run();
				// All figures are drawn, as for a print.
				await page.evaluate("dispatchEvent(new Event('beforeprint'))");
				await page.waitForTimeout(300);
				expect([example, await page.evaluate(measure)]).toEqual([example, []]);
				const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
				expect(wider).toBeLessThanOrEqual(0);
			}
			await visit.close();
		});
});
