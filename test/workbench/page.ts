/** The built page in a real browser, as a user has it. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type StaticServer, staticServer } from "./static-server.ts";

/** The checkout, from the sources or from a build folder inside it. */
const root = ["../..", "../../.."]
	.map((up) => fileURLToPath(new URL(up, import.meta.url)))
	.find((folder) => existsSync(join(folder, "package.json")))!;

const { chromiumPath } = (await import(pathToFileURL(join(root, "scripts/chromium.mjs")).href)) as {
	chromiumPath: string;
};
export const hasChromium = existsSync(chromiumPath);
if (!hasChromium) console.info("Chromium is not installed: the workbench is not opened in a browser.");

export const pageFolder = join(root, "dist/workbench");

/** Builds the page if its sources changed since; test files that run side by side wait for one another. */
export async function buildPage(): Promise<void> {
	const lock = join(root, ".build/workbench.lock");
	mkdirSync(dirname(lock), { recursive: true });
	for (let waited = 0; ; waited++) {
		try {
			mkdirSync(lock);
			break;
		} catch {
			if (waited > 1200) throw new Error(`another build holds ${lock}`);
			await new Promise((next) => setTimeout(next, 100));
		}
	}
	try {
		const script = pathToFileURL(join(root, "scripts/workbench-build.mjs")).href;
		const { buildWorkbench } = (await import(script)) as { buildWorkbench: () => Promise<void> };
		await buildWorkbench();
	} finally {
		rmSync(lock, { recursive: true, force: true });
	}
}

export function launch(): Promise<Browser> {
	return chromium.launch({
		executablePath: chromiumPath,
		args: [
			"--headless",
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});
}

let opened: Promise<Browser> | undefined;
/** One browser for all test files that a process runs: it ends with the process. */
export function sharedBrowser(): Promise<Browser> {
	opened ??= launch();
	return opened;
}

let served: Promise<StaticServer> | undefined;
/**
 * The built page behind a plain server, and a browser: one of each for all test files that a process runs. Below a path, as on a
 * shared web space.
 */
export async function openPage(): Promise<{ server: StaticServer; browser: Browser }> {
	served ??= buildPage().then(() => staticServer(pageFolder, "/some/where/"));
	return { server: await served, browser: await sharedBrowser() };
}

/** A summary without what differs from run to run: how long it took. */
export function numbersOf(summary: string): Record<string, unknown> {
	const { seconds: _, timing: __, ...rest } = JSON.parse(summary) as Record<string, unknown>;
	return rest;
}

/** Drops files onto the page as a hand would. */
export async function drop(
	page: Page,
	files: readonly { name: string; content: string | Uint8Array }[],
): Promise<void> {
	const sent = files.map(({ name, content }) => ({ name, content: Buffer.from(content).toString("base64") }));
	const transfer = await page.evaluateHandle(`(() => {
		const made = new DataTransfer();
		for (const { name, content } of ${JSON.stringify(sent)})
			made.items.add(new File([Uint8Array.from(atob(content), (c) => c.charCodeAt(0))], name));
		return made;
	})()`);
	await page.dispatchEvent("main", "drop", { dataTransfer: transfer });
}

/** What a page can be told while it is open; any other wish needs a context of its own. */
const plainLook = { viewport: { width: 1280, height: 720 }, colorScheme: "light" } as const;

/**
 * Pages that were left, by browser: a renderer that has loaded the page before loads it in a third of the processor time of a new
 * one. All that they kept was removed, as in a fresh profile.
 */
const left = new WeakMap<Browser, Page[]>();

async function pageFor(browser: Browser, options: ContextOptions): Promise<[Page, boolean]> {
	const { viewport = plainLook.viewport, colorScheme = plainLook.colorScheme, script, ...wishes } = options;
	const isPlain = Object.keys(wishes).length === 0 && viewport !== null && !script;
	const before = isPlain ? left.get(browser)?.pop() : undefined;
	if (!before) {
		const context = await browser.newContext({ acceptDownloads: true, viewport, colorScheme, ...wishes });
		if (script) await context.addInitScript(script);
		return [await context.newPage(), isPlain];
	}
	await before.setViewportSize(viewport!);
	await before.emulateMedia({ colorScheme });
	return [before, true];
}

/** `script` runs before those of the page. */
type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]> & { readonly script?: string };

/** A page as in a fresh profile, with what went wrong on it: errors, and requests to other hosts. */
export class Visit {
	readonly problems: string[] = [];

	private constructor(
		readonly page: Page,
		readonly context: BrowserContext,
		private readonly own: string,
		private readonly isPlain: boolean,
	) {}

	static async open(browser: Browser, url: string, options: ContextOptions = {}): Promise<Visit> {
		// What may be asked for: the page's own server, or the folder that it lies in.
		const own = new URL(url).protocol === "file:" ? new URL(".", url).href : new URL(url).origin;
		const [page, isPlain] = await pageFor(browser, options);
		const visit = new Visit(page, page.context(), own, isPlain);
		page.on("console", (message) => {
			if (["error", "warning"].includes(message.type())) visit.problems.push(message.text());
		});
		page.on("pageerror", (error) => visit.problems.push(error.message));
		page.on("request", (request) => {
			const asked = request.url();
			if (!asked.startsWith(own) && !/^(blob|data):/.test(asked)) visit.problems.push(`asked for ${asked}`);
		});
		await page.goto(url);
		await visit.ready();
		return visit;
	}

	async ready(): Promise<void> {
		await this.page.waitForSelector('[data-ready="yes"]');
	}

	async openExample(id: string): Promise<void> {
		await this.page.click(".new-menu summary");
		await this.page.click(`[data-example="${id}"]`);
		await this.ready();
	}

	/** Asks another method; the list of them need not be in view. */
	async choose(method: string): Promise<void> {
		await this.page.click('[data-tab="methods"]');
		await this.page.check(`input[name="method"][value="${method}"]`);
	}

	/** Sets an option of the method; with fewer particles a posterior is there sooner. */
	async setOption(name: string, value: string): Promise<void> {
		const input = this.page.locator(`#option-${name}`);
		if (!(await input.isVisible())) await this.page.click(".options summary");
		await input.fill(value);
		await input.press("Enter");
	}

	/** Says which column of the record in view stands for a name, time among them. */
	async match(names: Readonly<Record<string, string>>): Promise<void> {
		await this.openPanel();
		for (const [name, column] of Object.entries(names))
			await this.page
				.locator(".mapping label", { hasText: new RegExp(`^${name}`) })
				.locator("select")
				.selectOption(column);
	}

	/** Opens the panel of the record in view. */
	async openPanel(): Promise<void> {
		const gear = this.page.locator(".gear");
		if ((await gear.getAttribute("aria-expanded")) !== "true") await gear.click();
	}

	/**
	 * Presses buttons of the run, each as soon as the page shows it and without a pause between: so that a run that is begun
	 * and paused halts at its first breath, and one that is resumed and paused at its next, however fast the machine is.
	 */
	async press(...names: readonly string[]): Promise<void> {
		await this.page.evaluate(`(async () => {
			for (const name of ${JSON.stringify(names)}) {
				const find = () => [...document.querySelectorAll(".run button")].find((each) => each.textContent.startsWith(name));
				for (let turn = 0; !find(); turn++) {
					if (turn > 100) throw new Error("there is no button " + name + ": " + document.querySelector(".run").textContent);
					await Promise.resolve();
				}
				find().click();
			}
		})()`);
	}

	/** Lets a run that is paused go on, breath by breath, until it shows what it has found so far. */
	async stepToView(): Promise<void> {
		while (!(await this.page.isVisible('[data-testid="live"] svg.plot'))) await this.press("Resume", "Pause");
	}

	/** Runs to the end; the outcome, or what was said instead. */
	async run(): Promise<string> {
		await this.page.click(".run button.primary");
		return this.ended();
	}

	async ended(): Promise<string> {
		// While a method runs there is no answer in view, not even an earlier one.
		const end = await this.page.waitForSelector("article.result, .result-pane [role=alert]", {
			timeout: 120_000,
		});
		return (await end.getAttribute("data-outcome")) ?? (await end.textContent()) ?? "ended";
	}

	/** The text of a file that is offered beside the result. */
	async download(selector: string): Promise<string> {
		return (await this.downloadBytes(selector)).toString("utf8");
	}

	async downloadBytes(selector: string): Promise<Buffer> {
		const [download] = await Promise.all([this.page.waitForEvent("download"), this.page.click(selector)]);
		const stream = await download.createReadStream();
		const parts: Buffer[] = [];
		for await (const part of stream) parts.push(part as Buffer);
		return Buffer.concat(parts);
	}

	/** All files of the answer that tell no time and no place: numbers, posteriors, tables. */
	async downloadAnswer(): Promise<Map<string, Buffer>> {
		const files = new Map<string, Buffer>();
		for (const button of await this.page.locator("[data-file]").all()) {
			const name = (await button.getAttribute("data-file"))!;
			if (!/^(study\.yaml|summary\.json|report\.html|result\.json)$/.test(name))
				files.set(name, await this.downloadBytes(`[data-file="${name}"]`));
		}
		return files;
	}

	/** Leaves the page; another visit may have it then. */
	async close(): Promise<void> {
		const browser = this.context.browser();
		if (!this.isPlain || !browser || this.context.pages().length > 1) return this.closeForGood();
		for (const event of ["console", "pageerror", "request"]) this.page.removeAllListeners(event);
		await this.page.goto("about:blank");
		const session = await this.context.newCDPSession(this.page);
		const origin = this.own.startsWith("file:") ? "file://" : this.own;
		await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
		await session.detach();
		left.set(browser, [...(left.get(browser) ?? []), this.page]);
	}

	/** Where the page was changed in a way that outlasts a visit. */
	closeForGood(): Promise<void> {
		return this.context.close();
	}
}
