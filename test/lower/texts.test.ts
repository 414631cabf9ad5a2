import { describe, expect, test } from "vitest";
import { KernelBuilder } from "../../src/lower/builder.ts";
import { emitC } from "../../src/lower/c/emit.ts";
import { compileFunction, functionKernel } from "../../src/lower/compile-function.ts";
import type { Kernel } from "../../src/lower/ir.ts";
import { emitWasm } from "../../src/lower/wasm/emit.ts";
import { encodeModule } from "../../src/lower/wasm/module.ts";
import { Graph, unaryFunctions } from "../../src/model/graph.ts";
import { emitJs } from "./support/js-kernel.ts";
import { moduleText } from "./support/module-text.ts";
import { compileCuda, hasNvcc } from "./support/native.ts";

/** x' = -p·x by Euler's method. */
function decay(): Kernel {
	const b = new KernelBuilder();
	const h = b.buffer("h", "uniform");
	const [p, x0] = [b.buffer("p", "lane"), b.buffer("x0", "lane")];
	const out = b.buffer("out", "lane", "write");
	const n = b.scalar("n", "int");
	const rate = b.neg(b.load(p, 0));
	const x = b.variable("lane", b.load(x0, 0));
	b.loop(b.int(0), n, (i) => {
		const now = b.get(x);
		b.set(x, b.add(now, b.mul(b.load(h, i), b.mul(rate, now))));
	});
	b.store(out, 0, b.get(x));
	return b.kernel("decay");
}
/** What follows the fixed first part of a C text. */
const kernelPart = (text: string): string => text.slice(text.lastIndexOf("\n\n") + 2);

describe("generated text", () => {
	test("WAT", () => {
		const module = emitWasm(decay(), { width: 2, groups: 1 });
		expect(moduleText(module)).toMatchSnapshot();
		expect(WebAssembly.validate(encodeModule(module))).toBe(true);
	});
	test("C", () => {
		expect(kernelPart(emitC(decay(), { dialect: "native", groups: 2 }))).toMatchSnapshot();
	});
	test("CUDA", () => {
		expect(kernelPart(emitC(decay(), { dialect: "cuda" }))).toMatchSnapshot();
	});
	test("JavaScript", () => {
		expect(emitJs(decay()).text).toMatchSnapshot();
	});

	test.skipIf(!hasNvcc)("nvcc takes the CUDA text of every function", () => {
		const g = new Graph();
		const [x, y] = [g.sym("x"), g.sym("y")];
		const outputs = [
			...unaryFunctions.map((name) => g.unary(name, x)),
			g.pow(x, y),
			g.sqrt(x),
			g.binary("min", x, y),
		];
		const kernel = functionKernel(outputs, [{ name: "x", symbols: ["x", "y"] }]);
		const { status, message } = compileCuda(kernel);
		expect(message.match(/error.*/g)).toBeNull();
		expect(status).toBe(0);
	});

	test("holds no name of the user", () => {
		const g = new Graph();
		const names = ["while", "x0); evil(", "naïve'", "lane"];
		const node = g.add(...names.map((name) => g.unary("exp", g.sym(name))));
		const kernel = functionKernel([node], [{ name: "process", symbols: names }]);
		const texts = [
			emitJs(kernel).text,
			emitC(kernel, { dialect: "native" }),
			emitC(kernel, { dialect: "cuda" }),
			moduleText(emitWasm(kernel, { width: 2, groups: 2 })),
		];
		for (const text of texts)
			for (const part of ["while", "evil", "naïve", "process"]) expect(text).not.toContain(part);
		const out = new Float64Array(1);
		compileFunction([node], [{ name: "process", symbols: names }])(new Float64Array(4), out);
		expect(out[0]).toBe(4);
	});

	test("writes numbers so that they read back", () => {
		for (const x of [
			0.1,
			-0,
			1e21,
			5e-324,
			-1.5,
			Number.POSITIVE_INFINITY,
			Number.NEGATIVE_INFINITY,
			Number.NaN,
			2 ** 53,
		]) {
			const b = new KernelBuilder();
			const out = b.buffer("out", "lane", "write");
			b.store(out, 0, b.mul(b.constant(1), b.constant(x)));
			const values = new Float64Array(1);
			const { text } = emitJs(b.kernel("constant"));
			new Function(`return ${text}`)()(0, 1, 1, values);
			expect(Object.is(values[0], x), `${x}`).toBe(true);
		}
	});
});
