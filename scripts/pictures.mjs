/**
 * Draws the pictures of README and docs/methods anew from the examples, so that none goes stale:
 * node scripts/pictures.mjs [page ...]   (needs Chromium; those of the workbench are made by workbench-pictures.mjs)
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { chromiumPath } from "./chromium.mjs";
import { must, root, setUp } from "./setup.mjs";

/** A picture: the figures of one run's report, named by their titles; without titles, the top of the report. */
const pictures = {
	report: { study: "examples/demo/study.yaml" },
	bayes: {
		study: "examples/papers/silverbox/study.yaml",
		figures: [
			"k",
			"m and k",
			"y (test): measured and predicted",
			"Where the uncertainty of y comes from (test)",
		],
	},
	guaranteed: { study: "examples/papers/compartments/study.yaml", figures: ["p4 as data came in", "x2"] },
	periodic: {
		study: "examples/papers/morris-lecar/study.yaml",
		figures: ["One period", "q", "Harmonics of the record"],
	},
	inversion: {
		study: "examples/papers/operating-conditions/study.yaml",
		figures: [
			"Which weights are there",
			"Elimination path",
			"p2[c2]",
			"p4[c3]",
			"xm, set-1.csv (training): measured and predicted",
		],
	},
	kriging: {
		study: "examples/papers/lotka-volterra-field/study.yaml",
		figures: [
			"f1(x1, x2)",
			"Error of f1",
			"x1' in record.csv",
			"x2' in record.csv",
			"y1 (test): measured and predicted",
		],
	},
	all: { study: "examples/papers/compartments/all.yaml", figures: ["p4: the methods agree", "bayes: p4"] },
};

const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "odentify-pictures-"));
setUp();
const browser = await chromium.launch({
	executablePath: chromiumPath,
	args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
	for (const [name, { study, figures }] of Object.entries(pictures)) {
		if (asked.length > 0 && !asked.includes(name)) continue;
		const run = join(folder, name);
		must(process.execPath, ["dist/cli/main.js", "run", study, "--out", run, "--quiet"]);
		const page = await browser.newPage({ viewport: { width: 960, height: 1150 }, colorScheme: "light" });
		await page.goto(pathToFileURL(join(run, "report.html")).href);
		const path = join(root, "docs", "images", `${name}.png`);
		if (figures) await (await only(page, figures)).screenshot({ path });
		else await page.screenshot({ path });
		await page.close();
	}
} finally {
	await browser.close();
	rmSync(folder, { recursive: true, force: true });
}

/** Leaves nothing on the page but the named figures, small ones in pairs. */
async function only(page, titles) {
	const missing = await page.evaluate((titles) => {
		const all = [...document.querySelectorAll("figure")];
		const chosen = titles.map((title) => all.find((one) => one.querySelector("b")?.textContent === title));
		const sheet = document.createElement("main");
		sheet.id = "sheet";
		sheet.style = "margin:0;padding:12px 16px;width:fit-content;max-width:800px";
		let pair;
		for (const figure of chosen) {
			if (!figure) continue;
			const small = figure.querySelector("svg.wide") === null;
			if (small && !pair)
				pair = sheet.appendChild(Object.assign(document.createElement("div"), { className: "pair" }));
			if (!small) pair = undefined;
			figure.style.margin = "0 0 12px";
			(small ? pair : sheet).append(figure);
		}
		document.body.replaceChildren(sheet);
		return titles.filter((_, index) => !chosen[index]);
	}, titles);
	if (missing.length > 0) throw new Error(`the report has no figure named ${missing.join(", ")}`);
	return page.locator("#sheet");
}
