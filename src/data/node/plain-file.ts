/**
 * Reads files that somebody else named or wrote. Only what comes to an end is read: a pipe waits for its other end, and a
 * device like /dev/zero has none.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { InputError } from "../../errors.ts";
import { systemReason } from "./system-words.ts";

const firstPart = 64 * 1024;

/** All bytes of a plain file, `most` of them at the most. Throws InputError. */
export function readPlainFile(path: string, most: number): Buffer {
	return withPlainFile(path, (file, size) => {
		assertSize(path, size, most);
		return readToEnd(file, path, size, most);
	});
}

/** Reads in an open file of this size. Throws InputError where it is none, or where the system refuses. */
export function withPlainFile<T>(path: string, read: (file: number, size: number) => T): T {
	assertNameable(path);
	try {
		// Looked at before it is opened: that alone may do something to a device. And again after: it may have been exchanged.
		assertPlain(path, statSync(path));
		const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		try {
			const stats = fstatSync(file);
			assertPlain(path, stats);
			return read(file, stats.size);
		} finally {
			closeSync(file);
		}
	} catch (error) {
		throw unreadable(path, error);
	}
}

/** Whether a plain file stands there. */
export function isPlainFile(path: string): boolean {
	try {
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

/** Whether a pipe with a name stands there: it gives what comes once, and may have to be waited for. */
export function isPipe(path: string): boolean {
	try {
		return statSync(path).isFIFO();
	} catch {
		return false;
	}
}

/** The system takes a zero character for the end of a name. */
export function assertNameable(path: string): void {
	if (path.includes("\0"))
		throw new InputError(path, "no file can have a name with a zero character in it", "Correct the name.");
}

export function assertPlain(path: string, stats: Stats): void {
	if (stats.isFile()) return;
	if (stats.isDirectory()) throw new InputError(path, "is a folder", "Name a file in it.");
	const what = stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
	throw new InputError(path, `is ${what}, not a file`, "Name a file.");
}

export function assertSize(path: string, size: number, most: number, remedy = "Is it the right file?"): void {
	if (!(size <= most))
		throw new InputError(path, `has ${size} bytes, and more than ${most} are not read`, remedy);
}

/** An error of the system in words; other errors as they are. */
export function unreadable(path: string, error: unknown): unknown {
	const why = systemReason(error, "read");
	return why === undefined ? error : new InputError(path, `cannot be read: ${why}`);
}

/** A file may hold more than its size says: it grows, or is one of /proc. */
function readToEnd(file: number, path: string, size: number, most: number): Buffer {
	let buffer = Buffer.allocUnsafe(Math.max(size + 1, firstPart));
	let length = 0;
	for (;;) {
		const n = readSync(file, buffer, length, buffer.length - length, null);
		if (n === 0) return buffer.subarray(0, length);
		length += n;
		if (length > most) assertSize(path, length, most);
		if (length < buffer.length) continue;
		const larger = Buffer.allocUnsafe(2 * buffer.length);
		buffer.copy(larger);
		buffer = larger;
	}
}
