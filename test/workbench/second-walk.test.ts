/** What a stranger missed on a second walk: one page for all, in the order in which it is used. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drop, hasChromium, openPage, Visit } from "./page.ts";

/** A circle, measured in both directions, and something beside them. */
function circle(): string {
	const rows = Array.from({ length: 40 }, (_, i) => {
		const [a, b] = [Math.cos(i / 6), Math.sin(i / 6)];
		return `${i / 6},${a.toFixed(4)},${b.toFixed(4)},${(20 + a * b).toFixed(4)}`;
	});
	return `t,a,b,heat\n${rows.join("\n")}\n`;
}

const field = `unknown f(x, y) ~ kriging(trend: 1), g(x, y) ~ kriging(trend: 1)
state x, y
x' = f(x, y)
y' = g(x, y)
measure a ~ normal(x, 0.1)
measure b ~ normal(y, 0.1)
`;

const turning = `param w ~ lognormal(log(1), 0.5), s ~ halfnormal(0.2)
state x ~ normal(1, 0.1), y ~ normal(0, 0.1)
x' = -w*y
y' = w*x
measure a ~ normal(x, s)
measure b ~ normal(y, s)
`;

/** Pixels of the plot's inner part that are nearly of a colour of the page's style. Runs in the page. */
const inkOf = (name: string) => `(() => {
	const shown = document.querySelector(".record-plot canvas");
	const { width, height } = shown;
	const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
	copy.drawImage(shown, 0, 0);
	const hex = getComputedStyle(document.documentElement).getPropertyValue("${name}").trim();
	const full = hex.length === 4 ? hex.replace(/[^#]/g, "$&$&") : hex;
	const wanted = [1, 3, 5].map((at) => parseInt(full.slice(at, at + 2), 16));
	const data = copy.getImageData(64, 30, width - 90, height - 80).data;
	let n = 0;
	for (let i = 0; i < data.length; i += 4)
		if (data[i + 3] > 100 && wanted.every((value, k) => Math.abs(data[i + k] - value) < 12)) n++;
	return n;
})()`;

describe.runIf(hasChromium)("a stranger, walking once more,", () => {
	let visit: Visit;
	let page: Page;
	beforeAll(async () => {
		const { server, browser } = await openPage();
		visit = await Visit.open(browser, server.url, { viewport: { width: 1280, height: 860 } });
		({ page } = visit);
		page.setDefaultTimeout(8000);
	}, 180_000);
	afterAll(() => visit?.closeForGood());

	async function begin(files: Parameters<typeof drop>[1]): Promise<void> {
		await page.click(".new-menu summary");
		await page.click('[data-new="blank"]');
		await page.getByText("There is no model yet.").waitFor();
		await drop(page, files);
		await page.getByText("40 × 4").waitFor();
	}
	const plane = () => page.getByRole("button", { name: "phase plane" });
	const slider = (name: string) => page.getByRole("slider", { name, exact: true });
	const standing = async (name: string) => Number(await slider(name).getAttribute("aria-valuenow"));

	it("sees any two columns over one another before there is a model", async () => {
		await begin([{ name: "circle.csv", content: circle() }]);
		await plane().click();
		await page.getByRole("img", { name: "b over a" }).waitFor();
		const up = page.locator(".read-out select").nth(1);
		expect(await up.locator("option").allTextContents()).toEqual(["a", "b", "heat"]);
		await up.selectOption("heat");
		await page.getByRole("img", { name: "heat over a" }).waitFor();
		await expect.poll(() => page.evaluate<number>(inkOf("--data"))).toBeGreaterThan(40);
		await plane().click();
	});

	it("sees measured outputs over one another where the field is what is sought", async () => {
		await begin([
			{ name: "field.ode", content: field },
			{ name: "circle.csv", content: circle() },
		]);
		await page.getByText("Learned as a whole: f, g.").waitFor();
		await plane().click();
		await page.getByRole("img", { name: "b over a" }).waitFor();
		expect(await page.locator(".read-out select").first().locator("option").allTextContents()).toEqual([
			"a",
			"b",
		]);
		await expect.poll(() => page.evaluate<number>(inkOf("--data"))).toBeGreaterThan(40);
		expect(await page.evaluate<number>(inkOf("--hand"))).toBe(0);
		await plane().click();
	});

	it("tells what is left of one output from what is left of another", async () => {
		await begin([
			{ name: "turning.ode", content: turning },
			{ name: "circle.csv", content: circle() },
		]);
		await slider("w").waitFor();
		await expect.poll(() => page.evaluate<number>(inkOf("--series2"))).toBeGreaterThan(60);
	});

	it("takes back a drag of a handle as one step, and makes it again", async () => {
		const before = await standing("w");
		await visit.openPanel();
		const columns = page.locator(".mapping label", { hasText: /^b\b/ }).locator("select");
		await columns.selectOption("heat");
		const box = (await slider("w").boundingBox())!;
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		await page.mouse.move(x, y);
		await page.mouse.down();
		await page.mouse.move(x + 20, y, { steps: 3 });
		// A hand that rests holds on.
		await page.waitForTimeout(1200);
		await page.mouse.move(x + 40, y, { steps: 3 });
		await page.mouse.up();
		const after = await standing("w");
		expect(after).toBeGreaterThan(before);
		await page.keyboard.press("Control+z");
		await expect.poll(() => standing("w")).toBe(before);
		expect(await columns.inputValue()).toBe("heat");
		await page.keyboard.press("Control+Shift+Z");
		await expect.poll(() => standing("w")).toBe(after);
		expect(await columns.inputValue()).toBe("heat");
	});

	it("can still undo after the page was left", async () => {
		const moved = await standing("w");
		await page.getByText("(saved)").waitFor();
		await page.reload();
		await visit.ready();
		await slider("w").waitFor();
		expect(await standing("w")).toBe(moved);
		await page.getByRole("button", { name: "Undo" }).click();
		await expect.poll(() => standing("w")).not.toBe(moved);
		await page.getByRole("button", { name: "Undo" }).click();
		await visit.openPanel();
		const columns = page.locator(".mapping label", { hasText: /^b\b/ }).locator("select");
		await expect.poll(() => columns.inputValue()).toBe("b");
	});

	it("is not invited, while the page is read again, to run a method that does not apply", async () => {
		await begin([
			{ name: "field.ode", content: field },
			{ name: "circle.csv", content: circle() },
		]);
		await page.getByTestId("obstacle").getByText("fit does not apply").waitFor();
		await page.getByText("(saved)").waitFor();
		await page.addInitScript(`(() => {
			window.invited = false;
			const look = () => {
				const button = document.querySelector(".run button.primary");
				if (button && !button.disabled) window.invited = true;
				requestAnimationFrame(look);
			};
			look();
		})()`);
		await page.reload();
		await page.getByTestId("obstacle").getByText("fit does not apply").waitFor();
		expect(await page.evaluate("window.invited")).toBe(false);
		expect(visit.problems).toEqual([]);
	});
});
