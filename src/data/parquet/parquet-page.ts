/**
 * Values of one flat numeric column chunk of a parquet file (Apache Parquet format 2.11, "Encodings"). Page headers
 * are read by hyparquet; pages are decoded here, straight to doubles and with every count held against the rows the
 * file has, which hyparquet's own decoder does not do.
 */
import { pow2 } from "../../num/elementary/primitives.ts";

/** What is needed of a page header. */
export interface Page {
	encoding: string;
	nValues: number;
	/** Values and (in a version 1 page) definition levels before them, unpacked. */
	body: Uint8Array;
	/** Definition levels of a version 2 page. */
	levels?: Uint8Array;
}

export type PhysicalType = "BOOLEAN" | "INT32" | "INT64" | "FLOAT" | "DOUBLE";

export class PageError extends Error {}

/** Where reading stands in a run of bytes. Reading past its end is an error. */
class Cursor {
	at = 0;
	readonly view: DataView;
	constructor(readonly bytes: Uint8Array) {
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	byte(): number {
		if (this.at >= this.bytes.length) throw new PageError("a page ends early");
		return this.bytes[this.at++];
	}

	/** The next `n` bytes. */
	take(n: number): Uint8Array {
		if (!(n >= 0 && n <= this.bytes.length - this.at)) throw new PageError("a page ends early");
		this.at += n;
		return this.bytes.subarray(this.at - n, this.at);
	}

	varint(): number {
		let value = 0;
		for (let shift = 0; shift < 35; shift += 7) {
			const b = this.byte();
			value += (b & 0x7f) * pow2(shift);
			if (b < 0x80) return value;
		}
		throw new PageError("a page holds a count that is too long");
	}
}

/**
 * Decodes `page` into `out` from `row` on, and marks nulls in `missing`, whose length bounds what is written.
 * Returns how many rows the page had.
 */
export function decodePage(
	page: Page,
	type: PhysicalType,
	unsigned: boolean,
	optional: boolean,
	dictionary: Float64Array | undefined,
	out: Float64Array,
	missing: Uint8Array,
	row: number,
): number {
	const { nValues } = page;
	if (!(Number.isInteger(nValues) && nValues >= 0 && nValues <= out.length - row)) {
		throw new PageError(`a page claims ${nValues} values`);
	}
	let body = page.body;
	let nPresent = nValues;
	if (optional) {
		let levels = page.levels;
		if (levels === undefined) {
			const cursor = new Cursor(body);
			const length = new DataView(cursor.take(4).slice().buffer).getUint32(0, true);
			levels = cursor.take(length);
			body = body.subarray(4 + length);
		}
		const present = new Uint32Array(nValues);
		hybridInto(present, new Cursor(levels), 1);
		for (let i = 0; i < nValues; i++) {
			if (present[i] === 1) continue;
			missing[row + i] = 1;
			nPresent--;
		}
	}
	const values = nPresent === nValues ? out.subarray(row, row + nValues) : new Float64Array(nPresent);
	valuesInto(values, body, page.encoding, type, unsigned, dictionary);
	if (nPresent < nValues) {
		for (let i = 0, k = 0; i < nValues; i++) out[row + i] = missing[row + i] === 1 ? Number.NaN : values[k++];
	}
	return nValues;
}

/** Decodes as many values as `out` takes. */
export function valuesInto(
	out: Float64Array,
	body: Uint8Array,
	encoding: string,
	type: PhysicalType,
	unsigned: boolean,
	dictionary: Float64Array | undefined,
): void {
	const cursor = new Cursor(body);
	switch (encoding) {
		case "PLAIN":
			plainInto(out, cursor, type, unsigned);
			break;
		case "PLAIN_DICTIONARY":
		case "RLE_DICTIONARY": {
			const index = new Uint32Array(out.length);
			const width = out.length === 0 ? 0 : cursor.byte();
			if (width > 32) throw new PageError(`a page has indices of ${width} bits`);
			hybridInto(index, cursor, width);
			const n = dictionary?.length ?? 0;
			for (let i = 0; i < out.length; i++) {
				if (!(index[i] < n)) throw new PageError("a page points outside its dictionary");
				out[i] = dictionary![index[i]];
			}
			break;
		}
		case "RLE": {
			if (type !== "BOOLEAN") throw new PageError(`a ${type} page has the encoding RLE`);
			cursor.take(4);
			const bits = new Uint32Array(out.length);
			hybridInto(bits, cursor, 1);
			out.set(bits);
			break;
		}
		case "DELTA_BINARY_PACKED":
			if (type !== "INT32" && type !== "INT64")
				throw new PageError(`a ${type} page has the encoding ${encoding}`);
			deltaInto(out, cursor, type, unsigned);
			break;
		case "BYTE_STREAM_SPLIT": {
			const size = type === "DOUBLE" || type === "INT64" ? 8 : 4;
			const split = cursor.take(out.length * size);
			const joined = new Uint8Array(split.length);
			for (let b = 0, k = 0; b < size; b++) {
				for (let i = 0; i < out.length; i++) joined[i * size + b] = split[k++];
			}
			plainInto(out, new Cursor(joined), type, unsigned);
			break;
		}
		default:
			throw new PageError(`a page has the encoding ${encoding}, which is not supported`);
	}
}

/** Bytes of `n` values side by side; a truth value takes a bit. */
export function plainBytes(n: number, type: PhysicalType): number {
	return Math.ceil(n * (type === "BOOLEAN" ? 1 / 8 : type === "INT32" || type === "FLOAT" ? 4 : 8));
}

function plainInto(out: Float64Array, cursor: Cursor, type: PhysicalType, unsigned: boolean): void {
	const n = out.length;
	const bytes = cursor.take(plainBytes(n, type));
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (type === "BOOLEAN") for (let i = 0; i < n; i++) out[i] = (bytes[i >> 3] >> (i & 7)) & 1;
	else if (type === "DOUBLE") for (let i = 0; i < n; i++) out[i] = view.getFloat64(8 * i, true);
	else if (type === "FLOAT") for (let i = 0; i < n; i++) out[i] = view.getFloat32(4 * i, true);
	else if (type === "INT32" && unsigned) for (let i = 0; i < n; i++) out[i] = view.getUint32(4 * i, true);
	else if (type === "INT32") for (let i = 0; i < n; i++) out[i] = view.getInt32(4 * i, true);
	else if (unsigned) for (let i = 0; i < n; i++) out[i] = Number(view.getBigUint64(8 * i, true));
	else for (let i = 0; i < n; i++) out[i] = Number(view.getBigInt64(8 * i, true));
}

/** Runs of one value and runs of packed bits, until `out` is full. */
function hybridInto(out: Uint32Array, cursor: Cursor, width: number): void {
	let i = 0;
	while (i < out.length) {
		const header = cursor.varint();
		const count = Math.floor(header / 2);
		if (header % 2 === 0) {
			let value = 0;
			for (let b = 0; b < width; b += 8) value += cursor.byte() * pow2(b);
			const stop = Math.min(out.length, i + count);
			if (stop === i) throw new PageError("a page holds an empty run");
			out.fill(value, i, stop);
			i = stop;
		} else {
			const n = Math.min(out.length - i, 8 * count);
			if (n === 0) throw new PageError("a page holds an empty run");
			// The last group of eight may be cut where the values end.
			const packed = cursor.take(Math.min(count * width, cursor.bytes.length - cursor.at));
			if (packed.length * 8 < n * width) throw new PageError("a page ends early");
			for (let k = 0, bit = 0; k < n; k++, bit += width) out[i++] = bitsAt(packed, bit, width);
		}
	}
}

/** `width` (at most 32) bits from bit `at` on, the lowest first. */
function bitsAt(bytes: Uint8Array, at: number, width: number): number {
	let value = 0;
	let got = 0;
	while (got < width) {
		const offset = (at + got) % 8;
		const n = Math.min(8 - offset, width - got);
		value += ((bytes[Math.floor((at + got) / 8)] >> offset) & ((1 << n) - 1)) * pow2(got);
		got += n;
	}
	return value;
}

/** Differences in blocks of miniblocks. Arithmetic wraps at 32 or 64 bits, as the format says. */
function deltaInto(out: Float64Array, cursor: Cursor, type: PhysicalType, unsigned: boolean): void {
	const bits = type === "INT32" ? 32 : 64;
	const wrap = (x: bigint) => (unsigned ? BigInt.asUintN(bits, x) : BigInt.asIntN(bits, x));
	const blockSize = cursor.varint();
	const nMini = cursor.varint();
	const total = cursor.varint();
	const perMini = blockSize / nMini;
	if (!(perMini > 0 && perMini % 8 === 0 && total === out.length))
		throw new PageError("a page has a wrong head of differences");
	let value = zigzag(cursor);
	let i = 0;
	if (out.length > 0) out[i++] = Number(wrap(value));
	while (i < out.length) {
		const least = zigzag(cursor);
		const widths = cursor.take(nMini);
		for (let m = 0; m < nMini && i < out.length; m++) {
			const width = widths[m];
			if (width > 64) throw new PageError(`a page has differences of ${width} bits`);
			const n = Math.min(perMini, out.length - i);
			const packed = cursor.take(Math.min((perMini * width) / 8, cursor.bytes.length - cursor.at));
			if (packed.length * 8 < n * width) throw new PageError("a page ends early");
			for (let k = 0, bit = 0; k < n; k++, bit += width) {
				const low = bitsAt(packed, bit, Math.min(width, 32));
				const high = width > 32 ? bitsAt(packed, bit + 32, width - 32) : 0;
				value = wrap(value + least + BigInt(low) + (BigInt(high) << 32n));
				out[i++] = Number(value);
			}
		}
	}
}

function zigzag(cursor: Cursor): bigint {
	let value = 0n;
	for (let shift = 0n; shift < 70n; shift += 7n) {
		const b = cursor.byte();
		value |= BigInt(b & 0x7f) << shift;
		if (b < 0x80) return (value >> 1n) ^ -(value & 1n);
	}
	throw new PageError("a page holds a count that is too long");
}
