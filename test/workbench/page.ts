/** The built page in a real browser, as a user has it. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** The checkout, from the sources or from a build folder inside it. */
const root = ["../..", "../../.."]
	.map((up) => fileURLToPath(new URL(up, import.meta.url)))
	.find((folder) => existsSync(join(folder, "package.json")))!;

const chromiumPath = process.env.CHROMIUM ?? "/usr/bin/chromium";
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

/** A page of its own, with what went wrong on it: errors, and requests to other hosts. */
export class Visit {
	readonly problems: string[] = [];

	private constructor(
		readonly page: Page,
		readonly context: BrowserContext,
	) {}

	static async open(
		browser: Browser,
		url: string,
		options: Parameters<Browser["newContext"]>[0] = {},
	): Promise<Visit> {
		const context = await browser.newContext({ acceptDownloads: true, ...options });
		const page = await context.newPage();
		const visit = new Visit(page, context);
		// What may be asked for: the page's own server, or the folder that it lies in.
		const own = new URL(url).protocol === "file:" ? new URL(".", url).href : new URL(url).origin;
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

	/** Runs to the end; the outcome, or what was said instead. */
	async run(): Promise<string> {
		await this.page.click(".run button.primary");
		return this.ended();
	}

	async ended(): Promise<string> {
		// While a method runs there is no answer in view, not even an earlier one.
		const end = await this.page.waitForSelector("article.result, .result-pane [role=alert]", {
			timeout: 60_000,
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

	close(): Promise<void> {
		return this.context.close();
	}
}
