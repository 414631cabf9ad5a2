/**
 * The batch runs on any number of machines: slices of lanes go through a queue (BullMQ over Redis or Valkey) to whoever
 * waits there (`odentify worker`). What was lost on the way, with a worker or with Redis, is sent again; while no worker is
 * there, the slices are done here. The bits are those of inline.
 */
import { randomUUID } from "node:crypto";
import type { Queue } from "bullmq";
import type { Redis as Connection } from "ioredis";
import { InternalError } from "../../../errors.ts";
import type { Kernel } from "../../../lower/ir.ts";
import { type Arguments, argumentsOf, type Compute, type Launch } from "../../compute.ts";
import { ownPlaces, runInline, runSlices, type Slice } from "../../inline.ts";
import { PlaceError } from "../../place-error.ts";
import { operationsOf } from "../../work.ts";
import { errorOf } from "../thread-failure.ts";
import { EndEvents } from "./end-events.ts";
import { endOf } from "./job-end.ts";
import { JobRates } from "./job-rates.ts";
import { assertAnswers, connect, lasting, loadPackages, type Packages } from "./packages.ts";
import { Presence, type PresenceOptions } from "./presence.ts";
import {
	bytesOf,
	jobData,
	keep,
	keys,
	numbersOf,
	packInput,
	prefix,
	queueName,
	sizesOf,
	unpackOutput,
} from "./protocol.ts";
import { parseQueueUrl, type QueueUrl } from "./queue-url.ts";
import { isRefusal, refusalIn, refusalOf } from "./refusal.ts";
import { Sent } from "./sent.ts";
import { Unsent } from "./unsent.ts";

export interface RedisOptions extends PresenceOptions {
	/** Lane operations up to which a launch runs here; without it, some 10 ms of work. */
	readonly smallest?: number;
	/** Lane operations of one job; without it, as many as a worker does in some 300 ms. */
	readonly perJob?: number;
}

/** Seconds of work below which the messages cost more than they bring. */
const smallest = 0.01;
/** Seconds of a job: what it costs on its way is some milliseconds. */
const jobSeconds = 0.3;
const lookEvery = 1000;
const heartbeatEvery = 5000;
/** How often what was lost is sent again before we give up. */
const mostTries = 20;
/** Milliseconds before that, times the tries. */
const resendAfter = 50;
/** In the queue at once: back-pressure for Redis's memory. */
const most = { bytes: 2 ** 28, jobs: 512 };

/** A slice on its way. */
interface Outstanding {
	readonly launch: LaunchOnQueue;
	readonly slice: Slice;
	readonly bytes: number;
	readonly tries: number;
	readonly sentAt: number;
}
interface LaunchOnQueue {
	readonly kernel: Kernel;
	readonly args: Arguments;
	readonly unsent: Unsent;
	/** Lane operations of one lane. */
	readonly perLane: number;
	/** Lanes that are not done. */
	left: number;
	end(error?: Error): void;
	isOver: boolean;
}

/** Throws an InputError when the queue cannot be reached. */
export async function redis(text: string, options: RedisOptions = {}): Promise<Redis> {
	const option = "--compute redis://…";
	const url = parseQueueUrl(text, option);
	const packages = await loadPackages(option);
	await assertAnswers(packages, url, option);
	return new Redis(packages, url, options);
}

export class Redis implements Compute {
	readonly name: string;
	readonly #connection: Connection;
	readonly #queue: Queue;
	readonly #events: EndEvents;
	readonly #client = randomUUID();
	readonly #sent: Sent;
	readonly #presence: Presence;
	readonly #outstanding = new Map<string, Outstanding>();
	readonly #launches = new Set<LaunchOnQueue>();
	readonly #rates = new JobRates();
	#number = 0;
	#bytes = 0;
	#timers: NodeJS.Timeout[] = [];
	#isLooking = false;
	#isFilling = false;

	constructor(
		packages: Packages,
		readonly url: QueueUrl,
		readonly options: RedisOptions,
	) {
		this.name = url.shown;
		this.#connection = connect(packages, url);
		const shared = { prefix, connection: lasting(url.options) };
		this.#queue = new packages.bullmq.Queue(queueName, shared);
		this.#sent = new Sent(this.#connection);
		this.#presence = new Presence(this.#connection, this.name, this.#client, options);
		this.#queue.on("error", () => {});
		this.#events = new EndEvents(packages, url, {
			ended: (id, value) => void this.#heard(id, value),
			refused: (error) => this.#stumbled(error),
		});
	}

	async run(kernel: Kernel, launch: Launch): Promise<void> {
		const args = argumentsOf(kernel, launch);
		const operations = operationsOf(kernel, args);
		if (operations < (this.options.smallest ?? smallest * this.#rates.of(kernel)))
			return runInline(kernel, launch);
		await this.#begin();
		return new Promise((resolve, reject) => {
			const own: LaunchOnQueue = {
				kernel,
				args,
				unsent: new Unsent(kernel, args, operations),
				perLane: operations / args.batch,
				left: args.batch,
				isOver: false,
				end: (error) => {
					own.isOver = true;
					this.#launches.delete(own);
					if (this.#launches.size === 0) this.#rest();
					if (error) reject(error);
					else resolve();
				},
			};
			this.#launches.add(own);
			if (this.#presence.threads === 0) void this.#look();
			else void this.#fill();
		});
	}

	/** Takes back what is still in the queue and leaves. */
	async close(): Promise<void> {
		this.#rest();
		for (const launch of this.#launches) launch.end(new InternalError("the queue was closed"));
		// A server that is away, or that is there and silent, must not keep us.
		const late = new Promise((next) => setTimeout(next, 2000).unref());
		if (this.#connection.status === "ready") {
			const ids = [...this.#outstanding.keys()];
			const inputs = ids.map(keys.input);
			const taken = Promise.allSettled([
				this.#connection.del(keys.client(this.#client), ...inputs),
				...ids.map((id) => this.#queue.remove(id)),
			]);
			await Promise.race([taken, late]);
		}
		this.#outstanding.clear();
		await Promise.race([Promise.allSettled([this.#queue.close(), this.#events.close()]), late]);
		this.#connection.disconnect();
	}

	/** Signs of life and looks at what is out, as long as there are launches. */
	async #begin(): Promise<void> {
		if (this.#timers.length > 0) return;
		this.#presence.heard();
		this.#timers = [
			setInterval(() => void this.#presence.beat().catch((error) => this.#stumbled(error)), heartbeatEvery),
			setInterval(() => void this.#look(), lookEvery),
		];
		try {
			await Promise.race([
				Promise.all([this.#presence.beat(), this.#presence.count()]),
				new Promise((next) => setTimeout(next, 2000)),
			]);
		} catch (error) {
			this.#endAll(error);
			this.#rest();
			throw refusalOf(error, this.name);
		}
	}
	#rest(): void {
		for (const timer of this.#timers) clearInterval(timer);
		this.#timers = [];
	}

	/** Sends slices as long as there is room. */
	async #fill(): Promise<void> {
		if (this.#isFilling) return;
		this.#isFilling = true;
		try {
			for (let next = this.#takeNext(); next; next = this.#takeNext())
				await this.#send(next.launch, next.slice, 1);
		} catch (error) {
			this.#endAll(error);
		} finally {
			this.#isFilling = false;
		}
	}

	#takeNext(): { launch: LaunchOnQueue; slice: Slice } | undefined {
		const room = Math.min(most.jobs, Math.max(4, 3 * this.#presence.threads));
		if (this.#outstanding.size >= room || this.#bytes >= most.bytes || this.#presence.threads === 0)
			return undefined;
		for (const launch of this.#launches) {
			const slice = this.#cut(launch);
			if (slice) return { launch, slice };
		}
		return undefined;
	}

	#cut({ kernel, unsent }: LaunchOnQueue): Slice | undefined {
		const perJob = this.options.perJob ?? jobSeconds * this.#rates.of(kernel);
		return unsent.take(perJob, this.#presence.threads);
	}

	async #send(launch: LaunchOnQueue, slice: Slice, tries: number): Promise<void> {
		if (launch.isOver) return;
		const { kernel, args } = launch;
		if (tries > mostTries)
			return launch.end(
				new PlaceError(
					this.name,
					`lost a batch ${mostTries} times`,
					"Does it drop keys (its maxmemory-policy), or does someone else write there?",
				),
			);
		const id = `${this.#client}-${++this.#number}`;
		const { kernelDigest, uniforms } = await this.#sent.ensure(kernel, args);
		const lanes = slice.to - slice.from;
		const data = jobData(this.#client, kernelDigest, kernel, args, uniforms, lanes);
		const input = packInput(kernel, args, slice);
		const bytes = 8 * lanes * (sizesOf(kernel, data.rows).input + sizesOf(kernel, data.rows).output);
		this.#outstanding.set(id, { launch, slice, bytes, tries, sentAt: performance.now() });
		this.#bytes += bytes;
		await this.#connection.set(keys.input(id), bytesOf(input), "EX", keep.batch);
		await this.#queue.add("slice", data, {
			jobId: id,
			attempts: 3,
			backoff: 200,
			removeOnComplete: { age: 120, count: 2000 },
			removeOnFail: { age: 3600, count: 2000 },
		});
		this.#presence.heard();
	}

	/** No longer out; `undefined` when it was not, or not any more. */
	#taken(id: string): Outstanding | undefined {
		const out = this.#outstanding.get(id);
		if (!out) return undefined;
		this.#outstanding.delete(id);
		this.#bytes -= out.bytes;
		return out.launch.isOver ? undefined : out;
	}

	/** Of events: only numbers that are there are taken at their word, all else is looked at. */
	async #heard(id: string, value: unknown): Promise<void> {
		this.#presence.heard();
		try {
			const end = endOf(value);
			if (end?.kind !== "done" || !(await this.#collect(id, end.seconds))) await this.#lookAt(id);
		} catch (error) {
			this.#stumbled(error);
		}
	}

	/** Takes the numbers of a slice; false where they are not there as they must be. */
	async #collect(id: string, seconds: number): Promise<boolean> {
		if (!this.#outstanding.has(id)) return true;
		const bytes = await this.#connection.getBuffer(keys.output(id));
		const out = this.#outstanding.get(id);
		if (!out) return true;
		const { launch, slice } = out;
		const { kernel, args } = launch;
		const rows = kernel.buffers.flatMap(({ kind }, i) =>
			kind === "lane" ? [args.buffers[i].length / args.batch] : [],
		);
		const lanes = slice.to - slice.from;
		if (bytes?.length !== 8 * lanes * sizesOf(kernel, rows).output) return false;
		this.#forget(id);
		if (!this.#taken(id)) return true;
		unpackOutput(kernel, args, slice, numbersOf(bytes));
		this.#rates.note(kernel, lanes * launch.perLane, seconds);
		this.#finish(launch, slice);
		return true;
	}

	/** Sends a lost slice once more. */
	async #sendAgain(id: string): Promise<void> {
		const out = this.#taken(id);
		if (!out) return;
		const { launch, slice, tries } = out;
		this.#forget(id);
		try {
			// Redis may have lost all that it had, the sign of life with it.
			await this.#presence.beat();
			await new Promise((next) => setTimeout(next, resendAfter * tries));
			await this.#send(launch, slice, tries + 1);
		} catch (error) {
			launch.end(refusalOf(error, this.name));
		}
	}

	#forget(id: string): void {
		void this.#connection.del(keys.output(id), keys.input(id)).catch(() => {});
	}

	#finish(launch: LaunchOnQueue, { from, to }: Slice): void {
		launch.left -= to - from;
		if (launch.left === 0) launch.end();
		else void this.#fill();
	}

	#failed(id: string, reason: string): void {
		const out = this.#taken(id);
		out?.launch.end(
			refusalIn(reason, this.name) ??
				new PlaceError(
					this.name,
					`a batch could not be done by any worker (${reason})`,
					"Have the workers enough memory? Their own output says more.",
				),
		);
	}

	/** Every second: who is there, what became of jobs whose end was not heard of, and what no one will do. */
	async #look(): Promise<void> {
		const silence = this.#presence.silence();
		if (silence) for (const launch of this.#launches) launch.end(silence);
		if (this.#isLooking) return;
		this.#isLooking = true;
		try {
			await this.#presence.count();
			for (const [id, { sentAt }] of [...this.#outstanding])
				if (performance.now() - sentAt > 2 * lookEvery) await this.#lookAt(id);
			if (this.#presence.threads === 0) this.#doHere();
			await this.#fill();
		} catch (error) {
			// Where Redis is only away, the next look tells.
			this.#stumbled(error);
			return;
		} finally {
			this.#isLooking = false;
		}
		const isAlone = this.#presence.threads === 0 && [...this.#launches].some(({ unsent }) => !unsent.isEmpty);
		if (isAlone) setImmediate(() => void this.#look());
	}

	async #lookAt(id: string): Promise<void> {
		if (!this.#outstanding.has(id)) return;
		const state = await this.#queue.getJobState(id);
		const job = await this.#queue.getJob(id).catch((error) => {
			// Damaged, which is as good as lost.
			if (error instanceof SyntaxError) return undefined;
			throw error;
		});
		if (job && state === "failed") return this.#failed(id, job.failedReason);
		if (!job || state === "completed") {
			const end = endOf(job?.returnvalue);
			if (end?.kind === "failed") return this.#taken(id)?.launch.end(errorOf(end.failure));
			if (end?.kind === "missing") this.#sent.forget();
			// One that is not there was lost, or done and removed since: its result tells.
			const isCollected = await this.#collect(id, end?.kind === "done" ? end.seconds : 0);
			if (!isCollected) await this.#sendAgain(id);
		} else if (this.#presence.threads === 0) {
			// Nobody is left to see that its worker is dead.
			const own = this.#taken(id);
			await this.#queue.remove(id).catch(() => 0);
			own?.launch.unsent.giveBack(own.slice);
		}
	}

	/** Most of a second's slices, where no one else does them. */
	#doHere(): void {
		const until = performance.now() + 0.8 * lookEvery;
		for (const launch of this.#launches)
			while (performance.now() < until && !launch.isOver) {
				const slice = this.#cut(launch);
				if (!slice) break;
				const { kernel, args } = launch;
				try {
					runSlices(kernel, args, ownPlaces(args), [slice], slice.to - slice.from);
					this.#finish(launch, slice);
				} catch (error) {
					launch.end(error as Error);
				}
			}
	}

	/** What was refused would be so again; a connection that was lost mends itself. */
	#stumbled(error: unknown): void {
		if (isRefusal(error)) this.#endAll(error);
	}
	#endAll(error: unknown): void {
		for (const launch of this.#launches) launch.end(refusalOf(error, this.name));
	}
}
