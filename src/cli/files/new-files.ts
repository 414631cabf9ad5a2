/** Files of a new study in a folder. */
import { existsSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../data/node/make-folder.ts";
import { InputError } from "../../errors.ts";
import { quietlyRemove, writeAtomic } from "../../study/node/atomic-write.ts";
import { cannotWrite } from "../../study/node/folder-error.ts";

/** All or nothing, and never over what is there. */
export function writeNew(
	folder: string,
	files: readonly { readonly name: string; readonly content: string }[],
): void {
	const there = files.map(({ name }) => join(folder, name)).filter((path) => existsSync(path));
	if (there.length > 0)
		throw new InputError(
			there.join(", "),
			there.length === 1 ? "is there already" : "are there already",
			"Nothing was written. Choose another folder with  --out DIR",
		);
	writeAll(
		folder,
		files.map(({ name, content }) => [name, content]),
	);
}

/** All, or an error that leaves nothing new behind. */
export function writeAll(folder: string, files: Iterable<readonly [name: string, content: string]>): void {
	const made: string[] = [];
	const written: string[] = [];
	try {
		made.push(...makeFolder(folder));
		for (const [name, content] of files) {
			const path = join(folder, name);
			made.push(...makeFolder(dirname(path)));
			if (!existsSync(path)) written.push(path);
			writeAtomic(path, content);
		}
	} catch (error) {
		for (const path of written) quietlyRemove(path);
		for (const path of made.reverse()) removeEmpty(path);
		throw cannotWrite(folder, error, "Choose another place with  --out DIR");
	}
}

/** Somebody may have put something there meanwhile: then it stays. */
function removeEmpty(folder: string): void {
	try {
		rmdirSync(folder);
	} catch {}
}
