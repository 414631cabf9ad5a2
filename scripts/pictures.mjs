// Draws the pictures of the README anew: node scripts/pictures.mjs (needs Chromium).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { must, root, setUp } from "./setup.mjs";

setUp();
const folder = mkdtempSync(join(tmpdir(), "odentify-pictures-"));
try {
	const run = join(folder, "demo");
	must(process.execPath, ["dist/cli/main.js", "run", "examples/demo/study.yaml", "--out", run, "--quiet"]);
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
	});
	const page = await browser.newPage({ viewport: { width: 960, height: 1150 } });
	await page.goto(pathToFileURL(join(run, "report.html")).href);
	await page.screenshot({ path: join(root, "docs", "images", "report.png") });
	await browser.close();
} finally {
	rmSync(folder, { recursive: true, force: true });
}
