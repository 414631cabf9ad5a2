/** The run folder, for the page: listed, read file by file, and a run of the page's kept in it. Nothing outside is touched. */
import { existsSync, lstatSync, readdirSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { readPlainFile, withPlainFile } from "../../data/node/plain-file.ts";
import { InputError } from "../../errors.ts";
import { FolderError } from "../../study/node/folder-error.ts";
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
	/** Why it cannot be opened, though it ended. */
	readonly broken?: string;
}

export class Runs {
	constructor(private readonly folder: string) {
		if (existsSync(folder) && !statSync(folder).isDirectory())
			throw new InputError(`--runs ${folder}`, "is a file", "Name a folder; it is made when a run is kept.");
	}

	/** Newest first. */
	list(): RunEntry[] {
		return this.#names()
			.map((name) => ({ name, time: changedAt(join(this.folder, name)) }))
			.sort((a, b) => b.time - a.time)
			.slice(0, mostListed)
			.map(({ name }) => this.#entryOrWhy(name));
	}

	/** The bytes of a file of a run; `undefined` when there is none by that name. */
	read(run: string, file: string): Uint8Array | undefined {
		if (!this.#names().includes(run)) return undefined;
		const folder = join(this.folder, run);
		try {
			if (file.startsWith(".") || !readdirSync(folder).includes(file)) return undefined;
			const path = join(folder, file);
			if (!lstatSync(path).isFile()) return undefined;
			const real = realpathSync(path);
			if (!real.startsWith(realpathSync(this.folder) + sep)) return undefined;
			return readPlainFile(real, largestFile);
		} catch {
			// It may be gone by now, or not for this user.
			return undefined;
		}
	}

	/** Keeps a run under the first free name; gives that name. */
	keep(body: unknown): string {
		const { name, files } = keptRun(body);
		const folder = kept(() => RunFolder.createIn(this.folder, name));
		try {
			kept(() => {
				folder.log("kept", { from: "workbench" });
				// summary.json comes last: it says "done".
				const last = (file: { name: string }): number => (file.name === "summary.json" ? 1 : 0);
				for (const file of [...files].sort((a, b) => last(a) - last(b)))
					folder.write(file.name, file.content);
			});
		} catch (error) {
			folder.discard();
			throw error;
		} finally {
			folder.close();
		}
		return basename(folder.path);
	}

	#names(): string[] {
		if (!existsSync(this.folder)) return [];
		return readdirSync(this.folder, { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
			.map(({ name }) => name)
			.filter((name) => needed.some((file) => existsSync(join(this.folder, name, file))));
	}

	/** What one run is like must not keep the others from being listed. */
	#entryOrWhy(name: string): RunEntry {
		try {
			return this.#entry(name);
		} catch (error) {
			return { name, broken: error instanceof InputError ? error.message : "it cannot be read" };
		}
	}

	#entry(name: string): RunEntry {
		const at = (file: string): string => join(this.folder, name, file);
		const isThere = (file: string): boolean => existsSync(at(file));
		// It is written last: with neither it nor a result the run goes on, or was stopped.
		if (isThere("study.yaml") && !isThere("summary.json") && !isThere("result.json")) return { name };
		const wrong = needed.flatMap((file) => {
			const why = isThere(file) ? damageIn(file, at(file)) : "is missing";
			return why === undefined ? [] : [`${file} ${why}`];
		});
		const last = (["summary.json", "result.json", "study.yaml"] as const).find(isThere);
		const time = last === undefined ? 0 : changedAt(at(last));
		const finished =
			time === 0 ? {} : { finished: new Date(time).toISOString().slice(0, 16).replace("T", " ") };
		if (wrong.length > 0) return { name, ...finished, broken: wrong.join("; ") };
		const { method, outcome, seconds } = summaryIn(at("summary.json")) as unknown as RunEntry;
		return { name, method, outcome, seconds, ...finished };
	}
}

/** Milliseconds; 0 of what is gone or not to be looked at. */
function changedAt(path: string): number {
	try {
		return statSync(path).mtimeMs;
	} catch {
		return 0;
	}
}

/** Keeps something; where the folder cannot be written to, the page is told what to do about it. */
function kept<T>(keep: () => T): T {
	try {
		return keep();
	} catch (error) {
		if (!(error instanceof FolderError)) throw error;
		const remedy = error.full ? "Make room." : "Choose another folder with  odentify serve --runs DIR";
		throw new InputError(error.subject, error.problem, remedy);
	}
}

const needed = ["study.yaml", "summary.json", "result.json"] as const;

/** Why a file of a run cannot be used, by its name. */
const damageOf: Readonly<Record<(typeof needed)[number], (path: string) => string | undefined>> = {
	"study.yaml": (path) => withPlainFile(path, () => undefined),
	"summary.json"(path) {
		const { method, outcome, seconds } = summaryIn(path);
		const isWhole = typeof method === "string" && typeof outcome === "string" && typeof seconds === "number";
		return isWhole ? undefined : "has no method, outcome or time";
	},
	"result.json": resultDamage,
};

function damageIn(file: (typeof needed)[number], path: string): string | undefined {
	try {
		return damageOf[file](path);
	} catch (error) {
		return error instanceof InputError ? error.problem : "cannot be read";
	}
}

function summaryIn(path: string): Record<string, unknown> {
	return (JSON.parse(readPlainFile(path, largestSummary).toString("utf8")) ?? {}) as Record<string, unknown>;
}

/** What its two ends tell: a list of runs does not read every result whole. */
function resultDamage(path: string): string | undefined {
	const ends = Buffer.alloc(64);
	const size = withPlainFile(path, (file, length) => {
		readSync(file, ends, 0, 32, 0);
		readSync(file, ends, 32, 32, Math.max(0, length - 32));
		return length;
	});
	if (!(size <= largestFile)) return "is too large to be opened";
	const start = ends.toString("utf8", 0, 32);
	if (!start.startsWith('{"format":"odentify packed JSON')) return "is damaged, or of another version";
	return ends.toString("utf8", 32).replaceAll("\0", "").trimEnd().endsWith("}") ? undefined : "is cut short";
}

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
