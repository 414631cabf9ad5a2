/** A chain of six compartments with four unknown rates, of which only the two ends are measured: how far all rates are narrowed. */
import { availableParallelism } from "node:os";
import { stopwatch } from "../papers/stopwatch.ts";
import { inline } from "../src/compute/inline.ts";
import { Threads } from "../src/compute/node/threads.ts";
import { outcomeOf } from "../src/methods/guaranteed/answer/answer.ts";
import { GuaranteedRun } from "../src/methods/guaranteed/guaranteed-run.ts";
import { guaranteedOptions } from "../src/methods/guaranteed/options.ts";
import { defaultOptions } from "../src/methods/options.ts";
import type { Problem } from "../src/methods/problem.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { stream } from "../src/num/random.ts";
import { record, simulateTruth } from "../test/methods/guaranteed/records.ts";

const rates = [0.5, 0.4, 0.6, 0.45];
const nStates = 6;
const bar = 0.003;
const set = [0.2, 1] as const;

/** The chain with its rates in sets, both ends measured within bars. */
export function chainOfRates(
	set: readonly [number, number],
	bar: number,
	samples = 21,
	noise: (i: number) => number = (i) => ((7 * (i % samples)) % 5) / 2 - 1,
): Omit<Problem, "compute"> {
	const names = rates.map((_, i) => `k${i}`);
	const rate = (i: number): string => names[i] ?? "0.5";
	const equations = Array.from(
		{ length: nStates },
		(_, i) => `x${i}' = -${rate(i)}*x${i}${i === 0 ? "" : ` + ${rate(i - 1)}*x${i - 1}`}`,
	);
	const body = `state ${equations.map((_, i) => `x${i} = ${i === 0 ? 1 : 0}`).join(", ")}\n${equations.join("\n")}`;
	const times = Float64Array.from({ length: samples }, (_, i) => (10 * i) / (samples - 1));
	const { outputs } = simulateTruth({
		text: `param ${names.join(", ")}\n${body}\nmeasure u = x0\nmeasure w = x${nStates - 1}`,
		values: Object.fromEntries(names.map((name, i) => [name, rates[i]])),
		x0: equations.map((_, i) => (i === 0 ? 1 : 0)),
		times,
	});
	const noisy = new Map(
		[...outputs].map(([name, y], k) => [
			name,
			y.map((value, i) => value + 0.9 * bar * noise(samples * k + i)),
		]),
	);
	const declared = names.map((name) => `${name} in [${set.join(", ")}]`).join(", ");
	const text = `param ${declared}\n${body}\nmeasure u in x0 +- ${bar}\nmeasure w in x${nStates - 1} +- ${bar}`;
	const model = parseModel(text, "bench.ode");
	return { model, train: [record(times, noisy)], test: [], start: {}, seed: 1 };
}

export async function chainOfEnds(): Promise<void> {
	const problem = chainOfRates(set, bar);
	const box = await narrowed("", problem);
	for (const seed of [2, 3, 7]) {
		const random = stream(seed, "noise");
		const other = chainOfRates(set, bar, 21, (i) => 2 * random.uniform(i) - 1);
		await narrowed(`noise of seed ${seed}: `, other);
	}
	await severalThreads(problem, box);
}

/** What is left of the sets, beside the goal. */
async function narrowed(name: string, problem: Omit<Problem, "compute">): Promise<Float64Array> {
	const passed = stopwatch();
	const { run } = await timed({ ...problem, compute: inline });
	const seconds = passed() / 1000;
	const box = run.enclosure!;
	const shares = rates.map((_, k) => (box[2 * k + 1] - box[2 * k]) / (set[1] - set[0]));
	const isLost = rates.some((value, k) => !(box[2 * k] <= value && value <= box[2 * k + 1]));
	const isReached = !isLost && seconds <= 20 && shares.every((share) => share <= 0.6);
	console.log(
		`  ${name}${shares.map((share) => `${(100 * share).toFixed(1)} %`).join(", ")} of the sets in ${seconds.toFixed(1)} s, ${outcomeOf(run)}; goal 60 % in 20 s: ${isReached ? "reached" : "not reached"}`,
	);
	return box;
}

/** Runs by one thread and by several, in turn: machines are shared, and their speed changes from minute to minute. */
const pairs = 7;

/** The same by several threads, by the clock, all of them and one warm: how much faster, and whether it is the same to the last bit. */
async function severalThreads(problem: Omit<Problem, "compute">, box: Float64Array): Promise<void> {
	for (const threads of [2, 4, 8, 16].filter((n) => n <= availableParallelism())) {
		const place = new Threads({ threads });
		await timed({ ...problem, compute: place });
		const ratios: number[] = [];
		let isSame = true;
		for (let pair = 0; pair < pairs; pair++) {
			const alone = await timed({ ...problem, compute: inline });
			const together = await timed({ ...problem, compute: place });
			ratios.push(alone.seconds / together.seconds);
			isSame &&= together.run.enclosure!.every((end, i) => Object.is(end, box[i]));
		}
		await place.close();
		ratios.sort((a, b) => a - b);
		const median = ratios[(pairs - 1) / 2];
		const goal = threads === 2 ? `; goal 1.8: ${median >= 1.8 ? "reached" : "not reached"}` : "";
		console.log(
			`  ${threads} threads: ${median.toFixed(2)} times as fast as one (median of ${pairs} pairs, ${ratios[0].toFixed(2)} to ${ratios[pairs - 1].toFixed(2)}), ${isSame ? "same bits" : "OTHER BITS"}${goal}`,
		);
	}
}

/** By the clock. */
async function timed(problem: Problem): Promise<{ run: GuaranteedRun; seconds: number }> {
	const start = performance.now();
	const run = new GuaranteedRun(problem, defaultOptions(guaranteedOptions));
	while (!(await run.advance()).done);
	return { run, seconds: (performance.now() - start) / 1000 };
}
