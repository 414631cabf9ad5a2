/** A chain of six compartments with four unknown rates, of which only the two ends are measured: how far all rates are narrowed. */
import { stopwatch } from "../papers/stopwatch.ts";
import { inline } from "../src/compute/inline.ts";
import { outcomeOf } from "../src/methods/guaranteed/answer/answer.ts";
import { GuaranteedRun } from "../src/methods/guaranteed/guaranteed-run.ts";
import { guaranteedOptions } from "../src/methods/guaranteed/options.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { record, simulateTruth } from "../test/methods/guaranteed/records.ts";

const rates = [0.5, 0.4, 0.6, 0.45];
const nStates = 6;
const bar = 0.003;
const set = [0.2, 1] as const;

export async function chainOfEnds(): Promise<void> {
	const names = rates.map((_, i) => `k${i}`);
	const rate = (i: number): string => names[i] ?? "0.5";
	const equations = Array.from(
		{ length: nStates },
		(_, i) => `x${i}' = -${rate(i)}*x${i}${i === 0 ? "" : ` + ${rate(i - 1)}*x${i - 1}`}`,
	);
	const body = `state ${equations.map((_, i) => `x${i} = ${i === 0 ? 1 : 0}`).join(", ")}\n${equations.join("\n")}`;
	const times = Float64Array.from({ length: 21 }, (_, i) => i / 2);
	const { outputs } = simulateTruth({
		text: `param ${names.join(", ")}\n${body}\nmeasure u = x0\nmeasure w = x${nStates - 1}`,
		values: Object.fromEntries(names.map((name, i) => [name, rates[i]])),
		x0: equations.map((_, i) => (i === 0 ? 1 : 0)),
		times,
	});
	const noisy = new Map(
		[...outputs].map(([name, y]) => [name, y.map((value, i) => value + 0.9 * bar * (((7 * i) % 5) / 2 - 1))]),
	);
	const declared = names.map((name) => `${name} in [${set.join(", ")}]`).join(", ");
	const text = `param ${declared}\n${body}\nmeasure u in x0 +- ${bar}\nmeasure w in x${nStates - 1} +- ${bar}`;
	const model = parseModel(text, "bench.ode");
	const passed = stopwatch();
	const run = new GuaranteedRun(
		{ model, train: [record(times, noisy)], test: [], start: {}, seed: 1, compute: inline },
		defaultOptions(guaranteedOptions),
	);
	while (!(await run.advance()).done);
	const seconds = passed() / 1000;
	const box = run.enclosure!;
	const shares = rates.map((_, k) => (box[2 * k + 1] - box[2 * k]) / (set[1] - set[0]));
	const isLost = rates.some((value, k) => !(box[2 * k] <= value && value <= box[2 * k + 1]));
	const isReached = !isLost && seconds <= 20 && shares.every((share) => share <= 0.6);
	console.log(
		`  ${shares.map((share) => `${(100 * share).toFixed(1)} %`).join(", ")} of the sets in ${seconds.toFixed(1)} s, ${outcomeOf(run)}; goal 60 % in 20 s: ${isReached ? "reached" : "not reached"}`,
	);
}
