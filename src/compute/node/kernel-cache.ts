/**
 * Compiled kernels in the user's cache folder, by content. They are run, so only a folder that no one else can write to is
 * used, and beside each file lies a checksum that none but this user can make: it is keyed by a secret of theirs. It is looked
 * at before every use, also because a library that was cut short (a loss of power, a full disk) would end the process where it
 * is loaded. What is not whole is as good as not there. The folder can be emptied at any time.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import {
	chmodSync,
	closeSync,
	fsyncSync,
	lstatSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { makeFolder } from "../../data/node/make-folder.ts";
import { isOwnFile, whyNotTrusted } from "./trusted-folder.ts";

const ownFolder = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "odentify");

export function kernelFolder(): string {
	return join(ownFolder(), "kernels");
}

/** Name of a kernel for the parts that it depends on. */
export function keyOf(...parts: readonly string[]): string {
	const hash = createHash("sha256");
	for (const part of parts) hash.update(`${part.length}:${part}`);
	return hash.digest("hex").slice(0, 40);
}

/** For its owner only: what lies there is run. Throws where others could write to it. */
export function makeKernelFolder(): void {
	makeFolder(kernelFolder(), 0o700);
	// Ours by name: what another version or a loose umask left open is closed. What lies there has to have its checksum.
	for (const folder of [ownFolder(), kernelFolder()]) {
		const own = lstatSync(folder);
		// Where a link leads to is not for us to change.
		if (process.getuid && own.uid === process.getuid() && own.isDirectory()) chmodSync(folder, 0o700);
	}
	const why = whyNotTrusted(kernelFolder());
	if (why !== undefined) throw new Error(why);
}

/** The bytes of a file of the cache, when they are those that were kept. */
export function readKept(path: string): Uint8Array | undefined {
	try {
		if (whyNotTrusted(kernelFolder()) !== undefined || !isOwnFile(lstatSync(path))) return undefined;
		const secret = readSecret();
		if (!secret) return undefined;
		const bytes = readFileSync(path);
		return readFileSync(sumOf(path), "utf8") === checksum(path, bytes, secret) ? bytes : undefined;
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
	// A compiler writes for all, as far as the umask lets it.
	chmodSync(aside, 0o700);
	const file = openSync(aside, "r+");
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
	const sum = asideOf(sumOf(path));
	try {
		writeFileSync(sum, checksum(path, readFileSync(aside), readSecret() ?? makeSecret()), { mode: 0o600 });
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

function checksum(path: string, bytes: Uint8Array, secret: Uint8Array): string {
	return createHmac("sha256", secret)
		.update(`${basename(path)}\n`)
		.update(bytes)
		.digest("hex");
}

const secretBytes = 32;
const secretFile = (): string => join(ownFolder(), "kernel-secret");

/** What only this user knows; `undefined` when there is none that no one else could have read or put there. */
function readSecret(): Uint8Array | undefined {
	try {
		const stats = lstatSync(secretFile());
		if (!isOwnFile(stats) || (process.getuid && (stats.mode & 0o077) !== 0)) return undefined;
		const secret = readFileSync(secretFile());
		return secret.length === secretBytes ? secret : undefined;
	} catch {
		return undefined;
	}
}

/** All kernels that were kept by another secret are made again; where two processes make one, the later holds. */
function makeSecret(): Uint8Array {
	const aside = asideOf(secretFile());
	writeFileSync(aside, randomBytes(secretBytes), { mode: 0o600, flag: "wx" });
	try {
		renameSync(aside, secretFile());
	} catch (error) {
		removeQuietly(aside);
		throw error;
	}
	const secret = readSecret();
	if (!secret) throw new Error(`${secretFile()} cannot be kept to this user`);
	return secret;
}
