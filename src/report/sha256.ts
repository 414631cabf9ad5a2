/**
 * SHA-256 (FIPS 180-4) of a text, in base64: what a content security policy needs to let one known script run and no
 * other. The same page is made in Node and in the browser, so neither one's library is used.
 */
import { toBase64 } from "../num/base64.ts";

/** Fractional bits of the cube (root 3) or square (root 2) roots of the first primes: the constants of the standard. */
function rootBits(count: number, root: 2 | 3): Uint32Array {
	const out = new Uint32Array(count);
	for (let n = 2, found = 0; found < count; n++) {
		let prime = true;
		for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
		if (prime) out[found++] = fractionBits(BigInt(n), root);
	}
	return out;
}

/** floor(2^32 * n^(1/root)) modulo 2^32, in whole numbers. */
function fractionBits(n: bigint, root: 2 | 3): number {
	const target = n << BigInt(32 * root);
	let lo = 0n;
	let hi = 1n << 40n;
	while (hi - lo > 1n) {
		const middle = (lo + hi) >> 1n;
		// biome-ignore lint/plugin: whole numbers of any size are exact
		if (middle ** BigInt(root) <= target) lo = middle;
		else hi = middle;
	}
	return Number(lo & 0xffffffffn);
}

const roundConstants = rootBits(64, 3);
const initialState = rootBits(8, 2);

export function sha256Base64(text: string): string {
	const message = new TextEncoder().encode(text);
	const padded = new Uint8Array(64 * Math.ceil((message.length + 9) / 64));
	padded.set(message);
	padded[message.length] = 0x80;
	const view = new DataView(padded.buffer);
	view.setUint32(padded.length - 8, Math.floor((message.length * 8) / 2 ** 32));
	view.setUint32(padded.length - 4, (message.length * 8) >>> 0);

	const state = Uint32Array.from(initialState);
	const w = new Uint32Array(64);
	for (let block = 0; block < padded.length; block += 64) {
		for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
		for (let i = 16; i < 64; i++) {
			const s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >>> 3);
			const s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >>> 10);
			w[i] = w[i - 16] + s0 + w[i - 7] + s1;
		}
		let [a, b, c, d, e, f, g, h] = state;
		for (let i = 0; i < 64; i++) {
			const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
			const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i] + w[i]) | 0;
			const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
			const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
			[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
		}
		[a, b, c, d, e, f, g, h].forEach((word, i) => {
			state[i] += word;
		});
	}
	const digest = new DataView(new ArrayBuffer(32));
	state.forEach((word, i) => {
		digest.setUint32(4 * i, word);
	});
	return toBase64(new Uint8Array(digest.buffer));
}

function rotate(word: number, by: number): number {
	return (word >>> by) | (word << (32 - by));
}
