/**
 * The batch runs in Web Workers and in the calling thread. Where the page is cross-origin isolated the lanes lie in
 * shared memory; elsewhere copies are transferred there and back. What a worker cannot do (it did not start, it died, it
 * failed) the calling thread does itself, from the launch's own buffers, which nothing touches until the end.
 */
import type { Kernel } from "../../lower/ir.ts";
import { type Arguments, argumentsOf, type Compute, type Launch } from "../compute.ts";
import { copyLanes } from "../copy-lanes.ts";
import { ownPlaces, runInline, runSlices, type Slice } from "../inline.ts";
import { operationsOf } from "../work.ts";
import type { Parcel, Reply, WorkerPort } from "./port.ts";

export interface WebWorkersOptions {
	/** Starts a worker that runs `workerLoop`. */
	start(): WorkerPort;
	/** Workers beside the calling thread. */
	readonly workers: number;
	/** Whether memory can be shared with them. */
	readonly shared: boolean;
	/** Lane operations up to which a launch runs inline. */
	readonly smallest?: number;
}

/** A few milliseconds of work: below it the messages cost more than they bring. */
const smallest = 2e7;
/** The most lanes that a kernel does side by side. */
const block = 8;

interface Member {
	readonly port: WorkerPort;
	readonly knows: Set<number>;
	/** Takes the answer to the parcel under way; `undefined` when the worker is gone. */
	answer: (reply: Reply | undefined) => void;
}

export class WebWorkers implements Compute {
	readonly name = "workers";
	readonly #options: WebWorkersOptions;
	readonly #members: Member[] = [];
	readonly #numbers = new Map<Kernel, number>();
	#memory: SharedArrayBuffer | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#id = 0;

	constructor(options: WebWorkersOptions) {
		this.#options = options;
	}

	async run(kernel: Kernel, launch: Launch): Promise<void> {
		const args = argumentsOf(kernel, launch);
		const isSmall = operationsOf(kernel, args) < (this.#options.smallest ?? smallest);
		if (!(this.#options.workers > 0) || isSmall || args.batch <= block) return runInline(kernel, launch);
		// One launch at a time: it has all workers.
		const turn = this.#last.then(() => this.#runParts(kernel, args));
		this.#last = turn.catch(() => {});
		return turn;
	}

	/** Ends the workers; they start again when needed. */
	async close(): Promise<void> {
		for (const { port, answer } of this.#members.splice(0)) {
			port.terminate();
			answer(undefined);
		}
	}

	async #runParts(kernel: Kernel, args: Arguments): Promise<void> {
		while (this.#members.length < this.#options.workers) this.#start();
		const [own, ...others] = cut(args.batch, this.#members.length + 1);
		const parcels = this.#pack(kernel, args, others);
		const replies = parcels.map((parcel, i) => this.#send(this.#members[i], kernel, parcel));
		const results = ownPlaces(args);
		const here = (slice: Slice): void => runSlices(kernel, args, results, [slice], slice.to - slice.from);
		// Compiling may fail: the others are waited for all the same.
		let failure: unknown;
		try {
			here(own);
		} catch (error) {
			failure = error;
		}
		for (const [i, reply] of (await Promise.all(replies)).entries()) {
			if (failure) continue;
			if (!reply || reply.failed) here(others[i]);
			else collect(kernel, args, others[i], reply.written ?? parcels[i].buffers);
		}
		if (failure) throw failure;
	}

	/** Copies of what each part needs, all in one shared memory where there is one. */
	#pack(kernel: Kernel, { batch, buffers, scalars }: Arguments, parts: readonly Slice[]): Parcel[] {
		const { shared } = this.#options;
		const length = (i: number, { from, to }: Slice): number => (buffers[i].length / batch) * (to - from);
		let room: (n: number) => Float64Array = (n) => new Float64Array(n);
		if (shared) {
			const total = kernel.buffers.reduce(
				(sum, { kind }, i) =>
					sum + (kind === "uniform" ? buffers[i].length : parts.reduce((s, part) => s + length(i, part), 0)),
				0,
			);
			if (!(this.#memory && this.#memory.byteLength >= 8 * total))
				this.#memory = new SharedArrayBuffer(8 * total);
			const memory = this.#memory;
			let used = 0;
			room = (n) => new Float64Array(memory, 8 * (used += n) - 8 * n, n);
		}
		const copyOf = (values: Float64Array): Float64Array => {
			const copy = room(values.length);
			copy.set(values);
			return copy;
		};
		const common = kernel.buffers.map(({ kind }, i) =>
			shared && kind === "uniform" ? copyOf(buffers[i]) : undefined,
		);
		return parts.map((part) => {
			const lanes = part.to - part.from;
			const own = kernel.buffers.map(({ kind, access }, i) => {
				if (kind === "uniform") return common[i] ?? copyOf(buffers[i]);
				const values = room(length(i, part));
				if (access !== "write")
					copyLanes(
						{ values, stride: lanes, from: 0 },
						{ values: buffers[i], stride: batch, from: part.from },
						buffers[i].length / batch,
						lanes,
					);
				return values;
			});
			return { id: ++this.#id, number: this.#numberOf(kernel), lanes, buffers: own, scalars, shared };
		});
	}

	#send(member: Member, kernel: Kernel, parcel: Parcel): Promise<Reply | undefined> {
		const { number } = parcel;
		const message = member.knows.has(number) ? parcel : { ...parcel, kernel };
		member.knows.add(number);
		return new Promise((resolve) => {
			member.answer = (reply) => {
				if (reply === undefined || reply.id === parcel.id) resolve(reply);
			};
			const transfer = parcel.shared ? [] : parcel.buffers.map(({ buffer }) => buffer as ArrayBuffer);
			member.port.postMessage(message, transfer);
		});
	}

	#start(): void {
		const port = this.#options.start();
		const member: Member = { port, knows: new Set(), answer: () => {} };
		port.onmessage = ({ data }) => member.answer(data);
		port.onerror = () => {
			const at = this.#members.indexOf(member);
			if (at >= 0) this.#members.splice(at, 1);
			port.terminate();
			member.answer(undefined);
		};
		this.#members.push(member);
	}

	#numberOf(kernel: Kernel): number {
		let number = this.#numbers.get(kernel);
		if (number === undefined) this.#numbers.set(kernel, (number = this.#numbers.size));
		return number;
	}
}

/** Parts of whole blocks of lanes, as even as that allows. */
function cut(batch: number, count: number): Slice[] {
	const each = block * Math.ceil(batch / count / block);
	const parts: Slice[] = [];
	for (let from = 0; from < batch; from += each) parts.push({ from, to: Math.min(batch, from + each) });
	return parts;
}

function collect(
	kernel: Kernel,
	{ batch, buffers }: Arguments,
	{ from, to }: Slice,
	written: readonly (Float64Array | undefined)[],
): void {
	for (const [i, { kind, access }] of kernel.buffers.entries()) {
		const values = written[i];
		if (kind !== "lane" || access === "read" || !values) continue;
		copyLanes(
			{ values: buffers[i], stride: batch, from },
			{ values, stride: to - from, from: 0 },
			buffers[i].length / batch,
			to - from,
		);
	}
}
