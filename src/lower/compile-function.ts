/**
 * Expressions as a function to be called for one point at a time, as adaptive solvers do. An argument is a vector that
 * holds the values of its symbols in order; one with a single symbol may be given as a number instead.
 *
 * `compileFunction(rhs, [{ name: "t", symbols: ["t"] }, { name: "x", symbols: components }, …])` gives
 * `(t, x, u, p, out) => void`.
 */
import { InternalError } from "../errors.ts";
import type { Node } from "../model/graph.ts";
import { type Buffer, KernelBuilder, type Value } from "./builder.ts";
import { ExpressionLowering } from "./expression.ts";
import type { Kernel } from "./ir.ts";
import { evaluate, mayEvaluate } from "./js/evaluate.ts";
import { JsText } from "./js/text.ts";
import { oneLane } from "./wasm/instance.ts";

export interface Argument {
	readonly name: string;
	readonly symbols: readonly string[];
}
/** Called with one vector or number for each argument, then the vector for the outputs. */
export type CompiledFunction = (...args: (Float64Array | number)[]) => void;

export function compileFunction(
	outputs: readonly Node[],
	args: readonly Argument[],
	backend: "js" | "wasm" = mayEvaluate() ? "js" : "wasm",
): CompiledFunction {
	const kernel = functionKernel(outputs, args);
	return backend === "js" ? withJs(kernel, args) : withWasm(kernel, args, outputs.length);
}

/** The function as a kernel for one lane: a buffer for each argument, and one for the outputs. */
export function functionKernel(outputs: readonly Node[], args: readonly Argument[]): Kernel {
	const builder = new KernelBuilder();
	const places = new Map<string, { buffer: Buffer; index: number }>();
	for (const { name, symbols } of args) {
		const buffer = builder.buffer(name, "lane");
		for (const [index, symbol] of symbols.entries()) {
			if (places.has(symbol)) throw new InternalError(`${symbol} stands in two arguments`, symbol);
			places.set(symbol, { buffer, index });
		}
	}
	const out = builder.buffer("out", "lane", "write");
	const values = new ExpressionLowering(builder, (name): Value => {
		const place = places.get(name);
		if (!place) throw new InternalError(`no argument holds the symbol ${name}`, name);
		return builder.load(place.buffer, place.index);
	}).lower(outputs);
	for (const [index, value] of values.entries()) builder.store(out, index, value);
	return builder.kernel("function");
}

function withJs(kernel: Kernel, args: readonly Argument[]): CompiledFunction {
	const text = new JsText({
		load: (buffer, index) => (args[buffer].symbols.length === 1 ? `n${buffer}` : `b${buffer}[${index}]`),
		store: (buffer, index, value) => `b${buffer}[${index}] = ${value}`,
		param: (index) => `s${index}`,
	});
	const body = text.block(kernel.body, "\t");
	const names = kernel.buffers.map((_, i) => `b${i}`);
	const single = args
		.map(({ symbols }, i) =>
			symbols.length === 1 ? `\tconst n${i} = typeof b${i} === "number" ? b${i} : b${i}[0];\n` : "",
		)
		.join("");
	return evaluate(`function (${names.join(", ")}) {\n${single}${body}}`, text.calls);
}

/** For pages that forbid generated JavaScript: arguments and outputs are copied through the function's memory. */
function withWasm(kernel: Kernel, args: readonly Argument[], nOutputs: number): CompiledFunction {
	const { buffers, run } = oneLane(kernel, [...args.map(({ symbols }) => symbols.length), nOutputs]);
	const out = buffers[args.length];
	return (...values) => {
		for (let i = 0; i < args.length; i++) {
			const value = values[i];
			const buffer = buffers[i];
			if (typeof value === "number") buffer[0] = value;
			else for (let j = 0; j < buffer.length; j++) buffer[j] = value[j];
		}
		run();
		const target = values[args.length] as Float64Array;
		for (let j = 0; j < nOutputs; j++) target[j] = out[j];
	};
}
