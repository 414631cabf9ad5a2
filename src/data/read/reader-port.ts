/** What passes between who wants a foreign file read and the worker that reads it. */

import type { Table } from "../table/table.ts";
import type { TableChoices } from "../table/table-choices.ts";
import type { ForeignFormat } from "./signatures.ts";

/** The starter's end: a Web Worker, or a thread of Node that is made to look like one. */
export interface ReaderPort {
	postMessage(order: ReadOrder, transfer: ArrayBuffer[]): void;
	onmessage: ((event: { readonly data: ReadReply }) => void) | null;
	/** It could not start, or died. */
	onerror: ((event: { readonly message?: string }) => void) | null;
	terminate(): unknown;
}

export interface ReadOrder {
	readonly bytes: Uint8Array;
	readonly fileName: string;
	readonly format: ForeignFormat;
	readonly choices?: TableChoices;
	/** Bytes that the memory of a WebAssembly reader may grow to. */
	readonly mostMemory: number;
}

export type ReadReply =
	/** The reader is loaded: what comes now depends on the file only. */
	| { readonly kind: "begun" }
	| { readonly kind: "read"; readonly table: Table }
	/** What an `InputError` says. */
	| { readonly kind: "refused"; readonly subject: string; readonly problem: string; readonly remedy: string }
	| { readonly kind: "failed"; readonly message: string };
