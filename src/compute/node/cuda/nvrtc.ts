/** Compiles CUDA text at run time. What came of it is kept in the user's cache folder, by content. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError, InternalError } from "../../../errors.ts";
import {
	asideOf,
	keepFile,
	kernelFolder,
	keyOf,
	makeKernelFolder,
	readKept,
	removeQuietly,
} from "../kernel-cache.ts";
import type { Koffi } from "../koffi.ts";
import { type Call, loadNvrtc } from "./libraries.ts";

export interface CompileOptions {
	/** `sm_90` and the like. */
	readonly architecture: string;
	/** No fused multiply-add: the bits of the other places. */
	readonly exact: boolean;
	/** Most registers of a thread. */
	readonly registers?: number;
}

/** What only addresses lead to must not be collected. */
const inUse = new Set<unknown>();

export class Nvrtc {
	readonly version: string;
	readonly #call: Record<string, Call>;

	constructor(
		readonly koffi: Koffi,
		path?: string,
	) {
		const library = loadNvrtc(koffi, path);
		const func = (definition: string): Call => library.func(definition) as unknown as Call;
		this.#call = {
			version: func("int nvrtcVersion(void *major, void *minor)"),
			create: func(
				"int nvrtcCreateProgram(void *program, void *text, void *name, int headers, void *texts, void *names)",
			),
			compile: func("int nvrtcCompileProgram(void *program, int count, void *options)"),
			logSize: func("int nvrtcGetProgramLogSize(void *program, void *size)"),
			log: func("int nvrtcGetProgramLog(void *program, void *log)"),
			size: func("int nvrtcGetCUBINSize(void *program, void *size)"),
			cubin: func("int nvrtcGetCUBIN(void *program, void *code)"),
			destroy: func("int nvrtcDestroyProgram(void *program)"),
		};
		const [major, minor] = [new Int32Array(1), new Int32Array(1)];
		this.#must(this.#call.version(major, minor), "nvrtcVersion");
		this.version = `${major[0]}.${minor[0]}`;
	}

	/** Machine code of the device, made now or found in the cache. */
	compile(text: string, options: CompileOptions): Uint8Array {
		const flags = [
			`--gpu-architecture=${options.architecture}`,
			`--fmad=${!options.exact}`,
			"--std=c++17",
			...(options.registers ? [`--maxrregcount=${options.registers}`] : []),
		];
		const file = join(kernelFolder(), `${keyOf(this.version, ...flags, text)}.cubin`);
		const kept = readKept(file);
		if (kept) return kept;
		const code = this.#compile(text, flags);
		keep(file, code);
		return code;
	}

	#compile(text: string, flags: readonly string[]): Uint8Array {
		const handle = new BigUint64Array(1);
		const source = cString(text);
		const name = cString("kernel.cu");
		this.#must(this.#call.create(handle, source, name, 0, null, null), "nvrtcCreateProgram");
		const program = handle[0];
		const strings = flags.map(cString);
		const pointers = BigUint64Array.from(strings, (each) => this.koffi.address(each));
		inUse.add(strings);
		try {
			const result = this.#call.compile(program, flags.length, pointers);
			if (result !== 0)
				throw new InternalError(
					`NVRTC did not compile a kernel: ${this.#log(program).slice(0, 2000)}`,
					result,
				);
			const size = new BigUint64Array(1);
			this.#must(this.#call.size(program, size), "nvrtcGetCUBINSize");
			const code = Buffer.alloc(Number(size[0]));
			this.#must(this.#call.cubin(program, code), "nvrtcGetCUBIN");
			return code;
		} finally {
			inUse.delete(strings);
			this.#call.destroy(handle);
		}
	}

	#log(program: bigint): string {
		const size = new BigUint64Array(1);
		if (this.#call.logSize(program, size) !== 0) return "";
		const log = Buffer.alloc(Number(size[0]));
		return this.#call.log(program, log) === 0 ? log.toString("utf8").replace(/\0+$/, "") : "";
	}

	#must(result: number, what: string): void {
		if (result !== 0)
			throw new InputError("--compute cuda", `${what} failed (${result})`, "Is the CUDA toolkit whole?");
	}
}

function cString(text: string): Buffer {
	const length = Buffer.byteLength(text);
	// Memory of its own, ended by a zero.
	const bytes = Buffer.alloc(length + 1);
	bytes.write(text, "utf8");
	return bytes;
}

/** A cache that cannot be written costs time only. */
function keep(file: string, code: Uint8Array): void {
	const aside = asideOf(file);
	try {
		makeKernelFolder();
		writeFileSync(aside, code);
		keepFile(aside, file);
	} catch {
		removeQuietly(aside);
	}
}
