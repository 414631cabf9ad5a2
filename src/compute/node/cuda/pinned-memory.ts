/**
 * Buffers whose memory is locked in its place: the device then reads and writes it by itself, some times faster than by way of
 * the driver's own buffers. Locking costs as much as some transfers, so it is done for buffers that come again and again. Only
 * whole pages inside a buffer are locked, which no other buffer has a part in, and a locked buffer is held until it is let go.
 */
import type { Device } from "./device.ts";

interface Pinned {
	/** First byte of what is locked, counted from the buffer's beginning, and the one after the last. */
	readonly from: number;
	readonly to: number;
	readonly address: bigint;
	/** Length of the buffer then: another one means that its memory has gone elsewhere. */
	readonly byteLength: number;
	/** Launch that used it last. */
	lastUse: number;
}

const pageBytes = 4096;
/** Smaller buffers are not worth it. */
const smallest = 1 << 20;
/** Use of a buffer at which it is locked, or never. */
const worthAt = 3;
/** Bytes that are locked at once. */
const room = 2 ** 31;
/** Launches after which one that is no longer used is let go. */
const forgottenAfter = 64;
/** Refusals after which the driver is not asked again. */
const mostRefusals = 4;

export class PinnedMemory {
	readonly #uses = new WeakMap<ArrayBufferLike, number>();
	/** The one not used for longest comes first. */
	readonly #pinned = new Map<ArrayBufferLike, Pinned>();
	#bytes = 0;
	#refusals = 0;
	#launch = 0;

	constructor(readonly device: Device) {}

	/** Bytes that are locked now. */
	get bytes(): number {
		return this.#bytes;
	}

	/** Locks those buffers of a launch for which that pays. To be called before its transfers. */
	prepare(arrays: readonly Float64Array[]): void {
		this.#launch++;
		for (const [buffer, { byteLength, lastUse }] of [...this.#pinned])
			if (buffer.byteLength !== byteLength || this.#launch - lastUse > forgottenAfter) this.#release(buffer);
		const buffers = new Set(arrays.map(({ buffer }) => buffer));
		for (const buffer of buffers) {
			if (buffer.byteLength < smallest) continue;
			const uses = (this.#uses.get(buffer) ?? 0) + 1;
			this.#uses.set(buffer, uses);
			const known = this.#pinned.get(buffer);
			if (known) {
				known.lastUse = this.#launch;
				this.#pinned.delete(buffer);
				this.#pinned.set(buffer, known);
			} else if (uses === worthAt && this.#refusals < mostRefusals) this.#lock(buffer, buffers);
		}
	}

	/** An array cut where locked memory begins and ends: a transfer must not cross these places. */
	pieces(array: Float64Array): Float64Array[] {
		const pinned = this.#pinned.get(array.buffer);
		if (!pinned) return [array];
		const { byteOffset, length } = array;
		const at = (byte: number): number => Math.max(0, Math.min(length, (byte - byteOffset) / 8));
		const [from, to] = [at(pinned.from), at(pinned.to)];
		return [array.subarray(0, from), array.subarray(from, to), array.subarray(to)];
	}

	free(): void {
		for (const buffer of [...this.#pinned.keys()]) this.#release(buffer);
	}

	#lock(buffer: ArrayBufferLike, ofLaunch: ReadonlySet<ArrayBufferLike>): void {
		const { byteLength } = buffer;
		for (const old of [...this.#pinned.keys()])
			if (this.#bytes + byteLength > room && !ofLaunch.has(old)) this.#release(old);
		if (this.#bytes + byteLength > room) return;
		const start = this.device.addressOf(buffer);
		const skipped = Number((BigInt(pageBytes) - (start % BigInt(pageBytes))) % BigInt(pageBytes));
		const to = byteLength - ((Number(start % BigInt(pageBytes)) + byteLength) % pageBytes);
		const address = start + BigInt(skipped);
		// Another place may have locked it.
		if (!this.device.pin(address, to - skipped)) {
			this.#refusals++;
			return;
		}
		this.#pinned.set(buffer, { from: skipped, to, address, byteLength, lastUse: this.#launch });
		this.#bytes += byteLength;
	}

	#release(buffer: ArrayBufferLike): void {
		const { address, byteLength } = this.#pinned.get(buffer)!;
		this.device.unpin(address);
		this.#pinned.delete(buffer);
		this.#bytes -= byteLength;
		this.#uses.delete(buffer);
	}
}
