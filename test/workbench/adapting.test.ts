/** Where a method does not apply, a button makes the change that it asks for, and it runs. */
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { drop, hasChromium, openPage, Visit } from "./page.ts";
import { rigCsv } from "./records-of-ones-own.ts";
import type { StaticServer } from "./static-server.ts";

describe.runIf(hasChromium)("a method that does not apply", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	it("guaranteed gets sets from what fit found in the data, and proves its answer", {
		timeout: 120_000,
	}, async () => {
		const visit = await Visit.open(browser, server.url, { viewport: { width: 1280, height: 860 } });
		const { page } = visit;
		const model =
			"# A rig\ninput F\nparam c, k, s\nstate x = 0, v = 0\nx' = v\nv' = F - c*v - k*x\nmeasure pos ~ normal(x, s)\n";
		await drop(page, [
			{ name: "rig.ode", content: model },
			{ name: "rig.csv", content: rigCsv(60).replace("Zeit;Kraft;Weg", "t;F;pos") },
		]);
		await page.waitForSelector(".run button.primary:not([disabled])");
		await visit.choose("guaranteed");
		await page.getByText("Nothing is known of c, k, s yet.").waitFor();
		await page.getByRole("button", { name: "Run fit, then change the model" }).click();
		await page.getByText("The model was changed for guaranteed.").waitFor({ timeout: 60_000 });
		const text = (await page.locator(".editor .cm-line").allTextContents()).join("\n");
		expect(text).toContain("# A rig");
		expect(text).toMatch(/param c in \[[-\d.]+, [\d.]+\], k in \[[\d.]+, [\d.]+\], s = [\d.]+/);
		expect(text).toMatch(/measure pos in x \+- \d\*s/);
		expect(text).not.toContain("[0, 1]");
		// The truth (c = 0.4, k = 9) is within the bounds.
		const [, cLo, cHi, kLo, kHi] = /c in \[([-\d.]+), ([\d.]+)\], k in \[([\d.]+), ([\d.]+)\]/
			.exec(text)!
			.map(Number);
		expect([cLo < 0.4 && 0.4 < cHi, kLo < 9 && 9 < kHi]).toEqual([true, true]);
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await page.textContent(".run button.primary")).toBe("Run guaranteed");
		expect(await visit.run()).toMatch(/proved|undecided/);
		await page.getByRole("button", { name: "Undo" }).click();
		await page.getByText("param c, k, s").waitFor();
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("kriging gets unknown functions, bayes distributions; what no change mends has no button", async () => {
		const visit = await Visit.open(browser, server.url, { viewport: { width: 1280, height: 860 } });
		const { page } = visit;
		await visit.openExample("compartments");
		await visit.choose("bayes");
		await page.getByText("param p4 ~ uniform(0.1, 0.5)").waitFor();
		await page.getByRole("button", { name: "Change the model for bayes" }).click();
		await page.waitForSelector(".run button.primary:not([disabled])");
		await visit.openExample("silverbox");
		await visit.choose("kriging");
		await page.getByRole("button", { name: "Change the model for kriging" }).click();
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await page.textContent(".editor .cm-content")).toContain("unknown fx(x, dx, u)");
		await visit.openExample("lotka-volterra-field");
		await visit.choose("periodic");
		await page.getByText("periodic does not apply").waitFor();
		await page.waitForTimeout(300);
		expect(await page.locator("[data-adapt]").count()).toBe(0);
		// The method that the model is for has one.
		await page.getByRole("button", { name: "Use kriging" }).waitFor();
		expect(visit.problems).toEqual([]);
		await visit.close();
	});
});
