/**
 * log.jsonl of a run folder: what happened there, and whose the folder is. It belongs to the process that has its log open for
 * writing. The system knows which that is and forgets it with the process: a killed run leaves nothing that keeps others out.
 *
 * Of two that come together one at the most gets it. Who makes the log has it. Who finds one opens it first and looks then
 * for others that have it open, so that of two the later one sees the earlier.
 */
import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	ftruncateSync,
	lstatSync,
	openSync,
	readFileSync,
	rmSync,
	writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../../errors.ts";
import { FolderLost } from "./folder-error.ts";
import { type FileIdentity, otherWriterOf, sameFile } from "./other-writer.ts";

export const logName = "log.jsonl";

/** Another process owns the folder. */
export class StillRunning extends InputError {
	constructor(subject: string, pid: number) {
		super(
			subject,
			`its run still goes on (process ${pid})`,
			"Wait for its end, or stop it with Ctrl-C first.",
		);
	}
}

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** Milliseconds that two wait at the most when each has seen the other, and how often they try. */
const longestPause = 40;
const mostTries = 50;

/** Logs that this process has open: the system is asked of others only. */
const held: FileIdentity[] = [];

export class RunLog {
	#file: number;
	#identity: FileIdentity;

	private constructor(
		readonly path: string,
		file: number,
		/** This process made the log; else it found one. */
		readonly made: boolean,
	) {
		this.#file = file;
		this.#identity = fstatSync(file, { bigint: true });
		held.push(this.#identity);
	}

	/** Makes the folder ours; `subject` is what a refusal is about. */
	static claim(folder: string, subject = folder): RunLog {
		const path = join(folder, logName);
		for (let tries = 1; ; tries++) {
			const made = opened(path, O_CREAT | O_EXCL);
			if (made !== undefined) return new RunLog(path, made, true);
			assertFree(folder, subject);
			const file = opened(path, 0);
			if (file === undefined) continue;
			const other = otherWriterOf(path);
			// Its owner may have taken it away while we opened it.
			if (other === undefined && isAt(path, fstatSync(file, { bigint: true }))) {
				const log = new RunLog(path, file, false);
				log.#cutUnfinishedLine();
				return log;
			}
			closeSync(file);
			if (tries >= mostTries) throw new StillRunning(subject, other ?? process.pid);
			// biome-ignore lint/plugin: no result depends on how long two that want the same wait
			pause(longestPause * Math.random());
		}
	}

	/** One line; a disk that fills up leaves none of it. */
	append(line: string): void {
		this.assertOurs();
		const before = fstatSync(this.#file).size;
		const bytes = Buffer.from(`${line}\n`);
		try {
			for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
		} catch (error) {
			ftruncateSync(this.#file, before);
			throw error;
		}
	}

	get isOurs(): boolean {
		return isAt(this.path, this.#identity);
	}

	/** Throws when the folder was taken away or is another's by now. */
	assertOurs(): void {
		if (this.isOurs) return;
		const folder = dirname(this.path);
		if (!existsSync(folder))
			throw new FolderLost(folder, "was taken away while the run went on", "Start again.");
		// Only the log is lost: a new one says whose the folder is.
		const file = opened(this.path, O_CREAT | O_EXCL);
		if (file === undefined)
			throw new FolderLost(
				folder,
				"was taken by another run while this one went on",
				"Start again in another folder.",
			);
		this.close();
		this.#file = file;
		this.#identity = fstatSync(file, { bigint: true });
		held.push(this.#identity);
	}

	/** Takes the log away and gives the folder up, in this order: who opens it before that sees that it is ours. */
	remove(): void {
		if (this.isOurs) rmSync(this.path, { force: true });
		this.close();
	}

	close(): void {
		closeSync(this.#file);
		held.splice(held.indexOf(this.#identity), 1);
	}

	/** A line that a kill cut short. */
	#cutUnfinishedLine(): void {
		const old = readFileSync(this.#file);
		const whole = old.lastIndexOf(10) + 1;
		if (whole < old.length) ftruncateSync(this.#file, whole);
	}
}

/** Throws when a process has the log of the folder open for writing; looks only. */
export function assertFree(folder: string, subject = folder): void {
	const path = join(folder, logName);
	const pid = held.some((each) => isAt(path, each)) ? process.pid : otherWriterOf(path);
	if (pid !== undefined) throw new StillRunning(subject, pid);
}

/** The opened log; nothing when there is one where one is to be made, or none where one is to be found. */
function opened(path: string, flags: number): number | undefined {
	try {
		// A pipe would wait for a reader, a link lead elsewhere.
		const file = openSync(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | flags, 0o666);
		if (fstatSync(file).isFile()) return file;
		closeSync(file);
		throw new InputError(path, "is not a plain file", "Name another folder.");
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === (flags === 0 ? "ENOENT" : "EEXIST")) return undefined;
		if (code === "ELOOP" || code === "EISDIR" || code === "ENXIO")
			throw new InputError(path, "is not a plain file", "Name another folder.");
		throw error;
	}
}

function isAt(path: string, file: FileIdentity): boolean {
	try {
		return sameFile(lstatSync(path, { bigint: true }), file);
	} catch {
		return false;
	}
}

function pause(milliseconds: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
