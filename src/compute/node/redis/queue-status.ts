/** What is going on at a queue: workers, jobs, rates. */
import { assertAnswers, connect, lasting, loadPackages } from "./packages.ts";
import { prefix, queueName } from "./protocol.ts";
import { parseQueueUrl } from "./queue-url.ts";
import { type WorkerRecord, workersAt } from "./worker-record.ts";

export interface QueueStatus {
	/** Address without the password. */
	readonly queue: string;
	readonly workers: readonly WorkerRecord[];
	readonly jobs: { readonly waiting: number; readonly active: number; readonly failed: number };
	/** Of all workers together, over the last while. */
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
		const workers = await workersAt(redis);
		const counts = await queue.getJobCounts("waiting", "delayed", "active", "failed");
		const total = (of: (worker: WorkerRecord) => number): number =>
			workers.reduce((sum, worker) => sum + of(worker), 0);
		return {
			queue: url.shown,
			workers: workers.sort((a, b) => a.host.localeCompare(b.host) || a.pid - b.pid),
			jobs: {
				waiting: (counts.waiting ?? 0) + (counts.delayed ?? 0),
				active: counts.active ?? 0,
				failed: counts.failed ?? 0,
			},
			operationsPerSecond: total((worker) => worker.operationsPerSecond),
			jobsPerSecond: total((worker) => worker.jobsPerSecond),
		};
	} finally {
		await queue.close();
		redis.disconnect();
	}
}
