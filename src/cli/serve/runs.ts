/** The run folder, for the page: listed, read file by file, and a run of the page's kept in it. Nothing outside is touched. */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { InputError } from "../../errors.ts";
import { RunFolder } from "../../study/node/run-folder.ts";

const mostListed = 500;
const mostFiles = 64;
const largestSummary = 16 * 2 ** 20;
export const largestFile = 256 * 2 ** 20;

export interface RunEntry {
	readonly name: string;
	readonly method?: string;
	readonly outcome?: string;
	readonly seconds?: number;
	readonly finished?: string;
}

export class Runs {
	constructor(private readonly folder: string) {
		if (existsSync(folder) && !statSync(folder).isDirectory())
			throw new InputError(`--runs ${folder}`, "is a file", "Name a folder; it is made when a run is kept.");
	}

	/** Newest first. */
	list(): RunEntry[] {
		return this.#names()
			.map((name) => ({ name, time: statSync(join(this.folder, name)).mtimeMs }))
			.sort((a, b) => b.time - a.time)
			.slice(0, mostListed)
			.map(({ name }) => this.#entry(name));
	}

	/** The bytes of a file of a run; `undefined` when there is none by that name. */
	read(run: string, file: string): Uint8Array | undefined {
		if (!this.#names().includes(run)) return undefined;
		const folder = join(this.folder, run);
		if (file.startsWith(".") || !readdirSync(folder).includes(file)) return undefined;
		const path = join(folder, file);
		const stats = lstatSync(path);
		if (!stats.isFile() || !(stats.size <= largestFile)) return undefined;
		const real = realpathSync(path);
		if (!real.startsWith(realpathSync(this.folder) + sep)) return undefined;
		return readFileSync(real);
	}

	/** Keeps a run under the first free name; gives that name. */
	keep(body: unknown): string {
		const { name, files } = keptRun(body);
		for (let i = 1; ; i++) {
			const own = i === 1 ? name : `${name}-${i}`;
			const path = join(this.folder, own);
			if (existsSync(path)) continue;
			const folder = RunFolder.create(own, path);
			try {
				folder.log("kept", { from: "workbench" });
				// summary.json comes last: it says "done".
				const last = (file: { name: string }): number => (file.name === "summary.json" ? 1 : 0);
				for (const file of [...files].sort((a, b) => last(a) - last(b)))
					folder.write(file.name, file.content);
			} catch (error) {
				folder.discard();
				throw error;
			} finally {
				folder.close();
			}
			return own;
		}
	}

	#names(): string[] {
		if (!existsSync(this.folder)) return [];
		return readdirSync(this.folder, { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
			.map(({ name }) => name)
			.filter((name) => existsSync(join(this.folder, name, "study.yaml")));
	}

	#entry(name: string): RunEntry {
		const path = join(this.folder, name, "summary.json");
		const whole = existsSync(join(this.folder, name, "result.json"));
		try {
			const stats = statSync(path);
			if (!whole || !(stats.size <= largestSummary)) return { name };
			const { method, outcome, seconds } = JSON.parse(readFileSync(path, "utf8")) as Record<string, never>;
			const finished = stats.mtime.toISOString().slice(0, 16).replace("T", " ");
			return { name, method, outcome, seconds, finished };
		} catch {
			return { name };
		}
	}
}

const needed = ["study.yaml", "summary.json", "result.json"];

/** Only whole runs with plain names pass. */
function keptRun(body: unknown): { name: string; files: { name: string; content: string | Uint8Array }[] } {
	const refuse = (why: string): never => {
		throw new InputError("the run", why);
	};
	const { name, files } = (body ?? {}) as { name?: unknown; files?: unknown };
	if (typeof name !== "string" || !Array.isArray(files) || files.length > mostFiles)
		return refuse("has another form");
	const plain =
		name
			.replace(/[^\p{L}\p{N}._-]+/gu, "-")
			.replace(/^[.-]+/, "")
			.slice(0, 80) || "run";
	const kept = files.map((file: unknown) => {
		const { name: own, content: text, base64 } = (file ?? {}) as Record<string, unknown>;
		const content = typeof text === "string" ? text : bytesOf(base64);
		if (typeof own !== "string" || content === undefined) return refuse("holds something that is no file");
		if (!/^[\p{L}\p{N}_][\p{L}\p{N}._ -]{0,100}\.(json|csv|txt|yaml|html|ode|nc)$/u.test(own))
			return refuse(`holds a file that is not kept: ${JSON.stringify(own.slice(0, 100))}`);
		return { name: own, content };
	});
	const missing = needed.find((each) => !kept.some((file) => file.name === each));
	if (missing) return refuse(`has no ${missing}`);
	return { name: plain, files: kept };
}

function bytesOf(base64: unknown): Uint8Array | undefined {
	if (typeof base64 !== "string" || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
		return undefined;
	return Buffer.from(base64, "base64");
}
