/**
 * Draws the pictures of docs/workbench.md and of the README anew (needs Chromium):
 * node scripts/workbench-pictures.mjs [--built] [--to FOLDER] [view ...]
 * With --list it only says which pictures there are.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { chromiumPath } from "./chromium.mjs";
import { must, root, setUp, setUpPage } from "./setup.mjs";

/** The pictures that each view makes. */
const pictures = {
	first: ["first"],
	examples: ["examples"],
	error: ["error"],
	running: ["running"],
	result: ["result", "fit"],
	dark: ["dark", "dark-first"],
	phone: ["phone", "phone-result"],
	options: ["options"],
	proof: ["proof"],
	crossCheck: ["cross-check"],
	runs: ["runs"],
};
const fileOf = (name) => `workbench-${name}.png`;

const { values: flags, positionals } = parseArgs({
	allowPositionals: true,
	options: { built: { type: "boolean" }, list: { type: "boolean" }, to: { type: "string" } },
});
const unknown = positionals.find((name) => !(name in pictures));
if (unknown) {
	console.error(`There is no view ${unknown}: there are ${Object.keys(pictures).join(", ")}.`);
	process.exit(2);
}
const wanted = positionals.length > 0 ? positionals : Object.keys(pictures);
if (flags.list) {
	console.log(wanted.flatMap((view) => pictures[view].map(fileOf)).join("\n"));
	process.exit(0);
}
if (!flags.built) {
	setUp();
	setUpPage();
}
const images = flags.to ?? join(root, "docs", "images");
const folder = mkdtempSync(join(tmpdir(), "odentify-pictures-"));
const main = join(root, "dist", "cli", "main.js");
mkdirSync(images, { recursive: true });

/** Two runs to list and to compare. */
const shownRuns = wanted.includes("runs") ? { fitted: "fit", posterior: "bayes" } : {};
for (const [name, method] of Object.entries(shownRuns)) {
	cpSync(join(root, "examples", "demo"), join(folder, name), { recursive: true });
	const study =
		"model: oscillator.ode\ndata: { file: record.csv, time: t, input: cubic }\ntrain: 0..600\ntest: 600..1200\n";
	writeFileSync(join(folder, name, "study.yaml"), `${study}method: ${method}\nbayes: { particles: 200 }\n`);
	must(process.execPath, [
		main,
		"run",
		join(folder, name, "study.yaml"),
		"--out",
		join(folder, "runs", name),
		"--quiet",
	]);
}

const server = spawn(process.execPath, [main, "serve", "--port", "0", "--no-open", "--json", "--quiet"], {
	cwd: folder,
	stdio: ["ignore", "pipe", "inherit"],
});
const link = await new Promise((resolve, reject) => {
	let text = "";
	server.stdout.on("data", (part) => {
		text += part;
		const found = /"link": "([^"]+)"/.exec(text);
		if (found) resolve(found[1]);
	});
	server.on("exit", () => reject(new Error("serve ended")));
});
const browser = await chromium.launch({
	executablePath: chromiumPath,
	args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

async function open(options = {}) {
	const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, ...options });
	await page.goto(link);
	await page.waitForSelector('[data-ready="yes"]');
	await page.waitForTimeout(300);
	return page;
}
/** Plots are drawn one a frame as they come near the screen: all that are in view shall be there. */
const drawn = () =>
	[...document.querySelectorAll("figure > svg.plot")].every((plot) => {
		const { top, bottom } = plot.getBoundingClientRect();
		const room = plot.closest(".answer-room").getBoundingClientRect();
		return bottom < Math.max(0, room.top) || top > Math.min(innerHeight, room.bottom);
	});
const made = new Set();
async function shoot(page, name) {
	await page.waitForFunction(drawn);
	await page.screenshot({ path: join(images, fileOf(name)) });
	made.add(name);
}
const example = async (page, id) => {
	await page.click(".new-menu summary");
	await page.click(`[data-example="${id}"]`);
	await page.waitForSelector('[data-ready="yes"]');
	await page.waitForTimeout(500);
};
/** The answer's own pane scrolls to a part of it; on a phone the page does. */
const toResult = (page, selector) =>
	page.evaluate((where) => {
		document.querySelector(where).scrollIntoView({ block: "start" });
		if (document.querySelector(".answer-room").scrollTop === 0) scrollBy(0, -60);
	}, selector);
const choose = async (page, method) => {
	await page.click('[data-tab="methods"]');
	await page.check(`input[name="method"][value="${method}"]`);
};
const finish = (page) => page.waitForSelector("article.result", { timeout: 120_000 });

const views = {
	async first() {
		const page = await open();
		await shoot(page, "first");
	},
	async examples() {
		const page = await open();
		await page.click(".new-menu summary");
		await page.waitForSelector("[data-template] svg");
		await shoot(page, "examples");
	},
	async error() {
		const page = await open();
		await page.locator(".editor .cm-content").getByText("m*x'' + c*x' + k*x").click();
		await page.keyboard.press("End");
		await page.keyboard.type(" + k2*x");
		await page.waitForSelector(".errors");
		await page.keyboard.press("Escape");
		await shoot(page, "error");
	},
	async running() {
		const page = await open();
		await example(page, "bouc-wen");
		await page.click("button.primary");
		await page.waitForSelector('[data-testid="live"] svg.plot');
		await page.waitForFunction(() => document.querySelector("[role=progressbar]").ariaValueNow > 55);
		await shoot(page, "running");
	},
	async result() {
		const page = await open();
		await page.click("button.primary");
		await finish(page);
		await shoot(page, "result");
		await toResult(page, "article.result h3:nth-of-type(2)");
		await shoot(page, "fit");
	},
	async dark() {
		const page = await open({ colorScheme: "dark" });
		await example(page, "lotka-volterra-field");
		await shoot(page, "dark-first");
		await page.click(".run button.primary");
		await finish(page);
		await shoot(page, "dark");
	},
	async phone() {
		const page = await open({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true });
		await shoot(page, "phone");
		await example(page, "compartments");
		await page.click("button.primary");
		await finish(page);
		await toResult(page, ".run");
		await shoot(page, "phone-result");
	},
	async options() {
		const page = await open();
		await example(page, "operating-conditions");
		await page.click(".options summary");
		await toResult(page, ".options");
		await shoot(page, "options");
	},
	async proof() {
		const page = await open();
		await example(page, "compartments");
		await page.click("button.primary");
		await finish(page);
		await shoot(page, "proof");
	},
	async crossCheck() {
		const page = await open();
		await example(page, "compartments");
		await choose(page, "all");
		await page.click("button.primary");
		await finish(page);
		await shoot(page, "cross-check");
	},
	async runs() {
		const page = await open();
		await page.click('[data-tab="folder"]');
		await page.getByRole("checkbox", { name: /^fitted/ }).check();
		await page.getByRole("checkbox", { name: /^posterior/ }).check();
		await page.waitForSelector(".compared article.result >> nth=1", { timeout: 60_000 });
		await shoot(page, "runs");
	},
};

try {
	for (const name of wanted) {
		made.clear();
		await views[name]();
		if (String([...made].sort()) !== String([...pictures[name]].sort()))
			throw new Error(`the view ${name} makes ${[...made]}, but is said to make ${pictures[name]}`);
	}
} finally {
	await browser.close();
	server.kill();
	rmSync(folder, { recursive: true, force: true });
}
