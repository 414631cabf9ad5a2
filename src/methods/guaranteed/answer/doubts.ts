/** What to doubt, and why. */
import { counted } from "../../../estimate/judge/words.ts";
import type { Doubt, Remark } from "../../../estimate/result.ts";
import type { GuaranteedRun } from "../guaranteed-run.ts";
import { firstFailure } from "../part.ts";
import { opposingStates } from "../paving/opposing-states.ts";
import type { Contradicted, TestPredictions } from "./prediction.ts";
import type { GuaranteedOutcome } from "./sentence.ts";
import { timeText } from "./time-text.ts";

export function remarksOf(
	run: GuaranteedRun,
	outcome: GuaranteedOutcome,
	{ failed, contradicted }: Pick<TestPredictions, "failed" | "contradicted">,
): Remark[] {
	const doubts: Remark[] = [];
	if (outcome === "refuted")
		doubts.push({
			code: "refuted",
			title: "Something that was declared is false",
			text: "No value fits: an equation, the set of an unknown, or the largest error of a measurement is wrong, or a sample is an outlier. Widen what you trust least, beginning with the errors.",
			grave: false,
		});
	const stop = firstFailure(run.parts);
	if (stop)
		doubts.push({
			code: "enclosure-stops",
			title: "The enclosure stops early",
			text: `At t = ${timeText(stop.t)}: ${stop.why}. ${stop.advice}${stop.isFinal ? "" : ` Or give ${more(run)}.`}`,
			grave: true,
		});
	if (run.paving?.exhausted && run.options.boxes > 0)
		doubts.push({
			code: "coarse-paving",
			title: "The paving is coarse",
			text: `${run.options.boxes === 1 ? "The only box was" : `All ${run.options.boxes} boxes were`} used. The enclosure holds, but more boxes (guaranteed: { boxes: ${10 * run.options.boxes} }) would narrow it.`,
		});
	if (run.isFree && run.system.model.measures.length > 0)
		doubts.push({
			code: "no-data",
			title: "Nothing was measured",
			text: `The record holds no sample of ${run.system.model.measures.map(({ name }) => name).join(", ")}: what is shown is where the declared sets lead. If there are samples, map their columns under  columns:`,
			grave: false,
		});
	doubts.push(...jumpDoubts(run));
	const opposed = run.options.prediction === "mueller" ? opposingStates(run.system) : undefined;
	if (opposed)
		doubts.push({
			code: "wide-brackets",
			title: "Brackets are wide here",
			text: `${opposed[0]} and ${opposed[1]} act on one another with opposite signs, as in an oscillator. Brackets forget how they go together and grow; the bounds hold, but Taylor models (prediction: taylor) are likely to give closer ones.`,
		});
	for (const name of failed)
		doubts.push({
			code: "forecast-stops",
			title: `The forecast of ${name} stops early`,
			text: "Its enclosure could not be carried on with the sets that are left.",
			grave: false,
		});
	if (contradicted.length > 0) doubts.push(testDoubt(run, contradicted));
	return doubts;
}

/** Samples of a test that no value that is left can have made. */
function testDoubt({ outliers }: GuaranteedRun, found: readonly Contradicted[]): Doubt {
	const [worst] = [...found].sort((a, b) => b.far - a.far);
	const several = found.length > 1;
	const furthest = `${worst.output} of ${worst.experiment} at t = ${timeText(worst.t)}, ${Number(worst.far.toPrecision(2))} beyond what its largest error allows`;
	return {
		code: "contradicted-by-test",
		title: `${counted(found.length, "test sample")} ${several ? "contradict" : "contradicts"} what is proved`,
		text: `No value that is consistent with the training can have made ${several ? `them; the furthest is` : "it:"} ${furthest}. An equation, a set or a largest error is false of the test, ${outliers > 0 ? `or samples are outliers there as well` : "or a sample is an outlier"}, or the test does not start at the initial values of the model, which hold at the first row of every record.`,
		grave: outliers === 0,
		outputs: [...new Set(found.map(({ output }) => output))],
	};
}

/** Samples that say little, because their output may be on either side of a jump. */
function jumpDoubts({ parts, problem }: GuaranteedRun): Doubt[] {
	const all = parts.flatMap(({ constraints }) => constraints);
	return problem.train.flatMap((record, e) =>
		(["clock", "states"] as const).flatMap((kind): Doubt[] => {
			const own = all.filter(({ jump, experiment }) => jump === kind && experiment === e);
			if (own.length === 0) return [];
			const outputs = [...new Set(own.map(({ output }) => output))].join(", ");
			const times = [...new Set(own.map(({ t }) => t))].sort((a, b) => a - b);
			const shown = times.slice(0, 3).map(timeText).join(", ");
			const where = `${outputs} of ${record.name} at t = ${shown}${times.length > 3 ? `, … (${times.length} times)` : ""}`;
			return [
				kind === "clock"
					? {
							code: "sample-at-jump",
							title: "A sample at the time of a jump",
							text: `${where}: the output jumps at the sample's own time. A time is known to its last digit only, so both sides are possible, and the sample was held against both: it says little, and proves no value consistent. Move the jump, or leave the sample out, if you know its side.`,
							grave: false,
						}
					: {
							code: "sample-at-jump",
							title: "Samples on either side of a jump",
							text: `${where}: states or unknowns decide on which side of its jump or of an event the output is, and both are possible there. The samples were held against both. A smooth step, such as  tanh, in place of a jump tells more.`,
							grave: false,
						},
			];
		}),
	);
}

/** What more effort may help. */
function more({ options }: GuaranteedRun): string {
	return options.prediction === "mueller"
		? `more boxes (guaranteed: { boxes: ${10 * Math.max(options.boxes, 100)} }), or use Taylor models (prediction: taylor)`
		: `more models (guaranteed: { models: ${4 * options.models} }), or a higher order`;
}
