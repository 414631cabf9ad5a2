/** Data elements of a MAT v5 file (MAT-File Format, MathWorks, R2023b, chapter 1): tags, and numbers behind them. */
import { InputError } from "../../errors.ts";
import { allocate, type UnpackBudget } from "../read/limits.ts";

/** Storage types that hold numbers, with the bytes of one. */
const SIZES: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8 };
const MAX_NAME_BYTES = 4096;
export const MATRIX = 14;
export const COMPRESSED = 15;

export interface Element {
	type: number;
	/** Offset and length of the data in the bytes of the reader. */
	start: number;
	length: number;
}

/** Walks through elements; every length is held against the bytes that are there. */
export class ElementReader {
	private readonly view: DataView;
	private at: number;

	constructor(
		readonly bytes: Uint8Array,
		readonly little: boolean,
		readonly subject: string,
		private readonly budget: UnpackBudget,
		start = 0,
		private readonly end: number = bytes.length,
	) {
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.at = start;
	}

	/** Bytes not yet walked over. */
	get left(): number {
		return this.end - this.at;
	}

	/** The next element. */
	next(): Element {
		if (this.left < 8) throw this.truncated(8);
		const word = this.view.getUint32(this.at, this.little);
		if (word >>> 16 !== 0) {
			// Small element: length and type in one word, up to four bytes of data in the next.
			const length = word >>> 16;
			if (length > 4) throw this.damaged(`has a short element of ${length} bytes at byte ${this.at}`);
			const element = { type: word & 0xffff, start: this.at + 4, length };
			this.at += 8;
			return element;
		}
		const length = this.view.getUint32(this.at + 4, this.little);
		if (length > this.left - 8) throw this.truncated(8 + length);
		const element = { type: word, start: this.at + 8, length };
		const padding = word === COMPRESSED ? 0 : (8 - (length % 8)) % 8;
		// All but compressed elements fill up to a multiple of 8 bytes; the last of a file may lack that.
		this.at = Math.min(this.end, this.at + 8 + length + padding);
		return element;
	}

	/** A reader of the elements inside `element`. */
	inside(element: Element): ElementReader {
		return new ElementReader(
			this.bytes,
			this.little,
			this.subject,
			this.budget,
			element.start,
			element.start + element.length,
		);
	}

	/** The next element as numbers. */
	numbers(): Float64Array {
		return this.numbersOf(this.next());
	}

	numbersOf({ type, start, length }: Element): Float64Array {
		const size = SIZES[type];
		if (size === undefined)
			throw this.damaged(`has storage type ${type} where numbers belong, at byte ${start}`);
		if (length % size !== 0)
			throw this.damaged(`has ${length} bytes for numbers of ${size} bytes, at byte ${start}`);
		this.budget.take((length / size) * 8);
		const out = allocate(length / size, this.subject);
		this.convertInto(out, type, start);
		return out;
	}

	/** The next element as text of single bytes. */
	text(): string {
		const { start, length } = this.next();
		return this.textAt(start, length);
	}

	textAt(start: number, length: number): string {
		if (length > MAX_NAME_BYTES) throw this.damaged(`has a name of ${length} bytes at byte ${start}`);
		let text = "";
		for (let i = start; i < start + length && this.bytes[i] !== 0; i++)
			text += String.fromCharCode(this.bytes[i]);
		return text;
	}

	/** One loop for each type: a loop over a getter that varies would be several times slower. */
	private convertInto(out: Float64Array, type: number, start: number): void {
		const { view, little } = this;
		const n = out.length;
		switch (type) {
			case 1:
				for (let i = 0; i < n; i++) out[i] = view.getInt8(start + i);
				break;
			case 2:
				for (let i = 0; i < n; i++) out[i] = view.getUint8(start + i);
				break;
			case 3:
				for (let i = 0; i < n; i++) out[i] = view.getInt16(start + 2 * i, little);
				break;
			case 4:
				for (let i = 0; i < n; i++) out[i] = view.getUint16(start + 2 * i, little);
				break;
			case 5:
				for (let i = 0; i < n; i++) out[i] = view.getInt32(start + 4 * i, little);
				break;
			case 6:
				for (let i = 0; i < n; i++) out[i] = view.getUint32(start + 4 * i, little);
				break;
			case 7:
				for (let i = 0; i < n; i++) out[i] = view.getFloat32(start + 4 * i, little);
				break;
			case 9:
				for (let i = 0; i < n; i++) out[i] = view.getFloat64(start + 8 * i, little);
				break;
			case 12:
				for (let i = 0; i < n; i++) out[i] = Number(view.getBigInt64(start + 8 * i, little));
				break;
			case 13:
				for (let i = 0; i < n; i++) out[i] = Number(view.getBigUint64(start + 8 * i, little));
				break;
		}
	}

	damaged(problem: string): InputError {
		return new InputError(this.subject, problem, "The file is damaged: fetch or save it again.");
	}

	private truncated(needed: number): InputError {
		return this.damaged(`needs ${needed} bytes at byte ${this.at} and has ${this.left}`);
	}
}
