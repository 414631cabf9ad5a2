/**
 * CUDA without a graphics processor: the whole way of a launch through libraries that stand in for CUDA's, and what nvcc says
 * of the text. On a machine with a device, `npm run bench -- cuda` compares its bits.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { duffingFilter } from "../../bench/duffing-filter.ts";
import { runInline } from "../../src/compute/inline.ts";
import { type Cuda, type CudaOptions, cuda } from "../../src/compute/node/cuda/cuda.ts";
import { cudaText } from "../../src/compute/node/cuda/cuda-text.ts";
import { InputError } from "../../src/errors.ts";
import { KernelBuilder } from "../../src/lower/builder.ts";
import type { Kernel } from "../../src/lower/ir.ts";
import { hasNvcc } from "../lower/support/native.ts";
import { allRepetitions } from "../repetitions.ts";
import { buildEmulator, hasCpp } from "./cuda-emulator/build.ts";
import { expectSameBits, names, workOf } from "./places.ts";

const folder = mkdtempSync(join(tmpdir(), "odentify-cuda-"));
let libraries: CudaOptions["libraries"];
const before = process.env.XDG_CACHE_HOME;
const open: Cuda[] = [];
async function place(options: CudaOptions = {}): Promise<Cuda> {
	const made = await cuda({ smallest: 0, libraries, ...options });
	open.push(made);
	return made;
}

beforeAll(() => {
	process.env.XDG_CACHE_HOME = folder;
	if (!hasCpp) return;
	libraries = buildEmulator(folder);
});
afterAll(async () => {
	for (const each of open) await each.close();
	if (before === undefined) delete process.env.XDG_CACHE_HOME;
	else process.env.XDG_CACHE_HOME = before;
	rmSync(folder, { recursive: true, force: true });
});

describe.runIf(hasCpp)("a launch by way of CUDA's libraries", () => {
	test.each(names)("%s: the bits of inline with exact", async (name) => {
		const here = await place({ exact: true });
		expect(here.name).toBe("cuda, exact");
		for (const batch of [1, 7, 150, 300]) await expectSameBits(here, workOf(name, batch));
	});

	test("in parts, when the device's memory does not hold the lanes", async () => {
		const here = await place({ exact: true, bytes: 200_000 });
		for (const name of ["duffing", "tank"] as const) await expectSameBits(here, workOf(name, 211));
	});

	test("without exact: near", async () => {
		const here = await place();
		expect(here.name).toBe("cuda");
		const { kernel, batch, nSteps, buffers, expected } = workOf("boucWen", 64);
		const got = buffers();
		await here.run(kernel, { batch, buffers: got, scalars: { nSteps } });
		const largest = Math.max(...got.y.map((y, i) => Math.abs(y - expected.y[i])));
		expect(largest).toBeLessThan(1e-9);
	});

	test("the filter; shared buffers are sent anew only when they changed", async () => {
		const here = await place({ exact: true });
		const { kernel, batch, buffers, scalars } = duffingFilter(64, 50);
		const copied = () =>
			Object.fromEntries(Object.entries(buffers).map(([name, values]) => [name, values.slice()]));
		const given = copied();
		for (const shift of [0, 0, 0.25]) {
			for (const name of ["mean", "cov", "diffusion", "logLik"]) given[name].set(buffers[name]);
			given.y.set(buffers.y.map((value) => value + shift));
			const expected = Object.fromEntries(
				Object.entries(given).map(([name, values]) => [name, values.slice()]),
			);
			runInline(kernel, { batch, buffers: expected, scalars });
			await here.run(kernel, { batch, buffers: given, scalars });
			expect(given).toEqual(expected);
			expect(here.kernelSeconds).toBeGreaterThan(0);
		}
	});

	test("several launches at once, and small ones inline", async () => {
		const here = await place({ exact: true });
		await Promise.all([40, 90, 17].map((batch) => expectSameBits(here, workOf("duffing", batch))));
		const small = await place({ exact: true, smallest: Number.POSITIVE_INFINITY });
		await expectSameBits(small, workOf("duffing", 64));
		expect(small.kernelSeconds).toBe(0);
	});

	test("buffers that come again are locked in their places, and let go at the end", async () => {
		const b = new KernelBuilder();
		const x = b.buffer("x", "lane", "update");
		b.store(x, 0, b.add(b.load(x, 0), b.constant(1)));
		b.store(x, 1, b.sub(b.load(x, 1), b.constant(1)));
		const kernel = b.kernel("count");
		const batch = 100_003;
		for (const bytes of [undefined, 500_000]) {
			const here = await place({ exact: true, bytes });
			// Part of a larger buffer, that begins and ends inside a page.
			const whole = new Float64Array(2 * batch + 77);
			const values = whole.subarray(13, 13 + 2 * batch);
			for (let i = 1; i <= 4; i++) {
				await here.run(kernel, { batch, buffers: { x: values } });
				expect(here.pinnedBytes).toBe(i < 3 ? 0 : whole.byteLength);
				expect(values.every((value, j) => value === (j < batch ? i : -i))).toBe(true);
			}
			expect(whole.subarray(0, 13).every((value) => value === 0)).toBe(true);
			expect(whole.subarray(13 + 2 * batch).every((value) => value === 0)).toBe(true);
			// One that is no longer used is let go, and at once where its memory was given away.
			const others = bytes === undefined ? 1 : 65;
			if (others === 1) structuredClone(whole.buffer, { transfer: [whole.buffer] });
			for (let i = 1; i <= others; i++) {
				await here.run(kernel, { batch: 1, buffers: { x: new Float64Array(2) } });
				expect(here.pinnedBytes).toBe(i < others ? whole.byteLength : 0);
			}
		}
	});

	test("a driver that locks nothing", async () => {
		process.env.EMULATOR_LOCKS_NOTHING = "1";
		const here = await place({ exact: true });
		const work = workOf("duffing", 4000, 60);
		const buffers = work.buffers();
		for (let i = 0; i < 4; i++)
			await here.run(work.kernel, { batch: work.batch, buffers, scalars: { nSteps: work.nSteps } });
		delete process.env.EMULATOR_LOCKS_NOTHING;
		expect(here.pinnedBytes).toBe(0);
		expect(buffers.y).toEqual(work.expected.y);
	});

	test("a kernel that is none is not compiled", async () => {
		const here = await place();
		const b = new KernelBuilder();
		const x = b.buffer("x", "lane", "update");
		b.store(x, 0, b.add(b.load(x, 0), b.constant(0.5)));
		const spoilt: Kernel = JSON.parse(JSON.stringify(b.kernel("k")).replace('"0.5"', '"0.5; evil()"'));
		const failed = here.run(spoilt, { batch: 8, buffers: { x: new Float64Array(8) } });
		await expect(failed).rejects.toThrow(/that is none/);
	});

	test("more than the device has", async () => {
		const here = await place({ bytes: 2 ** 33 });
		const b = new KernelBuilder();
		const x = b.buffer("x", "lane", "write");
		b.store(x, 0, b.constant(1));
		const buffers = { x: new Float64Array(2 ** 28) };
		await expect(here.run(b.kernel("k"), { batch: 2 ** 28, buffers })).rejects.toThrow(/not enough memory/);
	});
});

describe("without CUDA", () => {
	test("no driver", async () => {
		const failed = cuda({ libraries: { driver: "/nowhere/libcuda.so" } });
		await expect(failed).rejects.toThrow(InputError);
		await expect(failed).rejects.toThrow(/needs a graphics processor by NVIDIA with its driver/);
	});
	test.runIf(hasCpp)("a driver without a device, and one without NVRTC", async () => {
		process.env.EMULATOR_HAS_NO_DEVICE = "1";
		await expect(place()).rejects.toThrow(/finds no graphics processor \(CUDA_ERROR_NO_DEVICE\)/);
		delete process.env.EMULATOR_HAS_NO_DEVICE;
		const failed = cuda({ libraries: { ...libraries, nvrtc: "/nowhere/libnvrtc.so" } });
		await expect(failed).rejects.toThrow(/needs NVRTC/);
	});
});

describe("the text", () => {
	test("of a small kernel", () => {
		const b = new KernelBuilder();
		const [p, h] = [b.buffer("p", "lane"), b.buffer("h", "uniform")];
		const y = b.buffer("y", "lane", "write");
		const n = b.scalar("n", "int");
		const x = b.variable("lane", b.load(p, 0));
		b.loop(b.int(0), n, (i) => b.set(x, b.sub(b.get(x), b.mul(b.load(h, i), b.get(x)))));
		b.store(y, 0, b.get(x));
		const text = cudaText(b.kernel("decay"));
		expect(text.slice(text.indexOf('extern "C" __global__'))).toMatchSnapshot();
	});

	test.runIf(hasNvcc)(
		"compiles for an H200, the filter's state in registers",
		() => {
			const kernels = {
				filter: duffingFilter(8, 10).kernel,
				...Object.fromEntries(names.map((name) => [name, workOf(name, 8).kernel])),
			};
			for (const [name, kernel] of Object.entries(kernels)) {
				const source = join(folder, `${name}.cu`);
				writeFileSync(source, cudaText(kernel));
				const args = ["-cubin", "-arch=sm_90", "-Xptxas", "-v", source, "-o", join(folder, "k.cubin")];
				for (const fmad of name === "filter" || allRepetitions ? ["true", "false"] : ["false"]) {
					const { status, stderr } = spawnSync("nvcc", [`--fmad=${fmad}`, ...args], { encoding: "utf8" });
					expect(stderr.match(/error.*/g)).toBeNull();
					expect(status).toBe(0);
					if (name === "filter") expect(stderr).toMatch(/ 0 bytes spill stores, 0 bytes spill loads/);
				}
			}
		},
		120_000,
	);
});
