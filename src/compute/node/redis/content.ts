/** Kernels and shared buffers at a worker: fetched once, checked, kept as long as there is room. */
import type { Redis } from "ioredis";
import type { Kernel } from "../../../lower/ir.ts";
import { validateKernel } from "../../validate-kernel.ts";
import { bytesOf, isContent, keys } from "./protocol.ts";

export interface FetchedKernel {
	readonly kernel: Kernel;
	readonly text: string;
}

/** Bytes that are kept. */
const room = 2 ** 29;

export class Content {
	readonly #kernels = new Map<string, FetchedKernel>();
	readonly #data = new Map<string, Float64Array>();
	#bytes = 0;

	constructor(readonly redis: Redis) {}

	/** Throws when what is there is no kernel; `undefined` when nothing is. */
	async kernel(digest: string): Promise<FetchedKernel | undefined> {
		const known = touch(this.#kernels, digest);
		if (known) return known;
		const bytes = await this.#fetch(keys.kernel(digest), digest, "kernel");
		if (!bytes) return undefined;
		const text = bytes.toString("utf8");
		const fetched = { kernel: validateKernel(JSON.parse(text)), text };
		this.#kernels.set(digest, fetched);
		for (const oldest of this.#kernels.keys()) if (this.#kernels.size > 64) this.#kernels.delete(oldest);
		return fetched;
	}

	async data(digest: string): Promise<Float64Array | undefined> {
		const known = touch(this.#data, digest);
		if (known) return known;
		const bytes = await this.#fetch(keys.data(digest), digest, "data");
		if (!bytes) return undefined;
		// Shared, so that threads see it without a copy.
		const values = new Float64Array(new SharedArrayBuffer(bytes.length));
		bytesOf(values).set(bytes);
		this.#data.set(digest, values);
		this.#bytes += bytes.length;
		for (const [oldest, { byteLength }] of this.#data) {
			if (this.#bytes <= room || oldest === digest) break;
			this.#data.delete(oldest);
			this.#bytes -= byteLength;
		}
		return values;
	}

	/** What is not what its digest says counts as not there, and is taken away: its sender sends it again. */
	async #fetch(key: string, digest: string, what: "kernel" | "data"): Promise<Buffer | undefined> {
		const bytes = await this.redis.getBuffer(key);
		if (!bytes) return undefined;
		if (isContent(bytes, digest, what)) return bytes;
		await this.redis.del(key);
		return undefined;
	}
}

/** Makes it the newest. */
function touch<T>(map: Map<string, T>, key: string): T | undefined {
	const value = map.get(key);
	if (value === undefined) return undefined;
	map.delete(key);
	map.set(key, value);
	return value;
}
