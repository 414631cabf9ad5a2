/** The page as `odentify serve` gives it: isolated, under its strict policy, with the runs of a folder. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, root, Workplace } from "../cli/odentify.ts";
import { matFile } from "./mat-file.ts";
import { buildPage, drop, hasChromium, numbersOf, sharedBrowser, Visit } from "./page.ts";

const main = join(root, "dist/cli/main.js");

describe("the command", () => {
	beforeAll(build, 180_000);

	it("refuses to open itself to other machines without a token", () => {
		const place = new Workplace();
		try {
			const open = place.run("serve", "--host", "0.0.0.0");
			expect([open.code, open.err]).toEqual([2, expect.stringContaining("needs --token")]);
			expect(place.run("serve", "--token", "short").code).toBe(2);
			expect(place.run("serve", "--port", "99999").code).toBe(2);
		} finally {
			place.clean();
		}
	});
});

describe.runIf(hasChromium)("the page of odentify serve", () => {
	const place = new Workplace();
	let browser: Browser;
	let link: string;
	let server: ReturnType<typeof spawn>;
	beforeAll(async () => {
		await build();
		await buildPage();
		server = spawn(process.execPath, [main, "serve", "--port", "0", "--no-open", "--json", "--quiet"], {
			cwd: place.path,
			stdio: ["ignore", "pipe", "inherit"],
		});
		link = await new Promise<string>((resolve, reject) => {
			let text = "";
			server.stdout!.on("data", (part) => {
				text += part;
				const found = /"link": "([^"]+)"/.exec(text);
				if (found) resolve(found[1]);
			});
			server.on("exit", () => reject(new Error(`serve ended: ${text}`)));
		});
		browser = await sharedBrowser();
	}, 180_000);
	afterAll(async () => {
		server?.kill("SIGTERM");
		place.clean();
	});

	it("shares memory, keeps runs, opens them again and compares them", { timeout: 120_000 }, async () => {
		const visit = await Visit.open(browser, link);
		const { page } = visit;
		expect(await page.evaluate("crossOriginIsolated")).toBe(true);
		// What lets the page write is not left where it is seen, kept in a history or sent with a link.
		expect(new URL(link).hash).toMatch(/token=/);
		expect(page.url()).toBe(link.replace(/#.*/, ""));
		// Under the strict policy of the server every reader works, WebAssembly among them.
		await drop(page, [{ name: "new.mat", content: await matFile() }]);
		await page.getByText("50 × 2").waitFor();
		await visit.openExample("compartments");
		expect(await visit.run()).toBe("proved");
		const summary = await visit.download('[data-file="summary.json"]');
		await page.getByRole("button", { name: "Keep it in the run folder" }).click();
		await page.getByText("Kept as runs/compartments").waitFor();
		expect(numbersOf(place.text("runs/compartments/summary.json"))).toEqual(numbersOf(summary));
		// What was kept is a run folder like any other: the command line can draw its report, and do the study again.
		expect(place.run("report", "runs/compartments").code).toBe(0);
		const again = place.run("run", "runs/compartments/study.yaml", "--out", "runs/again", "--quiet");
		expect([again.err, again.code]).toEqual(["", 0]);
		// One whose result is cut short, and one that has a hole that its ends do not show.
		const result = place.text("runs/again/result.json");
		for (const [name, text] of [
			["torn", result.slice(0, -50)],
			["holed", result.replace('"value":', "")],
		]) {
			for (const file of ["study.yaml", "summary.json"])
				place.put(`runs/${name}/${file}`, place.text(`runs/again/${file}`));
			place.put(`runs/${name}/result.json`, text);
		}
		await page.reload();
		await visit.ready();
		await page.click('[data-tab="folder"]');
		const entry = (name: string) => page.locator(".run-list li", { hasText: new RegExp(`^\\s*${name}`) });
		expect(await entry("torn").textContent()).toContain("broken: result.json is cut short");
		expect(await entry("torn").locator("input").isDisabled()).toBe(true);
		expect(await entry("holed").textContent()).toContain("proved");
		await entry("holed").locator("input").click();
		await entry("holed").getByText("broken: holed/result.json").waitFor();
		expect(await entry("holed").textContent()).not.toContain("proved");
		await page.getByRole("checkbox", { name: /^compartments/ }).check();
		await page.getByRole("checkbox", { name: /^again/ }).check();
		await page.waitForSelector(".runs table");
		await page.locator(".compared article.result").nth(1).waitFor();
		const row = await page
			.locator('[aria-label="Comparison of runs"] tbody tr')
			.first()
			.locator("td")
			.allTextContents();
		expect(row).toHaveLength(2);
		expect(row[0]).toBe(row[1]);
		expect(await page.locator(".compared article.result").count()).toBe(2);
		expect(visit.problems).toEqual([]);
		await visit.close();
	});

	it("shows the report of a run as nobody's page, and runs no other file", { timeout: 120_000 }, async () => {
		place.put("decay/decay.ode", "param k\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.05)\n");
		place.put("decay/record.csv", "t,y\n0,1.02\n1,0.61\n2,0.35\n3,0.24\n4,0.12\n");
		place.put("decay/study.yaml", "model: decay.ode\ndata: { file: record.csv, time: t }\n");
		expect(place.run("run", "decay/study.yaml", "--out", "runs/decay", "--quiet").code).toBe(0);
		const at = (file: string): string => `${link.replace(/#.*/, "")}api/runs/decay/${file}`;
		const script = "document.title = 'ran as ' + origin";
		place.put("runs/decay/evil.js", script);
		place.put("runs/decay/evil.HTML", `<script>${script}</script><script src="evil.js"></script>`);
		const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script><script href="evil.js"/></svg>`;
		place.put("runs/decay/evil.svg", svg);
		const context = await browser.newContext();
		const page = await context.newPage();
		const problems: string[] = [];
		page.on("console", (message) => {
			if (["error", "warning"].includes(message.type())) problems.push(message.text());
		});
		page.on("pageerror", ({ message }) => problems.push(message));
		await page.goto(at("report.html"));
		expect(await page.evaluate("origin")).toBe("null");
		const ticks = () => page.locator(".zoomable .x-ticks").first().textContent();
		const whole = await ticks();
		await page.locator(".zoomable").first().focus();
		await page.keyboard.press("+");
		expect(await ticks()).not.toBe(whole);
		await page.getByRole("link", { name: "trajectory.csv" }).click();
		await page.getByText("t,y").waitFor();
		await page.goBack();
		const binary = page.waitForEvent("download");
		await page.evaluate('document.querySelector("dd a").href = "evil.svg"');
		await page.locator("dd a").first().click();
		expect((await binary).suggestedFilename()).toBe("evil.svg");
		for (const file of ["evil.HTML", "evil.svg", "evil.js"]) {
			const saved = page.waitForEvent("download");
			// Not shown: a navigation that becomes a download ends as if it had failed.
			await page.goto(at(file)).catch(() => {});
			expect((await saved).suggestedFilename()).toBe(file);
			expect(await page.title()).not.toContain("ran");
		}
		// Nor does the page itself take such a file for a script.
		await page.goto(link);
		const loaded = await page.evaluate(`new Promise((resolve) => {
			const script = Object.assign(document.createElement("script"), { src: ${JSON.stringify(at("evil.js"))} });
			script.onload = () => resolve("loaded");
			script.onerror = () => resolve("refused");
			document.head.append(script);
		})`);
		expect([loaded, await page.title()]).toEqual(["refused", expect.not.stringContaining("ran")]);
		expect(problems.filter((text) => !/evil\.js/.test(text))).toEqual([]);
		await context.close();
	});

	it("gives the same bits with shared memory as without", { timeout: 120_000 }, async () => {
		const visit = await Visit.open(browser, link);
		await visit.openExample("silverbox");
		await visit.setOption("particles", "200");
		await visit.run();
		const shared = numbersOf(await visit.download('[data-file="summary.json"]'));
		place.put("s/study.yaml", await visit.download('[data-file="study.yaml"]'));
		place.put("s/record.csv", await visit.download('[data-record="record.csv"]'));
		expect(place.run("run", "s/study.yaml", "--out", "s/out", "--quiet", "--compute", "inline").code).toBe(0);
		expect(shared).toEqual(numbersOf(place.text("s/out/summary.json")));
		expect(visit.problems).toEqual([]);
		await visit.close();
	});
});
