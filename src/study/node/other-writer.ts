/**
 * Is another process writing to a file? Asked of the system (Linux: /proc), which knows of no process that was killed. Where
 * it cannot be asked, and of processes of other users, containers or machines, nothing is known: then there is none.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename } from "node:path";

/** A file apart from its name: it may be reached by another path, or have lost its own. */
export interface FileIdentity {
	readonly dev: bigint;
	readonly ino: bigint;
}

export function sameFile(a: FileIdentity, b: FileIdentity): boolean {
	return a.dev === b.dev && a.ino === b.ino;
}

/** Whether the system says who writes to a file. */
export function knowsWriters(): boolean {
	return existsSync("/proc/self/fdinfo");
}

/** The number of a process that has the file at `path` open for writing. */
export function otherWriterOf(path: string): number | undefined {
	const file = quietly(() => statSync(path, { bigint: true }));
	if (file === undefined) return undefined;
	const processes = quietly(() => readdirSync("/proc")) ?? [];
	return processes
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.find((pid) => pid !== process.pid && isWriting(pid, file, basename(path)));
}

function isWriting(pid: number, file: FileIdentity, name: string): boolean {
	const opened = quietly(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
	return opened.some((number) => {
		const link = `/proc/${pid}/fd/${number}`;
		// Most open files have other names, and need not be looked at.
		const target = quietly(() => readlinkSync(link))?.replace(/ \(deleted\)$/, "");
		if (target === undefined || basename(target) !== name) return false;
		const own = quietly(() => statSync(link, { bigint: true }));
		if (own === undefined || !sameFile(own, file)) return false;
		return isForWriting(quietly(() => readFileSync(`/proc/${pid}/fdinfo/${number}`, "utf8")) ?? "");
	});
}

/** The last two bits of the flags, which are octal, are 0 for reading only. */
function isForWriting(facts: string): boolean {
	const flags = /^flags:\s*([0-7]+)$/m.exec(facts)?.[1] ?? "0";
	return (Number.parseInt(flags, 8) & 3) !== 0;
}

/** Processes and their files come and go, and not all may be looked at. */
function quietly<T>(look: () => T): T | undefined {
	try {
		return look();
	} catch {
		return undefined;
	}
}
