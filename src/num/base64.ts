/** Bytes as base64 text and back, without anything of Node or the browser. */
import { InputError } from "../errors.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const codes = new TextEncoder().encode(alphabet);
const values = new Uint8Array(128).fill(255);
for (let i = 0; i < codes.length; i++) values[codes[i]] = i;
const padding = 61;

export function toBase64(bytes: Uint8Array): string {
	const out = new Uint8Array(4 * Math.ceil(bytes.length / 3));
	let o = 0;
	for (let i = 0; i < bytes.length; i += 3) {
		const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
		out[o++] = codes[word >> 18];
		out[o++] = codes[(word >> 12) & 63];
		out[o++] = i + 1 < bytes.length ? codes[(word >> 6) & 63] : padding;
		out[o++] = i + 2 < bytes.length ? codes[word & 63] : padding;
	}
	return new TextDecoder().decode(out);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
	const bytes = new TextEncoder().encode(text);
	let n = bytes.length;
	while (n > 0 && bytes[n - 1] === padding) n--;
	const out = new Uint8Array(Math.floor((n * 3) / 4));
	let word = 0;
	let bits = 0;
	let o = 0;
	for (let i = 0; i < n; i++) {
		const value = bytes[i] < 128 ? values[bytes[i]] : 255;
		if (value === 255) throw new InputError("base64 text", "holds a character that does not belong there");
		word = ((word << 6) | value) & 0xffffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			out[o++] = (word >> bits) & 255;
		}
	}
	return out;
}
