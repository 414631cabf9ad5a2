/** Help in the page: cards, the docs themselves, searched without a network. */
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium, openPage, Visit } from "./page.ts";
import type { StaticServer } from "./static-server.ts";

describe.runIf(hasChromium)("help", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	it("has the language and each method on a card, finds what is asked, and stays in the page", async () => {
		const visit = await Visit.open(browser, server.url, { viewport: { width: 1280, height: 860 } });
		const { page } = visit;
		await page.click("[data-help]");
		await page.waitForSelector(".help nav button");
		expect(await page.textContent(".help-text h3")).toBe("The language on one card");
		const names = await page.locator(".help nav button").allTextContents();
		for (const method of ["fit", "bayes", "guaranteed", "periodic", "inversion", "kriging"])
			expect(names).toContain(`${method}, on one card`);
		await page.fill('.help input[type="search"]', "distributions");
		await page.locator(".help-text .hit").first().click();
		await page.waitForSelector(".help-text [data-section]");
		await page.evaluate(axe.source);
		const { violations } = (await page.evaluate("axe.run('.help')")) as {
			violations: { id: string; impact: string }[];
		};
		expect(violations.filter(({ impact }) => /serious|critical/.test(impact)).map(({ id }) => id)).toEqual(
			[],
		);
		await page.fill('.help input[type="search"]', "xyzzy");
		await page.getByText("Nothing is found for “xyzzy”.").waitFor();
		await page.keyboard.press("Escape");
		await page.keyboard.press("Escape");
		await page.waitForSelector(".help", { state: "detached" });
		expect(visit.problems).toEqual([]);
		await visit.close();
	});
});
