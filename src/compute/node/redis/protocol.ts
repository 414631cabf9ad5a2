/**
 * What travels over the queue. A kernel goes as its text and shared buffers as their bytes, each once, under its digest;
 * a job names them and has a few lanes as bytes beside it. Everything that arrives is checked before it is used: digests,
 * lengths, types, and the kernel itself. Nothing of it is ever run as code: a worker compiles the kernel by itself.
 */
import { createHash } from "node:crypto";
import { InternalError } from "../../../errors.ts";
import { type Kernel, numberText } from "../../../lower/ir.ts";
import { version } from "../../../version.ts";
import type { Arguments } from "../../compute.ts";
import { copyLanes, type LanePlace } from "../../copy-lanes.ts";
import type { Slice } from "../../inline.ts";

/**
 * Name of the queue and first part of its keys. Each version has a queue of its own: another one may not give the same bits.
 * Only who is there stands under keys that all versions share.
 */
export const queueName = "batches";
/** First part of all keys, of all versions. */
export const sharedPrefix = "odentify-2";
export const prefix = `${sharedPrefix}-${version}`;
const key =
	(kind: string, first = prefix) =>
	(id: string): string =>
		`${first}:${kind}:${id}`;
export const keys = {
	kernel: key("kernel"),
	data: key("data"),
	input: key("input"),
	output: key("output"),
	/** There as long as the one who asked is. */
	client: key("client"),
	worker: key("worker", sharedPrefix),
	workers: `${sharedPrefix}:workers`,
};

/** Seconds that things are kept when nobody removes them. */
export const keep = { content: 86_400, batch: 3_600, client: 20, worker: 10 };
/** Largest job and kernel that a worker takes. */
const most = { bytes: 2 ** 31, lanes: 2 ** 26, kernelText: 2 ** 26 };

export interface JobData {
	/** Who asked. */
	readonly client: string;
	readonly kernel: string;
	/** Digests of the shared buffers, in the kernel's order. */
	readonly uniforms: readonly string[];
	/** Elements a lane of each lane buffer, in the kernel's order. */
	readonly rows: readonly number[];
	readonly lanes: number;
	/** As text: JSON has neither NaN nor infinities. */
	readonly scalars: readonly string[];
}

export function digestOf(content: string | Uint8Array): string {
	return createHash("sha256").update(content).digest("hex");
}

export function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Buffer {
	return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Bytes as numbers: where they are if that can be, else in memory of their own. */
export function numbersOf(bytes: Uint8Array): Float64Array {
	const { buffer, byteOffset, length } = bytes;
	// A small part of what many share is copied: it may be handed on, all of it.
	if (byteOffset % 8 === 0 && length === buffer.byteLength) return new Float64Array(buffer, 0, length / 8);
	const values = new Float64Array(length / 8);
	bytesOf(values).set(bytes);
	return values;
}

const reads = (access: string): boolean => access !== "write";
const writes = (access: string): boolean => access !== "read";

/** The lanes of a slice that the kernel reads. */
export function packInput(kernel: Kernel, { batch, buffers }: Arguments, { from, to }: Slice): Float64Array {
	const count = to - from;
	const chosen = laneBuffers(kernel, reads);
	const rows = chosen.map((i) => buffers[i].length / batch);
	const packed = new Float64Array(count * sum(rows));
	let at = 0;
	for (const [j, i] of chosen.entries()) {
		const values = packed.subarray(at, (at += rows[j] * count));
		copyLanes(
			{ values, stride: count, from: 0 },
			{ values: buffers[i], stride: batch, from },
			rows[j],
			count,
		);
	}
	return packed;
}

/** Puts the results of a slice into the launch's buffers. */
export function unpackOutput(
	kernel: Kernel,
	{ batch, buffers }: Arguments,
	{ from, to }: Slice,
	packed: Float64Array,
): void {
	const count = to - from;
	let at = 0;
	for (const i of laneBuffers(kernel, writes)) {
		const rows = buffers[i].length / batch;
		const values = packed.subarray(at, (at += rows * count));
		copyLanes({ values: buffers[i], stride: batch, from }, { values, stride: count, from: 0 }, rows, count);
	}
}

/** Doubles that come back for each lane, and that go out. */
export function sizesOf(kernel: Kernel, rows: readonly number[]): { input: number; output: number } {
	const lanes = kernel.buffers.flatMap(({ kind, access }) => (kind === "lane" ? [access] : []));
	const total = (chosen: (access: string) => boolean): number => sum(rows.filter((_, j) => chosen(lanes[j])));
	return { input: total(reads), output: total(writes) };
}

/** A job's buffers for its kernel, from what arrived, and where its results go: into `output`, as they are sent. */
export function unpackInput(
	kernel: Kernel,
	{ rows, lanes }: JobData,
	uniforms: readonly Float64Array[],
	input: Float64Array,
): { buffers: Float64Array[]; results: LanePlace[]; output: Float64Array } {
	const output = new Float64Array(lanes * sizesOf(kernel, rows).output);
	const buffers: Float64Array[] = [];
	const results: LanePlace[] = [];
	let [given, written, lane, uniform] = [0, 0, 0, 0];
	for (const { kind, access } of kernel.buffers) {
		const length = kind === "lane" ? rows[lane++] * lanes : 0;
		const from = reads(access) && kind === "lane" ? input.subarray(given, (given += length)) : undefined;
		const values = writes(access) ? output.subarray(written, (written += length)) : input.subarray(0, 0);
		results.push({ values, stride: lanes, from: 0 });
		buffers.push(kind === "uniform" ? uniforms[uniform++] : (from ?? values));
	}
	return { buffers, results, output };
}

export function jobData(
	client: string,
	kernelDigest: string,
	kernel: Kernel,
	{ batch, buffers, scalars }: Arguments,
	uniforms: readonly string[],
	lanes: number,
): JobData {
	return {
		client,
		kernel: kernelDigest,
		uniforms,
		rows: laneBuffers(kernel, () => true).map((i) => buffers[i].length / batch),
		lanes,
		scalars: scalars.map(numberText),
	};
}

/** Throws unless it is a job, as far as can be seen without its kernel. */
export function checkJob(value: unknown): JobData {
	const job = value as JobData;
	const isDigest = (each: unknown): boolean => typeof each === "string" && /^[0-9a-f]{64}$/.test(each);
	const isCount = (each: unknown, largest: number): boolean =>
		Number.isInteger(each) && (each as number) >= 0 && (each as number) <= largest;
	must(typeof job === "object" && job !== null, "a job");
	must(typeof job.client === "string" && /^[0-9a-f-]{8,64}$/.test(job.client), "a client");
	must(isDigest(job.kernel), "a kernel");
	must(Array.isArray(job.uniforms) && job.uniforms.every(isDigest), "a shared buffer");
	must(Array.isArray(job.rows) && job.rows.every((each) => isCount(each, most.bytes)), "a buffer of lanes");
	must(isCount(job.lanes, most.lanes) && job.lanes > 0, "a number of lanes");
	must(
		Array.isArray(job.scalars) && job.scalars.every((each) => typeof each === "string" && each.length < 40),
		"a scalar",
	);
	must(8 * job.lanes * (1 + sum(job.rows)) <= most.bytes, "a size");
	return job;
}

/** Throws unless a job fits its kernel; returns its scalars. */
export function checkFit(job: JobData, kernel: Kernel): number[] {
	must(job.uniforms.length === kernel.buffers.filter(({ kind }) => kind === "uniform").length, "the buffers");
	must(job.rows.length === kernel.buffers.filter(({ kind }) => kind === "lane").length, "the buffers");
	must(job.scalars.length === kernel.scalars.length, "the scalars");
	return kernel.scalars.map(({ type }, i) => {
		const text = job.scalars[i];
		const value = Number(text);
		must(numberText(value) === text && (type === "real" || (value | 0) === value), "a scalar");
		return value;
	});
}

/** Whether content is what its digest says. */
export function isContent(content: Uint8Array, digest: string, what: "kernel" | "data"): boolean {
	const longest = what === "kernel" ? most.kernelText : most.bytes;
	const fits = content.length <= longest && (what === "kernel" || content.length % 8 === 0);
	return fits && digestOf(content) === digest;
}

function laneBuffers(kernel: Kernel, chosen: (access: string) => boolean): number[] {
	return kernel.buffers.flatMap(({ kind, access }, i) => (kind === "lane" && chosen(access) ? [i] : []));
}
function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
function must(holds: boolean, what: string): void {
	if (!holds) throw new InternalError(`a job from the queue is refused: ${what} is not as it must be`);
}
