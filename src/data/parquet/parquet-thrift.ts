/**
 * Checks a struct of the Thrift compact protocol (parquet's footer and page headers) before hyparquet reads it:
 * hyparquet allocates lists as long as they claim to be and follows structs as deep as they nest.
 */

import { pow2 } from "../../num/elementary/primitives.ts";
import { PageError } from "./parquet-page.ts";

const MAX_NESTING = 32;

/** The byte after the struct at `start`. */
export function checkStruct(bytes: Uint8Array, start: number, end: number): number {
	const walk = new Walk(bytes, start, end);
	walk.struct(0);
	return walk.at;
}

class Walk {
	constructor(
		private readonly bytes: Uint8Array,
		public at: number,
		private readonly end: number,
	) {}

	struct(depth: number): void {
		if (depth > MAX_NESTING) throw new PageError("its description nests too deep");
		for (;;) {
			const head = this.byte();
			const type = head & 0x0f;
			if (type === 0) return;
			// No difference to the last field's number: the number itself follows.
			if (head >> 4 === 0) this.varint();
			this.value(type, depth, false);
		}
	}

	private value(type: number, depth: number, inList: boolean): void {
		switch (type) {
			case 1:
			case 2:
				// A truth value is part of a field's head; in a list it is a byte.
				if (inList) this.skip(1);
				break;
			case 3:
				this.skip(1);
				break;
			case 4:
			case 5:
			case 6:
				this.varint();
				break;
			case 7:
				this.skip(8);
				break;
			case 8:
				this.skip(this.varint());
				break;
			case 9: {
				const head = this.byte();
				const n = head >> 4 === 15 ? this.varint() : head >> 4;
				// Every element takes a byte at least.
				if (n > this.end - this.at) throw new PageError(`its description claims a list of ${n}`);
				for (let i = 0; i < n; i++) this.value(head & 0x0f, depth + 1, true);
				break;
			}
			case 12:
				this.struct(depth + 1);
				break;
			default:
				throw new PageError(`its description holds the unknown type ${type}`);
		}
	}

	private byte(): number {
		if (!(this.at < this.end)) throw new PageError("its description ends early");
		return this.bytes[this.at++];
	}

	private skip(n: number): void {
		if (!(n <= this.end - this.at)) throw new PageError("its description ends early");
		this.at += n;
	}

	/** Up to ten bytes; what is beyond 2^53 is only ever too large. */
	private varint(): number {
		let value = 0;
		for (let shift = 0; shift < 70; shift += 7) {
			const b = this.byte();
			value += (b & 0x7f) * pow2(shift);
			if (b < 0x80) return value;
		}
		throw new PageError("its description holds a number that is too long");
	}
}
