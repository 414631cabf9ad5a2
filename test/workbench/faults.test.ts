/** What went wrong for people who came with data of their own: each is done here as they did it. */
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { drop, hasChromium, openPage, Visit } from "./page.ts";
import { rigCsv, rigModel } from "./records-of-ones-own.ts";
import type { StaticServer } from "./static-server.ts";

const screen = { viewport: { width: 1280, height: 860 } };

describe.runIf(hasChromium)("with data of one's own", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	async function studyOf(visit: Visit): Promise<string> {
		return visit.download('[data-file="study.yaml"]');
	}

	it("data first, then the model: columns are asked for, and it leads to a result", async () => {
		const visit = await Visit.open(browser, server.url, screen);
		const { page } = visit;
		await drop(page, [{ name: "rig.csv", content: rigCsv() }]);
		await page.getByText("400 × 3").waitFor();
		await drop(page, [{ name: "rig.ode", content: rigModel }]);
		await page.getByText("Choose the column of rig.csv for F and pos.").waitFor();
		expect(await page.locator(".run button.primary").isDisabled()).toBe(true);
		await visit.match({ F: "Kraft" });
		// What was chosen stays in view, to go on with.
		expect(await page.locator(".mapping").isVisible()).toBe(true);
		expect(await page.textContent('[data-testid="obstacle"]')).toBe("Choose the column of rig.csv for pos.");
		await visit.match({ pos: "Weg" });
		expect(await page.locator(".mapping").isVisible()).toBe(true);
		await visit.choose("fit");
		expect(await visit.run()).toBe("converged");
		const { parameters } = JSON.parse(await visit.download('[data-file="summary.json"]'));
		expect(Math.abs(parameters.c.estimate - 0.4)).toBeLessThan(4.5 * parameters.c.sd);
		expect(Math.abs(parameters.k.estimate - 9)).toBeLessThan(4.5 * parameters.k.sd);
		// Nothing of the example that was there is in the study.
		const study = await studyOf(visit);
		expect(study).not.toMatch(/input: cubic|particles|train:|test:|silverbox/);
		expect(study).toContain("F: Kraft");
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("model first, then data: the same", async () => {
		const visit = await Visit.open(browser, server.url, screen);
		const { page } = visit;
		await page.click(".new-menu summary");
		await page.click('[data-new="blank"]');
		await page.getByText("There is no model yet.").waitFor();
		await page.locator(".editor .cm-content").click();
		await page.keyboard.insertText(rigModel);
		await page.getByText("There is no record yet.").waitFor();
		const named = rigCsv().replace("Zeit;Kraft;Weg", "t;f;Pos");
		await drop(page, [{ name: "rig.csv", content: named }]);
		// Names that differ in the case of their letters are the same.
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await visit.run()).toBe("converged");
		expect(await studyOf(visit)).toMatch(/F: f[\s\S]*pos: Pos/);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("what happens is in view at 1280 × 860: progress, answer, errors", async () => {
		const visit = await Visit.open(browser, server.url, screen);
		const { page } = visit;
		const inView = async (selector: string): Promise<boolean> => {
			const box = (await page.locator(selector).first().boundingBox())!;
			return (
				box.y >= 0 &&
				box.y + Math.min(box.height, 40) <= 860 &&
				box.x >= 0 &&
				box.x + Math.min(box.width, 40) <= 1280
			);
		};
		await visit.press("Run", "Pause");
		expect(await inView("[role=progressbar]")).toBe(true);
		await visit.stepToView();
		expect(await inView('[data-testid="live"]')).toBe(true);
		await visit.press("Resume");
		expect(await visit.ended()).toBe("converged");
		for (const selector of [
			"article.result .lead",
			'[data-testid="outcome"]',
			".record-plot canvas",
			"[role=slider]",
		])
			expect([selector, await inView(selector)]).toEqual([selector, true]);
		expect(await page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBeLessThanOrEqual(0);
		expect(await page.textContent('[data-testid="outcome"]')).toMatch(
			/bayes converged|fit converged|converged/,
		);
		// A model that the method refuses: the reason is beside the button.
		await page.locator(".editor .cm-content").click();
		await page.keyboard.press("Control+End");
		await page.keyboard.type("\nz = 3");
		await page.getByText("The model has errors.").waitFor();
		expect(await inView('[data-testid="obstacle"]')).toBe(true);
		expect(await inView(".errors")).toBe(true);
		await visit.close();
	});

	it("completion writes the name and a bracket, no comment", async () => {
		const visit = await Visit.open(browser, server.url, screen);
		const { page } = visit;
		await page.locator(".editor .cm-content").click();
		await page.keyboard.press("Control+End");
		await page.keyboard.type("\nmeasure z ~ norm");
		await page.waitForSelector(".editor .cm-tooltip-autocomplete");
		// A list that has just opened takes no key yet, lest it catch one that was meant for the text.
		await page.waitForTimeout(150);
		await page.keyboard.press("Enter");
		const last = page.locator(".editor .cm-line").last();
		expect(await last.textContent()).toMatch(/^measure z ~ normal\(\)?$/);
		await visit.close();
	});

	it("own data take nothing over: neither hold, nor options, nor name, nor conditions", async () => {
		const visit = await Visit.open(browser, server.url, screen);
		const { page } = visit;
		await visit.openExample("operating-conditions");
		const csv = `t,x1,x2,y1,y2,u\n${Array.from({ length: 30 }, (_, i) => `${i / 10},1,2,1,2,0`).join("\n")}\n`;
		await drop(page, [{ name: "own.csv", content: csv }]);
		await page.getByRole("button", { name: "own.csv", exact: true }).waitFor();
		expect(await page.locator(".record-tabs .chip").allTextContents()).toEqual(["own.csv", "+ add"]);
		expect(await page.textContent(".study-menu summary")).toContain("own");
		await visit.openPanel();
		const labels = await page.locator(".mapping label").allTextContents();
		const conditions = page.locator('.mapping input[placeholder="its value"]');
		expect([labels.length > 5, await conditions.count()]).toEqual([true, await conditions.count()]);
		for (const field of await conditions.all()) expect(await field.inputValue()).toBe("");
		expect(await page.textContent('[data-testid="obstacle"]')).toMatch(/own\.csv/);
		expect(await page.textContent(".options summary")).not.toContain("changed");
		await visit.close();
	});

	it("nothing is lost: a second file, undo, an example, a reload", async () => {
		const visit = await Visit.open(browser, server.url, screen);
		const { page } = visit;
		await drop(page, [
			{ name: "rig.ode", content: rigModel },
			{ name: "rig.csv", content: rigCsv().replace("Zeit;Kraft;Weg", "t;F;pos") },
		]);
		await page.getByText("400 × 3").waitFor();
		await drop(page, [{ name: "second.csv", content: rigCsv(200).replace("Zeit;Kraft;Weg", "t;F;pos") }]);
		const chips = page.locator(".record-tabs .chip");
		const tabs = (): Promise<string[]> => chips.allTextContents();
		await page.getByText("200 × 3").waitFor();
		expect(await tabs()).toEqual(["rig.csv", "second.csv", "+ add"]);
		// A record that is removed comes back.
		await visit.openPanel();
		await page.getByRole("button", { name: "Remove second.csv" }).click();
		expect(await tabs()).toEqual(["rig.csv", "+ add"]);
		await page.getByRole("button", { name: "Undo" }).click();
		expect(await tabs()).toEqual(["rig.csv", "second.csv", "+ add"]);
		await page.getByRole("button", { name: "Redo" }).click();
		expect(await tabs()).toEqual(["rig.csv", "+ add"]);
		await page.locator("h1").click();
		await page.keyboard.press("Control+z");
		expect(await tabs()).toEqual(["rig.csv", "second.csv", "+ add"]);
		// One is for testing, the other to learn from.
		await page.getByRole("button", { name: "second.csv", exact: true }).click();
		await page.getByLabel("What second.csv is for").selectOption("test");
		await visit.choose("fit");
		expect(await visit.run()).toBe("converged");
		await page.locator("[role=slider]").first().focus();
		await page.keyboard.press("ArrowRight");
		const moved = await page.locator("[role=slider]").first().getAttribute("aria-valuenow");
		await page.getByText("(saved)").waitFor();
		await page.reload();
		await visit.ready();
		await page.waitForSelector("article.result");
		expect(await tabs()).toEqual(["rig.csv", "second.csv · test", "+ add"]);
		expect(await page.locator("[role=slider]").first().getAttribute("aria-valuenow")).toBe(moved);
		// An example opens beside it, not in its place.
		await visit.openExample("compartments");
		await page.click(".study-menu summary");
		await page.click('[data-kept="rig"]');
		await page.waitForSelector("article.result");
		expect(await tabs()).toEqual(["rig.csv", "second.csv · test", "+ add"]);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("what is stopped is kept, and goes on", { timeout: 120_000 }, async () => {
		const visit = await Visit.open(browser, server.url, screen);
		const { page } = visit;
		await visit.setOption("particles", "150");
		await visit.press("Run", "Pause");
		await visit.stepToView();
		await page.getByRole("button", { name: "Stop" }).click();
		expect(await visit.ended()).toBe("stopped");
		expect(await page.textContent("article.result .lead")).toMatch(
			/^Stopped at \d+ %: this is the answer so far/,
		);
		// Also after the page was left.
		await page.getByText("(saved)").waitFor();
		await page.reload();
		await visit.ready();
		expect(await page.textContent(".run")).toMatch(/Go on with \w+ at \d+ %/);
		await visit.press("Go on", "Pause");
		expect(await page.locator("[role=progressbar]").count()).toBe(1);
		await visit.press("Resume");
		expect(await visit.ended()).toBe("converged");
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("a step that does not hear Stop is ended: what was kept is the answer so far, and the run goes on", async () => {
		const script = `globalThis.Worker = class extends Worker {
			constructor(...how) {
				super(...how);
				this.addEventListener("message", ({ data }) => (globalThis.isKept ||= data.event === "checkpoint"));
			}
			postMessage(message, ...rest) {
				if (message?.control !== "stop") super.postMessage(message, ...rest);
			}
		}`;
		const visit = await Visit.open(browser, server.url, { ...screen, script });
		const { page } = visit;
		await visit.setOption("particles", "150");
		await visit.press("Run", "Pause");
		await visit.stepToView();
		// A state is kept every five seconds.
		await page.waitForTimeout(5000);
		while (!(await page.evaluate("globalThis.isKept"))) await visit.press("Resume", "Pause");
		await page.getByRole("button", { name: "Stop" }).click();
		expect(await visit.ended()).toBe("stopped");
		expect(await page.textContent("article.result .lead")).toMatch(
			/^Stopped at \d+ %: this is the answer so far/,
		);
		expect(await page.locator(".notice").count()).toBe(0);
		await visit.press("Go on");
		expect(await visit.ended()).toBe("converged");
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("without storage all works, and it is said", async () => {
		const context = await browser.newContext(screen);
		const page = await context.newPage();
		await page.addInitScript(
			"Object.defineProperty(globalThis, 'indexedDB', { get() { throw new Error('off'); } })",
		);
		await page.goto(server.url);
		await page.waitForSelector('[data-ready="yes"]');
		expect(await page.textContent(".study-menu summary")).toContain("not kept");
		await page.locator("[role=slider]").first().focus();
		await page.keyboard.press("ArrowRight");
		await page.click(".study-menu summary");
		await page.getByText("This browser keeps no studies: save yours as a file.").waitFor();
		await context.close();
	});

	it("storage that is full is said, and the work stays", async () => {
		const context = await browser.newContext(screen);
		const page = await context.newPage();
		await page.addInitScript(
			`IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); }`,
		);
		await page.goto(server.url);
		await page.waitForSelector('[data-ready="yes"]');
		await page.locator("[role=slider]").first().focus();
		await page.keyboard.press("ArrowRight");
		await page.getByText("The browser's storage is full").waitFor();
		expect(await page.locator(".record-tabs .chip").first().textContent()).toBe("record.csv");
		await context.close();
	});

	it("files as people have them: titles above the names, units, dates in either order", async () => {
		const visit = await Visit.open(browser, server.url, screen);
		const { page } = visit;
		// They rise whichever way they are read.
		const rows = Array.from({ length: 8 }, (_, i) => `0${i + 1}/0${i + 2}/2024;${20 + i},5`);
		await drop(page, [
			{ name: "warm.ode", content: "param k\nstate x\nx' = -k*x\nmeasure T ~ normal(x, 1)\n" },
			{ name: "log.csv", content: `Logger 7, hall B\nDate;T [°C]\n${rows.join("\n")}\n` },
		]);
		await page.getByText("8 × 2").waitFor();
		expect(await page.textContent('[data-testid="obstacle"]')).toMatch(
			/^Say whether 01\/02\/2024 in log\.csv is the 2024-02-01.* or the 2024-01-02/,
		);
		expect(await page.locator(".run button.primary").isDisabled()).toBe(true);
		expect(await page.textContent(".file-reading")).toContain("Logger 7, hall B");
		await page.getByLabel("Order of the dates in Date").selectOption("day-first");
		await expect.poll(() => page.textContent(".run")).not.toMatch(/Say whether/);
		expect(await page.locator(".file-reading thead").textContent()).toContain("T [°C]");
		await visit.close();
	});

	it("templates are made for the columns of the file; a study is one file, there and back", async () => {
		const visit = await Visit.open(browser, server.url, screen);
		const { page } = visit;
		await page.click(".new-menu summary");
		await page.waitForSelector('[data-template="oscillator"] svg');
		expect(await page.locator("[data-template]").count()).toBeGreaterThan(10);
		await page.click('[data-template="oscillator"]');
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await visit.run()).toBe("converged");
		await page.click(".study-menu summary");
		const bytes = await visit.downloadBytes('[data-save="zip"]');
		await page.click(".new-menu summary");
		await page.click('[data-new="blank"]');
		await page.getByText("There is no model yet.").waitFor();
		await drop(page, [{ name: "mine.zip", content: bytes }]);
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await page.locator("[data-track]").count()).toBeGreaterThan(2);
		// For a file at hand: its columns, not those of a sample.
		await page.click(".new-menu summary");
		await page.click('[data-new="blank"]');
		await drop(page, [{ name: "rig.csv", content: rigCsv().replace("Zeit;Kraft;Weg", "t;force;position") }]);
		await page.getByText("400 × 3").waitFor();
		await page.click(".new-menu summary");
		await page.click('[data-template="oscillator"]');
		await page.getByText("is made for the columns of rig.csv").waitFor();
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await page.locator(".record-tabs .chip").allTextContents()).toEqual(["rig.csv", "+ add"]);
		await drop(page, [{ name: "bad.zip", content: "PK\u0003\u0004 nothing" }]);
		await page.waitForSelector(".notice.grave");
		expect(await page.locator(".record-tabs .chip").allTextContents()).toEqual(["rig.csv", "+ add"]);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});
});
