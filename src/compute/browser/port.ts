/** What a Web Worker is to us, without the types of a browser: whoever starts one hands it over as this. */
import type { Kernel } from "../../lower/ir.ts";

/** The starter's end. */
export interface WorkerPort {
	postMessage(message: unknown, transfer: ArrayBuffer[]): void;
	onmessage: ((event: { readonly data: Reply }) => void) | null;
	/** It could not start, or died. */
	onerror: ((event: unknown) => void) | null;
	terminate(): void;
}

/** The worker's own end: its global scope. */
export interface WorkerScope {
	postMessage(message: unknown, transfer: ArrayBuffer[]): void;
	onmessage: ((event: { readonly data: Parcel }) => void) | null;
}

/** Lanes of a launch that a worker is to do. */
export interface Parcel {
	readonly id: number;
	/** Number of the kernel, with the kernel itself when this worker has not seen it yet. */
	readonly number: number;
	readonly kernel?: Kernel;
	readonly lanes: number;
	readonly buffers: readonly Float64Array[];
	readonly scalars: readonly number[];
	/** The buffers are in memory that both see: nothing need come back. */
	readonly shared: boolean;
}

export interface Reply {
	readonly id: number;
	/** What was written, by number of the buffer; absent with shared memory. */
	readonly written?: readonly (Float64Array | undefined)[];
	/** It did not work; the starter does the lanes itself and sees why. */
	readonly failed?: boolean;
}
