/**
 * Compiled kernels in the user's cache folder, by content. Beside each lies its checksum, looked at before every use: a
 * library that was cut short (a loss of power, a full disk) would end the process where it is loaded. What is not whole is
 * as good as not there. The folder can be emptied at any time.
 */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../data/node/make-folder.ts";

export function kernelFolder(): string {
	const base = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
	return join(base, "odentify", "kernels");
}

/** Name of a kernel for the parts that it depends on. */
export function keyOf(...parts: readonly string[]): string {
	const hash = createHash("sha256");
	for (const part of parts) hash.update(`${part.length}:${part}`);
	return hash.digest("hex").slice(0, 40);
}

/** For its owner only: what lies there is run. */
export function makeKernelFolder(): void {
	makeFolder(kernelFolder(), 0o700);
}

/** The bytes of a file of the cache, when they are those that were kept. */
export function readKept(path: string): Uint8Array | undefined {
	try {
		const bytes = readFileSync(path);
		return readFileSync(sumOf(path), "utf8") === checksum(bytes) ? bytes : undefined;
	} catch {
		return undefined;
	}
}

/** A name that no other process uses, to write to before it is kept. */
export function asideOf(path: string): string {
	return `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
}

/** Gives what was written aside its name. */
export function keepFile(aside: string, path: string): void {
	const file = openSync(aside, "r+");
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
	const sum = asideOf(sumOf(path));
	try {
		writeFileSync(sum, checksum(readFileSync(aside)));
		renameSync(aside, path);
		// A kill here leaves a checksum that does not fit, which costs one more compilation.
		renameSync(sum, sumOf(path));
	} catch (error) {
		removeQuietly(sum);
		throw error;
	}
}

/** Also where even the question whether it is there fails. */
export function removeQuietly(path: string): void {
	try {
		rmSync(path, { force: true });
	} catch {}
}

function sumOf(path: string): string {
	return `${path}.sha256`;
}

function checksum(bytes: Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}
