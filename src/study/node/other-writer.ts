/**
 * Is another process writing to a file? Asked of the system (Linux: /proc), which knows of no process that was killed. Where
 * it cannot be asked, and of processes of other users, containers or machines, nothing is known: then there is none.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";

/** The number of a process that has the file open for writing. */
export function otherWriterOf(path: string): number | undefined {
	const real = quietly(() => realpathSync(path));
	if (real === undefined) return undefined;
	const processes = quietly(() => readdirSync("/proc")) ?? [];
	return processes
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.find((pid) => pid !== process.pid && isWriting(pid, real));
}

function isWriting(pid: number, real: string): boolean {
	const files = quietly(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
	return files.some(
		(file) =>
			quietly(() => readlinkSync(`/proc/${pid}/fd/${file}`)) === real &&
			isForWriting(quietly(() => readFileSync(`/proc/${pid}/fdinfo/${file}`, "utf8")) ?? ""),
	);
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
