/** The answer: what is enclosed, whether it is proved, and what stood in the way if not. */

import { counted, sorted } from "../../../estimate/judge/words.ts";
import type { Doubt, ParameterRow, Remark, Result } from "../../../estimate/result.ts";
import type { Interval } from "../../../interval/interval.ts";
import type { GuaranteedRun } from "../guaranteed-run.ts";
import type { Failure } from "../pass.ts";
import { opposingStates } from "../paving/opposing-states.ts";
import { hullOf } from "../paving/sivia.ts";
import { prove } from "../proof/prove.ts";
import type { GuaranteedSummary, StateRow } from "../summary.ts";
import { edgeBoxes } from "./box-figures.ts";
import { figuresOf } from "./figures.ts";
import { partsOf } from "./followed.ts";
import { outliersOf } from "./outliers.ts";
import { testPredictions, trainPredictions } from "./prediction.ts";
import { timeText } from "./time-text.ts";

export type GuaranteedOutcome = "proved" | "refuted" | "undecided";

export function outcomeOf(run: GuaranteedRun): GuaranteedOutcome {
	if (!run.done) return "undecided";
	if (!run.enclosure) return "refuted";
	return run.parts.some(({ failure }) => failure) ? "undecided" : "proved";
}

export async function answer(run: GuaranteedRun): Promise<Result<GuaranteedSummary>> {
	const outcome = outcomeOf(run);
	const enclosure = run.enclosure;
	const test = testPredictions(run);
	const failed = stopOf(run);
	const { inner } = run.innerBoxes;
	return {
		method: "guaranteed",
		outcome,
		message: sentence(run, outcome),
		answered: outcome === "proved",
		parameters: enclosure ? rows(run, enclosure) : [],
		intervalName: outcome === "undecided" ? "bounds by a part of the data" : "proved enclosure",
		predictions: enclosure ? [...trainPredictions(run), ...test.predictions] : [],
		summary: {
			parameters: Object.fromEntries(
				enclosure
					? run.unknowns.map(({ name }, k) => [
							name,
							{ lo: enclosure[2 * k], hi: enclosure[2 * k + 1], level: 1 },
						])
					: [],
			),
			states: enclosure ? stateRows(run) : [],
			boxes: inner.length + edgeBoxes(run).length,
			innerBoxes: inner.length,
			inner: innerHull(run),
			models: run.parts.length,
			passes: run.passes,
			steps: run.flows.reduce((sum, { flow }) => sum + flow.steps, 0),
			...(run.emptied
				? {
						empty: {
							t: run.emptied.t,
							output: run.emptied.output,
							record: run.problem.train[run.emptied.experiment].name,
						},
					}
				: {}),
			...(run.outliers > 0 || run.options.outliers === "auto" ? { outliers: outlierSummary(run) } : {}),
			...(failed ? { stopped: { t: failed.t, why: failed.why } } : {}),
		},
		...sorted(remarksOf(run, outcome, test.failed)),
		assumptions: [
			trusted(run),
			...(run.system.assumptions.length > 0
				? [
						`At all times: ${run.system.assumptions.map(({ text }) => text.replace(/^assume /, "")).join(", ")}.`,
					]
				: []),
			"Numbers of the model are exact decimals; numbers of the record are right to one unit in the last place of a double.",
			...(run.system.drifting.length > 0
				? ["A drifting parameter is in its set at the start and moves at any rate of its range from then on."]
				: []),
			...(run.system.bounded.length > 0
				? [`Within their bounds at all times, whatever they do there: ${run.system.bounded.join(", ")}.`]
				: []),
		],
		figures: enclosure ? figuresOf(run) : [],
		files: [
			...proofFiles(run),
			...(enclosure && !run.isUnbound ? [{ name: "boxes.csv", content: boxesCsv(run) }] : []),
		],
		references: ["kletting2011", "makino2003", "jaulin1993", "lohner1987"],
	};
}

function rows(run: GuaranteedRun, enclosure: Float64Array): ParameterRow[] {
	return run.unknowns.map(({ name, prior }, k) => {
		const { lo, hi } = shownBounds(run, enclosure, k);
		const before = prior.hi - prior.lo;
		const share = before > 0 ? (enclosure[2 * k + 1] - enclosure[2 * k]) / before : 1;
		return {
			name,
			estimate: lo / 2 + hi / 2,
			proved: true,
			lo,
			hi,
			verdict:
				before === 0
					? "known"
					: share > 0.99
						? "not narrowed"
						: `${(100 * share).toPrecision(2)} % of its set`,
		};
	});
}

/** The states at each instant with data, hulled over the parts. */
function stateRows(run: GuaranteedRun): StateRow[] {
	const key = ({ experiment, t }: { experiment: number; t: number }): string => `${experiment},${t}`;
	const groups = new Map<string, { t: number; experiment: number; boxes: Float64Array[] }>();
	const parts = partsOf(run);
	for (const { instants } of parts)
		for (const instant of instants) {
			const group = groups.get(key(instant)) ?? { t: instant.t, experiment: instant.experiment, boxes: [] };
			group.boxes.push(Float64Array.from(instant.states));
			groups.set(key(instant), group);
		}
	return [...groups.values()]
		.filter(({ boxes }) => boxes.length === parts.length)
		.sort((a, b) => a.experiment - b.experiment || a.t - b.t)
		.map(({ t, experiment, boxes }) => {
			const hull = hullOf(boxes)!;
			return {
				t,
				...(run.problem.train.length > 1 ? { record: run.problem.train[experiment].name } : {}),
				...Object.fromEntries(run.system.states.map((name, i) => [name, [hull[2 * i], hull[2 * i + 1]]])),
			};
		});
}

/** What is taken to hold without exception. */
function trusted(run: GuaranteedRun): string {
	if (run.isFree) return "The equations and the sets of the unknowns hold without exception.";
	if (run.outliers > 0)
		return `The equations and the sets of the unknowns hold without exception, and the largest errors of all samples but ${run.outliers === 1 ? "one" : run.outliers}.`;
	return "The equations, the sets of the unknowns and the largest errors of the measurements hold without exception.";
}

function outlierSummary(run: GuaranteedRun): NonNullable<GuaranteedSummary["outliers"]> {
	return {
		allowed: run.outliers,
		// Fewer were tried before, and refuted.
		atLeast: run.options.outliers === "auto" ? run.outliers : 0,
		samples: outliersOf(run),
	};
}

/** What is said of samples that are beyond their largest errors. */
function outlierText(run: GuaranteedRun): string {
	if (run.outliers === 0) {
		if (run.options.outliers !== "auto") return "";
		// Without a value that surely is consistent, samples may contradict one another unseen.
		return run.innerBoxes.inner.length > 0
			? " No sample has to be an outlier."
			: " No sample was shown to be an outlier.";
	}
	const found = outliersOf(run);
	const errors = run.outliers === 1 ? "its largest error" : "their largest errors";
	const allowed =
		run.options.outliers === "auto"
			? ` At least ${counted(run.outliers, "sample")} must be beyond ${errors}: with fewer no value is consistent.`
			: ` Up to ${counted(run.outliers, "sample")} may be beyond ${errors}.`;
	if (found.length === 0) return allowed;
	const isOne = run.problem.train.length === 1;
	const shown = found
		.slice(0, 5)
		.map(({ t, output, record }) => `${output}${isOne ? "" : ` of ${record}`} at t = ${timeText(t)}`);
	return `${allowed} For every value that is left ${found.length === 1 ? "this one is" : "these are"}: ${shown.join(", ")}${found.length > 5 ? ", …" : ""}.`;
}

/** The hull of all boxes that hold only consistent values: how wide the truth is at least. */
function innerHull(run: GuaranteedRun): Record<string, [number, number]> | null {
	const hull = hullOf(run.innerBoxes.inner);
	if (!hull) return null;
	return Object.fromEntries(run.unknowns.map(({ name }, k) => [name, [hull[2 * k], hull[2 * k + 1]]]));
}

function sentence(run: GuaranteedRun, outcome: GuaranteedOutcome): string {
	if (outcome === "refuted") {
		const where = run.emptied!;
		const { name, times } = run.problem.train[where.experiment];
		// What is known before any integration is the initial values: perhaps they are not meant for this instant.
		const atOnce =
			where.t === times[0]
				? ` Initial values hold there, at the first row of the record. If they hold at an earlier time, say when under data:  start: ${timeText(Math.min(0, where.t - 1))}.`
				: "";
		return `No value of the unknowns is consistent with the data: the set became empty at t = ${timeText(where.t)}, by ${where.output} of ${name}.${atOnce}`;
	}
	if (outcome === "undecided") {
		const stop = stopOf(run);
		if (!stop) return "Undecided: the run was not finished.";
		const used =
			run.options.prediction === "mueller"
				? "with Müller's brackets"
				: `with ${run.begun} of at most ${counted(run.options.models, "Taylor model")}`;
		return `Undecided: at t = ${timeText(stop.t)} the enclosure could not be carried on (${stop.why}), ${used}. No value outside the bounds is consistent with all data, but not all data were used. ${stop.advice}`;
	}
	if (run.isUnbound)
		return "Proved: every course of the states from the declared sets is in the bands. Nothing was measured, so no set was narrowed.";
	const inside = run.innerBoxes.inner.length;
	const said = boundsText(run);
	const outlying = outlierText(run);
	return inside > 0
		? `Proved: every consistent value is enclosed${said}, and ${inside === 1 ? "1 box holds" : `${inside} boxes hold`} nothing but consistent values.${outlying}`
		: `Proved: every consistent value is enclosed${said}. No value was proved to be consistent, so there may be none.${outlying}`;
}

/** Of all parts that could not be followed to the end: where the equations are undefined, if so, and the earliest. */
function stopOf({ parts }: GuaranteedRun): Failure | undefined {
	const failures = parts.flatMap(({ failure }) => (failure ? [failure] : []));
	const rank = ({ undefinedThere, experiment }: Failure): number => (undefinedThere ? 0 : 1e9) + experiment;
	return failures.sort((a, b) => rank(a) - rank(b) || a.t - b.t)[0];
}

/** What more effort may help. */
function more({ options }: GuaranteedRun): string {
	return options.prediction === "mueller"
		? `more boxes (guaranteed: { boxes: ${10 * Math.max(options.boxes, 100)} }), or use Taylor models (prediction: taylor)`
		: `more models (guaranteed: { models: ${4 * options.models} }), or a higher order`;
}

/** The bounds of a few unknowns, rounded outward: a table that rounds to nearest may cut a consistent value off. */
function boundsText(run: GuaranteedRun): string {
	const box = run.enclosure;
	if (!box || run.unknowns.length > 3) return "";
	const parts = run.unknowns.map(({ name }, k) => {
		const { lo, hi } = shownBounds(run, box, k);
		return `${name} in [${roundedOutward(lo, -1)}, ${roundedOutward(hi, 1)}]`;
	});
	return ` (${parts.join(", ")})`;
}

/** Bounds of an unknown as a reader should see them: an end that was not narrowed is the number that was declared. */
function shownBounds({ unknowns }: GuaranteedRun, box: Float64Array, k: number): Interval {
	const { prior, declared } = unknowns[k];
	return {
		lo: box[2 * k] === prior.lo ? declared.lo : box[2 * k],
		hi: box[2 * k + 1] === prior.hi ? declared.hi : box[2 * k + 1],
	};
}

/** A number of six digits that is not above (side -1) or not below (side 1) x. */
export function roundedOutward(x: number, side: -1 | 1): number {
	const near = Number(x.toPrecision(6));
	if (side < 0 ? near <= x : near >= x) return near;
	const [, exponent] = x.toExponential().split("e");
	return Number((near + side * Number(`1e${Number(exponent) - 5}`)).toPrecision(6));
}

function remarksOf(run: GuaranteedRun, outcome: GuaranteedOutcome, failedTests: readonly string[]): Remark[] {
	const doubts: Remark[] = [];
	if (outcome === "refuted")
		doubts.push({
			code: "refuted",
			title: "Something that was declared is false",
			text: "No value fits: an equation, the set of an unknown, or the largest error of a measurement is wrong, or a sample is an outlier. Widen what you trust least, beginning with the errors.",
			grave: false,
		});
	const stop = stopOf(run);
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
	for (const name of failedTests)
		doubts.push({
			code: "forecast-stops",
			title: `The forecast of ${name} stops early`,
			text: "Its enclosure could not be carried on with the sets that are left.",
			grave: false,
		});
	return doubts;
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
							text: `${where}: states or unknowns decide on which side of its jump the output is, and both are possible there. The samples were held against both. A smooth step, such as  tanh, in place of the jump tells more.`,
							grave: false,
						},
			];
		}),
	);
}

/** The certificate, where it was asked for; samples that may be wrong exclude nothing alone. */
function proofFiles(run: GuaranteedRun): Result["files"] {
	const { proof } = run.options;
	if (proof === 0 || !run.done || run.isFree || run.outliers > 0) return [];
	return [{ name: "proof.json", content: `${JSON.stringify(prove(run, proof))}\n` }];
}

/** All boxes of the paving: kind, then lo and hi of each unknown. */
function boxesCsv(run: GuaranteedRun): string {
	const quoted = (name: string): string => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
	const head = [
		"kind",
		...run.unknowns.flatMap(({ name }) => [quoted(`${name}.lo`), quoted(`${name}.hi`)]),
	].join();
	const line = (kind: string) => (box: Float64Array) => [kind, ...box].join();
	const { inner } = run.innerBoxes;
	return `${[head, ...inner.map(line("inner")), ...edgeBoxes(run).map(line("edge"))].join("\n")}\n`;
}
