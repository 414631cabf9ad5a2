/** Shared buffers that the device has already: they are sent again only when what they hold has changed. */
import type { Device, DevicePointer } from "./device.ts";

interface Kept {
	readonly pointer: DevicePointer;
	content: Float64Array;
}

/** Bytes that are kept there. */
const room = 2 ** 30;

export class DeviceConstants {
	readonly #kept = new Map<Float64Array, Kept>();
	#bytes = 0;

	constructor(readonly device: Device) {}

	/** Where the device has it; valid until the next launch's buffers are placed. */
	place(buffers: readonly Float64Array[]): DevicePointer[] {
		const pointers = buffers.map((buffer) => this.#place(buffer));
		// Oldest first, but none of these.
		for (const [buffer, { pointer }] of this.#kept) {
			if (this.#bytes <= room) break;
			if (buffers.includes(buffer)) continue;
			this.device.free(pointer);
			this.#kept.delete(buffer);
			this.#bytes -= buffer.byteLength;
		}
		return pointers;
	}

	free(): void {
		for (const { pointer } of this.#kept.values()) this.device.free(pointer);
		this.#kept.clear();
		this.#bytes = 0;
	}

	#place(buffer: Float64Array): DevicePointer {
		let kept = this.#kept.get(buffer);
		if (kept && isSame(kept.content, buffer)) {
			this.#kept.delete(buffer);
			this.#kept.set(buffer, kept);
			return kept.pointer;
		}
		if (!kept) {
			kept = { pointer: this.device.allocate(buffer.byteLength), content: buffer };
			this.#kept.set(buffer, kept);
			this.#bytes += buffer.byteLength;
		}
		kept.content = buffer.slice();
		this.device.toDevice(kept.pointer, buffer);
		return kept.pointer;
	}
}

/** Bit by bit. */
function isSame(a: Float64Array, b: Float64Array): boolean {
	const bytes = ({ buffer, byteOffset, byteLength }: Float64Array): Buffer =>
		Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
	return bytes(a).equals(bytes(b));
}
