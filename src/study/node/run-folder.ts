/**
 * The folder of a run: its name, its files (each whole at every instant), its log. Anyone may read it; only its owner (see
 * run-log.ts) writes to it and clears away what a killed process left. Nothing is removed but what the run itself made.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder } from "../../data/node/make-folder.ts";
import { readPlainFile } from "../../data/node/plain-file.ts";
import { InputError } from "../../errors.ts";
import { isLeftover, quietlyRemove, removeLeftovers, writeAtomic } from "./atomic-write.ts";
import { type Checkpoint, removeCheckpoints, writeCheckpoint } from "./checkpoint.ts";
import { cannotWrite } from "./folder-error.ts";
import { knowsWriters } from "./other-writer.ts";
import { assertFree, logName, RunLog, StillRunning } from "./run-log.ts";

/** Bytes of a file of a run that is read as a text. */
const largestText = 512 * 2 ** 20 - 2 ** 16;

export class RunFolder {
	#log: RunLog | undefined;
	/** Names of files that this process made. */
	readonly #made = new Set<string>();

	private constructor(
		/** As it is shown to the user. */
		readonly path: string,
		/** Folders that this process made, outermost first. */
		private readonly madeFolders: readonly string[],
		/** What to do where it cannot be written to. */
		private readonly remedy = "Choose another place with  --out DIR",
	) {}

	/** A new folder, ours: `out` itself, or the first free of runs/NAME, runs/NAME-2, … */
	static create(name: string, out: string | undefined): RunFolder {
		if (out === undefined) return RunFolder.createIn("runs", name);
		assertUsable(out);
		const folder = new RunFolder(
			out,
			written(out, () => makeFolder(out)),
		);
		try {
			folder.claim(`--out ${out}`);
			// Another run may have come between the look and the claim; from here on none does.
			assertEmpty(out, folder.#log!.made || knowsWriters());
		} catch (error) {
			folder.discard();
			throw error;
		}
		return folder;
	}

	/** A new folder, ours: the first free of NAME, NAME-2, … in `parent`. */
	static createIn(parent: string, name: string): RunFolder {
		const above = written(parent, () => makeFolder(parent));
		for (let i = 1; ; i++) {
			const path = join(parent, i === 1 ? name : `${name}-${i}`);
			const folder = new RunFolder(path, [...above, path]);
			try {
				// Fails when it is there: two runs that start together get two folders.
				mkdirSync(path);
				return folder.claim();
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
				// A run that was told to use this very folder may be quicker than our claim.
				if (error instanceof StillRunning) continue;
				folder.discard();
				throw cannotWrite(path, error);
			}
		}
	}

	/** The folder of an earlier run, to be read. */
	static open(path: string): RunFolder {
		if (!existsSync(path))
			throw new InputError(path, "there is no such folder", "Name a folder that a run wrote.");
		if (!statSync(path).isDirectory())
			throw new InputError(
				path,
				"is not a folder",
				missingFrom(dirname(path)) === undefined
					? `Name the run folder:  ${dirname(path)}`
					: "Name a folder that a run wrote.",
			);
		// The log tells a run folder from a folder of the user's that holds a study.yaml.
		const missing = missingFrom(path);
		if (missing !== undefined)
			throw new InputError(
				path,
				`is not a run folder (it has no ${missing})`,
				"Name a folder that a run wrote, like  runs/demo",
			);
		return new RunFolder(path, [], "Make it yours to write to, or name a copy of it that is.");
	}

	/** From here on it is ours to write to, unless another process is at it: that is an error about `subject`. */
	claim(subject = this.path): this {
		this.#log ??= written(this.path, () => RunLog.claim(this.path, subject), this.remedy);
		removeLeftovers(this.path);
		return this;
	}

	file(name: string): string {
		return join(this.path, name);
	}
	has(name: string): boolean {
		return existsSync(this.file(name));
	}
	read(name: string): string {
		return readPlainFile(this.file(name), largestText).toString("utf8");
	}

	write(name: string, content: string | Uint8Array): void {
		if (name !== basename(name) || name.startsWith(".") || name === "")
			throw new TypeError(`not a name of a file: ${JSON.stringify(name)}`);
		const isNew = !this.has(name);
		this.#write(name, () => writeAtomic(this.file(name), content));
		if (isNew) this.#made.add(name);
	}

	writeCheckpoint(checkpoint: Checkpoint): void {
		this.#write("checkpoint", () => writeCheckpoint(this.path, checkpoint));
	}
	removeCheckpoints(): void {
		this.#write("checkpoint", () => removeCheckpoints(this.path));
	}

	/** One line of log.jsonl: what happened, and when. */
	log(event: string, facts: Record<string, unknown> = {}): void {
		const line = JSON.stringify({ time: new Date().toISOString(), event, ...facts });
		this.#write(logName, (log) => log.append(line));
	}

	#write(name: string, write: (log: RunLog) => void): void {
		const log = this.#log;
		if (!log) throw new TypeError(`${this.path} is written to and was not claimed`);
		const work = (): void => {
			log.assertOurs();
			write(log);
		};
		written(this.file(name), work, this.remedy);
	}

	/** Gives the folder up. */
	close(): void {
		this.#log?.close();
		this.#log = undefined;
	}

	/** Takes back what this process made: bad input leaves nothing behind. What others put there stays, and so its folder. */
	discard(): void {
		if (this.#log?.isOurs) for (const name of this.#made) quietlyRemove(this.file(name));
		if (this.#log?.made) this.#log.remove();
		else this.#log?.close();
		this.#log = undefined;
		for (const folder of [...this.madeFolders].reverse()) {
			try {
				rmdirSync(folder);
			} catch {
				return;
			}
		}
	}
}

/** What a run folder has, and this has not; undefined where it is one. */
function missingFrom(path: string): string | undefined {
	return ["study.yaml", logName].find((name) => !existsSync(join(path, name)));
}

/** The name of a run: that of its study, or of the folder of a study that is just called study.yaml. */
export function runName(studyPath: string): string {
	const stem = basename(studyPath).replace(/\.ya?ml$/i, "");
	const name = stem === "study" ? basename(dirname(resolve(studyPath))) : stem;
	return name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+/, "") || "run";
}

/** Throws when `out` cannot become a run folder; looks only. */
export function assertUsable(out: string): void {
	const stats = written(out, () => statSync(out, { throwIfNoEntry: false }));
	if (!stats) return;
	if (!stats.isDirectory()) throw new InputError(`--out ${out}`, "is a file", "Name a folder.");
	assertFree(out, `--out ${out}`);
	// A run that was killed before it had written its study left nothing but a log. That no run is at it, the system must know.
	assertEmpty(out, knowsWriters());
}

function assertEmpty(out: string, butLog: boolean): void {
	const isLog = (name: string): boolean => butLog && name === logName && lstatSync(join(out, name)).isFile();
	if (written(out, () => readdirSync(out)).some((name) => !isLeftover(name) && !isLog(name)))
		throw new InputError(
			`--out ${out}`,
			"is not empty",
			"Name a new folder: earlier results are never overwritten.",
		);
}

/** Does something to the folder; where the system refuses, that is said in words. */
function written<T>(path: string, write: () => T, remedy?: string): T {
	try {
		return write();
	} catch (error) {
		throw cannotWrite(path, error, remedy);
	}
}
