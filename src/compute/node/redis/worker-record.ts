/** What a worker tells of itself, for `odentify queue` and for those who ask how many there are. */
import type { Redis } from "ioredis";
import { version } from "../../../version.ts";
import { keep, keys } from "./protocol.ts";

export interface WorkerRecord {
	readonly id: string;
	readonly host: string;
	readonly pid: number;
	readonly version: string;
	readonly threads: number;
	/** When it came, in milliseconds since 1970. */
	readonly since: number;
	/** Jobs done, failed and dropped. */
	readonly done: number;
	readonly failed: number;
	readonly dropped: number;
	/** Jobs at work now. */
	readonly active: number;
	/** Lane operations and jobs a second, over the last while. */
	readonly operationsPerSecond: number;
	readonly jobsPerSecond: number;
}

/** Letters of a host or version. */
const longest = 300;

export async function announce(redis: Redis, record: WorkerRecord): Promise<void> {
	const answers = await redis
		.multi()
		.set(keys.worker(record.id), JSON.stringify(record), "EX", keep.worker)
		.sadd(keys.workers, record.id)
		.exec();
	// A transaction holds though one of its parts was refused.
	for (const [error] of answers ?? []) if (error) throw error;
}

export async function withdraw(redis: Redis, id: string): Promise<void> {
	await redis.multi().del(keys.worker(id)).srem(keys.workers, id).exec();
}

/** Workers of all versions that gave a sign of life in the last seconds. */
export async function workersAt(redis: Redis): Promise<WorkerRecord[]> {
	const ids = await redis.smembers(keys.workers);
	if (ids.length === 0) return [];
	const records = await redis.mget(ids.map(keys.worker));
	const gone = ids.filter((_, i) => records[i] === null);
	// Tidying up, which one who may only look leaves to others.
	if (gone.length > 0) await redis.srem(keys.workers, ...gone).catch(() => 0);
	return records.flatMap((text) => {
		const record = text === null ? undefined : parse(text);
		return record ? [record] : [];
	});
}

/** Those that take the batches of this version, and the others in words, one text a version. */
export function byVersion(workers: readonly WorkerRecord[]): { own: WorkerRecord[]; others: string[] } {
	const counts = new Map<string, number>();
	for (const each of workers)
		if (each.version !== version) counts.set(each.version, (counts.get(each.version) ?? 0) + 1);
	return {
		own: workers.filter((each) => each.version === version),
		others: [...counts].map(([other, n]) => `${n} ${n === 1 ? "worker" : "workers"} of version ${other}`),
	};
}

/** A record as it must be, whoever wrote it; nothing else counts as a worker. */
function parse(text: string): WorkerRecord | undefined {
	let record: WorkerRecord;
	try {
		record = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (typeof record !== "object" || record === null) return undefined;
	const { id, host, version, threads, pid, since, done, failed, dropped, active } = record;
	const { operationsPerSecond, jobsPerSecond } = record;
	const isSound =
		[id, host, version].every((each) => typeof each === "string" && each.length <= longest) &&
		[threads, pid, done, failed, dropped, active].every((each) => Number.isSafeInteger(each) && each >= 0) &&
		[since, operationsPerSecond, jobsPerSecond].every((each) => Number.isFinite(each) && each >= 0) &&
		threads > 0;
	return isSound ? { ...record, host: oneLine(host), version: oneLine(version) } : undefined;
}

/** Others' text in a line of ours: what would break the line is made visible. */
function oneLine(text: string): string {
	return text.replace(
		/[\p{Cc}\u2028\u2029]/gu,
		(character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`,
	);
}
