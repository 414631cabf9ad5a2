/**
 * Checkpoints of a run: a line of text with what it belongs to, who wrote it in which form, its length and its digest, then
 * the method's bytes. The one before is kept, so that a damaged newest one costs a few seconds of work and not all of it.
 * A checkpoint of another version is not gone on from: what its bytes mean is known to that version only.
 */
import { createHash } from "node:crypto";
import { existsSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isPlainFile, readPlainFile } from "../../data/node/plain-file.ts";
import { InputError } from "../../errors.ts";
import type { Method } from "../../methods/method.ts";
import { version } from "../../version.ts";
import { quietlyRemove, syncFolder, writeAside } from "./atomic-write.ts";

export interface Checkpoint {
	readonly method: string;
	/** Of the state: see `formOf`. */
	readonly form: string;
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
const largest = 2 ** 31 - 1;

/** The form of the state of a method. */
export function formOf({ name, stateForm = 1 }: Method): string {
	return `${name} ${stateForm}`;
}

/** How to begin anew where a checkpoint is of no use. */
export function startAgain(folder: string): string {
	return `start again:  odentify run ${join(folder, "study.yaml")}`;
}

export function digest(...parts: readonly (string | Uint8Array)[]): string {
	const hash = createHash("sha256");
	// Lengths between the parts, so that "a", "bc" and "ab", "c" differ.
	for (const part of parts) hash.update(`${part.length}:`).update(part);
	return hash.digest("hex");
}

export function writeCheckpoint(folder: string, checkpoint: Checkpoint): void {
	const { state, ...own } = checkpoint;
	const facts = { version, ...own };
	const head = JSON.stringify({
		magic,
		...facts,
		length: state.length,
		sha256: digest(JSON.stringify(facts), state),
	});
	const path = join(folder, newest);
	const temporary = writeAside(path, Buffer.concat([Buffer.from(`${head}\n`), state]));
	// Only a whole one becomes the one before: a damaged one that was passed over must not replace the good one.
	const old = isPlainFile(path) ? read(path) : "none";
	if (typeof old === "object" && "state" in old) renameSync(path, join(folder, before));
	// A kill here leaves no newest one, and the one before it is the last that was written.
	try {
		renameSync(temporary, path);
	} catch (error) {
		quietlyRemove(temporary);
		throw error;
	}
	syncFolder(folder);
}

/** The newest whole checkpoint, and why newer ones were passed over. Throws InputError when there is none. */
export function readCheckpoint(folder: string): { checkpoint: Checkpoint; refused: string[] } {
	const refused: string[] = [];
	let other: Other | undefined;
	for (const name of [newest, before]) {
		const path = join(folder, name);
		if (!existsSync(path)) continue;
		const checkpoint = read(path);
		if (typeof checkpoint === "object" && "state" in checkpoint) return { checkpoint, refused };
		if (typeof checkpoint === "object") other ??= checkpoint;
		refused.push(`${path}: ${typeof checkpoint === "string" ? checkpoint : writtenBy(checkpoint)}`);
	}
	if (other)
		throw new InputError(
			folder,
			`its checkpoint ${writtenBy(other)}`,
			`Go on with that version, or ${startAgain(folder)}`,
		);
	if (refused.length === 0)
		throw new InputError(folder, "has no checkpoint to go on from", `You can ${startAgain(folder)}`);
	throw new InputError(
		folder,
		`has no whole checkpoint: ${refused.join("; ")}`,
		`There is nothing to go on from: ${startAgain(folder)}`,
	);
}

/** A whole checkpoint of another version. */
interface Other {
	readonly version: string | undefined;
}

function writtenBy({ version: other }: Other): string {
	return `was written by ${other === undefined ? "an earlier version of Odentify" : `Odentify ${other}`}, and this is ${version}`;
}

export function hasCheckpoint(folder: string): boolean {
	return isPlainFile(join(folder, newest)) || isPlainFile(join(folder, before));
}

/** A folder of that name is none of ours, and stays. */
export function removeCheckpoints(folder: string): void {
	for (const name of [newest, before]) if (isPlainFile(join(folder, name))) unlinkSync(join(folder, name));
}

/** A checkpoint, or why it is none. */
function read(path: string): Checkpoint | Other | string {
	try {
		return parse(readPlainFile(path, largest));
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return error.problem;
	}
}

function parse(bytes: Buffer): Checkpoint | Other | string {
	const end = bytes.indexOf(10);
	if (end < 0) return "its first line is cut off";
	let head: Record<string, unknown>;
	try {
		head = JSON.parse(bytes.toString("utf8", 0, end));
	} catch {
		return "its first line is damaged";
	}
	const { magic: own, length, sha256, ...facts } = head ?? {};
	if (typeof own !== "string" || !own.startsWith("odentify checkpoint")) return "it is not a checkpoint";
	const state = new Uint8Array(bytes.subarray(end + 1));
	if (state.length !== length) return `it has ${state.length} bytes where ${length} were written`;
	if (digest(JSON.stringify(facts), state) !== sha256) return "its checksum is wrong";
	const { version: writer, ...rest } = facts;
	if (own !== magic || writer !== version)
		return { version: typeof writer === "string" ? writer : undefined };
	const { method, form, question, seconds, fraction } = rest;
	if (
		![method, form, question].every((each) => typeof each === "string") ||
		![seconds, fraction].every(Number.isFinite)
	)
		return "its first line is damaged";
	return { ...(rest as unknown as Omit<Checkpoint, "state">), state };
}
