/**
 * The first graphics processor, by the driver API of CUDA: memory, modules, launches, times. Calls are made from one
 * thread, in order, on the default stream.
 */
import { InputError, InternalError } from "../../../errors.ts";
import { type Koffi, loadKoffi } from "../koffi.ts";
import { type Call, type Libraries, loadDriver } from "./libraries.ts";
import { type CompileOptions, Nvrtc } from "./nvrtc.ts";

/** An address in the device's memory. */
export type DevicePointer = bigint;
/** A kernel's argument: an address, a whole number of 32 or 64 bits, or a double. */
export type Argument =
	| { readonly pointer: DevicePointer }
	| { readonly int32: number }
	| { readonly int64: number }
	| { readonly double: number };
export interface DeviceFunction {
	readonly handle: bigint;
	/** Registers a thread, and bytes of local memory where they do not suffice. */
	readonly registers: number;
	readonly localBytes: number;
}
export interface Shape {
	readonly grid: readonly [number, number];
	readonly block: readonly [number, number];
	readonly sharedBytes?: number;
}

const attributes = { processors: 16, majorVersion: 75, minorVersion: 76 };
const functionAttributes = { localBytes: 3, registers: 4 };
const notReady = 600;
/** What only addresses lead to must not be collected. */
const inUse = new Set<unknown>();

export async function openDevice(libraries: Libraries = {}): Promise<Device> {
	const koffi = await loadKoffi("--compute cuda");
	return new Device(koffi, libraries);
}

export class Device {
	readonly name: string;
	readonly processors: number;
	readonly architecture: string;
	readonly nvrtc: Nvrtc;
	readonly #call: Record<string, Call>;
	readonly #events: readonly [bigint, bigint];
	readonly #number: number;

	constructor(
		readonly koffi: Koffi,
		libraries: Libraries,
	) {
		const library = loadDriver(koffi, libraries.driver);
		const func = (definition: string): Call => library.func(definition) as unknown as Call;
		this.#call = {
			init: func("int cuInit(unsigned int flags)"),
			errorName: func("int cuGetErrorName(int error, void *text)"),
			deviceCount: func("int cuDeviceGetCount(void *count)"),
			deviceGet: func("int cuDeviceGet(void *device, int number)"),
			deviceName: func("int cuDeviceGetName(void *name, int length, int device)"),
			deviceAttribute: func("int cuDeviceGetAttribute(void *value, int attribute, int device)"),
			contextRetain: func("int cuDevicePrimaryCtxRetain(void *context, int device)"),
			contextRelease: func("int cuDevicePrimaryCtxRelease_v2(int device)"),
			contextSet: func("int cuCtxSetCurrent(void *context)"),
			moduleLoad: func("int cuModuleLoadData(void *module, void *code)"),
			moduleUnload: func("int cuModuleUnload(void *module)"),
			moduleFunction: func("int cuModuleGetFunction(void *function, void *module, const char *name)"),
			functionAttribute: func("int cuFuncGetAttribute(void *value, int attribute, void *function)"),
			memoryInfo: func("int cuMemGetInfo_v2(void *free, void *total)"),
			allocate: func("int cuMemAlloc_v2(void *pointer, uint64_t bytes)"),
			free: func("int cuMemFree_v2(uint64_t pointer)"),
			toDevice: func("int cuMemcpyHtoD_v2(uint64_t to, void *from, uint64_t bytes)"),
			toHost: func("int cuMemcpyDtoH_v2(void *to, uint64_t from, uint64_t bytes)"),
			pin: func("int cuMemHostRegister_v2(uint64_t address, uint64_t bytes, unsigned int flags)"),
			unpin: func("int cuMemHostUnregister(uint64_t address)"),
			launch: func(
				"int cuLaunchKernel(void *function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared, void *stream, void *params, void *extra)",
			),
			eventCreate: func("int cuEventCreate(void *event, unsigned int flags)"),
			eventRecord: func("int cuEventRecord(void *event, void *stream)"),
			eventQuery: func("int cuEventQuery(void *event)"),
			eventSynchronize: func("int cuEventSynchronize(void *event)"),
			eventElapsed: func("int cuEventElapsedTime(void *milliseconds, void *from, void *to)"),
		};
		this.#begin();
		this.#number = this.#out32((out) => this.#call.deviceGet(out, 0), "cuDeviceGet");
		this.name = this.#nameOf(this.#number);
		const attribute = (which: number): number =>
			this.#out32((out) => this.#call.deviceAttribute(out, which, this.#number), "cuDeviceGetAttribute");
		this.processors = attribute(attributes.processors);
		this.architecture = `sm_${attribute(attributes.majorVersion)}${attribute(attributes.minorVersion)}`;
		const context = this.#out64(
			(out) => this.#call.contextRetain(out, this.#number),
			"cuDevicePrimaryCtxRetain",
		);
		this.#must(this.#call.contextSet(context), "cuCtxSetCurrent");
		const event = (): bigint => this.#out64((out) => this.#call.eventCreate(out, 0), "cuEventCreate");
		this.#events = [event(), event()];
		this.nvrtc = new Nvrtc(koffi, libraries.nvrtc);
	}

	/** Bytes of memory that are free. */
	get freeBytes(): number {
		const [free, total] = [new BigUint64Array(1), new BigUint64Array(1)];
		this.#must(this.#call.memoryInfo(free, total), "cuMemGetInfo");
		return Number(free[0]);
	}

	/** Compiles a text and gives its functions by name. */
	load(
		text: string,
		options: Omit<CompileOptions, "architecture">,
		names: readonly string[],
	): Record<string, DeviceFunction> {
		const code = this.nvrtc.compile(text, { ...options, architecture: this.architecture });
		const module = this.#out64((out) => this.#call.moduleLoad(out, code), "cuModuleLoadData");
		return Object.fromEntries(
			names.map((name) => {
				const handle = this.#out64(
					(out) => this.#call.moduleFunction(out, module, name),
					"cuModuleGetFunction",
				);
				const attribute = (which: number): number =>
					this.#out32((out) => this.#call.functionAttribute(out, which, handle), "cuFuncGetAttribute");
				const registers = attribute(functionAttributes.registers);
				return [name, { handle, registers, localBytes: attribute(functionAttributes.localBytes) }];
			}),
		);
	}

	allocate(bytes: number): DevicePointer {
		return this.#out64((out) => this.#call.allocate(out, Math.max(bytes, 8)), "cuMemAlloc");
	}
	free(pointer: DevicePointer): void {
		this.#must(this.#call.free(pointer), "cuMemFree");
	}
	/** Copies; the array is free again when this returns. */
	toDevice(to: DevicePointer, from: Float64Array): void {
		if (from.length > 0) this.#must(this.#call.toDevice(to, from, from.byteLength), "cuMemcpyHtoD");
	}
	toHost(to: Float64Array, from: DevicePointer): void {
		if (to.length > 0) this.#must(this.#call.toHost(to, from, to.byteLength), "cuMemcpyDtoH");
	}

	/** Where a buffer of this process stands. */
	addressOf(buffer: ArrayBufferLike): bigint {
		return this.koffi.address(new Uint8Array(buffer));
	}
	/** Locks memory of this process in its place; whether that worked. */
	pin(address: bigint, bytes: number): boolean {
		return this.#call.pin(address, bytes, 0) === 0;
	}
	unpin(address: bigint): void {
		this.#must(this.#call.unpin(address), "cuMemHostUnregister");
	}

	/** Begins a measurement of what is launched from now on. */
	startClock(): void {
		this.#must(this.#call.eventRecord(this.#events[0], null), "cuEventRecord");
	}
	stopClock(): void {
		this.#must(this.#call.eventRecord(this.#events[1], null), "cuEventRecord");
	}
	/** Whether all up to `stopClock` is done. */
	get isDone(): boolean {
		const result = this.#call.eventQuery(this.#events[1]);
		if (result === notReady) return false;
		this.#must(result, "a kernel");
		return true;
	}
	wait(): void {
		this.#must(this.#call.eventSynchronize(this.#events[1]), "a kernel");
	}
	/** Seconds on the device between the two. */
	get clockSeconds(): number {
		const milliseconds = new Float32Array(1);
		this.#must(this.#call.eventElapsed(milliseconds, ...this.#events), "cuEventElapsedTime");
		return milliseconds[0] / 1e3;
	}

	launch(
		{ handle }: DeviceFunction,
		{ grid, block, sharedBytes = 0 }: Shape,
		args: readonly Argument[],
	): void {
		const values = Buffer.alloc(8 * Math.max(args.length, 1));
		for (const [i, arg] of args.entries()) {
			if ("pointer" in arg) values.writeBigUInt64LE(arg.pointer, 8 * i);
			else if ("int32" in arg) values.writeInt32LE(arg.int32, 8 * i);
			else if ("int64" in arg) values.writeBigInt64LE(BigInt(arg.int64), 8 * i);
			else values.writeDoubleLE(arg.double, 8 * i);
		}
		const first = this.koffi.address(values);
		const pointers = BigUint64Array.from(args, (_, i) => first + BigInt(8 * i));
		inUse.add(values);
		const [gx, gy] = grid;
		const [bx, by] = block;
		this.#must(
			this.#call.launch(handle, gx, gy, 1, bx, by, 1, sharedBytes, null, pointers, null),
			"cuLaunchKernel",
		);
		inUse.delete(values);
	}

	/** Gives the processor back. */
	close(): void {
		this.#call.contextRelease(this.#number);
	}

	#begin(): void {
		const result = this.#call.init(0);
		if (result !== 0) throw this.#unusable(result);
		const count = new Int32Array(1);
		if (this.#call.deviceCount(count) !== 0 || count[0] === 0) throw this.#unusable(100);
	}

	#unusable(result: number): InputError {
		return new InputError(
			"--compute cuda",
			`the driver finds no graphics processor (${this.#errorName(result)})`,
			"Is there one, and does  nvidia-smi  see it? Else leave  --compute  out.",
		);
	}

	#nameOf(device: number): string {
		const text = Buffer.alloc(256);
		this.#must(this.#call.deviceName(text, 256, device), "cuDeviceGetName");
		return text.toString("utf8", 0, text.indexOf(0));
	}

	#out32(call: (out: Int32Array) => number, what: string): number {
		const out = new Int32Array(1);
		this.#must(call(out), what);
		return out[0];
	}
	#out64(call: (out: BigUint64Array) => number, what: string): bigint {
		const out = new BigUint64Array(1);
		this.#must(call(out), what);
		return out[0];
	}

	#must(result: number, what: string): void {
		if (result === 0) return;
		const name = this.#errorName(result);
		if (name === "CUDA_ERROR_OUT_OF_MEMORY")
			throw new InputError(
				"--compute cuda",
				"the graphics processor has not enough memory",
				"Does something else run there? Use fewer particles, or another place.",
			);
		throw new InternalError(`CUDA: ${what}: ${name}`, result);
	}

	#errorName(result: number): string {
		const text = new BigUint64Array(1);
		if (this.#call.errorName(result, text) !== 0 || text[0] === 0n) return `error ${result}`;
		return String(this.koffi.decode(text[0], "char", -1));
	}
}
