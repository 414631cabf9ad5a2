import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportPage } from "../../src/report/page.ts";
import { hasChromium, launch } from "../workbench/page.ts";
import { sampleReport, sampleResult } from "./sample-report.ts";

describe("the page", () => {
	it("goes in the order of a reader's questions", () => {
		const page = reportPage(sampleReport());
		const order = ["The answer", "How sure", "Does it fit", "What to doubt", "How it was done"];
		const places = order.map((heading) => page.indexOf(`<h2>${heading}</h2>`));
		expect(places.every((place) => place > 0)).toBe(true);
		expect(places).toEqual([...places].sort((a, b) => a - b));
	});

	it("says a grave doubt beside the answer", () => {
		const page = reportPage(sampleReport());
		const first = page.indexOf("nu is hardly seen in these data");
		expect(first).toBeLessThan(page.indexOf("<h2>How sure</h2>"));
	});

	it("shows digits that follow the uncertainty", () => {
		const page = reportPage(sampleReport());
		expect(page).toMatch(/<th scope="row">m<\/th><td class="n v">1\.002<\/td><td class="s">± 0\.004<\/td>/);
		expect(page).toMatch(/5\.030<\/td><td class="s">± 0\.012 ×10⁻⁶/);
		const words = page
			.slice(page.indexOf("<main>"), page.indexOf("</main>"))
			.replace(/<svg[\s\S]*?<\/svg>/g, "");
		expect(/\d\.\d{6,}/.exec(words)).toBeNull();
	});

	it("needs nothing from a network", () => {
		const page = reportPage(sampleReport());
		expect(page).toContain("default-src &#39;none&#39;");
		const links = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link);
		expect(links).toEqual(["summary.json", "trajectory.csv"]);
		expect(page).not.toMatch(/@import|url\((?!#)/);
	});

	it("can be drawn when there is no answer", () => {
		const input = sampleReport();
		const result = {
			...input.result,
			answered: false,
			outcome: "diverged",
			message: "No start came to an end.",
			parameters: [],
			predictions: [],
			figures: [],
			doubts: [],
			assumptions: [],
		};
		const page = reportPage({ ...input, result, references: [], files: [] });
		expect(page).toContain("No start came to an end.");
		expect(page).toContain("There is no prediction to compare with.");
	});
});

describe.runIf(hasChromium)("in a browser", () => {
	let browser: Browser;
	let folder: string;
	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), "odentify-page-"));
		browser = await launch();
	});
	afterAll(async () => {
		await browser?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	async function open(html: string) {
		const path = join(folder, "report.html");
		writeFileSync(path, html);
		const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
		const complaints: string[] = [];
		page.on("console", (message) => complaints.push(message.text()));
		page.on("pageerror", (error) => complaints.push(error.message));
		page.on("dialog", (dialog) => {
			complaints.push(`dialog: ${dialog.message()}`);
			void dialog.dismiss();
		});
		page.on("request", (request) => {
			if (!request.url().startsWith("file:")) complaints.push(`request: ${request.url()}`);
		});
		await page.goto(pathToFileURL(path).href);
		return { page, complaints };
	}

	it("opens without a complaint, and without a sideways scroll on a telephone", async () => {
		const { page, complaints } = await open(reportPage(sampleReport()));
		for (const width of [1000, 360]) {
			await page.setViewportSize({ width, height: 800 });
			const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
			expect(overflow).toBeLessThanOrEqual(0);
		}
		expect(complaints).toEqual([]);
		await page.close();
	});

	it("zooms by dragging, both plots of a group together, and goes back on a double click", async () => {
		const { page, complaints } = await open(reportPage(sampleReport(50_000)));
		const first = page.locator("svg.plot[id=figure-3]");
		const ticks = (id: string) => page.locator(`#${id} .x-ticks text`).allTextContents();
		const path = (id: string) => page.locator(`#${id} [data-mark="1"]`).getAttribute("d");
		await first.scrollIntoViewIfNeeded();
		const whole = {
			ticks: await ticks("figure-3"),
			other: await ticks("figure-4"),
			path: await path("figure-3"),
		};
		const box = (await first.boundingBox())!;
		const y = box.y + box.height / 2;
		await page.mouse.move(box.x + box.width * 0.4, y);
		await page.mouse.down();
		await page.mouse.move(box.x + box.width * 0.45, y, { steps: 4 });
		await page.mouse.up();
		const zoomed = await ticks("figure-3");
		expect(zoomed).not.toEqual(whole.ticks);
		expect(await ticks("figure-4")).toEqual(zoomed);
		const span = (labels: string[]) => Number(labels.at(-1)) - Number(labels[0]);
		expect(span(zoomed)).toBeLessThan(0.1 * span(whole.ticks));
		expect(await path("figure-3")).not.toMatch(/NaN|Infinity|undefined/);
		await first.dblclick();
		expect(await ticks("figure-3")).toEqual(whole.ticks);
		expect(complaints).toEqual([]);
		await page.close();
	});

	it("zooms with the keyboard", async () => {
		const { page, complaints } = await open(reportPage(sampleReport()));
		const holder = page.locator(".zoomable").first();
		const ticks = () => holder.locator(".x-ticks text").allTextContents();
		const whole = await ticks();
		await holder.focus();
		await page.keyboard.press("+");
		const zoomed = await ticks();
		expect(zoomed).not.toEqual(whole);
		await page.keyboard.press("ArrowRight");
		expect(await ticks()).not.toEqual(zoomed);
		await page.keyboard.press("0");
		expect(await ticks()).toEqual(whole);
		expect(complaints).toEqual([]);
		await page.close();
	});

	it("stays harmless whatever the names are", async () => {
		const evil = `</script></title></style><script>alert("x")</script><img src=x onerror=alert(1)>'"&`;
		const base = sampleResult(50);
		const result = {
			...base,
			message: evil,
			outcome: evil,
			intervalName: evil,
			parameters: base.parameters.map((row) => ({ ...row, name: evil, verdict: evil })),
			predictions: base.predictions.map((each) => ({ ...each, output: evil, experiment: evil })),
			doubts: [{ code: evil, title: evil, text: evil, grave: true }],
			assumptions: [evil],
			figures: base.figures.map((figure) => ({
				...figure,
				name: evil,
				title: evil,
				caption: evil,
				xLabel: evil,
				yLabel: evil,
				marks: figure.marks.map((mark) => ({ ...mark, label: evil })),
			})),
		};
		const html = reportPage({
			...sampleReport(),
			title: evil,
			result,
			records: [evil],
			study: evil,
			finished: evil,
			references: [evil],
			files: [evil],
		});
		const { page, complaints } = await open(html);
		expect(await page.locator("script").count()).toBe(2);
		expect(await page.locator("img").count()).toBe(0);
		expect(await page.locator("h1").textContent()).toBe(evil);
		expect(complaints).toEqual([]);
		await page.close();
	});

	it("is blocked by its own policy if a script should get in", async () => {
		const html = reportPage(sampleReport()).replace(
			"</main>",
			"<script>document.title='owned'</script></main>",
		);
		const { page } = await open(html);
		expect(await page.title()).toBe("demo · Odentify");
		await page.close();
	});
});
