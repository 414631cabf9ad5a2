/**
 * One worker at a queue: takes jobs as long as it is there. Lost connections mend themselves; a job whose worker dies goes
 * back to the others when its lock runs out; one whose client is gone is dropped, also while it runs.
 */
import { randomUUID } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import type { Worker as BullWorker, Job } from "bullmq";
import type { Redis } from "ioredis";
import { version } from "../../../version.ts";
import { operationsOf } from "../../work.ts";
import { failureOf } from "../thread-failure.ts";
import { Content } from "./content.ts";
import type { JobEnd } from "./job-end.ts";
import type { ThreadTask } from "./job-thread.ts";
import { JobThreads } from "./job-threads.ts";
import { assertAnswers, connect, inTime, lasting, loadPackages } from "./packages.ts";
import {
	bytesOf,
	checkFit,
	checkJob,
	keep,
	keys,
	numbersOf,
	prefix,
	queueName,
	sizesOf,
} from "./protocol.ts";
import { parseQueueUrl, type QueueUrl } from "./queue-url.ts";
import { Recent } from "./recent.ts";
import { refusalOf } from "./refusal.ts";
import { announce, type WorkerRecord, withdraw } from "./worker-record.ts";

export interface QueueWorkerOptions {
	/** Jobs at once, one a thread (default: one a core). */
	readonly threads?: number;
	/** Seconds after which a worker that gives no sign of life is taken for dead. */
	readonly lease?: number;
	/** What the user wrote, for messages. */
	readonly option?: string;
}

/** A job with all that it needs. */
interface Gathered {
	readonly task: Omit<ThreadTask, "text">;
	readonly text: string;
	readonly operations: number;
}

const announceEvery = 2000;
const lookEvery = 1000;
/** A job that was with so many workers that died is given up: it would end the next one, too. */
const mostStalls = 8;

export async function startQueueWorker(text: string, options: QueueWorkerOptions = {}): Promise<QueueWorker> {
	const option = options.option ?? "--queue";
	const url = parseQueueUrl(text, option);
	const packages = await loadPackages(option);
	await assertAnswers(packages, url, option);
	const worker = new QueueWorker(url, connect(packages, url), options);
	try {
		await inTime(worker.start(packages.bullmq), url, option);
		return worker;
	} catch (error) {
		await worker.abandon();
		throw refusalOf(error, url.shown);
	}
}

export class QueueWorker {
	readonly threads: number;
	readonly #id = randomUUID();
	readonly #since = Date.now();
	readonly #pool: JobThreads;
	readonly #content: Content;
	readonly #recent = new Recent();
	readonly #lease: number;
	#worker: BullWorker | undefined;
	#timer: NodeJS.Timeout | undefined;
	#counts = { done: 0, failed: 0, dropped: 0, active: 0 };

	constructor(
		readonly url: QueueUrl,
		readonly redis: Redis,
		options: QueueWorkerOptions,
	) {
		this.threads = options.threads ?? availableParallelism();
		this.#lease = 1000 * (options.lease ?? 10);
		this.#pool = new JobThreads(this.threads);
		this.#content = new Content(redis);
	}

	async start({ Worker }: typeof import("bullmq")): Promise<void> {
		this.#worker = new Worker(queueName, (job) => this.#process(job), {
			prefix,
			// Stands in its jobs, so that one sees who is at which.
			name: this.#id,
			connection: lasting(this.url.options),
			// One more than can run: the next one is there when a thread is free.
			concurrency: this.threads + 1,
			lockDuration: this.#lease,
			stalledInterval: this.#lease / 2,
			maxStalledCount: mostStalls,
			runRetryDelay: 1000,
			drainDelay: 2,
		});
		// Lost connections and locks: both mend themselves, the work is done again by whoever has it.
		this.#worker.on("error", () => {});
		await this.#worker.waitUntilReady();
		await announce(this.redis, this.record);
		this.#timer = setInterval(() => void announce(this.redis, this.record).catch(() => {}), announceEvery);
	}

	get record(): WorkerRecord {
		const { amount, events } = this.#recent.rate();
		return {
			id: this.#id,
			host: hostname(),
			pid: process.pid,
			version,
			threads: this.threads,
			since: this.#since,
			...this.#counts,
			operationsPerSecond: amount,
			jobsPerSecond: events,
		};
	}

	/** Takes no more jobs, ends those at work, and leaves. While Redis is away there is nobody to end them for. */
	async close(): Promise<void> {
		clearInterval(this.#timer);
		const isAway = !(await this.#isHeard());
		await this.#worker?.close(isAway);
		await this.#pool.close();
		if (!isAway) await withdraw(this.redis, this.#id).catch(() => {});
		this.redis.disconnect();
	}

	/** A server may be connected and silent all the same. */
	async #isHeard(): Promise<boolean> {
		if (this.redis.status !== "ready") return false;
		const answer = this.redis.ping().then(
			() => true,
			() => this.redis.status === "ready",
		);
		return Promise.race([answer, new Promise<boolean>((next) => setTimeout(next, 2000, false).unref())]);
	}

	/** Leaves a queue that it could not join, without a word to it. */
	async abandon(): Promise<void> {
		clearInterval(this.#timer);
		this.redis.disconnect();
		const closed = Promise.allSettled([this.#worker?.close(true), this.#pool.close()]);
		await Promise.race([closed, new Promise((next) => setTimeout(next, 1000).unref())]);
	}

	async #process(job: Job): Promise<JobEnd> {
		this.#counts.active++;
		try {
			const end = await this.#work(job);
			if (end.kind === "done") this.#counts.done++;
			else if (end.kind === "failed") this.#counts.failed++;
			else this.#counts.dropped++;
			return end;
		} finally {
			this.#counts.active--;
		}
	}

	/** Throws where another try may help; what would fail again is an end. */
	async #work({ id, data }: Job): Promise<JobEnd> {
		let parts: Gathered | JobEnd;
		try {
			parts = await this.#gather(id!, data);
		} catch (error) {
			return { kind: "failed", failure: failureOf(error) };
		}
		if ("kind" in parts) return parts;
		const { task, text, operations } = parts;
		const abort = new AbortController();
		const clientKey = keys.client(task.job.client);
		const look = setInterval(() => {
			this.redis
				.exists(clientKey)
				.then((there) => there || abort.abort())
				.catch(() => {});
		}, lookEvery);
		try {
			const answer = await this.#pool.run(task, text, abort.signal);
			if ("failure" in answer) return { kind: "failed", failure: answer.failure };
			await this.redis.set(keys.output(id!), bytesOf(answer.output), "EX", keep.batch);
			this.#recent.add(operations);
			return { kind: "done", seconds: answer.seconds };
		} catch (error) {
			if (abort.signal.aborted) return { kind: "abandoned" };
			throw error;
		} finally {
			clearInterval(look);
		}
	}

	/** All that a job needs, checked; or why it cannot be done. */
	async #gather(id: string, data: unknown): Promise<Gathered | JobEnd> {
		const job = checkJob(data);
		const [there, input] = await Promise.all([
			this.redis.exists(keys.client(job.client)),
			this.redis.getBuffer(keys.input(id)),
		]);
		if (!there) return { kind: "abandoned" };
		const fetched = await this.#content.kernel(job.kernel);
		const uniforms = await Promise.all(job.uniforms.map((digest) => this.#content.data(digest)));
		const missing = [
			...(fetched ? [] : [job.kernel]),
			...job.uniforms.filter((_, i) => !uniforms[i]),
			...(input ? [] : ["input"]),
		];
		if (!fetched || !input || missing.length > 0) return { kind: "missing", what: missing };
		const { kernel, text } = fetched;
		const scalars = checkFit(job, kernel);
		if (input.length !== 8 * job.lanes * sizesOf(kernel, job.rows).input)
			throw new Error("a job from the queue is refused: its lanes are not as many as it says");
		const task = { job, scalars, uniforms: uniforms as Float64Array[], input: numbersOf(input) };
		return { task, text, operations: operationsOf(kernel, { batch: job.lanes, buffers: [], scalars }) };
	}
}
