/**
 * Files that are whole at every instant: written aside, synced to the disk, then renamed over the old one. Whoever
 * reads sees the old file or the new one, also after a kill or a loss of power.
 */
import {
	closeSync,
	fsyncSync,
	openSync,
	readdirSync,
	renameSync,
	rmSync,
	unlinkSync,
	writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const aside = /^\.odentify-aside-\d+-/;

/** Writes `content` aside and returns the name of the file that holds it. */
export function writeAside(path: string, content: string | Uint8Array): string {
	const temporary = join(dirname(path), `.odentify-aside-${process.pid}-${basename(path)}`);
	const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
	rmSync(temporary, { force: true });
	const file = openSync(temporary, "wx", 0o666);
	try {
		for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
		fsyncSync(file);
	} catch (error) {
		closeSync(file);
		rmSync(temporary, { force: true });
		throw error;
	}
	closeSync(file);
	return temporary;
}

export function writeAtomic(path: string, content: string | Uint8Array): void {
	const temporary = writeAside(path, content);
	try {
		renameSync(temporary, path);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
	syncFolder(dirname(path));
}

/** Makes renames last. Not every system lets a folder be synced; then the rename alone has to do. */
export function syncFolder(path: string): void {
	try {
		const folder = openSync(path, "r");
		try {
			fsyncSync(folder);
		} finally {
			closeSync(folder);
		}
	} catch {}
}

/** A file that was being written when its process was killed. */
export function isLeftover(name: string): boolean {
	return aside.test(name);
}

/** Removes what a killed process left aside; only the owner of the folder may, for others may be writing. */
export function removeLeftovers(folder: string): void {
	for (const name of readdirSync(folder)) if (isLeftover(name)) quietlyRemove(join(folder, name));
}

/** Removes a file; a folder of that name is none of ours. */
export function quietlyRemove(path: string): void {
	try {
		unlinkSync(path);
	} catch {}
}
