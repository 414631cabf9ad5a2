/** Two tabs of one study, changed and reloaded in any order: nothing that was typed is lost, and what a tab says is saved is there. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Draws } from "../../src/num/statistics/draws.ts";
import { repeated } from "../repetitions.ts";
import { hasChromium, openPage, Visit } from "./page.ts";

const record = `t,y\n${Array.from({ length: 20 }, (_, i) => `${i / 4},${(2 * Math.exp(-i / 5)).toFixed(4)}`).join("\n")}\n`;
const model = "param k in [0.1, 5]\nstate x = 2\nx' = -k*x\nmeasure y ~ normal(x, 0.05)\n";

/** The models of all studies that the browser keeps. Runs in the page. */
const keptModels = `new Promise((resolve) => {
	indexedDB.open("odentify").onsuccess = ({ target }) => {
		target.result.transaction("studies").objectStore("studies").getAll().onsuccess = (event) => {
			target.result.close();
			resolve(event.target.result.map(({ plan }) => plan.model));
		};
	};
})`;

describe.runIf(hasChromium)("two tabs of one study", () => {
	let visit: Visit;
	let tabs: Page[];
	beforeAll(async () => {
		const { server, browser } = await openPage();
		// Wide enough for the editor beside the rest; a context of its own, since two pages share it.
		visit = await Visit.open(browser, server.url, { viewport: { width: 1400, height: 900 }, locale: "en" });
		const files = [
			{ name: "decay.ode", mimeType: "text/plain", buffer: Buffer.from(model) },
			{ name: "record.csv", mimeType: "text/plain", buffer: Buffer.from(record) },
		];
		await visit.page.locator('input[aria-label="Study, model or records to open"]').setInputFiles(files);
		await saved(visit.page);
		const other = await visit.context.newPage();
		await other.goto(server.url);
		await ready(other);
		tabs = [visit.page, other];
	}, 180_000);
	afterAll(() => visit?.closeForGood());

	const ready = (page: Page) => page.waitForSelector('[data-ready="yes"]');
	const saved = (page: Page) => page.locator(".study-menu summary", { hasText: "(saved)" }).waitFor();
	const textIn = (page: Page) => page.locator(".cm-content").first().textContent();

	/** A remark at the top of the model. */
	async function write(page: Page, text: string): Promise<void> {
		await page.locator(".cm-content").first().click();
		await page.keyboard.press("Control+Home");
		await page.keyboard.type(`# ${text}\n`);
	}
	/** The hand leaves the editor. */
	const letGo = (page: Page) => page.evaluate("document.activeElement.blur()");

	it("shows in one what was changed in the other", async () => {
		const [one, two] = tabs;
		await write(one, "from the first");
		await expect.poll(() => textIn(two)).toContain("from the first");
		await letGo(one);
		await write(two, "from the second");
		await expect.poll(() => textIn(one)).toContain("from the second");
		expect(await textIn(one)).toContain("from the first");
		expect(await one.evaluate(keptModels)).toHaveLength(1);
		await letGo(two);
	}, 60_000);

	it("keeps both where both were changed, and says so", async () => {
		const [one, two] = tabs;
		await write(one, "mine");
		await write(two, "yours");
		await Promise.all(tabs.map(saved));
		await expect
			.poll(async () =>
				(await Promise.all(tabs.map((page) => page.locator("body").textContent()))).join("\n"),
			)
			.toContain("was changed in another tab, too. Both are kept");
		await Promise.all(tabs.map((page) => page.reload().then(() => ready(page))));
		expect(await textIn(one)).toContain("mine");
		expect(await textIn(two)).toContain("yours");
		expect(await textIn(two)).not.toContain("mine");
	}, 60_000);

	it.each(repeated([1], [1, 2, 3]))(
		"loses nothing, whatever is done in which order (%i)",
		async (seed) => {
			const d = new Draws(seed, "two tabs");
			const written: string[] = [];
			for (let step = 0; step < 8; step++) {
				const page = d.pick(tabs);
				const text = `remark ${seed} ${step}`;
				await write(page, text);
				written.push(text);
				if (d.chance(0.5)) await letGo(page);
				if (d.chance(0.5)) await saved(page);
				if (d.chance(0.3)) {
					await page.reload();
					await ready(page);
				}
			}
			await Promise.all(tabs.map(saved));
			const models = await tabs[0].evaluate<string[]>(keptModels);
			for (const text of written)
				expect([text, models.some((each) => each.includes(text))]).toEqual([text, true]);
			expect(visit.problems).toEqual([]);
		},
		120_000,
	);
});
