/** A text file of the user's, or a sentence about why it cannot be read. */
import { readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { assertNameable, readPlainFile, unreadable } from "../../data/node/plain-file.ts";
import { InputError, nearestName } from "../../errors.ts";

const maxBytes = 16 * 1024 * 1024;

export function readText(path: string, what: string): string {
	assertNameable(path);
	const stats = statsOf(path);
	if (!stats) throw new InputError(path, `there is no such ${what}`, didYouMean(path));
	if (stats.isDirectory()) throw new InputError(path, `is a folder, not a ${what}`, "Name a file in it.");
	if (!(stats.size <= maxBytes))
		throw new InputError(path, `has ${stats.size} bytes, too many for a ${what}`, "Is it the right file?");
	const bytes = readPlainFile(path, maxBytes);
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new InputError(path, "is not text in UTF-8", `Is it a ${what}? Save it as UTF-8.`);
	}
}

function statsOf(path: string): Stats | undefined {
	try {
		return statSync(path, { throwIfNoEntry: false });
	} catch (error) {
		throw unreadable(path, error);
	}
}

/** The nearest name in the same folder. */
function didYouMean(path: string): string {
	let names: string[];
	try {
		names = readdirSync(dirname(path));
	} catch {
		return `There is no folder ${dirname(path)} either.`;
	}
	const nearest = nearestName(basename(path), names);
	return nearest
		? `Did you mean "${nearest}"?`
		: "Check the name; it is looked for beside the file that names it.";
}
