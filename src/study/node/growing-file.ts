/** A table that grows at its end, line by line: a file that something writes to, or standard input. */
import { open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { readCsv } from "../../data/csv/csv.ts";
import { assertNameable, assertPlain, unreadable } from "../../data/node/plain-file.ts";
import { MAX_FILE_BYTES } from "../../data/read/limits.ts";
import type { Table } from "../../data/table/table.ts";
import type { TableChoices } from "../../data/table/table-choices.ts";
import { InputError } from "../../errors.ts";

/** Milliseconds between two looks at a file. */
const lookEvery = 200;
const newline = 10;
const longestLine = 16 * 1024 * 1024;
/** Lines from which on the head of a table must have ended. */
const linesOfHead = 20;

export class GrowingFile {
	readonly #parts: Uint8Array[] = [];
	#bytes = 0;
	/** Bytes up to the end of the last whole line, and how many of them were given out. */
	#whole = 0;
	#given = 0;
	#offset = 0;
	#isEnded = false;
	#hasOpenEnd = false;
	#failure: unknown;
	readonly #input: Readable | undefined;
	#wake: () => void = () => {};

	/** `path` is a file of this machine; or the lines come from `input`. */
	constructor(
		readonly name: string,
		source: { readonly path: string } | { readonly input: Readable },
		private readonly choices: TableChoices = {},
	) {
		if ("input" in source) {
			this.#input = source.input;
			source.input.on("data", (chunk: Uint8Array) => this.#add(chunk));
			source.input.on("error", (error) => this.#fail(error));
			source.input.on("end", () => {
				// Its last line may lack the sign of its end; that of a file may still be half written.
				this.#hasOpenEnd = this.#whole < this.#bytes;
				this.#whole = this.#bytes;
				this.#stop();
			});
		} else void this.#watch(source.path);
	}

	/** Nothing is left to be given out, and nothing will come. */
	get isEnded(): boolean {
		return this.#isEnded && this.#whole === this.#given;
	}

	/** The last line has no sign of its end: whether it is all of a row nobody can say. */
	get hasOpenEnd(): boolean {
		return this.#hasOpenEnd;
	}

	/** No more is wanted: what was given out is all there is. */
	end(): void {
		this.#whole = this.#given;
		this.#stop();
	}

	#stop(): void {
		this.#isEnded = true;
		this.#input?.destroy();
		this.#wake();
	}

	/** What was given out so far, as it came. */
	get bytes(): Uint8Array {
		return joined(this.#parts, this.#bytes).subarray(0, this.#given);
	}

	/** The table once it has more lines than last time; none when it has ended without. */
	async grown(): Promise<Table | undefined> {
		for (let unclear: InputError | undefined; ; ) {
			while (this.#whole === this.#given && !this.#isEnded && !this.#failure)
				await new Promise<void>((resolve) => {
					this.#wake = resolve;
				});
			if (this.#failure) throw this.#failure;
			if (this.#whole === this.#given) {
				if (unclear) throw unclear;
				return undefined;
			}
			this.#given = this.#whole;
			try {
				return readCsv(this.bytes, this.name, this.choices);
			} catch (error) {
				// Titles, names and units often come long before the first samples: what is what shows by the rows below.
				if (!(error instanceof InputError) || this.#lines >= linesOfHead) throw error;
				unclear = error;
			}
		}
	}

	get #lines(): number {
		return this.bytes.reduce((count, byte) => count + (byte === newline ? 1 : 0), 0);
	}

	#add(chunk: Uint8Array): void {
		if (this.#isEnded || chunk.length === 0) return;
		const last = chunk.lastIndexOf(newline);
		if (last >= 0) this.#whole = this.#bytes + last + 1;
		this.#parts.push(chunk.slice());
		this.#bytes += chunk.length;
		if (this.#bytes - this.#whole > longestLine)
			this.#fail(
				new InputError(this.name, "has a line of more than 16 MiB", "Give one row for each sample."),
			);
		if (this.#bytes > MAX_FILE_BYTES)
			this.#fail(
				new InputError(this.name, `gives more than ${MAX_FILE_BYTES} bytes`, "Follow a shorter record."),
			);
		if (last >= 0) this.#wake();
	}

	#fail(error: unknown): void {
		this.#failure ??= error;
		this.#isEnded = true;
		this.#input?.destroy();
		this.#wake();
	}

	async #watch(path: string): Promise<void> {
		try {
			assertNameable(path);
			const stats = await stat(path);
			if (stats.isFIFO())
				throw new InputError(
					path,
					"is a pipe",
					'Let standard input come from it, with  file: "-"  in the study.',
				);
			assertPlain(path, stats);
			const file = await open(path);
			try {
				while (!this.#isEnded) {
					const { size } = await file.stat();
					if (size < this.#offset)
						throw new InputError(path, "became shorter while it was followed", "Only append to it.");
					if (size > this.#offset) {
						const buffer = new Uint8Array(size - this.#offset);
						const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#offset);
						this.#offset += bytesRead;
						this.#add(buffer.subarray(0, bytesRead));
					}
					await setTimeout(lookEvery);
				}
			} finally {
				await file.close();
			}
		} catch (error) {
			const missing = (error as { code?: string }).code === "ENOENT";
			this.#fail(
				missing
					? new InputError(path, "is not there", "A followed file must exist.")
					: unreadable(path, error),
			);
		}
	}
}

function joined(parts: Uint8Array[], length: number): Uint8Array {
	if (parts.length === 1) return parts[0];
	const all = new Uint8Array(length);
	let at = 0;
	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	parts.splice(0, parts.length, all);
	return all;
}
