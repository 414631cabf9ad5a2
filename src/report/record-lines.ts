/** Records in a line each: how many samples, how long, what was measured, how noisy. */
import type { Experiment } from "../data/experiment.ts";
import { list } from "../estimate/judge/words.ts";
import type { Problem } from "../methods/problem.ts";
import { constantValue } from "../model/constant.ts";
import type { Model } from "../model/model.ts";
import { squared } from "../num/whole-power.ts";
import type { Study } from "../study/study.ts";
import { counted, formatNumber } from "./format.ts";

/** Declared noise of each output, where it is a number in the units of the output. */
export function declaredNoise(model: Model): Record<string, number> {
	return Object.fromEntries(
		model.measures.flatMap(({ name, kind, family, spread }) => {
			const sd = spread ? constantValue(spread) : Number.NaN;
			return kind === "distribution" && family === "normal" && sd > 0 ? [[name, sd]] : [];
		}),
	);
}

/** A line for each record of a study, the tests behind. */
export function recordLines({ records }: Study, { model, train, test }: Problem): string[] {
	const inSeconds = records.every(({ rate }) => rate !== undefined);
	const lineOf = (each: Experiment): string => recordLine(each, model, inSeconds);
	return [
		...train.map((each) => `${each.name}: ${lineOf(each)}`),
		...test.map((each) => `${each.name} (test): ${lineOf(each)}`),
	];
}

/** `2,000 samples, 20 s, one input, one output; noise 2 %` */
export function recordLine(experiment: Experiment, model: Model, inSeconds: boolean): string {
	const { times, rows, inputs, outputs } = experiment;
	const [first, last] = [experiment.begins ?? times[0], times[times.length - 1]];
	const length = inSeconds
		? `${formatNumber(last - first)} s`
		: `t = ${formatNumber(first)} … ${formatNumber(last)}`;
	const parts = [counted(rows.to - rows.from, "sample"), length];
	if (experiment.origin !== undefined) parts.push(`in seconds since ${experiment.origin}`);
	// Doses are inputs that were made; the record has them as what they are.
	const dosed = model.doses ?? [];
	const made = new Set(dosed.flatMap(({ rate, given, seen }) => [rate, given, seen]));
	const nInputs = [...inputs.keys()].filter((name) => !made.has(name)).length;
	if (nInputs > 0) parts.push(few(nInputs, "input"));
	if (dosed.length > 0) parts.push(`doses into ${list(dosed.map(({ name }) => name))}`);
	parts.push(few(outputs.size, "output"));
	const noise = noiseShare(experiment, model);
	return parts.join(", ") + (noise === undefined ? "" : `; noise ${noise}`);
}

/** Declared noise over the size of the signal, when there is one output. */
function noiseShare({ outputs }: Experiment, model: Model): string | undefined {
	const [entry, second] = [...outputs];
	const sd = entry && declaredNoise(model)[entry[0]];
	if (!sd || second) return undefined;
	const { values } = entry[1];
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	const rms = Math.sqrt(values.reduce((sum, value) => sum + squared(value - mean), 0) / values.length);
	return rms > 0 ? `${formatNumber((100 * sd) / rms, 2)} %` : undefined;
}

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export function few(n: number, thing: string): string {
	return `${words[n] ?? n} ${thing}${n === 1 ? "" : "s"}`;
}
