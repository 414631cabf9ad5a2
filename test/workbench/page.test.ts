/** The page as a user meets it, from a plain static server without any headers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { endlessFile } from "../data/hdf5-file.ts";
import { matFile } from "./mat-file.ts";
import { drop, hasChromium, numbersOf, openPage, pageFolder, Visit } from "./page.ts";
import type { StaticServer } from "./static-server.ts";

const decay = `# Something that fades.
param   k
param   s = 0.01
state   x

x' = -k*x

measure y ~ normal(x, s)
`;

/** x = 2 exp(-0.7 t), measured with small errors that have no pattern. */
function decayCsv(n = 60): string {
	const rows = Array.from({ length: n }, (_, i) => {
		const t = i / 10;
		return `${t},${2 * Math.exp(-0.7 * t) + 0.01 * Math.sin(i * i * 7.3)}`;
	});
	return `seconds,level\n${rows.join("\n")}\n`;
}

describe.runIf(hasChromium)("the workbench", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	it("asks for no record that it fetches itself", async () => {
		const context = await browser.newContext();
		const page = await context.newPage();
		let send = (): void => {};
		const held = new Promise<void>((resolve) => {
			send = resolve;
		});
		await page.route("**/record.csv", async (route) => {
			await held;
			await route.continue();
		});
		await page.goto(server.url);
		const pane = page.locator(".drop");
		await pane.waitFor();
		expect(await pane.textContent()).toBe("record.csv is being read.");
		send();
		await page.locator(".record-plot canvas").waitFor();
		expect(await pane.count()).toBe(0);
		await page.waitForLoadState("networkidle");
		await context.close();
	});

	it("shows the first example in a first view of at most 450 kB", async () => {
		server.asked.length = 0;
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await page.waitForLoadState("networkidle");
		const sizes = server.asked.map(({ path, bytes }) => ({
			path,
			size: path.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length,
		}));
		expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(450_000);
		expect(await page.locator(".katex").count()).toBe(1);
		expect(await page.locator(".record-plot canvas").count()).toBe(1);
		expect(await page.textContent('[data-testid="record-size"]')).toBe("676 × 5");
		expect(await page.locator("button.primary").isEnabled()).toBe(true);
		const { y, height } = (await page.locator("button.primary").boundingBox())!;
		expect(y + height).toBeLessThan(page.viewportSize()!.height);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("holds no code that makes code", () => {
		const scripts = readdirSync(join(pageFolder, "assets")).filter((name) => name.endsWith(".js"));
		expect(scripts.length).toBeGreaterThan(4);
		const found = scripts.filter((name) =>
			/new Function\(|[^\w.]eval\(/.test(readFileSync(join(pageFolder, "assets", name), "utf8")),
		);
		expect(found).toEqual([]);
	});

	it("fits a CSV that is dropped with its model", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await drop(page, [
			{ name: "decay.ode", content: decay },
			{ name: "level.csv", content: decayCsv() },
		]);
		await page.getByText("60 × 2").waitFor();
		await visit.choose("fit");
		await visit.match({ y: "level" });
		expect(await visit.run()).toBe("converged");
		const { parameters, nSamples } = JSON.parse(await visit.download('[data-file="summary.json"]'));
		expect(nSamples).toBe(60);
		expect(Math.abs(parameters.k.estimate - 0.7)).toBeLessThan(4.5 * parameters.k.sd);
		expect(Math.abs(parameters["x(0)"].estimate - 2)).toBeLessThan(4.5 * parameters["x(0)"].sd);
		expect(await visit.download('[data-file="report.html"]')).toContain("<h2>The answer</h2>");
		const svg = await visit.download('button[aria-label$="as SVG"] >> nth=0');
		expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
		const [picture] = await Promise.all([
			page.waitForEvent("download"),
			page.click('button[aria-label$="as PNG"] >> nth=0'),
		]);
		expect(picture.suggestedFilename()).toMatch(/\.png$/);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("reads parquet and both kinds of MAT files, and says which fields are empty", async () => {
		const visit = await Visit.open(browser, server.url);
		const t = Array.from({ length: 50 }, (_, i) => i / 10);
		const parquet = parquetWriteBuffer({
			columnData: [
				{ name: "t", data: t, type: "DOUBLE" },
				{ name: "u", data: t.map(Math.sin), type: "DOUBLE" },
				{
					name: "y",
					data: t.map((v, i) => (i % 10 === 3 ? null : Math.cos(v))),
					type: "DOUBLE",
					nullable: true,
				},
			],
		});
		await drop(visit.page, [{ name: "record.parquet", content: new Uint8Array(parquet) }]);
		await visit.page.waitForSelector('[data-testid="oddities"]');
		expect(await visit.page.textContent('[data-testid="oddities"]')).toContain("y: 5 empty fields");
		await drop(visit.page, [{ name: "new.mat", content: await matFile() }]);
		await visit.page.getByText("50 × 2").waitFor();
		await drop(visit.page, [
			{ name: "old.mat", content: readFileSync(new URL("../data/reference/scipy.mat", import.meta.url)) },
		]);
		await visit.page.getByRole("button", { name: "old.mat", exact: true }).waitFor();
		await drop(visit.page, [{ name: "no-record.csv", content: "PK\u0003\u0004nothing" }]);
		await visit.page.waitForSelector(".notice.grave");
		expect(await visit.page.textContent(".notice.grave")).toMatch(/zip archive/);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("gives up a file that keeps its reader for ever, and goes on", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await page.clock.install();
		const started = page.waitForEvent("worker");
		await drop(page, [{ name: "endless.mat", content: await endlessFile() }]);
		await started;
		// Its reader is loaded meanwhile; the page's clock then runs ahead until the time is up.
		while (!(await page.isVisible(".notice.grave"))) await page.clock.runFor(1000);
		expect(await page.textContent(".notice.grave")).toMatch(/endless\.mat: was not read within 10 s/);
		await drop(page, [{ name: "new.mat", content: await matFile() }]);
		await page.getByText("50 × 2").waitFor();
		expect(visit.problems).toEqual([]);
		// Its clock is no longer the machine's.
		await visit.closeForGood();
	});

	it("makes up no rate, takes no range that is none, and marks an answer as old", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		const run = page.locator(".run button.primary");
		await drop(page, [
			{ name: "decay.ode", content: decay },
			{ name: "level.csv", content: decayCsv().replace("seconds", "when") },
		]);
		await page.getByText("Say which column of level.csv is the time, or the rate.").waitFor();
		expect(await run.isDisabled()).toBe(true);
		await visit.match({ time: "when" });
		await page.getByText("Choose the column of level.csv for y.").waitFor();
		expect(await run.isDisabled()).toBe(true);
		await visit.match({ y: "level" });
		await visit.choose("fit");
		await page.waitForSelector(".run button.primary:not([disabled])");
		const rows = page.getByLabel("Training rows");
		await rows.fill("0-20");
		await rows.press("Enter");
		await page.waitForSelector(".mapping .wrong");
		expect(await run.isDisabled()).toBe(true);
		await rows.fill("0..40");
		await rows.press("Enter");
		expect(await visit.run()).toBe("converged");
		expect(await page.locator('[data-testid="stale"]').count()).toBe(0);
		await rows.fill("0..30");
		await rows.press("Enter");
		await page.waitForSelector('[data-testid="stale"]');
		expect(await visit.download('[data-file="study.yaml"]')).toContain("0..40");
		await drop(page, [
			{ name: "a.csv", content: decayCsv() },
			{ name: "b.csv", content: decayCsv() },
		]);
		await expect
			.poll(() => page.locator(".record-tabs .chip").allTextContents())
			.toEqual(["level.csv", "a.csv", "b.csv", "+ add"]);
		await visit.match({ y: "level" });
		await page.getByText("Choose the column of b.csv for y.").waitFor();
		await page.getByRole("button", { name: "b.csv", exact: true }).click();
		await visit.match({ y: "level" });
		expect(await visit.run()).toBe("converged");
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("says at the field what it cannot read, and does not run", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		const run = page.locator(".run button.primary");
		await page.click(".options summary");
		for (const [field, text, why] of [
			["seed", "1.7e", "is not a whole number from 0"],
			["particles", "many", "is not a whole number from"],
			["set", "k3 4", "is not a list of names with numbers"],
		]) {
			const input = page.locator(`#option-${field}`);
			const good = await input.inputValue();
			await input.fill(text);
			await input.press("Enter");
			expect(await page.textContent(".option .wrong")).toContain(`“${text}” ${why}`);
			expect(await input.getAttribute("aria-invalid")).toBe("true");
			expect(await page.locator(".run .hint").textContent()).toContain(`${field}: “${text}” ${why}`);
			expect(await run.isDisabled()).toBe(true);
			await input.fill(good);
			await input.press("Enter");
			await page.waitForSelector(".option .wrong", { state: "detached" });
			expect(await run.isEnabled()).toBe(true);
		}
		// What is wrong with the options of one method does not hold up another.
		await page.fill("#option-particles", "many");
		await page.press("#option-particles", "Enter");
		await visit.choose("fit");
		expect(await run.isEnabled()).toBe(true);
		await visit.choose("bayes");
		expect([await page.inputValue("#option-particles"), await run.isDisabled()]).toEqual(["many", true]);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("shows the error of a broken model at its place, and does not run it", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		const editor = page.locator(".editor .cm-content");
		await editor.getByText("m*x'' + c*x' + k*x").click();
		await page.keyboard.press("End");
		await page.keyboard.type(" + kk*x");
		await page.waitForSelector(".errors");
		const source = readFileSync(
			new URL("../../examples/papers/silverbox/silverbox.ode", import.meta.url),
			"utf8",
		);
		const line = source.split("\n").findIndex((text) => text.startsWith("m*x''")) + 1;
		expect(await page.textContent(".errors b")).toMatch(
			new RegExp(`^line ${line}, column 35: unknown name "kk"`),
		);
		expect(await page.locator(".editor .cm-lintRange-error").textContent()).toBe("kk");
		expect(await page.locator("button.primary").isDisabled()).toBe(true);
		for (let i = 0; i < " + kk*x".length; i++) await page.keyboard.press("Backspace");
		await page.waitForSelector(".errors", { state: "detached" });
		expect(await page.locator("button.primary").isEnabled()).toBe(true);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("says why a method does not apply, and completes what is typed", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		expect(await page.textContent(".method.m-guaranteed .why")).toContain("needs a set");
		await visit.choose("guaranteed");
		expect(await page.locator("button.primary").isDisabled()).toBe(true);
		await page.getByRole("button", { name: /^Suggested: bayes/ }).click();
		expect(await page.locator("button.primary").isEnabled()).toBe(true);
		await page.locator(".editor .cm-content").getByText("measure", { exact: true }).click();
		await page.keyboard.press("End");
		await page.keyboard.press("Enter");
		await page.keyboard.type("mea");
		await page.waitForSelector(".editor .cm-tooltip-autocomplete");
		expect(await page.locator(".editor .cm-tooltip-autocomplete li").first().textContent()).toContain(
			"measure",
		);
		await visit.close();
	});

	it("pauses, resumes and gives the same bits; stops when told", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await visit.setOption("particles", "150");
		await visit.press("Run", "Pause");
		const bar = page.getByRole("progressbar");
		await page.waitForTimeout(1200);
		const before = await bar.getAttribute("aria-valuenow");
		await page.waitForTimeout(600);
		expect(await bar.getAttribute("aria-valuenow")).toBe(before);
		await visit.stepToView();
		expect(await page.locator("article.result").count()).toBe(0);
		await page.getByRole("button", { name: "Resume" }).click();
		expect(await visit.ended()).toBe("converged");
		const paused = numbersOf(await visit.download('[data-file="summary.json"]'));
		expect(await visit.run()).toBe("converged");
		const straight = numbersOf(await visit.download('[data-file="summary.json"]'));
		expect(paused).toEqual(straight);
		await visit.press("Run", "Stop");
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("holds the study in a link that a fresh profile opens", async () => {
		const first = await Visit.open(browser, server.url);
		await drop(first.page, [
			{ name: "decay.ode", content: decay },
			{ name: "level.csv", content: decayCsv() },
		]);
		await first.page.getByText("60 × 2").waitFor();
		await first.choose("fit");
		await first.match({ y: "level" });
		await first.page.fill('input[aria-label="Training rows"]', "0..40");
		await first.page.press('input[aria-label="Training rows"]', "Enter");
		await first.run();
		const summary = numbersOf(await first.download('[data-file="summary.json"]'));
		await first.page.getByRole("button", { name: "Share" }).click();
		const link = await first.page.inputValue("input.link");
		await first.close();

		const second = await Visit.open(browser, link);
		await second.openPanel();
		expect(await second.page.inputValue('input[aria-label="Training rows"]')).toBe("0..40");
		expect(await second.run()).toBe("converged");
		const again = numbersOf(await second.download('[data-file="summary.json"]'));
		expect(again).toEqual(summary);
		expect(second.problems).toEqual([]);
		await second.close();
		const broken = await Visit.open(browser, `${server.url}#study=AAAA`);
		expect(await broken.page.textContent(".notice.grave")).toMatch(/link is damaged/);
		await broken.close();
	});

	it("holds the answers of several methods against one another, and zooms into their plots", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await visit.openExample("compartments");
		await visit.choose("all");
		expect(await visit.run()).toMatch(/^(agree|contradict)$/);
		const answers = await page
			.locator(".cross-row", { hasText: "p4" })
			.first()
			.locator(".answer .method-name")
			.allTextContents();
		expect(answers.sort()).toEqual(["bayes", "fit", "guaranteed"]);
		expect(await page.locator('.cross-row[data-verdict="contradict"]').count()).toBe(
			await page.locator(".cross-row.contradiction").count(),
		);
		// The table below them is that of one method, and says of which.
		expect(await page.locator('[aria-label="Parameters"] thead').textContent()).toContain("estimate of fit");
		// Plots are drawn when they come near the screen.
		const figure = page.locator("article figure", { hasText: "measured and predicted" }).first();
		await figure.scrollIntoViewIfNeeded();
		const plot = figure.locator(".zoomable");
		await plot.focus();
		const before = await plot.locator(".x-ticks").textContent();
		await page.keyboard.press("+");
		await page.getByRole("button", { name: "Show all" }).first().waitFor();
		expect(await plot.locator(".x-ticks").textContent()).not.toBe(before);
		await page.keyboard.press("0");
		await page.getByRole("button", { name: "Show all" }).waitFor({ state: "detached" });
		expect(await plot.locator(".x-ticks").textContent()).toBe(before);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("chooses rows by a drag across the record", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await page.getByText("test", { exact: true }).first().click();
		const box = (await page.locator(".record-plot").boundingBox())!;
		// Between the labels of its axis and its right edge.
		const at = (share: number): number => box.x + 58 + share * (box.width - 58 - 14);
		await page.mouse.move(at(0.5), box.y + 60);
		await page.mouse.down();
		await page.mouse.move(at(0.75), box.y + 60, { steps: 4 });
		await page.mouse.up();
		await visit.openPanel();
		const rows = /^(\d+)\.\.(\d+)$/.exec(await page.inputValue('input[aria-label="Test rows"]'))!;
		expect(Math.abs(Number(rows[1]) - 0.5 * 675)).toBeLessThan(5);
		expect(Math.abs(Number(rows[2]) - 0.75 * 675)).toBeLessThan(5);
		await visit.close();
	});
});
