/** Small helpers that the tests of this folder share. */
import fc from "fast-check";
import { InputError } from "../../src/errors.ts";

export function utf8(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}

/** What `make` throws, which has to be an InputError. */
export async function inputErrorOf(make: () => unknown): Promise<InputError> {
	try {
		await make();
	} catch (error) {
		if (error instanceof InputError) return error;
		throw error;
	}
	throw new Error("nothing was thrown");
}

/** Same bits, NaN and signed zeros included. */
export function sameBits(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
	if (a.length !== b.length) return false;
	for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
	return true;
}

/** A zip archive in which one file claims to have so many bytes, in both places where that is said. */
export function claiming(zip: Uint8Array, name: string, size: number): Uint8Array {
	const copy = zip.slice();
	const view = new DataView(copy.buffer);
	const wanted = utf8(name).join();
	for (let at = 0; at + 46 < copy.length; at++) {
		const kind = view.getUint32(at, true);
		// The header before the file's bytes, and that in the directory at the end.
		const [isHeader, sizeAt, nameAt] = kind === 0x04034b50 ? [true, 22, 30] : [kind === 0x02014b50, 24, 46];
		const from = at + nameAt;
		if (isHeader && copy.slice(from, from + name.length).join() === wanted)
			view.setUint32(at + sizeAt, size, true);
	}
	return copy;
}

/** A file cut somewhere and with some bytes changed. */
export function damagedFile(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
	const change = fc.tuple(fc.nat(Math.max(0, bytes.length - 1)), fc.integer({ min: 1, max: 255 }));
	return fc
		.tuple(fc.option(fc.nat(bytes.length)), fc.array(change, { maxLength: 6 }))
		.map(([length, changes]) => {
			const copy = bytes.slice(0, length ?? bytes.length);
			for (const [at, mask] of changes) if (at < copy.length) copy[at] ^= mask;
			return copy;
		});
}

/** Reading `bytes` gives a table or an InputError, and nothing else. */
export async function survives(read: (bytes: Uint8Array) => unknown, bytes: Uint8Array): Promise<void> {
	try {
		await read(bytes);
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
	}
}
