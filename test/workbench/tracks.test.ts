/** The unknowns as tracks: what is known, a handle by mouse, touch and keys, and what the methods say. */
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openPage, Visit } from "./page.ts";
import type { StaticServer } from "./static-server.ts";

describe.runIf(hasChromium)("tracks", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	const slider = (page: Page, name: string) => page.locator(`[data-track="${name}"] [role=slider]`);
	const value = async (page: Page, name: string): Promise<number> =>
		Number(await slider(page, name).getAttribute("aria-valuenow"));
	const rmse = async (page: Page): Promise<number> =>
		Number(/[\d.e-]+/.exec((await page.textContent('[data-testid="hand-rmse"]')) ?? "")?.[0]);

	it("stand at what the model says at first, with a curve near the data; keys and fields move them", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await page.waitForSelector('[data-testid="hand-rmse"]');
		const before = await rmse(page);
		// The samples swing by 0.16 about their mean.
		expect(before).toBeLessThan(0.05);
		expect(await page.locator("[data-track]").count()).toBe(4);
		expect(await page.locator("[data-track] .density").count()).toBe(4);
		const k = await value(page, "k");
		await slider(page, "k").focus();
		await page.keyboard.press("PageUp");
		await page.waitForFunction(
			`document.querySelector('[data-track="k"] [role=slider]').ariaValueNow != ${k}`,
		);
		expect(await value(page, "k")).toBeGreaterThan(k);
		await page.waitForFunction(
			`!document.querySelector('[data-testid="hand-rmse"]').textContent.includes("${(await page.textContent('[data-testid="hand-rmse"]')) === "" ? "?" : before}")`,
		);
		expect(await rmse(page)).toBeGreaterThan(before);
		await page.getByLabel("Value of k", { exact: true }).fill("0.99");
		await page.getByLabel("Value of k", { exact: true }).press("Enter");
		expect(await value(page, "k")).toBe(0.99);
		// What the model does not allow is not taken.
		await page.getByLabel("Value of k", { exact: true }).fill("-1");
		await page.getByLabel("Value of k", { exact: true }).press("Enter");
		expect(await value(page, "k")).toBe(0.99);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	for (const [name, touch] of [
		["a mouse", false],
		["a thumb", true],
	] as const)
		it(`follow ${name}`, async () => {
			const visit = await Visit.open(
				browser,
				server.url,
				touch ? { viewport: { width: 390, height: 844 }, hasTouch: true } : {},
			);
			const { page } = visit;
			await page.waitForSelector('[data-testid="hand-rmse"]');
			const box = (await page.locator('[data-track="k3"] svg').boundingBox())!;
			const y = box.y + 18;
			expect(y).toBeLessThan(page.viewportSize()!.height);
			const before = await value(page, "k3");
			if (touch) await page.touchscreen.tap(box.x + 0.8 * box.width, y);
			else {
				await page.mouse.move(box.x + box.width / 2, y);
				await page.mouse.down();
				await page.mouse.move(box.x + 0.8 * box.width, y, { steps: 6 });
				await page.mouse.up();
			}
			const after = await value(page, "k3");
			expect(after).toBeGreaterThan(1.5 * before);
			await visit.close();
		});

	it("hand their values to a fit, and take an answer's; each method's interval is on them", async () => {
		const visit = await Visit.open(browser, server.url, { viewport: { width: 1280, height: 860 } });
		const { page } = visit;
		await page.waitForSelector('[data-testid="hand-rmse"]');
		await page.getByLabel("Value of k3", { exact: true }).fill("3.5");
		await page.getByLabel("Value of k3", { exact: true }).press("Enter");
		await page.getByRole("button", { name: "Start from here" }).click();
		await visit.choose("fit");
		expect(await visit.run()).toBe("converged");
		expect(await visit.download('[data-file="study.yaml"]')).toContain("k3: 3.5");
		await page.getByRole("button", { name: "Take fit’s" }).click();
		const { parameters } = JSON.parse(await visit.download('[data-file="summary.json"]'));
		expect(await value(page, "k3")).toBe(parameters.k3.estimate);
		await page.waitForFunction(
			`/RMSE 0\\.0010/.test(document.querySelector('[data-testid="hand-rmse"]').textContent)`,
		);
		await visit.choose("bayes");
		await visit.setOption("particles", "100");
		expect(await visit.run()).toBe("converged");
		for (const name of ["m", "c", "k", "k3"])
			expect(await page.locator(`[data-track="${name}"] .interval`).count()).toBe(2);
		// Both answers are kept, and can be looked at.
		expect(await page.locator("[data-answer]").count()).toBe(2);
		await page.locator("[data-answer]").first().click();
		expect(await page.textContent('[data-testid="outcome"]')).toContain("fit converged");
		expect(visit.problems).toEqual([]);
		await visit.close();
	});
});
