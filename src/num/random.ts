/**
 * Counter-based random streams: a number depends on (seed, purpose, index) and on nothing else, so a result does not
 * depend on the order of the draws, on threads, or on where a batch was cut.
 *
 * The generator is Philox4x32-10. Reference: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * SC'11.
 */
import { cos, log } from "./elementary/number.ts";

const multiplier0 = 0xd2511f53;
const multiplier1 = 0xcd9e8d57;
const weyl0 = 0x9e3779b9;
const weyl1 = 0xbb67ae85;
const rounds = 10;

/** Four words of 32 bits from a counter of four words and a key of two. */
export function philox(counter: ArrayLike<number>, key: ArrayLike<number>): Uint32Array {
	const out = new Uint32Array(4);
	philoxInto(out, counter[0], counter[1], counter[2], counter[3], key[0], key[1]);
	return out;
}

function philoxInto(
	out: Uint32Array,
	c0: number,
	c1: number,
	c2: number,
	c3: number,
	k0: number,
	k1: number,
): void {
	let [a, b, c, d] = [c0 >>> 0, c1 >>> 0, c2 >>> 0, c3 >>> 0];
	for (let round = 0; round < rounds; round++) {
		const nextA = (highProduct(multiplier1, c) ^ b ^ k0) >>> 0;
		const nextC = (highProduct(multiplier0, a) ^ d ^ k1) >>> 0;
		b = Math.imul(multiplier1, c) >>> 0;
		d = Math.imul(multiplier0, a) >>> 0;
		a = nextA;
		c = nextC;
		k0 = (k0 + weyl0) >>> 0;
		k1 = (k1 + weyl1) >>> 0;
	}
	out[0] = a;
	out[1] = b;
	out[2] = c;
	out[3] = d;
}

/** Independent numbers by index; two streams of one seed differ by their purpose. */
export interface Stream {
	/** In (0, 1), 52 bits. */
	uniform(index: number): number;
	/** Standard normal. */
	normal(index: number): number;
	/** A whole number from 0 to n - 1. */
	below(n: number, index: number): number;
}

export function stream(seed: number, purpose: string): Stream {
	const key0 = seed >>> 0;
	const key1 = (Math.floor(seed / 2 ** 32) ^ hashText(purpose, 0x811c9dc5)) >>> 0;
	const salt = hashText(purpose, 0x01234567);
	const words = new Uint32Array(4);
	const draw = (index: number): void =>
		philoxInto(words, index >>> 0, Math.floor(index / 2 ** 32) >>> 0, salt, 0, key0, key1);
	const toUniform = (high: number, low: number): number =>
		((high >>> 6) * 2 ** 26 + (low >>> 6) + 0.5) * 2 ** -52;
	return {
		uniform(index) {
			draw(index);
			return toUniform(words[0], words[1]);
		},
		normal(index) {
			// Box and Muller, one of the pair: the index alone decides.
			draw(index);
			return (
				Math.sqrt(-2 * log(toUniform(words[0], words[1]))) * cos(2 * Math.PI * toUniform(words[2], words[3]))
			);
		},
		below(n, index) {
			return Math.floor(this.uniform(index) * n);
		},
	};
}

/** The upper 32 bits of the 64-bit product of two words. */
function highProduct(a: number, b: number): number {
	const aLow = a & 0xffff;
	const aHigh = a >>> 16;
	const bLow = b & 0xffff;
	const bHigh = b >>> 16;
	const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
	const carry = aLow * bHigh + (middle & 0xffff);
	// Both are whole and below 2^32, and so is the sum.
	return (aHigh * bHigh + (middle >>> 16) + (carry >>> 16)) >>> 0;
}

/** FNV-1a over the code units. */
function hashText(text: string, basis: number): number {
	let hash = basis;
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return hash >>> 0;
}
