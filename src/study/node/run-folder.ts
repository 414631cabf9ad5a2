/** The folder of a run: its name, its files (each whole at every instant), its log. */
import {
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder as makeFolders } from "../../data/node/make-folder.ts";
import { InputError } from "../../errors.ts";
import { isLeftover, removeLeftovers, writeAtomic } from "./atomic-write.ts";
import { otherWriterOf } from "./other-writer.ts";

export class RunFolder {
	#log: number | undefined;

	private constructor(
		/** As it is shown to the user. */
		readonly path: string,
		private readonly fresh: boolean,
	) {}

	/** A new folder: `out` itself, or the first free of runs/NAME, runs/NAME-2, … */
	static create(name: string, out: string | undefined): RunFolder {
		if (out !== undefined) {
			const fresh = !existsSync(out);
			assertUsable(out);
			makeFolder(out);
			return new RunFolder(out, fresh);
		}
		makeFolder("runs");
		for (let i = 1; ; i++) {
			const path = join("runs", i === 1 ? name : `${name}-${i}`);
			try {
				// Fails when it is there: two runs that start together get two folders.
				mkdirSync(path);
				return new RunFolder(path, true);
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw cannotWrite(path, error);
			}
		}
	}

	/** The folder of an earlier run; to go on with it, no other process may be at it. */
	static open(path: string, purpose: "read" | "go on" = "read"): RunFolder {
		if (!existsSync(path))
			throw new InputError(path, "there is no such folder", "Name a folder that a run wrote.");
		if (!statSync(path).isDirectory())
			throw new InputError(path, "is not a folder", `Name the run folder:  ${dirname(path)}`);
		// The log tells a run folder from a folder of the user's that holds a study.yaml.
		const missing = ["study.yaml", "log.jsonl"].find((name) => !existsSync(join(path, name)));
		if (missing !== undefined)
			throw new InputError(
				path,
				`is not a run folder (it has no ${missing})`,
				"Name a folder that a run wrote, like  runs/demo",
			);
		const folder = new RunFolder(path, false);
		// What another process has just set aside is no leftover.
		if (purpose === "go on") folder.#assertNotRunning();
		removeLeftovers(path);
		return folder;
	}

	/** From here on it is ours: others see that its log is open. Of two that come together, one at the most goes on. */
	claim(): this {
		this.#log ??= this.#openLog();
		try {
			this.#assertNotRunning();
		} catch (error) {
			this.close();
			throw error;
		}
		return this;
	}

	#assertNotRunning(): void {
		const pid = otherWriterOf(this.file("log.jsonl"));
		if (pid !== undefined)
			throw new InputError(
				this.path,
				`its run still goes on (process ${pid})`,
				"Wait for its end, or stop it with Ctrl-C first.",
			);
	}

	file(name: string): string {
		return join(this.path, name);
	}
	has(name: string): boolean {
		return existsSync(this.file(name));
	}
	read(name: string): string {
		try {
			return readFileSync(this.file(name), "utf8");
		} catch {
			throw new InputError(this.file(name), "cannot be read", "Is this the folder of a run that ended?");
		}
	}

	write(name: string, content: string | Uint8Array): void {
		if (name !== basename(name) || name.startsWith(".") || name === "")
			throw new TypeError(`not a name of a file: ${JSON.stringify(name)}`);
		try {
			writeAtomic(this.file(name), content);
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			const isFull = code === "ENOSPC" || code === "EDQUOT";
			throw cannotWrite(
				this.file(name),
				error,
				isFull && this.has("study.yaml") ? `Make room, then go on:  odentify resume ${this.path}` : undefined,
			);
		}
	}

	/** One line of log.jsonl: what happened, and when. */
	log(event: string, facts: Record<string, unknown> = {}): void {
		this.#log ??= this.#openLog();
		writeSync(this.#log, `${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`);
	}

	#openLog(): number {
		const path = this.file("log.jsonl");
		// A line that a kill cut short is taken off before the next one.
		const old = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
		const whole = old.lastIndexOf(10) + 1;
		if (whole < old.length) writeAtomic(path, old.subarray(0, whole));
		return openSync(path, "a");
	}

	close(): void {
		if (this.#log !== undefined) closeSync(this.#log);
		this.#log = undefined;
	}

	/** Takes back what `create` made: bad input leaves nothing behind. */
	discard(): void {
		this.close();
		if (this.fresh) rmSync(this.path, { recursive: true, force: true });
		else for (const name of readdirSync(this.path)) rmSync(this.file(name), { recursive: true, force: true });
	}
}

/** The name of a run: that of its study, or of the folder of a study that is just called study.yaml. */
export function runName(studyPath: string): string {
	const stem = basename(studyPath).replace(/\.ya?ml$/i, "");
	const name = stem === "study" ? basename(dirname(resolve(studyPath))) : stem;
	return name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+/, "") || "run";
}

/** Throws when `out` cannot become a run folder; looks only. */
export function assertUsable(out: string): void {
	if (!existsSync(out)) return;
	if (!statSync(out).isDirectory()) throw new InputError(`--out ${out}`, "is a file", "Name a folder.");
	// A run that was killed before it had written its study left nothing but a log.
	if (readdirSync(out).some((name) => !isLeftover(name) && name !== "log.jsonl"))
		throw new InputError(
			`--out ${out}`,
			"is not empty",
			"Name a new folder: earlier results are never overwritten.",
		);
}

function makeFolder(path: string): void {
	try {
		makeFolders(path);
	} catch (error) {
		throw cannotWrite(path, error);
	}
}

/** An error of the file system in words, without the names that files have while they are written. */
export function cannotWrite(
	path: string,
	error: unknown,
	remedy = "Choose another place with  --out DIR",
): InputError {
	const { code } = error as NodeJS.ErrnoException;
	if (code === undefined) throw error;
	const reasons: Record<string, string> = {
		EACCES: "you may not write there",
		EROFS: "the disk is read-only",
		ENOSPC: "the disk is full",
		ENOTDIR: "part of the path is a file",
		EPERM: "you may not write there",
		ENOENT: "the system lets nothing be made there",
		ENAMETOOLONG: "its name is too long",
		EDQUOT: "your share of the disk is full",
	};
	return new InputError(
		path,
		`cannot be written: ${reasons[code] ?? `the system refuses it (${code})`}`,
		remedy,
	);
}
