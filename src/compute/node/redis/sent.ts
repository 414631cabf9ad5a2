/** What Redis has been given: kernels and shared buffers travel once, under their digests. */
import type { Redis } from "ioredis";
import { type Kernel, kernelText } from "../../../lower/ir.ts";
import type { Arguments } from "../../compute.ts";
import { bytesOf, digestOf, keep, keys } from "./protocol.ts";

export class Sent {
	readonly #texts = new WeakMap<Kernel, { text: string; digest: string }>();
	/** Digest of a buffer, with what it held then: buffers may be written to between launches. */
	readonly #digests = new WeakMap<Float64Array, { content: Buffer; digest: string }>();
	/** When each was sent last. */
	readonly #sent = new Map<string, number>();

	constructor(readonly redis: Redis) {}

	/** Redis may have lost it all. */
	forget(): void {
		this.#sent.clear();
	}

	async ensure(
		kernel: Kernel,
		{ buffers }: Arguments,
	): Promise<{ kernelDigest: string; uniforms: string[] }> {
		const { text, digest: kernelDigest } = this.#textOf(kernel);
		await this.#send(keys.kernel(kernelDigest), () => Buffer.from(text));
		const uniforms: string[] = [];
		for (const [i, { kind }] of kernel.buffers.entries()) {
			if (kind !== "uniform") continue;
			const digest = this.#digestOf(buffers[i]);
			uniforms.push(digest);
			await this.#send(keys.data(digest), () => bytesOf(buffers[i]));
		}
		return { kernelDigest, uniforms };
	}

	/** Again before it would be dropped. */
	async #send(key: string, content: () => Buffer): Promise<void> {
		const last = this.#sent.get(key);
		if (last !== undefined && performance.now() - last < 500 * keep.content) return;
		// Another client may have sent it: then only its time begins anew.
		if (!(await this.redis.expire(key, keep.content)))
			await this.redis.set(key, content(), "EX", keep.content);
		this.#sent.set(key, performance.now());
	}

	#textOf(kernel: Kernel): { text: string; digest: string } {
		let known = this.#texts.get(kernel);
		if (!known) {
			const text = kernelText(kernel);
			this.#texts.set(kernel, (known = { text, digest: digestOf(text) }));
		}
		return known;
	}

	#digestOf(buffer: Float64Array): string {
		const bytes = bytesOf(buffer);
		const known = this.#digests.get(buffer);
		if (known?.content.equals(bytes)) return known.digest;
		const digest = digestOf(bytes);
		this.#digests.set(buffer, { content: Buffer.from(bytes), digest });
		return digest;
	}
}
