/**
 * Generated kernels beside their rivals, as ratios of time measured in turns in one run: WebAssembly beside the same kernel as
 * C (compiled here, timing itself in a child process) and as JavaScript; how long a kernel takes to be made; and what
 * the first run over a long record costs, when the engine has not optimised it yet.
 */
import { runInline } from "../src/compute/inline.ts";
import { addressesOf, piecesOf } from "../src/compute/pieces.ts";
import { type Kernel, kernelText } from "../src/lower/ir.ts";
import { WasmKernel } from "../src/lower/wasm/instance.ts";
import { shapeFor } from "../src/lower/wasm/shape.ts";
import { type Buffers, batchFor, gridFor } from "../test/lower/support/batch.ts";
import { compileJs } from "../test/lower/support/js-kernel.ts";
import { duffing, kernelOf, morrisLecar, type TestModel } from "../test/lower/support/models.ts";
import { compileNative, hasCompiler, type NativeProgram } from "../test/lower/support/native.ts";
import { chainFilter, duffingFilter, type FilterLaunch } from "./duffing-filter.ts";

const rounds = 11;
/** A kernel is run as often as it takes to fill this, in seconds: the clock ticks, and a process begins with cold caches. */
const turn = 0.01;

interface Case {
	readonly kernel: Kernel;
	readonly batch: number;
	readonly buffers: Buffers;
	readonly scalars: readonly number[];
	/** Steps or samples of a lane. */
	readonly rounds: number;
}
/** Gives the seconds of one run. */
type Contender = () => number;

export async function bench(): Promise<void> {
	const cold = secondsOf(() => new WasmKernel(kernelOf(morrisLecar()), { width: 2, groups: 4 }));
	making(cold);
	firstRun();
	ratios("Duffing, 1,024 lanes x 3,000 steps", caseOf(duffing(), 1024, 3000), {
		"C, -msse2, width 2": { native: ["-msse2", "-DWIDTH=2"], goal: 0.9 },
		JavaScript: { js: true, goal: 1.8 },
		"C, -mavx2, width 4": { native: ["-mavx2", "-DWIDTH=4"] },
		"C, -march=native, width 8": { native: ["-march=native", "-mprefer-vector-width=512", "-DWIDTH=8"] },
	});
	ratios("Morris-Lecar, 256 lanes x 1,000 steps", caseOf(morrisLecar(), 256, 1000), {
		"C with libm, -msse2, width 2": { native: ["-msse2", "-DWIDTH=2"], libm: true, goal: 0.5 },
		"C, -msse2, width 2": { native: ["-msse2", "-DWIDTH=2"] },
		JavaScript: { js: true },
		"C, -mavx2, width 4": { native: ["-mavx2", "-DWIDTH=4"] },
		"C, -march=native, width 8": { native: ["-march=native", "-mprefer-vector-width=512", "-DWIDTH=8"] },
	});
	const sse2 = { "C, -msse2, width 2": { native: ["-msse2", "-DWIDTH=2"], goal: 0.9 } };
	for (const q of [2, 3, 5])
		ratios(`Duffing filter, q = ${q}, 512 lanes x 500 samples`, filterCase(duffingFilter(512, 500, q)), sse2);
	for (const [n, q] of [
		[8, 2],
		[8, 3],
		[32, 2],
		[32, 3],
	])
		ratios(
			`filter of a chain of ${n} states, q = ${q}, 128 lanes x 100 samples`,
			filterCase(chainFilter(n, 128, 100, q)),
			sse2,
		);
	const every = [...duffing().params, ...duffing().components];
	ratios("Duffing with 6 sensitivities, 256 lanes x 1,000 steps", caseOf(duffing(), 256, 1000, every), {
		"C, -msse2, width 2": { native: ["-msse2", "-DWIDTH=2"] },
		JavaScript: { js: true },
	});
}

function caseOf(model: TestModel, batch: number, nSteps: number, wrt: readonly string[] = []): Case {
	const kernel = kernelOf({ ...model, outputs: model.outputs.slice(0, 1) }, wrt);
	const grid = gridFor(model, nSteps + 1, 1);
	const one = { ...model, outputs: model.outputs.slice(0, 1) };
	return {
		kernel,
		batch,
		buffers: batchFor(one, grid, batch, wrt.length),
		scalars: [nSteps],
		rounds: nSteps,
	};
}

function filterCase({ kernel, batch, buffers, scalars }: FilterLaunch): Case {
	return { kernel, batch, buffers, scalars: Object.values(scalars), rounds: scalars.to };
}

interface Rival {
	readonly native?: readonly string[];
	readonly libm?: boolean;
	readonly js?: boolean;
	/** The least speed of WebAssembly relative to this rival; without it the ratio is but shown. */
	readonly goal?: number;
}

/**
 * WebAssembly and its rivals in turns: the ratio of the best turns, which is judged, and of the turns, their median and middle half. A core
 * whose other half belongs to somebody else is two to three times as slow while that one works, and not for both alike: the best turns
 * are those that nobody disturbed.
 */
function ratios(title: string, work: Case, rivals: Readonly<Record<string, Rival>>): void {
	const { kernel, batch, scalars, rounds: steps } = work;
	const { groups } = shapeFor(kernel, batch);
	const ours = asWasm(work, groups);
	const repeats = Math.ceil(turn / Math.min(...Array.from({ length: 4 }, () => ours(1))));
	const programs: NativeProgram[] = [];
	const contenders = new Map<string, Contender>();
	for (const [name, { native, libm, js }] of Object.entries(rivals)) {
		if (js) contenders.set(name, asJs(work, repeats));
		else if (hasCompiler) {
			const program = compileNative(kernel, batch, work.buffers, scalars, native!, {
				groups,
				functions: libm ? "libm" : "own",
			});
			programs.push(program);
			contenders.set(name, () => Math.min(...program.run(3, repeats).seconds));
		} else console.log(`no C compiler: ${name} is passed over`);
	}
	const times = new Map([...contenders.keys()].map((name): [string, number[]] => [name, []]));
	const own: number[] = [];
	for (let round = 0; round < rounds; round++) {
		own.push(Math.min(ours(repeats), ours(repeats), ours(repeats), ours(repeats)));
		for (const [name, contender] of contenders) times.get(name)!.push(contender());
	}
	for (const program of programs) program.remove();
	const rate = (seconds: number): string => `${((batch * steps) / seconds / 1e6).toFixed(1)} M lane-steps/s`;
	console.log(`\n${title} (${groups} groups): wasm ${rate(Math.min(...own))}`);
	for (const [name, { goal }] of Object.entries(rivals)) {
		const theirs = times.get(name);
		if (!theirs) continue;
		const ratio = theirs.map((seconds, i) => seconds / own[i]);
		const best = Math.min(...theirs) / Math.min(...own);
		const wanted = goal === undefined ? "" : `  goal >= ${goal}  ${mark(best >= goal)}`;
		console.log(
			`  speed relative to ${name.padEnd(30)}${best.toFixed(2)}, turns ${spread(ratio)}  (${rate(Math.min(...theirs))})${wanted}`,
		);
	}
}

/** In pieces of the steps as programs run it; with the stack frame at one place and at the other, in turns: programs take the better one, as `StackShift` does. */
function asWasm({ kernel, batch, buffers, scalars }: Case, groups: number): (repeats: number) => number {
	const wasm = new WasmKernel(kernel, { width: 2, groups });
	const views = wasm.reserve(kernel.buffers.map(({ name }) => buffers[name].length));
	const begin = (): void => {
		for (const [i, { name }] of kernel.buffers.entries()) views[i].set(buffers[name]);
	};
	const pieces = piecesOf(kernel, batch, scalars);
	const addresses = views.map(({ byteOffset }) => byteOffset);
	let shifted = false;
	return (repeats) => {
		shifted = !shifted;
		const extra = shifted ? [0] : [];
		const run = (): void => {
			for (const piece of pieces)
				wasm.runAt(batch, batch, addressesOf(piece, addresses), [...piece.scalars, ...extra]);
		};
		return processorSecondsOf(begin, run, repeats);
	};
}
function asJs({ kernel, batch, buffers, scalars }: Case, repeats: number): Contender {
	const run = compileJs(kernel);
	const ordered = kernel.buffers.map(({ name }) => buffers[name].slice());
	const begin = (): void => {
		for (const [i, { name }] of kernel.buffers.entries()) ordered[i].set(buffers[name]);
	};
	const once = (): void => run(0, batch, batch, ...ordered, ...scalars);
	once();
	return () => Math.min(processorSecondsOf(begin, once, repeats), processorSecondsOf(begin, once, repeats));
}

/** From a kernel to something that runs. */
function making(cold: number): void {
	const kernels = [
		kernelOf(duffing()),
		kernelOf(morrisLecar()),
		kernelOf(morrisLecar(), morrisLecar().params),
	];
	const names = ["Duffing", "Morris-Lecar", "Morris-Lecar with 9 sensitivities"];
	console.log(`kernel to instance, ms: cold (Morris-Lecar, first of the process) ${(1e3 * cold).toFixed(1)}`);
	for (const [i, kernel] of kernels.entries()) {
		const shape = shapeFor(kernel, 1024);
		const warm = Array.from({ length: rounds }, () => 1e3 * secondsOf(() => new WasmKernel(kernel, shape)));
		const size = `${(kernelText(kernel).length / 1024).toFixed(0)} kB of IR`;
		console.log(
			`  warm, ${names[i].padEnd(40)}${spread(warm)}  (${size})  goal <= 30  ${mark(median(warm) <= 30)}`,
		);
	}
}

/** A new kernel over a long record, one block of lanes: the first run and the best of the next ones. */
function firstRun(): void {
	const { kernel, batch, buffers, rounds: nSteps } = caseOf(duffing(), 8, 160_000);
	const run = (): number => secondsOf(() => runInline(kernel, { batch, buffers, scalars: { nSteps } }));
	const first = run();
	const best = Math.min(...Array.from({ length: rounds }, run));
	const ratio = first / best;
	console.log(
		`first run over 160,000 steps: ${ratio.toFixed(2)} times the best of the next (${(1e3 * best).toFixed(0)} ms)` +
			`  goal <= 5  ${mark(ratio <= 5)}`,
	);
}

function secondsOf(work: () => unknown): number {
	const start = performance.now();
	work();
	return (performance.now() - start) / 1e3;
}
/**
 * The mean of one run, each from the same beginning: a filter that goes on from its end runs into tiny numbers, which some
 * processors take a hundred times as long for. Timed as the rivals in C are: what other programs do meanwhile does not count.
 */
function processorSecondsOf(begin: () => void, work: () => unknown, repeats: number): number {
	let sum = 0;
	for (let k = 0; k < repeats; k++) {
		begin();
		const start = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(start);
		sum += user + system;
	}
	return sum / 1e6 / repeats;
}
function quantile(values: readonly number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.round(q * (sorted.length - 1))];
}
function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}
function spread(values: readonly number[]): string {
	const [lo, middle, hi] = [0.25, 0.5, 0.75].map((q) => quantile(values, q).toFixed(2));
	return `${middle} [${lo}, ${hi}]`;
}
function mark(passed: boolean): string {
	return passed ? "pass" : "FAIL";
}
