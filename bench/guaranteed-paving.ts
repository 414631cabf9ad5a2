/**
 * A paving of a million boxes, four unknown rates of a chain of six compartments whose two ends are measured 101 times: boxes one by one on one core, by the batch on one core, on all cores, as machine code and on a graphics processor, each with the
 * set that it comes to. Seconds by the clock, of the second run in one process: the first one compiles.
 */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import type { Compute, Launch } from "../src/compute/compute.ts";
import { inline } from "../src/compute/inline.ts";
import { Cuda, cuda } from "../src/compute/node/cuda/cuda.ts";
import { native } from "../src/compute/node/native.ts";
import { Threads } from "../src/compute/node/threads.ts";
import { InputError } from "../src/errors.ts";
import type { Kernel } from "../src/lower/ir.ts";
import { endless } from "../src/methods/guaranteed/flow/effort.ts";
import { GuaranteedRun } from "../src/methods/guaranteed/guaranteed-run.ts";
import { guaranteedOptions } from "../src/methods/guaranteed/options.ts";
import { BatchPaving } from "../src/methods/guaranteed/paving/batch-paving.ts";
import { Sivia } from "../src/methods/guaranteed/paving/sivia.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { chainOfRates } from "./guaranteed-chain.ts";

const boxes = 1_000_000;
/** Boxes that are tried one by one: a million would take minutes. */
const few = 20_000;

export async function bench(): Promise<void> {
	const problem = { ...chainOfRates([0.38, 0.62], 0.003, 101), compute: inline };
	const run = new GuaranteedRun(problem, {
		...defaultOptions(guaranteedOptions),
		boxes: 0,
		models: 1,
	});
	while (!(await run.advance()).done);
	const { parts } = run;
	const whole = run.enclosure!;
	const small = Float64Array.from(run.unknowns, (_, k) => 0.004 * (whole[2 * k + 1] - whole[2 * k]));
	console.log(
		`${parts.length} parts of ${parts[0].constraints.length} constraints with ${run.flows[0].table.length} coefficients each`,
	);
	const pave = async (place: Compute): Promise<Paved> => {
		const start = performance.now();
		const paving = new BatchPaving((e) => run.flows[e].table, small, boxes, endless());
		for (const { box, constraints } of parts) paving.add(box, constraints);
		while (!paving.done) await paving.advance(place);
		const seconds = (performance.now() - start) / 1e3;
		return { seconds, tried: paving.tried, ...paving.counts, set: digestOf(paving) };
	};
	if (parts.some(({ failure }) => failure)) throw new Error("a part could not be followed");
	const alone = new Sivia(run.reader, small, few, endless());
	for (const { box, constraints } of parts) alone.add(box, constraints);
	const start = performance.now();
	while (alone.tried < few && !alone.done) alone.advance(1000);
	const oneByOne = ((performance.now() - start) / 1e3 / alone.tried) * boxes;
	console.log(`  one by one, one core: ${oneByOne.toFixed(1)} s (from ${alone.tried} boxes)`);

	const here = await pave(inline);
	console.log(
		`  by the batch, one core: ${here.seconds.toFixed(2)} s, ${here.tried} boxes, ${here.inner} inside, ${here.outer} at the edge`,
	);
	let best = here.seconds;
	for (const [name, make] of places) {
		let place: Compute;
		try {
			place = await make();
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			console.log(`  ${name}: passed over, ${error.problem}`);
			continue;
		}
		await pave(place);
		const split = new Split(place);
		const { seconds, set } = await pave(split);
		const isSame = set === here.set;
		const ratio = best / seconds;
		if (name.endsWith("one core")) best = Math.min(best, seconds);
		const goal = name === "cuda" ? `; goal 50: ${isSame && ratio >= 50 ? "reached" : "not reached"}` : "";
		console.log(
			`  ${name}: ${seconds.toFixed(3)} s, ${ratio.toFixed(1)} times the best of one core by the batch, ${(oneByOne / seconds).toFixed(0)} times one by one, ${isSame ? "same set" : "ANOTHER SET"}${goal}`,
		);
		console.log(`    ${split.text(seconds)}`);
		await place.close?.();
	}
}

/** A place that says where the time went. */
class Split implements Compute {
	#launches = 0;
	#inLaunches = 0;
	#inKernels = 0;
	#size = "";

	constructor(readonly place: Compute) {}

	get name(): string {
		return this.place.name;
	}

	async run(kernel: Kernel, launch: Launch): Promise<void> {
		const { place } = this;
		const start = performance.now();
		if (place instanceof Cuda) place.kernelSeconds = 0;
		await place.run(kernel, launch);
		this.#launches++;
		this.#inLaunches += (performance.now() - start) / 1e3;
		if (!(place instanceof Cuda)) return;
		this.#inKernels += place.kernelSeconds;
		const { registers, localBytes } = place.functionOf(kernel);
		this.#size = `, with ${registers} registers and ${localBytes} bytes of local memory`;
	}

	text(seconds: number): string {
		const kernels =
			this.place instanceof Cuda ? `, ${this.#inKernels.toFixed(3)} s of them in kernels${this.#size}` : "";
		return `${this.#launches} launches took ${this.#inLaunches.toFixed(3)} s${kernels}; boxes were sorted and cut in ${(seconds - this.#inLaunches).toFixed(3)} s`;
	}
}

const places: readonly [string, () => Promise<Compute>][] = [
	["machine code, one core", () => native({ threads: 1 })],
	[`${availableParallelism()} threads`, async () => new Threads()],
	["machine code", () => native()],
	["cuda", () => cuda()],
];

interface Paved {
	readonly seconds: number;
	readonly tried: number;
	readonly inner: number;
	readonly outer: number;
	readonly set: string;
}

/** Of all boxes to the last bit. The boxes themselves are let go: a million objects that stay would slow down who comes next. */
function digestOf({ inner, outer }: BatchPaving): string {
	const hash = createHash("sha256");
	for (const box of [...inner, ...outer]) hash.update(box);
	return `${inner.length} ${hash.digest("hex")}`;
}
