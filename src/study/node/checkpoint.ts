/**
 * Checkpoints of a run: a line of text with what it belongs to, its length and its digest, then the method's bytes. The one before
 * is kept, so that a damaged newest one costs a few seconds of work and not all of it.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../errors.ts";
import { syncFolder, writeAside } from "./atomic-write.ts";

export interface Checkpoint {
	readonly method: string;
	/** Digest of everything the result depends on: resolved study and data. */
	readonly question: string;
	/** Seconds worked so far, by all processes together. */
	readonly seconds: number;
	readonly fraction: number;
	readonly state: Uint8Array;
}

const magic = "odentify checkpoint 2";
const newest = "checkpoint";
const before = "checkpoint.before";

export function digest(...parts: readonly (string | Uint8Array)[]): string {
	const hash = createHash("sha256");
	// Lengths between the parts, so that "a", "bc" and "ab", "c" differ.
	for (const part of parts) hash.update(`${part.length}:`).update(part);
	return hash.digest("hex");
}

export function writeCheckpoint(folder: string, checkpoint: Checkpoint): void {
	const { state, ...facts } = checkpoint;
	const head = JSON.stringify({
		magic,
		...facts,
		length: state.length,
		sha256: digest(JSON.stringify(facts), state),
	});
	const path = join(folder, newest);
	const temporary = writeAside(path, Buffer.concat([Buffer.from(`${head}\n`), state]));
	// Only a whole one becomes the one before: a damaged one that was passed over must not replace the good one.
	if (existsSync(path) && typeof read(path) !== "string") renameSync(path, join(folder, before));
	// A kill here leaves no newest one, and the one before it is the last that was written.
	renameSync(temporary, path);
	syncFolder(folder);
}

/** The newest whole checkpoint, and why newer ones were passed over. Throws InputError when there is none. */
export function readCheckpoint(folder: string): { checkpoint: Checkpoint; refused: string[] } {
	const refused: string[] = [];
	for (const name of [newest, before]) {
		const path = join(folder, name);
		if (!existsSync(path)) continue;
		const checkpoint = read(path);
		if (typeof checkpoint !== "string") return { checkpoint, refused };
		refused.push(`${path}: ${checkpoint}`);
	}
	if (refused.length === 0)
		throw new InputError(folder, "has no checkpoint to go on from", "Start again:  odentify run STUDY");
	throw new InputError(
		folder,
		`has no whole checkpoint: ${refused.join("; ")}`,
		`Start again:  odentify run ${join(folder, "study.yaml")}`,
	);
}

export function hasCheckpoint(folder: string): boolean {
	return existsSync(join(folder, newest)) || existsSync(join(folder, before));
}

export function removeCheckpoints(folder: string): void {
	for (const name of [newest, before]) rmSync(join(folder, name), { force: true });
}

/** A checkpoint, or why it is none. */
function read(path: string): Checkpoint | string {
	try {
		return parse(readFileSync(path));
	} catch (error) {
		return `it cannot be read (${(error as Error).message})`;
	}
}

function parse(bytes: Buffer): Checkpoint | string {
	const end = bytes.indexOf(10);
	if (end < 0) return "its first line is cut off";
	let head: Record<string, unknown>;
	try {
		head = JSON.parse(bytes.toString("utf8", 0, end));
	} catch {
		return "its first line is damaged";
	}
	if (head?.magic !== magic) return "it is not a checkpoint of this version";
	const { magic: _, length, sha256, ...facts } = head;
	const state = new Uint8Array(bytes.subarray(end + 1));
	if (state.length !== length) return `it has ${state.length} bytes where ${length} were written`;
	if (digest(JSON.stringify(facts), state) !== sha256) return "its checksum is wrong";
	return { ...(facts as unknown as Omit<Checkpoint, "state">), state };
}
