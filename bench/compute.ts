/**
 * Places to compute beside one another, as ratios measured in turns in one run: two threads beside one, machine code
 * beside WebAssembly, and from what size on a launch is worth the messages. On a machine that others use too, wall-clock
 * ratios say little: the ratio of processor time shows what threads cost whoever else runs (2 would be no cost at all).
 */
import { cpus, loadavg } from "node:os";
import type { Compute } from "../src/compute/compute.ts";
import { inline } from "../src/compute/inline.ts";
import { native } from "../src/compute/node/native.ts";
import { Threads } from "../src/compute/node/threads.ts";
import { operationsOf } from "../src/compute/work.ts";
import { InputError } from "../src/errors.ts";
import type { Kernel } from "../src/lower/ir.ts";
import { type Buffers, batchFor, differences, gridFor } from "../test/lower/support/batch.ts";
import { duffing, kernelOf, morrisLecar, type TestModel } from "../test/lower/support/models.ts";
import { duffingFilter } from "./duffing-filter.ts";
import { benchQueue } from "./queue.ts";

const rounds = 15;

interface Case {
	readonly title: string;
	readonly kernel: Kernel;
	readonly batch: number;
	readonly buffers: Buffers;
	readonly scalars: Record<string, number>;
}
/** Seconds on the clock and of all processors together. */
interface Time {
	readonly wall: number;
	readonly processor: number;
}

export async function bench(): Promise<void> {
	const load = loadavg()[0];
	console.log(`${cpus().length} cores, load ${load.toFixed(1)}${load > 1 ? ": the machine is shared" : ""}`);
	const every = [...duffing().params, ...duffing().components];
	const cases = [
		{ title: "Duffing filter, 1,024 particles x 3,000 samples", ...duffingFilter(1024, 3000) },
		caseOf("Duffing, 1,024 lanes x 3,000 steps", duffing(), 1024, 3000),
		caseOf("the same, outputs every 8 steps", duffing(), 1024, 3000, [], 8),
		caseOf("Duffing with 6 sensitivities, 256 x 1,000", duffing(), 256, 1000, every),
		caseOf("Morris-Lecar, 256 x 1,000", morrisLecar(), 256, 1000),
	];
	await twoThreads(cases);
	await machineCode(cases);
	await launches();
	await benchQueue();
}

async function twoThreads(cases: readonly Case[]): Promise<void> {
	const two = new Threads({ threads: 2, smallest: 0 });
	const own = cases.map((work) => ({ ...work, buffers: { ...work.buffers, ...resultsOf(work, two) } }));
	console.log("\ntwo threads, speed relative to one (goal >= 1.8 on an idle machine):");
	for (const work of own) {
		const [one, both] = await inTurns(work, [inline, two]);
		const wall = both.map(({ wall }, i) => one[i].wall / wall);
		const processor = both.map(({ processor }, i) => (2 * one[i].processor) / processor);
		console.log(
			`  ${work.title.padEnd(50)} clock ${spread(wall)}  ${mark(wall, 1.8)}   by processor time ${spread(processor)}`,
		);
	}
	await two.close();
}

async function machineCode(cases: readonly Case[]): Promise<void> {
	try {
		const exact = await native({ threads: 1 });
		const fast = await native({ threads: 1, fast: true });
		const { version, width } = exact.compiler;
		console.log(
			`\nnative, one thread, speed relative to WebAssembly (${version}, ${width} lanes a register):`,
		);
		for (const [i, work] of cases.entries()) {
			const start = performance.now();
			await exact.run(work.kernel, work);
			const begin = (performance.now() - start) / 1e3;
			const same = await sameBits(exact, work);
			const [wasm, plain, contracted] = await inTurns(work, [inline, exact, fast]);
			const ratio = (times: readonly Time[]): number[] =>
				times.map(({ processor }, i) => wasm[i].processor / processor);
			// The filter is what the goals are set for; the others are but shown.
			const goal = (values: readonly number[], least: number): string =>
				i === 0 ? ` goal >= ${least} ${mark(values, least)}` : "";
			const [a, b] = [ratio(plain), ratio(contracted)];
			console.log(
				`  ${work.title.padEnd(50)} ${same ? "same bits" : "OTHER BITS"} ${spread(a)}${goal(a, 2)}` +
					`   fast ${spread(b)}${goal(b, 3)}   first run ${begin.toFixed(2)} s`,
			);
		}
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		console.log(`\nnative is passed over: ${error.problem}`);
	}
}

/** From what size on two threads are faster than one: where `smallest` of `Threads` comes from. */
async function launches(): Promise<void> {
	const two = new Threads({ threads: 2, smallest: 0 });
	console.log("\nsmall launches (Duffing, 64 lanes), two threads relative to one:");
	for (const nSteps of [30, 100, 300, 1000, 3000]) {
		const work = caseOf("", duffing(), 64, nSteps);
		const [one, both] = await inTurns(work, [inline, two]);
		const wall = both.map(({ wall }, i) => one[i].wall / wall);
		const { kernel, batch, scalars } = work;
		const operations = operationsOf(kernel, { batch, buffers: [], scalars: [scalars.nSteps] });
		const microseconds =
			1e6 *
			quantile(
				one.map((time) => time.wall),
				0.5,
			);
		console.log(
			`  ${operations.toExponential(1)} operations, ${microseconds.toFixed(0).padStart(6)} µs inline: ${spread(wall)}`,
		);
	}
	await two.close();
}

function caseOf(
	title: string,
	model: TestModel,
	batch: number,
	nSteps: number,
	wrt: readonly string[] = [],
	substeps = 1,
): Case {
	const one = { ...model, outputs: model.outputs.slice(0, 1) };
	const grid = gridFor(one, Math.ceil(nSteps / substeps) + 1, substeps);
	return {
		title,
		kernel: kernelOf(one, wrt),
		batch,
		buffers: batchFor(one, grid, batch, wrt.length),
		scalars: { nSteps: grid.nSteps },
	};
}

async function inTurns(work: Case, places: readonly Compute[]): Promise<Time[][]> {
	for (const place of places) for (let i = 0; i < 4; i++) await place.run(work.kernel, work);
	const times: Time[][] = places.map(() => []);
	for (let round = 0; round < rounds; round++)
		for (const [i, place] of places.entries()) {
			const [start, used] = [performance.now(), process.cpuUsage()];
			await place.run(work.kernel, work);
			const { user, system } = process.cpuUsage(used);
			times[i].push({ wall: (performance.now() - start) / 1e3, processor: (user + system) / 1e6 });
		}
	return times;
}

async function sameBits(place: Compute, work: Case): Promise<boolean> {
	const other = { ...work, buffers: copied(work.buffers) };
	const own = { ...work, buffers: copied(work.buffers) };
	await inline.run(work.kernel, other);
	await place.run(work.kernel, own);
	return differences(work.kernel, own.buffers, other.buffers).length === 0;
}

/** Results where the place wants them, as `integrateBatch` does it. */
function resultsOf({ kernel, buffers }: Case, place: Compute): Buffers {
	const written = kernel.buffers.flatMap(({ name, access }) => (access === "write" ? [name] : []));
	const arrays = place.allocate!(written.map((name) => buffers[name].length));
	return Object.fromEntries(written.map((name, i) => [name, arrays[i]]));
}
function copied(buffers: Buffers): Buffers {
	return Object.fromEntries(Object.entries(buffers).map(([name, values]) => [name, values.slice()]));
}
function quantile(values: readonly number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.round(q * (sorted.length - 1))];
}
function spread(values: readonly number[]): string {
	const [lo, middle, hi] = [0.25, 0.5, 0.75].map((q) => quantile(values, q).toFixed(2));
	return `${middle} [${lo}, ${hi}]`;
}
function mark(values: readonly number[], goal: number): string {
	return quantile(values, 0.5) >= goal ? "pass" : "FAIL";
}
