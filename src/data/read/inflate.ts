/** zlib data to bytes, with a bound on what may come out and the checksum verified (fflate does neither). */
import { Unzlib } from "fflate";
import { InputError } from "../../errors.ts";
import type { UnpackBudget } from "./limits.ts";

/** No deflate stream grows by more. */
const MAX_RATIO = 1032;
const STEP = 32 * 1024;

/**
 * Inflates data whose own first bytes say how long it is: `lengthOf` reads that from the first `nPeek` bytes. The
 * length is held against the budget and the compressed bytes before anything is allocated.
 */
export function inflate(
	packed: Uint8Array,
	nPeek: number,
	lengthOf: (first: Uint8Array) => number,
	budget: UnpackBudget,
	subject: string,
): Uint8Array {
	const start = new Uint8Array(nPeek);
	let out: Uint8Array | undefined;
	let length = 0;
	const stream = new Unzlib((chunk) => {
		let from = 0;
		if (out === undefined) {
			from = Math.min(chunk.length, nPeek - length);
			start.set(chunk.subarray(0, from), length);
			length += from;
			if (length < nPeek) return;
			const claimed = lengthOf(start);
			if (!(claimed >= nPeek && claimed <= MAX_RATIO * packed.length)) {
				throw damaged(subject, `claims to unpack to ${claimed} bytes`);
			}
			budget.take(claimed);
			out = new Uint8Array(claimed);
			out.set(start);
		}
		if (length + chunk.length - from > out.length)
			throw damaged(subject, "unpacks to more bytes than it claims");
		out.set(chunk.subarray(from), length);
		length += chunk.length - from;
	});
	try {
		for (let i = 0; i < packed.length; i += STEP) {
			stream.push(packed.subarray(i, i + STEP), i + STEP >= packed.length);
		}
	} catch (error) {
		if (error instanceof InputError) throw error;
		throw damaged(subject, `cannot be unpacked (${error instanceof Error ? error.message : error})`);
	}
	if (out === undefined || length < out.length)
		throw damaged(subject, "unpacks to fewer bytes than it claims");
	const end = packed.length;
	const sum =
		((packed[end - 4] << 24) | (packed[end - 3] << 16) | (packed[end - 2] << 8) | packed[end - 1]) >>> 0;
	if (adler32(out) !== sum) throw damaged(subject, "fails its checksum");
	return out;
}

function damaged(subject: string, problem: string): InputError {
	return new InputError(subject, problem, "The file is damaged: fetch or save it again.");
}

/** RFC 1950. */
function adler32(bytes: Uint8Array): number {
	let a = 1;
	let b = 0;
	for (let i = 0; i < bytes.length; ) {
		// The sums of 3800 bytes stay under 2^31.
		const stop = Math.min(bytes.length, i + 3800);
		for (; i < stop; i++) {
			a += bytes[i];
			b += a;
		}
		a %= 65521;
		b %= 65521;
	}
	return ((b << 16) | a) >>> 0;
}
