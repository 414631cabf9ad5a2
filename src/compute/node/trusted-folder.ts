/**
 * Whether only this user (and root) can put anything at a path: what lies in such a folder may be run. That depends on the
 * folder and on all above it, since who may write to one of those can put another in its place.
 */
import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, resolve } from "node:path";

const root = 0;
const groupWrites = 0o020;
const othersWrite = 0o002;
/** In a folder with this bit, entries belong to their owners, whoever may write there: /tmp. */
const sticky = 0o1000;

/** Why a folder that is there cannot be trusted, as a sentence; `undefined` when it can. */
export function whyNotTrusted(folder: string): string | undefined {
	// Systems without users and modes like these keep a user's folders apart by other means.
	if (!process.getuid) return undefined;
	const user = process.getuid();
	// Both ways to it: as written, where a link could be put in place of a part, and as the links lead.
	for (const path of new Set([resolve(folder), realpathSync(folder)]))
		for (let at = path; ; at = dirname(at)) {
			const why = whyNot(lstatSync(at), at === path, user);
			if (why !== undefined) return `${at} ${why}`;
			if (at === dirname(at)) break;
		}
	return undefined;
}

/** Whether a file is this user's alone to write, by this name and any other. */
export function isOwnFile(stats: Stats): boolean {
	if (!stats.isFile()) return false;
	return !process.getuid || (stats.uid === process.getuid() && stats.nlink === 1 && !isLoose(stats));
}

function whyNot(stats: Stats, isLast: boolean, user: number): string | undefined {
	if (stats.uid !== user && (isLast || stats.uid !== root)) return `belongs to another user (${stats.uid})`;
	if (stats.isSymbolicLink()) return undefined;
	if (isLoose(stats) && (isLast || (stats.mode & sticky) === 0)) return "can be written to by other users";
	return undefined;
}

function isLoose({ mode, uid, gid }: Stats): boolean {
	// Where every user has a group of their own, by the same number, that group is nobody else.
	return (mode & othersWrite) !== 0 || ((mode & groupWrites) !== 0 && gid !== uid);
}
