import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInline } from "../../src/compute/inline.ts";
import { errorOf, failureOf } from "../../src/compute/node/thread-failure.ts";
import { Threads } from "../../src/compute/node/threads.ts";
import { InputError, InternalError } from "../../src/errors.ts";
import { KernelBuilder } from "../../src/lower/builder.ts";
import type { Kernel } from "../../src/lower/ir.ts";
import { build, root } from "../cli/odentify.ts";
import { batchFor, differences, gridFor } from "../lower/support/batch.ts";
import { duffing, kernelOf } from "../lower/support/models.ts";
import { allocated, expectSameBits, names, smallNames, workOf } from "./places.ts";
import { updateKernel } from "./update-kernel.ts";

const open: Threads[] = [];
function threads(options: ConstructorParameters<typeof Threads>[0]): Threads {
	const made = new Threads({ smallest: 0, ...options });
	open.push(made);
	return made;
}
// Workers are started from the compiled project.
beforeAll(build, 300_000);
afterAll(() => Promise.all(open.map((each) => each.close())));

function copyKernel(): Kernel {
	const b = new KernelBuilder();
	const x = b.buffer("x", "lane");
	const y = b.buffer("y", "lane", "write");
	b.store(y, 0, b.load(x, 0));
	return b.kernel("copy");
}

describe("threads give the bits of inline", () => {
	for (const n of [1, 2, 4])
		for (const callerHelps of [true, false]) {
			const place = threads({ threads: n, callerHelps });
			test(`${n}${callerHelps ? "" : ", the caller waits"}`, async () => {
				for (const name of n === 2 && callerHelps ? names : smallNames)
					for (const batch of [1, 7, 33, 150]) await expectSameBits(place, workOf(name, batch));
			});
		}

	test("in parts, when the shared memory does not hold the launch", async () => {
		const place = threads({ threads: 2, sharedBytes: 1 << 16 });
		await expectSameBits(place, workOf("duffing", 301));
		await expectSameBits(threads({ threads: 3, sharedBytes: 1, callerHelps: false }), workOf("tank", 77));
	});

	test("for large results, and batches that fill no block", async () => {
		const place = threads({ threads: 3 });
		for (const batch of [512, 515]) await expectSameBits(place, workOf("duffing", batch, 500));
		// Kernels in turn, each with tables of its own at the beginning of the memory.
		for (const name of [...names, ...names]) await expectSameBits(place, workOf(name, 64));
	});

	test("in pieces of the steps, for batches that fill their blocks and such that do not", async () => {
		const model = duffing();
		const kernel = kernelOf(model);
		const grid = gridFor(model, 600, 1);
		const scalars = { nSteps: grid.nSteps };
		const place = threads({ threads: 3 });
		for (const batch of [160, 163]) {
			const [buffers, expected] = [0, 1].map(() => batchFor(model, grid, batch, 0));
			runInline(kernel, { batch, buffers: expected, scalars });
			await place.run(kernel, { batch, buffers, scalars });
			expect(differences(kernel, buffers, expected)).toEqual([]);
		}
	});

	test("for buffers that are read and written", async () => {
		const kernel = updateKernel();
		const given = (): Float64Array => Float64Array.from({ length: 203 }, (_, i) => Math.sin(i));
		const expected = given();
		runInline(kernel, { batch: 203, buffers: { x: expected }, scalars: { rounds: 5000 } });
		for (const callerHelps of [true, false]) {
			const x = given();
			const place = threads({ threads: 3, callerHelps });
			await place.run(kernel, { batch: 203, buffers: { x }, scalars: { rounds: 5000 } });
			expect(x).toEqual(expected);
		}
	});

	test("into memory of one place or of several, kept or used again", async () => {
		const place = threads({ threads: 2 });
		const work = workOf("duffing", 203, 200);
		const run = async (results: Record<string, Float64Array>) => {
			const buffers = { ...work.buffers(), ...results };
			await place.run(work.kernel, { batch: 203, buffers, scalars: { nSteps: work.nSteps } });
			return buffers;
		};
		const room = () => allocated(place, work.expected);
		const first = await run(room());
		const again = await run(room());
		const mixed = await run({ ...room(), dy: room().dy });
		// Results of a launch that another place has overwritten since.
		const used = room();
		for (const values of Object.values(used)) values.fill(Number.NaN);
		const last = await run(used);
		for (const each of [first, again, mixed, last])
			expect(differences(work.kernel, each, work.expected)).toEqual([]);
	});

	test("where lanes fill no block, and some buffers are updated beside results in place", async () => {
		const b = new KernelBuilder();
		const x = b.buffer("x", "lane", "update");
		const y = b.buffer("y", "lane", "write");
		const rows = b.scalar("rows", "int");
		b.loop(b.int(0), rows, (i) => {
			b.store(x, 0, b.add(b.mul(b.load(x, 0), b.constant(0.9)), b.constant(1)));
			b.store(y, i, b.load(x, 0));
		});
		const kernel = b.kernel("both");
		const place = threads({ threads: 2 });
		for (const batch of [200, 203]) {
			const given = (): Float64Array => Float64Array.from({ length: batch }, (_, i) => i);
			const launch = (y: Float64Array) => ({ batch, buffers: { x: given(), y }, scalars: { rows: 100 } });
			const expected = launch(new Float64Array(100 * batch));
			runInline(kernel, expected);
			const own = launch(place.allocate([100 * batch])[0]);
			expect(own.buffers.y.buffer).toBeInstanceOf(SharedArrayBuffer);
			await place.run(kernel, own);
			expect(own.buffers).toEqual(expected.buffers);
		}
	});

	test("when several launches are asked for at once", async () => {
		const place = threads({ threads: 2 });
		await Promise.all([40, 90, 17].map((batch) => expectSameBits(place, workOf("boucWen", batch))));
	});
});

test("two threads do not cost much more processor time than one, also where the results are large", async () => {
	const place = threads({ threads: 2 });
	const { kernel, batch, nSteps, buffers } = workOf("duffing", 256, 1000);
	const given = buffers();
	const launch = { batch, buffers: { ...given, ...allocated(place, given) }, scalars: { nSteps } };
	const used = async (run: () => unknown): Promise<number> => {
		const before = process.cpuUsage();
		await run();
		const { user, system } = process.cpuUsage(before);
		return user + system;
	};
	let [one, two] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	for (let i = 0; i < 25; i++) {
		one = Math.min(one, await used(() => runInline(kernel, launch)));
		two = Math.min(two, await used(() => place.run(kernel, launch)));
	}
	expect(two / one).toBeLessThan(1.4);
});

describe("a worker that dies", () => {
	test("is replaced, and its slice is repeated: same bits", async () => {
		const kernel = updateKernel();
		// Slices of some 50 ms: the workers are surely at work when they are ended.
		const launch = (x: Float64Array) => ({ batch: 96, buffers: { x }, scalars: { rounds: 4_000_000 } });
		const given = (): Float64Array => Float64Array.from({ length: 96 }, (_, i) => i);
		const expected = given();
		runInline(kernel, launch(expected));
		for (const callerHelps of [false, true]) {
			const place = threads({ threads: 3, callerHelps });
			await expectSameBits(place, workOf("duffing", 64));
			const before = place.workers;
			const x = given();
			let isOver = false;
			const ended = place.run(kernel, launch(x)).then(() => {
				isOver = true;
			});
			await new Promise((next) => setTimeout(next, 30));
			// A caller that helps comes here when it has done its part: the others may be at their end, too.
			if (!callerHelps) expect(isOver).toBe(false);
			for (const thread of before.slice(0, 2)) place.endWorker(thread);
			await ended;
			expect(x).toEqual(expected);
			await expectSameBits(place, workOf("duffing", 64));
			if (!callerHelps) expect(place.workers).not.toEqual(before);
		}
	});

	test("one after the other: the launch fails, the next one works", async () => {
		const place = threads({ threads: 2, callerHelps: false });
		const x = new Float64Array(64);
		let ended = false;
		const failed = place
			.run(updateKernel(), { batch: 64, buffers: { x }, scalars: { rounds: 200_000_000 } })
			.finally(() => {
				ended = true;
			});
		const killer = (async () => {
			while (!ended) {
				for (const thread of place.workers) place.endWorker(thread);
				await new Promise((next) => setTimeout(next, 5));
			}
		})();
		await expect(failed).rejects.toThrow(/threads end/);
		await killer;
		await expectSameBits(place, workOf("duffing", 64));
	});
});

describe("errors of a worker", () => {
	const place = threads({ threads: 2, callerHelps: false });
	const kernel = copyKernel();

	test("are errors here", async () => {
		// It reads far beyond its buffers.
		const b = new KernelBuilder();
		const x = b.buffer("x", "lane", "update");
		const far = b.scalar("far", "int");
		b.store(x, 0, b.load(x, far));
		const own = Float64Array.from({ length: 64 }, (_, i) => i);
		const launch = { batch: 64, buffers: { x: own }, scalars: { far: 2 ** 21 } };
		const failed = place.run(b.kernel("far"), launch);
		await expect(failed).rejects.toThrow(InternalError);
		await expect(failed).rejects.toThrow(/in a worker thread: memory access out of bounds/);
		// What the user gave is as it was.
		expect(own).toEqual(Float64Array.from({ length: 64 }, (_, i) => i));
		const call = { do: "let", id: 9, type: "lane", op: "call", args: [0], name: "none" } as const;
		const unknown: Kernel = { ...kernel, body: [...kernel.body, call] };
		const buffers = { x: new Float64Array(64), y: new Float64Array(64) };
		await expect(place.run(unknown, { batch: 64, buffers })).rejects.toThrow(InternalError);
	});

	test("keep what the user is told", () => {
		const told = new InputError("batch", "is too large", "Use a smaller one.");
		expect(errorOf(structuredClone(failureOf(told)))).toStrictEqual(told);
		expect(errorOf(failureOf(new InputError("batch", "is too large")))).toBeInstanceOf(InputError);
		expect(errorOf(failureOf("text"))).toBeInstanceOf(InternalError);
	});

	test("end one launch only", async () => {
		const buffers = { x: Float64Array.from({ length: 64 }, (_, i) => i), y: new Float64Array(64) };
		await place.run(kernel, { batch: 64, buffers });
		expect(buffers.y).toEqual(buffers.x);
	});
});

describe("the process", () => {
	test("waits for a launch, and ends although workers are there", () => {
		const script = `
			import { Threads } from ${JSON.stringify(new URL("../../dist/compute/node/threads.js", import.meta.url).href)};
			import { KernelBuilder } from ${JSON.stringify(new URL("../../dist/lower/builder.js", import.meta.url).href)};
			const b = new KernelBuilder();
			const x = b.buffer("x", "lane", "update");
			b.store(x, 0, b.add(b.load(x, 0), b.constant(1)));
			const place = new Threads({ threads: 3, callerHelps: false, smallest: 0 });
			const values = new Float64Array(100);
			await place.run(b.kernel("one"), { batch: 100, buffers: { x: values } });
			console.log(values.every((v) => v === 1), place.workers.length);`;
		const { stdout, status, stderr } = spawnSync(
			process.execPath,
			["--input-type=module", "--eval", script],
			{ cwd: join(root), encoding: "utf8", timeout: 30_000 },
		);
		expect(stderr).toBe("");
		expect(stdout.trim()).toBe("true 3");
		expect(status).toBe(0);
	});
});
