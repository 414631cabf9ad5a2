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
	const c = Uint32Array.from(counter);
	let k0 = key[0] >>> 0;
	let k1 = key[1] >>> 0;
	for (let round = 0; round < rounds; round++) {
		const [a, b, d, e] = c;
		c[0] = highProduct(multiplier1, d) ^ b ^ k0;
		c[1] = Math.imul(multiplier1, d);
		c[2] = highProduct(multiplier0, a) ^ e ^ k1;
		c[3] = Math.imul(multiplier0, a);
		k0 = (k0 + weyl0) >>> 0;
		k1 = (k1 + weyl1) >>> 0;
	}
	return c;
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
	const key = [seed >>> 0, (Math.floor(seed / 2 ** 32) ^ hashText(purpose, 0x811c9dc5)) >>> 0];
	const salt = hashText(purpose, 0x01234567);
	const words = (index: number): Uint32Array =>
		philox([index >>> 0, Math.floor(index / 2 ** 32) >>> 0, salt, 0], key);
	const toUniform = (high: number, low: number): number =>
		((high >>> 6) * 2 ** 26 + (low >>> 6) + 0.5) * 2 ** -52;
	return {
		uniform(index) {
			const [a, b] = words(index);
			return toUniform(a, b);
		},
		normal(index) {
			// Box and Muller, one of the pair: the index alone decides.
			const [a, b, c, d] = words(index);
			return Math.sqrt(-2 * log(toUniform(a, b))) * cos(2 * Math.PI * toUniform(c, d));
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
	return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}

/** FNV-1a over the code units. */
function hashText(text: string, basis: number): number {
	let hash = basis;
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return hash >>> 0;
}
