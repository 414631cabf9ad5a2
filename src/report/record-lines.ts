/** Records in a line each: how many samples, how long, what was measured, how noisy. */
import type { Experiment } from "../data/experiment.ts";
import { list } from "../estimate/judge/words.ts";
import { sampleLaw } from "../estimate/law/declared.ts";
import { typicalSpread } from "../estimate/observe/declared-spreads.ts";
import type { Problem } from "../methods/problem.ts";
import type { Model } from "../model/model.ts";
import { squared } from "../num/whole-power.ts";
import type { Study } from "../study/study.ts";
import { counted, formatNumber } from "./format.ts";

/** Declared noise of each output, in its units: a number, or of a spread that differs from sample to sample the root mean square. */
export function declaredNoise(model: Model, experiments: readonly Experiment[]): Record<string, number> {
	return Object.fromEntries(
		model.measures.flatMap((measure) => {
			const { isNormal, scale } = sampleLaw(measure);
			const isPlain = measure.kind === "distribution" && isNormal && !scale.isLog;
			const sd = isPlain ? typicalSpread(model, measure, experiments) : undefined;
			return sd === undefined ? [] : [[measure.name, sd]];
		}),
	);
}

/** Lines of records, and of tests, that are shown one by one. */
const mostLines = 6;

/** A line for each record of a study, or for several in a row that are alike; the tests behind. */
export function recordLines({ records }: Study, { model, train, test }: Problem): string[] {
	const inSeconds = records.every(({ rate }) => rate !== undefined);
	const linesOf = (part: readonly Experiment[], mark: string): string[] => {
		const alike: { readonly names: string[]; readonly says: string }[] = [];
		for (const each of part) {
			const says = recordLine(each, model, inSeconds);
			const last = alike.at(-1);
			if (last?.says === says) last.names.push(each.name);
			else alike.push({ names: [each.name], says });
		}
		const lines = alike.map(({ names, says }) =>
			names.length === 1
				? `${names[0]}${mark}: ${says}`
				: `${names[0]} … ${names.at(-1)}${mark}: ${names.length} records, each ${says}`,
		);
		if (lines.length <= mostLines) return lines;
		const rest = alike.slice(mostLines - 1).reduce((sum, { names }) => sum + names.length, 0);
		return [...lines.slice(0, mostLines - 1), `and ${rest} more records${mark}`];
	};
	return [...linesOf(train, ""), ...linesOf(test, " (test)")];
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
function noiseShare(experiment: Experiment, model: Model): string | undefined {
	const [entry, second] = [...experiment.outputs];
	const sd = entry && declaredNoise(model, [experiment])[entry[0]];
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
