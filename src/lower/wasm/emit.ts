/**
 * A kernel as a WebAssembly module. It exports `run(lane, batch, …addresses of the buffers, …scalars)`, which does one
 * block of lanes from `lane` on, and imports its memory, which holds constants and tables from `base` on.
 */
import { type Needs, needs } from "../elementary.ts";
import type { BufferSpec, Kernel } from "../ir.ts";
import { functionCode, kernelCode } from "./code.ts";
import type { Instruction } from "./instructions.ts";
import type { ValueType, WasmFunction, WasmModule } from "./module.ts";
import type { Links, Shape } from "./values.ts";

export function emitWasm(kernel: Kernel, shape: Shape, base = 0): WasmModule {
	const needed = needs(kernel.body);
	const indices = new Map(needed.functions.map(({ pure, type }, index) => [`${pure.name}:${type}`, index]));
	const functions: WasmFunction[] = [];
	const globals: ValueType[] = [];
	const data: number[] = [];
	const tables = new Map<string, number>();
	for (const [name, values] of needed.tables) {
		tables.set(name, base + 8 * data.length);
		data.push(...values);
	}
	const constants = new Map<string, number>();
	const links: Links = {
		function: (name, type) => indices.get(`${name}:${type}`)!,
		addFunction: (made) => functions.push(made) - 1,
		table: (name) => tables.get(name)!,
		constant: (x) => {
			const key = Object.is(x, -0) ? "-0" : String(x);
			let offset = constants.get(key);
			if (offset === undefined) constants.set(key, (offset = base + 8 * data.push(x) - 8));
			return offset;
		},
		// The first one is the module's own.
		addGlobal: (type) => globals.push(type),
		address: () => [],
		param: (index) => index,
	};
	for (const one of needed.functions) functions.push(elementaryFunction(one, shape, links));
	functions.push(kernelFunction(kernel, shape, links));
	return {
		functions,
		globals,
		exported: ["run"],
		data: data.length > 0 ? [{ offset: base, values: data }] : [],
	};
}

/** With a function `runOne` that runs the first block on buffers at these addresses, without arguments. */
export function withFixedBuffers(module: WasmModule, addresses: readonly number[]): WasmModule {
	const run = module.functions.length - 1;
	const args = [0, 1, ...addresses].map((value): Instruction => ["i32.const", value]);
	const made = {
		name: "runOne",
		params: [],
		results: [],
		locals: [],
		code: [...args, ["call", run]] as const,
	};
	return { ...module, functions: [...module.functions, made], exported: [...module.exported, "runOne"] };
}

/** The first byte behind what a module keeps for itself. */
export function reservedBytes({ data }: WasmModule, base = 0): number {
	const end = Math.max(base, ...data.map(({ offset, values }) => offset + 8 * values.length));
	return Math.ceil(end / 64) * 64;
}

function elementaryFunction(
	{ type, pure }: Needs["functions"][number],
	shape: Shape,
	links: Links,
): WasmFunction {
	const value: ValueType = type === "lane" && shape.width === 2 ? "v128" : "f64";
	const groups = type === "lane" ? shape.groups : 1;
	const params = Array.from({ length: pure.params * groups }, () => value);
	const own: Links = { ...links, param: (index, group) => index * groups + group };
	const code = functionCode(pure, type, { width: shape.width, groups }, own, params);
	const name = type === "lane" ? `${pure.name}.lanes` : pure.name;
	return { name, params, results: params.slice(0, groups), locals: code.locals, code: code.out };
}

function kernelFunction(kernel: Kernel, shape: Shape, links: Links): WasmFunction {
	const { buffers, scalars } = kernel;
	const params: ValueType[] = ["i32", "i32", ...buffers.map((): ValueType => "i32")];
	const firstScalar = params.length;
	for (const { type } of scalars) params.push(type === "int" ? "i32" : "f64");
	const [lane, batch, firstBuffer] = [0, 1, 2];
	const toBytes: Instruction[] = [["i32.const", 3], ["i32.shl"]];
	const times = (factor: number): Instruction[] => [["i32.const", factor], ["i32.mul"]];
	const blockBytes = 8 * shape.width * shape.groups;
	// Once and for all: `batch` counts bytes, and the addresses of lane buffers point to the block's first lane.
	const toOffset = ({ kind, perLane }: BufferSpec): Instruction[] => {
		if (kind === "uniform") return toBytes;
		return perLane ? times(blockBytes) : [["local.get", batch], ["i32.mul"]];
	};
	const address = (buffer: number): Instruction[] => [
		...toOffset(buffers[buffer]),
		["local.get", firstBuffer + buffer],
		["i32.add"],
	];
	const own: Links = { ...links, address, param: (index) => firstScalar + index };
	const { locals, out } = kernelCode(kernel, shape, own, params);
	const prologue: Instruction[] = [["local.get", batch], ...toBytes, ["local.set", batch]];
	for (const [i, { kind, perLane = 1 }] of buffers.entries()) {
		const pointer = firstBuffer + i;
		if (kind === "lane")
			prologue.push(
				["local.get", pointer],
				["local.get", lane],
				...times(8 * perLane),
				["i32.add"],
				["local.set", pointer],
			);
	}
	return { name: "run", params, results: [], locals, code: [...prologue, ...out] };
}
