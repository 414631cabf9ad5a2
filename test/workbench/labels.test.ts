/** No label is clipped, and none lies on another: the boxes of all texts in plots and on tracks are measured. */
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { cornerFigure } from "../../src/methods/bayes/answer/corner.ts";
import { plotStyle } from "../../src/report/palette.ts";
import { plot } from "../../src/report/plot.ts";
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

/** A cloud of `n` particles for each pair of centre and spread. */
function cornerOf(unknowns: readonly (readonly [string, number, number])[], n = 200) {
	const z = Float64Array.from({ length: n * unknowns.length }, (_, i) => Math.sin(i * i + 0.3));
	const posterior = unknowns.map(([name, centre, spread], k) => {
		const values = z.slice(k * n, (k + 1) * n).map((value) => centre + spread * value);
		return { name, values, mean: centre, sd: spread, q05: centre, q50: centre, q95: centre, sampledSd: 1 };
	});
	return cornerFigure(posterior, z, n)[0];
}

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
			if (method === "bayes") await visit.setOption("particles", "100");
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

	it("of the corner plot: every outer cell has a scale, whatever its numbers and the room", async () => {
		const six = cornerOf([
			["k", 0.35, 0.02],
			["k21", 1.5e-6, 3e-7],
			["mass", 1499.95, 0.004],
			["x(0)", -0.2, 0.3],
			["rate", 7.3e8, 2e8],
			["s", 0.0123, 0.0001],
		]);
		const two = cornerOf([
			["k", 0.35, 0.02],
			["p", 12, 5],
		]);
		const page = await browser.newPage();
		for (const figure of [six, two])
			for (const width of [330, 520, 760, 1100]) {
				const drawn = plot(figure, "corner", width).html;
				await page.setContent(
					`<style>${plotStyle}</style><figure style="margin:0;width:${width}px">${drawn}</figure>`,
				);
				expect([width, await page.evaluate(measure)]).toEqual([width, []]);
				const numbers = await page.evaluate<number[][]>(
					`["x", "y"].map((axis) => [...document.querySelectorAll("." + axis + "-ticks .cell")].map((cell) => cell.querySelectorAll(".number").length))`,
				);
				const d = figure.xNames!.length;
				// The first row is a histogram: its heights are counts.
				expect(numbers.map((cells) => cells.filter((n) => n >= 2).length)).toEqual([d, d - 1]);
			}
		await page.close();
	});
});
