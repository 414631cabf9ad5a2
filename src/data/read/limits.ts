/**
 * How much a file may ask for. A reader never allocates on the word of a header: what a file claims is held
 * against the bytes that are there, and where bytes unpack to more, against these limits.
 */
import { InputError } from "../../errors.ts";

const MiB = 1024 * 1024;

/** Largest file that is read, in bytes: what one Uint8Array holds in every browser. */
export const MAX_FILE_BYTES = 2048 * MiB;

/** Most columns of one table. */
export const MAX_COLUMNS = 16_384;

/** How deep structs may nest in a mat file. */
export const MAX_DEPTH = 32;

/**
 * Most bytes that packed parts of a file may unpack to, together. Measured signals pack by a factor of 1 to 5;
 * a small file of constants may pack by 1000.
 */
export function unpackedLimit(fileBytes: number): number {
	return Math.max(256 * MiB, 20 * fileBytes);
}

/** Counts what a file unpacks to and stops at the limit. */
export class UnpackBudget {
	private left: number;
	constructor(
		private readonly source: string,
		fileBytes: number,
	) {
		this.left = unpackedLimit(fileBytes);
	}

	/** Takes `bytes` off what is left, before they are allocated. */
	take(bytes: number): void {
		if (!(bytes >= 0 && bytes <= this.left)) {
			throw new InputError(
				this.source,
				`claims ${bytes} bytes of unpacked data, more than is allowed for a file of its size`,
				"The file is damaged or made to exhaust memory. If it is sound, store it without compression.",
			);
		}
		this.left -= bytes;
	}
}

/** Room for `n` numbers, or an InputError where the host has none. */
export function allocate(n: number, source: string): Float64Array<ArrayBuffer> {
	try {
		return new Float64Array(n);
	} catch {
		throw new InputError(
			source,
			`needs memory for ${n} numbers at once, which is not there`,
			"Split the file.",
		);
	}
}
