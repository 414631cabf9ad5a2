/** What plots tell: values under the pointer everywhere, samples that stay visible, scales, figures of a posterior. */
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { drop, hasChromium, openPage, Visit } from "./page.ts";
import { fieldCsv, fieldModel } from "./records-of-ones-own.ts";
import type { StaticServer } from "./static-server.ts";

/** Pixels of the record's plot that have a colour, nearly. */
function pixels(page: Page, name: string): Promise<number> {
	return page.evaluate(`(() => {
		const canvas = document.querySelector(".record-plot canvas");
		const wanted = getComputedStyle(document.documentElement).getPropertyValue(${JSON.stringify(name)}).trim();
		const probe = document.createElement("canvas").getContext("2d");
		probe.fillStyle = wanted; probe.fillRect(0, 0, 1, 1);
		const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
		const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
		const seen = copy.getContext("2d", { willReadFrequently: true });
		seen.drawImage(canvas, 0, 0);
		const { data } = seen.getImageData(0, 0, canvas.width, canvas.height);
		let n = 0;
		for (let i = 0; i < data.length; i += 4)
			if (data[i + 3] > 150 && Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 60) n++;
		return n;
	})()`) as Promise<number>;
}

describe.runIf(hasChromium)("plots", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	it("tell the values under the pointer; samples stay visible; a posterior has all its figures", {
		timeout: 120_000,
	}, async () => {
		const visit = await Visit.open(browser, server.url, { viewport: { width: 1280, height: 860 } });
		const { page } = visit;
		await page.waitForSelector('[data-testid="hand-rmse"]');
		await page.getByRole("button", { name: "residuals" }).click();
		const before = await pixels(page, "--data");
		expect(before).toBeGreaterThan(500);
		await visit.setOption("particles", "100");
		expect(await visit.run()).toBe("converged");
		// The predicted line lies below the dots.
		expect(await pixels(page, "--data")).toBeGreaterThan(0.6 * before);
		const box = (await page.locator(".record-plot").boundingBox())!;
		await page.mouse.move(box.x + box.width / 2, box.y + 40);
		const read = await page.textContent('[data-testid="read-out"]');
		for (const name of ["measured", "simulated", "bayes", "u", "t"]) expect(read).toContain(name);
		// Half-way is before the rows for testing.
		expect(read).not.toContain("(test)");
		expect(read).toMatch(/measured [−-]?\d/);
		const titles = await page.locator("article.result figcaption b").allTextContents();
		for (const title of [
			"All pairs of m, c, k, k3",
			"Where each run ended",
			"Ranks of the draws, run by run",
			"Effective sample size on the way",
			"y (training): spectrum of the residuals",
		])
			expect(titles).toContain(title);
		const figure = page.locator("figure", { hasText: "y (training): measured and predicted" });
		await figure.scrollIntoViewIfNeeded();
		await figure.locator(".zoomable").waitFor();
		await figure.locator(".zoomable").hover({ position: { x: 200, y: 100 } });
		expect(await figure.locator('[data-testid="figure-reading"]').textContent()).toMatch(
			/measured.*predicted|predicted.*measured/,
		);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("of a learned field have a scale of its shades", { timeout: 120_000 }, async () => {
		const visit = await Visit.open(browser, server.url, { viewport: { width: 1280, height: 860 } });
		const { page } = visit;
		await drop(page, [
			{ name: "field.ode", content: fieldModel },
			{ name: "field.csv", content: fieldCsv() },
		]);
		await visit.choose("kriging");
		expect(await visit.run()).toBe("converged");
		await page.evaluate("dispatchEvent(new Event('beforeprint'))");
		await page.waitForSelector("svg.plot .scale text", { state: "attached" });
		expect(await page.locator("svg.plot .scale").first().locator("text").count()).toBeGreaterThan(2);
		await visit.close();
	});
});
