/** What is going on at a queue: workers, jobs, rates. */
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { assertAnswers, connect, inTime, lasting, loadPackages } from "./packages.ts";
import { prefix, queueName } from "./protocol.ts";
import { parseQueueUrl, type QueueUrl } from "./queue-url.ts";
import { refusalOf } from "./refusal.ts";
import { byVersion, type WorkerRecord, workersAt } from "./worker-record.ts";

export interface QueueStatus {
	/** Address without the password. */
	readonly queue: string;
	/** Of all versions; the jobs are those of this one. */
	readonly workers: readonly WorkerRecord[];
	readonly jobs: { readonly waiting: number; readonly active: number; readonly failed: number };
	/** Of all workers of this version together, over the last while. */
	readonly operationsPerSecond: number;
	readonly jobsPerSecond: number;
}

export async function queueStatus(text: string, option: string): Promise<QueueStatus> {
	const url = parseQueueUrl(text, option);
	const packages = await loadPackages(option);
	await assertAnswers(packages, url, option);
	const redis = connect(packages, url);
	const queue = new packages.bullmq.Queue(queueName, { prefix, connection: lasting(url.options) });
	queue.on("error", () => {});
	try {
		return await inTime(statusOf(url, redis, queue), url, option);
	} catch (error) {
		throw refusalOf(error, url.shown);
	} finally {
		redis.disconnect();
		await Promise.race([queue.close(), new Promise((next) => setTimeout(next, 1000).unref())]).catch(
			() => {},
		);
	}
}

async function statusOf({ shown }: QueueUrl, redis: Redis, queue: Queue): Promise<QueueStatus> {
	const counts = await queue.getJobCounts("waiting", "delayed", "failed");
	const active = await queue.getActive();
	// What a worker told of itself is some seconds old; its jobs are as they are now.
	const workers = (await workersAt(redis)).map((worker) => ({
		...worker,
		active: active.filter((job) => job?.processedBy === worker.id).length,
	}));
	const total = (of: (worker: WorkerRecord) => number): number =>
		byVersion(workers).own.reduce((sum, worker) => sum + of(worker), 0);
	return {
		queue: shown,
		workers: workers.sort((a, b) => a.host.localeCompare(b.host) || a.pid - b.pid),
		jobs: {
			waiting: (counts.waiting ?? 0) + (counts.delayed ?? 0),
			active: active.length,
			failed: counts.failed ?? 0,
		},
		operationsPerSecond: total((worker) => worker.operationsPerSecond),
		jobsPerSecond: total((worker) => worker.jobsPerSecond),
	};
}
