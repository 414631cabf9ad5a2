/**
 * The workbench in Chromium: how large and how soon the first view is, a record of 10^6 samples, and how long frames take
 * while a method runs. Limits are for a machine that does nothing else; the least of several tries is nearest to that.
 */
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { buildPage, drop, hasChromium, launch, pageFolder, Visit } from "../test/workbench/page.ts";
import { staticServer } from "../test/workbench/static-server.ts";

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
	const lines: Line[] = [];
	try {
		const sizes: number[] = [];
		const ready: number[] = [];
		for (let i = 0; i < tries; i++) {
			server.asked.length = 0;
			const visit = await Visit.open(browser, server.url);
			ready.push(
				Number(await visit.page.evaluate("performance.getEntriesByName('odentify-ready')[0].startTime")),
			);
			await visit.page.waitForLoadState("networkidle");
			sizes.push(
				server.asked.reduce(
					(sum, { path, bytes }) =>
						sum + (path.endsWith(".woff2") ? bytes.length : gzipSync(bytes).length) / 1000,
					0,
				),
			);
			await visit.close();
		}
		lines.push({ what: "first view, compressed", values: sizes, unit: "kB", limit: 400 });
		lines.push({ what: "interactive", values: ready, unit: "ms", limit: 1500 });
		lines.push({
			what: "10^6 samples drawn",
			values: await drawing(await Visit.open(browser, server.url)),
			unit: "ms",
			limit: 300,
		});
		lines.push(...(await frames(browser, await Visit.open(browser, server.url))));
	} finally {
		await browser.close();
		await server.close();
	}
	console.log(
		`${"workbench".padEnd(34)}${["least", "median", "most", "limit"].map((s) => s.padStart(9)).join("")}`,
	);
	for (const { what, values, unit, limit } of lines) {
		const sorted = [...values].sort((a, b) => a - b);
		const shown = [sorted[0], sorted[sorted.length >> 1], sorted[sorted.length - 1], limit];
		console.log(`${`${what}, ${unit}`.padEnd(34)}${shown.map((v) => v.toFixed(0).padStart(9)).join("")}`);
	}
}

/** Two columns of 10^6 rows: dropped once, then drawn anew by zooming out. */
async function drawing(visit: Visit): Promise<number[]> {
	const rows = Array.from(
		{ length: samples },
		(_, i) => `${((i * 7919) % 1000) / 1000},${((i * 104_729) % 997) / 997}`,
	);
	await drop(visit.page, [{ name: "large.csv", content: `u,y\n${rows.join("\n")}\n` }]);
	await visit.page.getByText("1,000,000 × 2").waitFor({ timeout: 60_000 });
	const seen = [Number(await visit.page.getAttribute(".record-plot", "data-drawn"))];
	for (let i = 1; i < tries; i++) {
		await visit.page.focus(".record-plot");
		await visit.page.keyboard.press("+");
		seen.push(
			Number(
				await visit.page.evaluate(`new Promise((done) => {
					const start = performance.now();
					document.querySelector(".record-plot").dispatchEvent(new KeyboardEvent("keydown", { key: "0", bubbles: true }));
					requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
				})`),
			),
		);
	}
	await visit.close();
	return seen;
}

interface Seen {
	readonly seen: { readonly gaps: readonly number[] };
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

/** Milliseconds of processor that each task of the pages' main threads took: what others do on the machine does not count. */
function tasksOf({ traceEvents }: Trace): number[] {
	const mains = new Set(
		traceEvents
			.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
			.map(({ pid, tid }) => `${pid}:${tid}`),
	);
	return traceEvents
		.filter(
			({ name, pid, tid, tdur }) => /RunTask$/.test(name) && tdur !== undefined && mains.has(`${pid}:${tid}`),
		)
		.map(({ tdur }) => tdur! / 1000);
}

/** Time between frames, and tasks that hold the page up, while bayes runs and its live view is drawn. */
async function frames(browser: Browser, visit: Visit): Promise<Line[]> {
	const { page } = visit;
	await visit.openExample("bouc-wen");
	await page.evaluate(`(() => {
		const seen = (globalThis.seen = { gaps: [], tasks: [], ended: 0 });
		new PerformanceObserver((list) => seen.tasks.push(...list.getEntries())).observe({ entryTypes: ["longtask"] });
		let last = 0;
		const step = (now) => {
			const running = document.querySelector("[role=progressbar]") !== null;
			if (running && last > 0) seen.gaps.push(now - last);
			if (running) seen.ended = now;
			last = running ? now : 0;
			requestAnimationFrame(step);
		};
		requestAnimationFrame(step);
	})()`);
	await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "__metadata"] });
	await page.click("button.primary");
	await page.waitForSelector('[data-testid="live"]');
	await page.waitForFunction(() => (globalThis as unknown as Seen).seen.gaps.length > 30);
	const trace = JSON.parse((await browser.stopTracing()).toString("utf8")) as Trace;
	await page.waitForSelector("article.result", { timeout: 120_000 });
	const [gaps, long] = (await page.evaluate(
		"[seen.gaps, seen.tasks.filter((task) => task.startTime + task.duration < seen.ended).map(({ duration }) => duration)]",
	)) as [number[], number[]];
	await visit.close();
	return [
		{ what: "between frames, while it runs", values: gaps, unit: "ms", limit: 50 },
		{ what: "processor a task, while it runs", values: tasksOf(trace), unit: "ms", limit: 50 },
		{ what: "long tasks, while it runs", values: long.length > 0 ? long : [0], unit: "ms", limit: 50 },
	];
}
