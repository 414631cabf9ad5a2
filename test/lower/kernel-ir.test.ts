import { describe, expect, test } from "vitest";
import { KernelBuilder } from "../../src/lower/builder.ts";
import { type Kernel, kernelText } from "../../src/lower/ir.ts";
import { differences, runJs, runWasm } from "./support/batch.ts";
import { hasCompiler, runNative } from "./support/native.ts";

/** Something like a filter with everything the IR has: nested loops, branches, masks, uniform and lane variables. */
function everything(): Kernel {
	const b = new KernelBuilder();
	const data = b.buffer("data", "uniform");
	const state = b.buffer("state", "lane", "update");
	const out = b.buffer("out", "lane", "write");
	const n = b.scalar("n", "int");
	const gain = b.scalar("gain", "real");
	const x = b.variable("lane", b.load(state, 0));
	const product = b.variable("lane", b.constant(1));
	const logs = b.variable("lane", b.constant(-0));
	const clock = b.variable("real", b.constant(0));
	const count = b.variable("int", b.int(0));
	const alarm = b.variable("mask", b.lt(b.get(x), b.constant(-1)));
	b.loop(b.int(0), n, (i) => {
		const y = b.load(data, i);
		const forcing = b.call("sin", b.mul(b.get(clock), b.constant(1e6)));
		b.loop(b.int(0), b.intAnd(i, b.int(3)), (j) => {
			const weight = b.toReal(b.intAdd(b.intMul(j, b.int(2)), b.int(1)));
			b.set(x, b.add(b.get(x), b.div(b.mul(gain, b.sub(y, b.get(x))), weight)));
			b.set(count, b.intAdd(b.get(count), b.int(1)));
		});
		const error = b.sub(y, b.get(x));
		b.set(product, b.mul(b.get(product), b.add(b.constant(1), b.mul(error, error))));
		b.if(
			b.intEq(b.intAnd(i, b.int(15)), b.int(15)),
			() => {
				b.set(logs, b.add(b.get(logs), b.call("log", b.get(product))));
				b.set(product, b.constant(1));
				b.store(out, b.toInt(b.mul(b.toReal(i), b.constant(1 / 16))), b.get(logs));
			},
			() => b.set(clock, b.add(b.get(clock), b.mul(y, forcing))),
		);
		const big = b.or(
			b.lt(b.constant(2), b.abs(error)),
			b.and(b.get(alarm), b.not(b.le(error, b.constant(0)))),
		);
		b.set(alarm, big);
		const bounded = b.min(b.constant(3), b.max(b.constant(-3), b.get(x)));
		const shared = b.select(b.lt(b.get(clock), b.constant(0.5)), b.get(x), bounded);
		b.set(x, b.select(big, bounded, b.copysign(shared, error)));
	});
	b.store(state, 0, b.get(x));
	b.store(state, b.int(1), b.select(b.get(alarm), b.constant(1), b.constant(-0)));
	b.store(state, b.intSub(b.int(5), b.int(3)), b.add(b.get(clock), b.toReal(b.get(count))));
	b.store(state, 3, b.constant(Number.NEGATIVE_INFINITY));
	return b.kernel("everything");
}

describe("kernels", () => {
	const kernel = everything();
	const batch = 32;
	const n = 600;
	const buffers = {
		data: Float64Array.from({ length: n }, (_, i) => 2 * Math.sin(i / 7) + (i % 37 === 0 ? 3 : 0)),
		state: Float64Array.from({ length: 4 * batch }, (_, i) => (i % batch) / 8 - 2),
		out: new Float64Array(Math.ceil(n / 16) * batch),
	};
	const scalars = [n, 0.3];
	const js = runJs(kernel, batch, buffers, scalars);

	test("compute something", () => {
		expect(js.out.every(Number.isFinite)).toBe(true);
		expect(new Set(js.out).size).toBeGreaterThan(batch);
		expect(js.state.subarray(3 * batch)).toEqual(new Float64Array(batch).fill(Number.NEGATIVE_INFINITY));
	});
	test("have the same bits in wasm", () => {
		for (const groups of [1, 2, 4])
			expect(differences(kernel, js, runWasm(kernel, { width: 2, groups }, batch, buffers, scalars))).toEqual(
				[],
			);
		expect(
			differences(kernel, js, runWasm(kernel, { width: 1, groups: 1 }, batch, buffers, scalars)),
		).toEqual([]);
	});
	test.skipIf(!hasCompiler)("have the same bits in C", () => {
		for (const [flags, groups] of [
			[["-DWIDTH=1"], 1],
			[["-DWIDTH=2"], 4],
			[["-DWIDTH=8", "-march=native"], 2],
		] as const) {
			const native = runNative(kernel, batch, buffers, scalars, flags, { groups });
			expect(differences(kernel, js, native.buffers)).toEqual([]);
		}
	});
	test("are plain data that survives a journey", () => {
		const arrived = JSON.parse(kernelText(kernel)) as Kernel;
		expect(arrived).toEqual(kernel);
		const there = runWasm(arrived, { width: 2, groups: 2 }, batch, buffers, scalars);
		expect(differences(kernel, js, there)).toEqual([]);
	});
	test("refuse to write what lanes share", () => {
		expect(() => new KernelBuilder().buffer("x", "uniform", "write")).toThrow("share");
	});
	test("hold each pure value once", () => {
		const b = new KernelBuilder();
		const x = b.load(b.buffer("x", "lane"), 0);
		expect(b.mul(x, x)).toBe(b.mul(x, x));
		expect(b.constant(0)).not.toBe(b.constant(-0));
	});
});

describe("a kernel with more values across its loop than a function has parameters", () => {
	/** A cyclic shift of many lane and uniform variables, each a little changed on the way. */
	function many(count: number): Kernel {
		const b = new KernelBuilder();
		const start = b.buffer("start", "lane");
		const out = b.buffer("out", "lane", "write");
		const n = b.scalar("n", "int");
		const fixed = Array.from({ length: count }, (_, i) => b.load(start, i));
		const lanes = fixed.map((value) => b.variable("lane", value));
		const reals = fixed.map((_, i) => b.variable("real", b.constant(i / 7)));
		const flips = b.variable("int", b.int(0));
		b.loop(b.int(0), n, (i) => {
			const now = lanes.map((variable) => b.get(variable));
			const shared = reals.map((variable) => b.get(variable));
			for (const [j, variable] of lanes.entries()) {
				const from = (j + 1) % count;
				b.set(variable, b.add(b.mul(now[from], b.constant(0.999)), b.mul(fixed[j], shared[from])));
				b.set(reals[j], b.sub(b.mul(shared[from], b.constant(0.5)), b.toReal(b.intAnd(i, b.int(1)))));
			}
			b.set(flips, b.intAdd(b.get(flips), b.int(1)));
		});
		for (const [j, variable] of lanes.entries()) b.store(out, j, b.add(b.get(variable), b.get(reals[j])));
		b.store(out, count, b.toReal(b.get(flips)));
		return b.kernel("many");
	}
	test.each([100, 600])("runs with %d, to the same bits", (count) => {
		const kernel = many(count);
		const batch = 8;
		const buffers = {
			start: Float64Array.from({ length: count * batch }, (_, i) => Math.sin(i)),
			out: new Float64Array((count + 1) * batch),
		};
		const js = runJs(kernel, batch, buffers, [600]);
		expect(js.out.every(Number.isFinite)).toBe(true);
		for (const groups of [1, 4])
			expect(differences(kernel, js, runWasm(kernel, { width: 2, groups }, batch, buffers, [600]))).toEqual(
				[],
			);
		expect(differences(kernel, js, runWasm(kernel, { width: 1, groups: 1 }, batch, buffers, [600]))).toEqual(
			[],
		);
	});
});
