/** What a stranger stumbled over who came with files of his own: one page for a screen, one for a phone. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPage, drop, hasChromium, launch, pageFolder, Visit } from "./page.ts";
import { type StaticServer, staticServer } from "./static-server.ts";

const decay = `param k ~ lognormal(log(0.1), 1), s ~ halfnormal(0.5)
state x ~ lognormal(log(10), 0.5)
x' = -k*x
measure y ~ normal(x, s)
`;

/** Decays by a tenth a row; what is below 1.5 was not seen. */
function withLimits(): string {
	const errors = [0.3, -0.2, 0.1, -0.35, 0.22, -0.1, 0.05, 0.28, -0.3, 0.12];
	const rows = Array.from({ length: 40 }, (_, i) => {
		const y = 10 * Math.exp(-i / 10) + 0.4 * errors[i % 10];
		return `${i},${y < 1.5 ? "<1.5" : y.toFixed(3)}`;
	});
	return `t,y\n${rows.join("\n")}\n`;
}

/** High, low, and high again: the same at the left, where the names are, as at the right. */
function steps(): string {
	const rows = Array.from({ length: 90 }, (_, i) => {
		const y = i < 30 || i >= 60 ? 1 : 0;
		return [i, y, y, y, y].join(",");
	});
	return `t,position,speed,current,voltage\n${rows.join("\n")}\n`;
}

/** Inked pixels of the highest row of dots, in the left and in the right third of the plot. Runs in the page. */
const inkAbove = `(() => {
	const canvas = document.querySelector(".record-plot canvas");
	const { width, height } = canvas;
	const data = canvas.getContext("2d").getImageData(0, 0, width, height).data;
	const dark = (x, y) => data[4 * (y * width + x) + 3] > 120 && data[4 * (y * width + x)] < 90;
	const count = (y, from, to) => {
		let n = 0;
		for (let x = Math.round(from); x < to; x++) if (dark(x, y)) n++;
		return n;
	};
	const left = 58, right = width - 14, third = (right - left) / 3;
	for (let y = 0; y < height; y++) {
		const n = count(y, right - third + 4, right);
		if (n > 20) return { left: count(y, left, left + third - 4), right: n };
	}
	return { left: 0, right: 0 };
})()`;

describe.runIf(hasChromium)("a stranger", () => {
	let server: StaticServer;
	let browser: Browser;
	let visit: Visit;
	let phone: Visit;
	beforeAll(async () => {
		await buildPage();
		server = await staticServer(pageFolder);
		browser = await launch();
		visit = await Visit.open(browser, server.url, { viewport: { width: 1280, height: 860 } });
		visit.page.setDefaultTimeout(8000);
		phone = await Visit.open(browser, server.url, { viewport: { width: 390, height: 844 }, hasTouch: true });
	}, 180_000);
	afterAll(async () => {
		await browser?.close();
		await server?.close();
	});

	async function begin({ page }: Visit): Promise<void> {
		await page.click(".new-menu summary");
		await page.click('[data-new="blank"]');
		await page.getByText("There is no model yet.").waitFor();
	}

	it("finds the menus on a phone, and reads the plot with a thumb", async () => {
		const { page } = phone;
		for (const menu of [".new-menu", ".study-menu"]) {
			await page.locator(`${menu} summary`).tap();
			const box = (await page.locator(`${menu} ul`).boundingBox())!;
			expect(box.y).toBeGreaterThan(0);
			expect(box.y).toBeLessThan(150);
			expect(box.y + box.height).toBeLessThanOrEqual(844);
			await page.keyboard.press("Escape");
		}
		const plot = (await page.locator(".record-plot").boundingBox())!;
		await page.touchscreen.tap(plot.x + 200, plot.y + 60);
		const readOut = page.getByTestId("read-out");
		await readOut.getByText("measured").waitFor();
		// All of it is on the screen.
		for (const each of await readOut.locator("span").all()) {
			const { x, width } = (await each.boundingBox())!;
			expect(x + width).toBeLessThanOrEqual(390);
		}
	});

	it("can read the list of the help: no entry lies on another", async () => {
		const { page } = visit;
		await page.getByRole("button", { name: "Help" }).click();
		await page.locator(".help nav button").nth(12).waitFor();
		const boxes = await page.evaluate<{ top: number; bottom: number }[]>(
			`[...document.querySelectorAll(".help nav > *")].map((each) => {
				const range = document.createRange();
				range.selectNodeContents(each);
				const { top, bottom } = range.getBoundingClientRect();
				return { top, bottom };
			})`,
		);
		for (const [i, { top }] of boxes.entries())
			if (i > 0) expect(top).toBeGreaterThan(boxes[i - 1].bottom - 1);
		await page.click(".help-head button");
	});

	it("sees every sample: names stand above them, not on them", async () => {
		const { page } = visit;
		await begin(visit);
		await drop(page, [{ name: "steps.csv", content: steps() }]);
		await page.getByText("90 × 5").waitFor();
		await page.waitForTimeout(300);
		const ink = await page.evaluate<{ left: number; right: number }>(inkAbove);
		expect(ink.right).toBeGreaterThan(20);
		expect(Math.abs(ink.left - ink.right)).toBeLessThanOrEqual(3);
	});

	it("is asked whether an unknown word stands for no value", async () => {
		const { page } = visit;
		await begin(visit);
		const text = withLimits()
			.replace(/^3,.*$/m, "3,BDL")
			.replace(/^7,.*$/m, "7,fault");
		await drop(page, [
			{ name: "decay.ode", content: decay },
			{ name: "words.csv", content: text },
		]);
		await page.getByRole("button", { name: "Take “BDL” as no value" }).click();
		await page.getByRole("button", { name: "Take “fault” as no value" }).click();
		await page.getByText("40 × 2").waitFor();
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await page.locator(".notice").count()).toBe(0);
		// It is said of the record, so that a file of the study reads it so as well.
		await visit.openPanel();
		await page.click(".file-reading summary");
		expect(await page.locator(".file-reading").textContent()).toMatch(/“BDL” \(1\), “fault” \(1\)/);
	});

	it("has limits weighed as limits, as on the command line", async () => {
		const { page } = visit;
		await begin(visit);
		await drop(page, [
			{ name: "decay.ode", content: decay },
			{ name: "limits.csv", content: withLimits() },
		]);
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await visit.run()).toBe("converged");
		const { parameters } = JSON.parse(await visit.download('[data-file="summary.json"]'));
		expect(Math.abs(parameters.k.estimate - 0.1)).toBeLessThan(4.5 * parameters.k.sd);
	});

	it("is led to the method that the model is for, and reads why another does not apply", async () => {
		const { page } = visit;
		await visit.choose("guaranteed");
		await page.getByRole("button", { name: "Change the model for guaranteed" }).waitFor();
		// The reason has a line of its own rather than a column beside the buttons.
		expect((await page.locator(".run").boundingBox())!.height).toBeLessThan(130);
		await begin(visit);
		await drop(page, [
			{
				name: "field.ode",
				content: "unknown f(x) ~ kriging(trend: 1)\nstate x\nx' = f(x)\nmeasure y ~ normal(x, 0.4)\n",
			},
			{ name: "limits.csv", content: withLimits().replaceAll("<", "") },
		]);
		await page.getByText("Learned as a whole: f.").waitFor();
		expect(await page.locator(".model .fact").first().textContent()).toBe("1 unknown function");
		await page.getByRole("button", { name: "Use kriging" }).click();
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await page.textContent(".run button.primary")).toBe("Run kriging");
		expect(visit.problems).toEqual([]);
	});
});
