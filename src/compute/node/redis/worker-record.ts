/** What a worker tells of itself, for `odentify queue` and for those who ask how many there are. */
import type { Redis } from "ioredis";
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

/** Workers that gave a sign of life in the last seconds. */
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

function parse(text: string): WorkerRecord | undefined {
	try {
		const record = JSON.parse(text) as WorkerRecord;
		return Number.isInteger(record.threads) && record.threads > 0 ? record : undefined;
	} catch {
		return undefined;
	}
}
