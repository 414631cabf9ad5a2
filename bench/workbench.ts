/**
 * The workbench in Chromium: how large and how soon the first view is, a record of 10^6 samples, and how long each task of
 * the page takes while each method runs. Limits are for a machine that does nothing else. Of times by the clock the least
 * of several tries is nearest to that; times of the processor do not count what others do on the machine.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { buildPage, drop, hasChromium, launch, pageFolder, Visit } from "../test/workbench/page.ts";
import { type StaticServer, staticServer } from "../test/workbench/static-server.ts";
import { exampleList } from "../workbench/page/example-list.ts";

const tries = 5;
const samples = 1_000_000;

interface Line {
	readonly what: string;
	readonly values: readonly number[];
	readonly unit: string;
	readonly limit: number;
}

export async function bench(): Promise<void> {
	if (!hasChromium) return console.log("workbench: there is no Chromium");
	await buildPage();
	const server = await staticServer(pageFolder);
	const browser = await launch();
	try {
		const lines = [
			...(await firstView(browser, server)),
			...(await drawing(browser, server)),
			...(await moving(browser, server, 1000, 16)),
			...(await moving(browser, server, 10_000, 50)),
			...(await million(browser, server)),
		];
		console.log(
			`${"workbench".padEnd(46)}${["least", "median", "most", "limit"].map((s) => s.padStart(9)).join("")}`,
		);
		for (const { what, values, unit, limit } of lines) {
			const sorted = [...values].sort((a, b) => a - b);
			const shown = [sorted[0], sorted[sorted.length >> 1], sorted[sorted.length - 1], limit];
			console.log(`${`${what}, ${unit}`.padEnd(46)}${shown.map((v) => v.toFixed(0).padStart(9)).join("")}`);
		}
		await frames(browser, server);
	} finally {
		await browser.close();
		await server.close();
	}
}

async function firstView(browser: Browser, server: StaticServer): Promise<Line[]> {
	const sizes: number[] = [];
	const ready: number[] = [];
	const processor: number[] = [];
	for (let i = 0; i < tries; i++) {
		server.asked.length = 0;
		let visit: Visit | undefined;
		const { tasks } = await traced(browser, undefined, async () => {
			visit = await Visit.open(browser, server.url);
		});
		const { page } = visit!;
		ready.push(Number(await page.evaluate("performance.getEntriesByName('odentify-ready')[0].startTime")));
		processor.push(tasks.reduce((sum, task) => sum + task, 0));
		await page.waitForLoadState("networkidle");
		sizes.push(
			server.asked.reduce(
				(sum, { path, bytes }) =>
					sum + (path.endsWith(".woff2") ? bytes.length : gzipSync(bytes).length) / 1000,
				0,
			),
		);
		await visit!.close();
	}
	return [
		{ what: "first view, compressed", values: sizes, unit: "kB", limit: 450 },
		{ what: "interactive", values: ready, unit: "ms", limit: 1500 },
		{ what: "interactive, processor of the page", values: processor, unit: "ms", limit: 1500 },
	];
}

/** Two columns of 10^6 rows: dropped once, then drawn anew by zooming out. */
async function drawing(browser: Browser, server: StaticServer): Promise<Line[]> {
	const visit = await Visit.open(browser, server.url);
	const { page } = visit;
	const rows = Array.from(
		{ length: samples },
		(_, i) => `${((i * 7919) % 1000) / 1000},${((i * 104_729) % 997) / 997}`,
	);
	await drop(page, [{ name: "large.csv", content: `u,y\n${rows.join("\n")}\n` }]);
	await page.getByText("1,000,000 × 2").waitFor({ timeout: 60_000 });
	const seen = [Number(await page.getAttribute(".record-plot", "data-drawn"))];
	const processor: number[] = [];
	for (let i = 1; i < tries; i++) {
		await page.focus(".record-plot");
		await page.keyboard.press("+");
		const { tasks } = await traced(browser, page, async () => {
			seen.push(
				Number(
					await page.evaluate(`new Promise((done) => {
						const start = performance.now();
						document.querySelector(".record-plot").dispatchEvent(new KeyboardEvent("keydown", { key: "0", bubbles: true }));
						requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
					})`),
				),
			);
		});
		processor.push(Math.max(...tasks));
	}
	await visit.close();
	return [
		{ what: "10^6 samples drawn", values: seen, unit: "ms", limit: 300 },
		{ what: "10^6 samples drawn, longest task's processor", values: processor, unit: "ms", limit: 300 },
	];
}

/** A fit of 10^6 rows: how soon it shows progress, how soon it stops, and what it costs beside the command line. */
async function million(browser: Browser, server: StaticServer): Promise<Line[]> {
	const folder = mkdtempSync(join(tmpdir(), "odentify-million-"));
	try {
		const study = longStudy(samples);
		for (const { name, content } of study) writeFileSync(join(folder, name), content);
		writeFileSync(
			join(folder, "study.yaml"),
			"model: decay.ode\ndata: { file: long.csv, time: t }\nmethod: fit\n",
		);
		const visit = await Visit.open(browser, server.url);
		const { page } = visit;
		await drop(page, study.slice(0, 1));
		await page.setInputFiles('.record-tabs input[type="file"]', join(folder, "long.csv"));
		await page.getByText("1,000,000 × 3").waitFor({ timeout: 120_000 });
		await page.waitForSelector(".run button.primary:not([disabled])", { timeout: 60_000 });
		await page.waitForTimeout(2000);
		const shown: number[] = [];
		const stopped: number[] = [];
		for (let i = 0; i < 3; i++) {
			shown.push(Number(await page.evaluate(timed(".run button.primary", ".run .label:not(:empty)"))));
			await page.waitForTimeout(500 * (i + 1));
			if ((await page.locator("[role=progressbar]").count()) === 0) continue;
			stopped.push(Number(await page.evaluate(timed(".run button:last-of-type", ".run button.primary"))));
		}
		const session = await browser.newBrowserCDPSession();
		const spent = async (): Promise<number> => {
			const { processInfo } = await session.send("SystemInfo.getProcessInfo");
			return processInfo
				.filter(({ type }) => type === "renderer")
				.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
		};
		const before = await spent();
		await page.click(".run button.primary");
		await page.waitForSelector('[data-testid="outcome"] b', { timeout: 300_000 });
		const inPage = (await spent()) - before;
		await visit.close();
		const own = commandSeconds(folder);
		console.log(
			`fit of 10^6 rows: ${inPage.toFixed(1)} s of processor in the page, ${own.toFixed(1)} s on the command line`,
		);
		return [
			{ what: "10^6 rows, first progress", values: shown, unit: "ms", limit: 1000 },
			{ what: "10^6 rows, stopped", values: stopped, unit: "ms", limit: 1000 },
			{
				what: "10^6 rows, processor beside the command line",
				values: [(100 * inPage) / own],
				unit: "%",
				limit: 300,
			},
		];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A click, and the milliseconds until something is there. Runs in the page. */
function timed(button: string, until: string): string {
	return `new Promise((done) => {
		const start = performance.now();
		document.querySelector(${JSON.stringify(button)}).click();
		const look = () => document.querySelector(${JSON.stringify(until)}) ? done(performance.now() - start) : setTimeout(look, 5);
		setTimeout(look, 0);
	})`;
}

/** Processor of the command, its reading of the file included. */
function commandSeconds(folder: string): number {
	const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
	const { stdout } = spawnSync(
		"bash",
		["-c", `"${process.execPath}" "${main}" run study.yaml >/dev/null 2>&1; times`],
		{
			cwd: folder,
			encoding: "utf8",
		},
	);
	const [user, system] = stdout.trim().split("\n")[1].split(" ");
	const seconds = (text: string): number => {
		const [minutes, rest] = text.replace("s", "").split("m");
		return 60 * Number(minutes) + Number(rest);
	};
	return seconds(user) + seconds(system);
}

const moves = 100;

/** A handle moved a hundred times by its keys: from the key to the curve, and to the frame that shows it. */
async function moving(browser: Browser, server: StaticServer, n: number, limit: number): Promise<Line[]> {
	const visit = await Visit.open(browser, server.url);
	const { page } = visit;
	const rows = Array.from({ length: n }, (_, i) => `${i / 20},${Math.sin(i / 20) + Math.sin(i * i)}`);
	const model =
		"param c ~ lognormal(log(0.2), 1)\nparam k ~ lognormal(log(1), 1)\nstate x = 0, x' = 1\nx'' = -c*x' - k*x - 0.1*x^3\nmeasure y ~ normal(x, 1)\n";
	await drop(page, [
		{ name: "two-states.ode", content: model },
		{ name: "moved.csv", content: `t,y\n${rows.join("\n")}\n` },
	]);
	await page.waitForSelector('[data-track="k"]');
	await page.waitForTimeout(1000);
	const seen = (await page.evaluate(`(async () => {
		const slider = document.querySelector('[data-track="k"] [role=slider]');
		const plot = () => document.querySelector(".record-plot");
		const times = [];
		for (let i = 0; i < ${moves}; i++) {
			const start = performance.now();
			const before = plot().dataset.moves;
			slider.dispatchEvent(new KeyboardEvent("keydown", { key: i % 20 < 10 ? "ArrowRight" : "ArrowLeft", bubbles: true }));
			while (plot().dataset.moves === before) await new Promise((next) => { const c = new MessageChannel(); c.port2.onmessage = next; c.port1.postMessage(0); });
			times.push(performance.now() - start);
			await new Promise((next) => requestAnimationFrame(next));
		}
		return times;
	})()`)) as number[];
	await visit.close();
	return [{ what: `handle moved, ${n} samples`, values: seen, unit: "ms", limit }];
}

/** Every example and the cross-check, from the click to the drawn result: what the page's main thread does meanwhile. */
async function frames(browser: Browser, server: StaticServer): Promise<void> {
	const columns = ["longest", "share", "longest", "over 50", "views"];
	console.log(`\n${"while it runs, and its end".padEnd(34)}${columns.map((s) => s.padStart(9)).join("")}`);
	const units = ["ms cpu", "% cpu", "ms clock", "tasks", "drawn"];
	console.log(`${"".padEnd(34)}${units.map((s) => s.padStart(9)).join("")}`);
	const visit = await Visit.open(browser, server.url);
	const { page } = visit;
	await page.evaluate(`globalThis.seen = { tasks: [], views: 0 };
		new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration)))
			.observe({ type: "longtask" });
		new MutationObserver((list) => { if (document.querySelector('[data-testid="live"]')) seen.views++; })
			.observe(document.querySelector(".answer-room"), { childList: true, subtree: true });`);
	const watch = async (name: string): Promise<void> => {
		await page.evaluate("seen.tasks.length = 0; seen.views = 0");
		const { tasks, seconds } = await traced(browser, page, async () => {
			await page.click("button.primary");
			await page.waitForSelector("article.result", { timeout: 300_000 });
			// The plots are drawn as they come near the screen.
			await page.locator("article.result h3").last().scrollIntoViewIfNeeded();
			await page.waitForTimeout(500);
		});
		const [long, views] = (await page.evaluate("[seen.tasks, seen.views]")) as [number[], number];
		const share = tasks.reduce((sum, task) => sum + task, 0) / (10 * seconds);
		const shown = [Math.max(...tasks), share, Math.max(0, ...long), long.length, views];
		console.log(`${name.padEnd(34)}${shown.map((value) => value.toFixed(0).padStart(9)).join("")}`);
	};
	for (const { id } of exampleList) {
		await visit.openExample(id);
		await watch(id);
	}
	await visit.openExample("compartments");
	await visit.choose("all");
	await watch("compartments, all");
	await drop(page, longStudy());
	await page.getByText("200,000 × 3").waitFor({ timeout: 60_000 });
	await visit.choose("fit");
	await watch("fit of 200,000 samples");
	await visit.close();
	console.log(`${"limit".padEnd(34)}${["50", "", "50", "0", ""].map((s) => s.padStart(9)).join("")}`);
}

/** A driven decay, of 2 · 10^5 samples by default: its predictions are as long. */
function longStudy(n = 200_000): { name: string; content: string }[] {
	const model = "input u\nparam k\nstate x = 0\nx' = -k*x + u\nmeasure y ~ normal(x, 0.05)\n";
	const rows = ["t,u,y"];
	const step = 0.01;
	for (let i = 0, x = 0; i < n; i++) {
		const u = Math.sin(0.0007 * i) + Math.sin(0.013 * i);
		rows.push(`${(i * step).toFixed(2)},${u.toFixed(6)},${(x + 0.05 * Math.sin(i * i * 7.3)).toFixed(6)}`);
		const decay = Math.exp(-0.7 * step);
		x = x * decay + (u * (1 - decay)) / 0.7;
	}
	return [
		{ name: "decay.ode", content: model },
		{ name: "long.csv", content: `${rows.join("\n")}\n` },
	];
}

interface Trace {
	readonly traceEvents: readonly {
		readonly name: string;
		readonly pid: number;
		readonly tid: number;
		/** Time of the processor, in microseconds. */
		readonly tdur?: number;
		readonly args: { readonly name?: string };
	}[];
}

/** Milliseconds of processor that each task of the pages' main threads took, and how long all of it went on. */
async function traced(
	browser: Browser,
	page: Page | undefined,
	what: () => Promise<void>,
): Promise<{ tasks: number[]; seconds: number }> {
	await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
	const start = performance.now();
	await what();
	const seconds = (performance.now() - start) / 1000;
	const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8")) as Trace;
	const mains = new Set(
		traceEvents
			.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
			.map(({ pid, tid }) => `${pid}:${tid}`),
	);
	const tasks = traceEvents
		.filter(
			({ name, pid, tid, tdur }) => /RunTask$/.test(name) && tdur !== undefined && mains.has(`${pid}:${tid}`),
		)
		.map(({ tdur }) => tdur! / 1000);
	return { tasks, seconds };
}
