/**
 * A WebAssembly module as data, and its binary form. Global number 0 of each is and stays 0: a
 * condition of which the compiler does not know that it is false.
 */
import { InternalError } from "../../errors.ts";
import { type Instruction, instructions } from "./instructions.ts";

export type ValueType = "i32" | "f64" | "v128";
export interface WasmFunction {
	/** Of the text form only. */
	readonly name: string;
	readonly params: readonly ValueType[];
	readonly results: readonly ValueType[];
	readonly locals: readonly ValueType[];
	readonly code: readonly Instruction[];
}
export interface WasmModule {
	readonly functions: readonly WasmFunction[];
	/** Globals from number 1 on; they begin as 0. */
	readonly globals: readonly ValueType[];
	/** Names of functions that are exported. */
	readonly exported: readonly string[];
	/** Doubles to be put at these byte offsets of the memory, which is imported as `host.memory`. */
	readonly data: readonly { readonly offset: number; readonly values: readonly number[] }[];
}

const typeCodes: Record<ValueType, number> = { i32: 0x7f, f64: 0x7c, v128: 0x7b };

class Bytes {
	#bytes = new Uint8Array(1024);
	#view = new DataView(this.#bytes.buffer);
	#length = 0;

	take(): Uint8Array<ArrayBuffer> {
		return this.#bytes.slice(0, this.#length);
	}
	byte(value: number): void {
		this.#reserve(1);
		this.#bytes[this.#length++] = value;
	}
	unsigned(value: number): void {
		let rest = value;
		while (rest > 127) {
			this.byte((rest & 127) | 128);
			rest >>>= 7;
		}
		this.byte(rest);
	}
	signed(value: bigint): void {
		let rest = value;
		while (rest < -64n || rest > 63n) {
			this.byte(Number(rest & 127n) | 128);
			rest >>= 7n;
		}
		this.byte(Number(rest & 127n));
	}
	double(value: number): void {
		this.#reserve(8);
		this.#view.setFloat64(this.#length, value, true);
		this.#length += 8;
	}
	name(text: string): void {
		this.unsigned(text.length);
		for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
	}
	/** A part preceded by its length. */
	sized(write: (inner: Bytes) => void): void {
		const inner = new Bytes();
		write(inner);
		const bytes = inner.take();
		this.unsigned(bytes.length);
		this.#reserve(bytes.length);
		this.#bytes.set(bytes, this.#length);
		this.#length += bytes.length;
	}
	section(id: number, write: (inner: Bytes) => void): void {
		this.byte(id);
		this.sized(write);
	}
	list<T>(items: readonly T[], write: (item: T) => void): void {
		this.unsigned(items.length);
		for (const item of items) write(item);
	}
	#reserve(count: number): void {
		if (this.#length + count <= this.#bytes.length) return;
		const larger = new Uint8Array(2 * (this.#length + count));
		larger.set(this.#bytes);
		this.#bytes = larger;
		this.#view = new DataView(larger.buffer);
	}
}

export function encodeModule(module: WasmModule): Uint8Array<ArrayBuffer> {
	const { functions, data } = module;
	const out = new Bytes();
	for (const byte of [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]) out.byte(byte);
	out.section(1, (s) =>
		s.list(functions, ({ params, results }) => {
			s.byte(0x60);
			s.list(params, (type) => s.byte(typeCodes[type]));
			s.list(results, (type) => s.byte(typeCodes[type]));
		}),
	);
	out.section(2, (s) =>
		s.list(["memory"], (name) => {
			s.name("host");
			s.name(name);
			s.byte(0x02);
			s.byte(0x00);
			s.unsigned(1);
		}),
	);
	out.section(3, (s) => s.list([...functions.keys()], (index) => s.unsigned(index)));
	out.section(6, (s) =>
		s.list(["i32" as const, ...module.globals], (type) => {
			s.byte(typeCodes[type]);
			s.byte(0x01);
			encodeInstruction(s, [`${type}.const`, 0]);
			encodeInstruction(s, ["end"]);
		}),
	);
	out.section(7, (s) =>
		s.list(module.exported, (name) => {
			s.name(name);
			s.byte(0x00);
			s.unsigned(functions.findIndex((f) => f.name === name));
		}),
	);
	out.section(10, (s) => s.list(functions, (f) => s.sized((body) => encodeFunction(body, f))));
	if (data.length > 0)
		out.section(11, (s) =>
			s.list(data, ({ offset, values }) => {
				s.byte(0x00);
				encodeInstruction(s, ["i32.const", offset]);
				encodeInstruction(s, ["end"]);
				s.sized((bytes) => {
					for (const value of values) bytes.double(value);
				});
			}),
		);
	return out.take();
}

function encodeFunction(out: Bytes, { locals, code }: WasmFunction): void {
	const runs: { type: ValueType; count: number }[] = [];
	for (const type of locals) {
		const last = runs[runs.length - 1];
		if (last?.type === type) last.count++;
		else runs.push({ type, count: 1 });
	}
	out.list(runs, ({ type, count }) => {
		out.unsigned(count);
		out.byte(typeCodes[type]);
	});
	for (const instruction of code) encodeInstruction(out, instruction);
	encodeInstruction(out, ["end"]);
}

function encodeInstruction(out: Bytes, [name, ...immediates]: Instruction): void {
	const known = instructions[name];
	if (!known) throw new InternalError(`unknown instruction ${name}`);
	for (const byte of known.code) out.byte(byte);
	switch (known.immediate) {
		case "block":
			out.byte(0x40);
			break;
		case "index":
		case "memory":
			for (const value of immediates) out.unsigned(value);
			break;
		case "lane":
			out.byte(immediates[0]);
			break;
		case "i32":
			out.signed(BigInt(immediates[0]));
			break;
		case "i64":
			out.signed(BigInt.asIntN(64, BigInt(immediates[0])));
			break;
		case "f64":
			out.double(immediates[0]);
			break;
		case "v128":
			out.double(immediates[0]);
			out.double(immediates[0]);
	}
}
