/**
 * A graphics processor: what it computes beside WebAssembly (bit for bit with `exact`, within 1e-9 without), and how fast.
 * "kernel" is the time on the device, "call" that of the whole call with transfers to it and back, from and to buffers that come
 * again and are locked in memory by then. Best of some runs each: the device is nobody else's.
 */
import { inline, runInline } from "../src/compute/inline.ts";
import { type Cuda, cuda } from "../src/compute/node/cuda/cuda.ts";
import { cudaText } from "../src/compute/node/cuda/cuda-text.ts";
import type { Device } from "../src/compute/node/cuda/device.ts";
import { InputError } from "../src/errors.ts";
import type { Kernel } from "../src/lower/ir.ts";
import { answerOn, studies } from "../test/compute/small-studies.ts";
import { type Buffers, batchFor, gridFor } from "../test/lower/support/batch.ts";
import { kernelOf, models } from "../test/lower/support/models.ts";
import { duffingFilter } from "./duffing-filter.ts";
import { benchPeriodic, periodicCase } from "./scan-on-device.ts";

export interface Case {
	readonly title: string;
	readonly kernel: Kernel;
	readonly batch: number;
	readonly buffers: Buffers;
	readonly scalars: Record<string, number>;
	/** Results that are compared relative to their size. */
	readonly compared: readonly string[];
}

export async function bench(): Promise<void> {
	let exact: Cuda;
	try {
		exact = await cuda({ exact: true, smallest: 0 });
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		console.log(`passed over: ${error.problem}`);
		return;
	}
	const fast = await cuda({ smallest: 0 });
	const { name, processors, architecture, nvrtc } = fast.device;
	console.log(`${name}, ${processors} multiprocessors, ${architecture}, NVRTC ${nvrtc.version}`);
	await parity(exact, fast);
	await everyMethod(exact);
	await filterSpeed(exact, fast);
	await rungeKuttaSpeed(exact, fast);
	await benchPeriodic(fast);
	await exact.close();
	await fast.close();
}

async function parity(exact: Cuda, fast: Cuda): Promise<void> {
	console.log("\nbeside WebAssembly:");
	const cases: Case[] = [
		{ title: "Duffing filter, q = 2", compared: ["logLik"], ...duffingFilter(4096, 500, 2) },
		{ title: "Duffing filter, q = 3", compared: ["logLik"], ...duffingFilter(4096, 500, 3) },
		...Object.entries(models).map(([name, make]) => {
			const model = make();
			const grid = gridFor(model, 200, 4);
			const scalars = { nSteps: grid.nSteps };
			const wrt = model.params.slice(0, 2);
			return {
				title: `Runge-Kutta, ${name}`,
				compared: ["y"],
				kernel: kernelOf(model, wrt),
				batch: 2048,
				buffers: batchFor(model, grid, 2048, 2),
				scalars,
			};
		}),
		periodicCase(256),
	];
	for (const work of cases) {
		const expected = copied(work.buffers);
		runInline(work.kernel, { ...work, buffers: expected });
		const [same, near] = [copied(work.buffers), copied(work.buffers)];
		await exact.run(work.kernel, { ...work, buffers: same });
		await fast.run(work.kernel, { ...work, buffers: near });
		const wrong = differing(work.kernel, same, expected);
		const off = Math.max(...work.compared.map((name) => relativeDifference(near[name], expected[name])));
		console.log(
			`  ${work.title.padEnd(28)} exact: ${wrong === 0 ? "same bits" : `${wrong} NUMBERS DIFFER`}` +
				`   else off by ${off.toExponential(1)} of the largest  goal <= 1e-9  ${mark(off <= 1e-9)}`,
		);
	}
}

/** Small studies from beginning to end, every launch on the device. */
async function everyMethod(exact: Cuda): Promise<void> {
	const found: string[] = [];
	for (const method of Object.keys(studies)) {
		const [here, there] = [await answerOn(inline, method), await answerOn(exact, method)];
		found.push(
			`${method} ${here.text === there.text ? "same bits" : "OTHER BITS"} (${there.launches} launches)`,
		);
	}
	console.log(`  whole studies, exact: ${found.join(", ")}`);
}

async function filterSpeed(exact: Cuda, fast: Cuda): Promise<void> {
	const [batch, nSamples] = [1_000_000, 1000];
	console.log(
		`\nDuffing filter, ${batch} particles x ${nSamples} samples, state in registers over the record:`,
	);
	for (const [q, place] of [
		[2, fast],
		[2, exact],
		[3, fast],
	] as const) {
		const work = duffingFilter(batch, nSamples, q);
		const { kernel, call, first } = await times(place, work, 8);
		const rate = (seconds: number): string => ((batch * nSamples) / seconds).toExponential(2);
		const { registers, localBytes } = place.functionOf(work.kernel);
		const goal =
			q === 2 && place === fast ? `  goal >= 1.2e11  ${mark((batch * nSamples) / kernel >= 1.2e11)}` : "";
		console.log(
			`  q = ${q}${place === exact ? ", exact" : ""}: ${rate(kernel)} particle-steps/s (kernel ${ms(kernel)})${goal}` +
				`; whole call ${rate(call)} (${ms(call)}, ${ms(first)} before its memory is locked); ${registers} registers, ${localBytes} bytes of local memory`,
		);
	}
	blockSizes(fast.device, batch, nSamples);
}

/** The same kernel with other numbers of threads a block: is ours a good one? */
function blockSizes(device: Device, batch: number, nSamples: number): void {
	const { kernel, buffers, scalars } = duffingFilter(batch, nSamples, 2);
	const pointers = kernel.buffers.map(({ name }) => {
		const pointer = device.allocate(buffers[name].byteLength);
		device.toDevice(pointer, buffers[name]);
		return pointer;
	});
	const args = [
		{ int64: batch },
		{ int64: batch },
		...pointers.map((pointer) => ({ pointer })),
		...kernel.scalars.map(({ name }) => ({ int32: scalars[name] })),
	];
	const found: string[] = [];
	for (const threads of [32, 64, 128, 256, 512]) {
		const text = cudaText(kernel).replace(/__launch_bounds__\(\d+\)/, `__launch_bounds__(${threads})`);
		const { run } = device.load(text, { exact: false }, ["run"]);
		let best = Number.POSITIVE_INFINITY;
		for (let i = 0; i < 5; i++) {
			device.startClock();
			device.launch(run, { grid: [Math.ceil(batch / threads), 1], block: [threads, 1] }, args);
			device.stopClock();
			device.wait();
			best = Math.min(best, device.clockSeconds);
		}
		found.push(`${threads}: ${((batch * nSamples) / best).toExponential(2)} (${run.registers} registers)`);
	}
	for (const pointer of pointers) device.free(pointer);
	console.log(`  by threads a block: ${found.join(", ")}`);
}

async function rungeKuttaSpeed(exact: Cuda, fast: Cuda): Promise<void> {
	const batch = 1_000_000;
	console.log(`\nRunge-Kutta of order 4, ${batch} lanes, an output every 40 steps:`);
	for (const name of ["duffing", "morrisLecar"] as const) {
		const whole = models[name]();
		const model = { ...whole, outputs: whole.outputs.slice(0, 1) };
		const grid = gridFor(model, 26, 40);
		const kernel = kernelOf(model);
		for (const place of [fast, exact]) {
			// Its own: what one place has locked, the other cannot.
			const buffers = batchFor(model, grid, batch, 0);
			const work = { kernel, batch, buffers, scalars: { nSteps: grid.nSteps } };
			const { kernel: seconds, call, first } = await times(place, work, 6);
			const rate = (time: number): string => ((batch * grid.nSteps) / time).toExponential(2);
			console.log(
				`  ${name}${place === exact ? ", exact" : ""}: ${rate(seconds)} steps/s (kernel ${ms(seconds)}); whole call ${rate(call)} (${ms(call)}, ${ms(first)} before its memory is locked)`,
			);
		}
	}
}

/** Best seconds on the device and of the whole call, and those of the second call: the first one compiles. */
async function times(
	place: Cuda,
	work: { kernel: Kernel; batch: number; buffers: Buffers; scalars: Record<string, number> },
	rounds: number,
): Promise<{ kernel: number; call: number; first: number }> {
	let [kernel, call, first] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN];
	for (let i = 0; i < rounds; i++) {
		const start = performance.now();
		await place.run(work.kernel, work);
		const seconds = (performance.now() - start) / 1e3;
		if (i === 1) first = seconds;
		call = Math.min(call, seconds);
		kernel = Math.min(kernel, place.kernelSeconds);
	}
	return { kernel, call, first };
}

function differing(kernel: Kernel, a: Buffers, b: Buffers): number {
	let count = 0;
	for (const { name } of kernel.buffers)
		for (const [i, value] of a[name].entries()) if (!Object.is(value, b[name][i])) count++;
	return count;
}
function relativeDifference(a: Float64Array, b: Float64Array): number {
	let [off, largest] = [0, 0];
	for (const [i, value] of a.entries()) {
		off = Math.max(off, Math.abs(value - b[i]));
		largest = Math.max(largest, Math.abs(b[i]));
	}
	return off / largest;
}
function copied(buffers: Buffers): Buffers {
	return Object.fromEntries(Object.entries(buffers).map(([name, values]) => [name, values.slice()]));
}
function ms(seconds: number): string {
	return `${(1e3 * seconds).toPrecision(4)} ms`;
}
function mark(reached: boolean): string {
	return reached ? "reached" : "MISSED";
}
