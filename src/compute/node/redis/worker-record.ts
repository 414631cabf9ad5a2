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

export async function announce(redis: Redis, record: WorkerRecord): Promise<void> {
	await redis
		.multi()
		.set(keys.worker(record.id), JSON.stringify(record), "EX", keep.worker)
		.sadd(keys.workers, record.id)
		.exec();
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
	if (gone.length > 0) await redis.srem(keys.workers, ...gone);
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

function parse(text: string): WorkerRecord | undefined {
	try {
		const record = JSON.parse(text) as WorkerRecord;
		const isSound =
			Number.isInteger(record.threads) && record.threads > 0 && typeof record.version === "string";
		return isSound ? record : undefined;
	} catch {
		return undefined;
	}
}
