/** What the page says of a record, of a model that is broken, and of what is dropped at the wrong time: in its own words. */
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { drop, hasChromium, openPage, Visit } from "./page.ts";
import type { StaticServer } from "./static-server.ts";

const decay = "param k\nparam s = 0.01\nstate x\nx' = -k*x\nmeasure y ~ normal(x, s)\n";

/** A record of the decay; `change` may put anything in place of a time and a value. */
function csv(
	change: (row: number, t: number, y: number) => readonly [number | string, number | string],
): string {
	const rows = Array.from({ length: 40 }, (_, i) => {
		const t = i / 10;
		return change(i, t, 2 * Math.exp(-0.7 * t) + 0.01 * Math.sin(i * i * 7.3)).join(",");
	});
	return `t,y\n${rows.join("\n")}\n`;
}

describe.runIf(hasChromium)("the page says", () => {
	let server: StaticServer;
	let browser: Browser;
	beforeAll(async () => {
		({ server, browser } = await openPage());
	}, 180_000);

	it("which rows of a record are odd, and does not run where the engine would refuse", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		const odd = page.locator('[data-testid="oddities"]');
		const run = page.locator(".run button.primary");
		await drop(page, [
			{ name: "decay.ode", content: decay },
			{ name: "far.csv", content: csv((i, t, y) => [t, i === 12 || i === 30 ? -999 : y]) },
		]);
		await visit.choose("fit");
		await odd.getByText("rows 12 and 30").waitFor();
		expect(await odd.textContent()).toMatch(/y: 2 values are far from all others: -999 \(rows 12 and 30\)/);
		expect(await run.isEnabled()).toBe(true);

		await visit.openPanel();
		await page.getByRole("button", { name: "Remove far.csv" }).click();
		await drop(page, [{ name: "back.csv", content: csv((i, t, y) => [i === 7 ? 0.1 : t, y]) }]);
		await odd.getByText("row 7").waitFor();
		expect(await odd.textContent()).toContain("t does not increase in 1 row: row 7 (0.1 after 0.6)");
		expect(await run.isDisabled()).toBe(true);
		expect(await page.textContent(".run .hint")).toContain("back.csv: t does not increase");

		await page.getByRole("button", { name: "Remove back.csv" }).click();
		await drop(page, [{ name: "twice.csv", content: csv((i, t, y) => [i === 9 ? 0.8 : t, y]) }]);
		await odd.getByText("row 9").waitFor();
		expect(await odd.textContent()).toContain("row 9 (0.8 again)");
		expect(await run.isDisabled()).toBe(true);

		await page.getByRole("button", { name: "Remove twice.csv" }).click();
		await drop(page, [{ name: "nan.csv", content: csv((i, t, y) => [t, i === 5 ? "inf" : y]) }]);
		await odd.getByText("row 5").waitFor();
		expect(await run.isDisabled()).toBe(true);
		await visit.openPanel();
		await page.fill('input[aria-label="Numbers that stand for no value"]', "inf");
		await page.press('input[aria-label="Numbers that stand for no value"]', "Enter");
		await page.waitForSelector(".run button.primary:not([disabled])");
		expect(await odd.textContent()).toContain("y: 1 empty field (row 5), left out");
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("where a column is chosen, in words of the page", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await drop(page, [
			{ name: "decay.ode", content: decay },
			{ name: "r.csv", content: csv((_, t, y) => [t, y]).replace("t,y", "t,t2") },
		]);
		// One that is asked for under a name that the record does not have.
		await drop(page, [
			{
				name: "study.yaml",
				content: `model: |\n${decay.replace(/^/gm, "  ")}\ndata: { file: r.csv, time: t }\nmethod: fit\n`,
			},
		]);
		await page.getByText("Choose the column of r.csv for y.").waitFor();
		expect(await page.getByRole("button", { name: "Run fit" }).isDisabled()).toBe(true);
		expect(await page.locator('.mapping[aria-label="Columns and clock"] label.open').textContent()).toMatch(
			/^y/,
		);
		await visit.match({ y: "t2" });
		expect(await visit.run()).toBe("converged");
		await visit.close();
	});

	it("that its verdicts on the methods are those of an earlier text, while the model has errors", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		expect(await page.locator('[data-testid="earlier"]').count()).toBe(0);
		await page.locator(".editor .cm-content").click();
		await page.keyboard.press("Control+End");
		await page.keyboard.type("y = nothing");
		await page.waitForSelector('[data-testid="earlier"]');
		expect(await page.locator(".methods.earlier").count()).toBe(1);
		await page.keyboard.press("Control+z");
		await page.waitForSelector('[data-testid="earlier"]', { state: "detached" });
		await visit.close();
	});

	it("that it opens nothing else while a method runs, and the run goes on", async () => {
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await visit.openExample("bouc-wen");
		await visit.setOption("particles", "100");
		await visit.press("Run", "Pause");
		for (const files of [
			[{ name: "decay.ode", content: decay }],
			[{ name: "other.csv", content: csv((_, t, y) => [t, y]) }],
		]) {
			await drop(page, files);
			await page.getByText("Stop the run first").waitFor();
			await page.locator(".notice button").click();
		}
		await page.click(".new-menu summary");
		await page.click('[data-example="silverbox"]');
		await page.getByText("Stop the run first").waitFor();
		await page.getByRole("button", { name: "Resume" }).click();
		expect(await visit.ended()).toBe("converged");
		expect(await page.locator('[data-testid="stale"]').count()).toBe(0);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});
});
