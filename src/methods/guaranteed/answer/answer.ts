/** The answer: what is enclosed, whether it is proved, and what stood in the way if not. */

import { sorted } from "../../../estimate/judge/words.ts";
import type { ParameterRow, Result } from "../../../estimate/result.ts";
import type { GuaranteedRun } from "../guaranteed-run.ts";
import { firstFailure } from "../part.ts";
import { hullOf } from "../paving/sivia.ts";
import { prove } from "../proof/prove.ts";
import { saidBy } from "../proof/said.ts";
import type { GuaranteedSummary, StateRow } from "../summary.ts";
import { edgeBoxes } from "./box-figures.ts";
import { remarksOf } from "./doubts.ts";
import { figuresOf } from "./figures.ts";
import { partsOf } from "./followed.ts";
import { outliersOf } from "./outliers.ts";
import { testPredictions, trainPredictions } from "./prediction.ts";
import { type GuaranteedOutcome, sentence, shownBounds } from "./sentence.ts";

export function outcomeOf(run: GuaranteedRun): GuaranteedOutcome {
	if (!run.done) return "undecided";
	if (!run.enclosure) return "refuted";
	return run.parts.some(({ failure }) => failure) ? "undecided" : "proved";
}

export async function answer(run: GuaranteedRun): Promise<Result<GuaranteedSummary>> {
	const outcome = outcomeOf(run);
	const enclosure = run.enclosure;
	const test = testPredictions(run);
	const failed = firstFailure(run.parts);
	const { inner } = run.innerBoxes;
	const boxes = enclosure && !run.isUnbound ? boxesCsv(run) : "";
	const message = sentence(run, outcome);
	const summary: GuaranteedSummary = {
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
		innerShare: run.innerShare ?? null,
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
	};
	return {
		method: "guaranteed",
		outcome,
		message,
		answered: outcome === "proved",
		parameters: enclosure ? rows(run, enclosure) : [],
		intervalName: outcome === "undecided" ? "bounds by a part of the data" : "proved enclosure",
		predictions: enclosure ? [...trainPredictions(run), ...test.predictions] : [],
		summary,
		...sorted(remarksOf(run, outcome, test)),
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
			...proofFiles(run, { outcome, message, ...summary }, boxes),
			...(boxes ? [{ name: "boxes.csv", content: boxes }] : []),
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
	const samples = outliersOf(run);
	// Fewer were tried before, and refuted; or all that are allowed are not enough.
	const refuted =
		outcomeOf(run) === "refuted" ? run.outliers + 1 : run.options.outliers === "auto" ? run.outliers : 0;
	return { allowed: run.outliers, atLeast: Math.max(refuted, samples.length), samples };
}

/** The hull of all boxes that hold only consistent values: how wide the truth is at least. */
function innerHull(run: GuaranteedRun): Record<string, [number, number]> | null {
	const hull = hullOf(run.innerBoxes.inner);
	if (!hull) return null;
	return Object.fromEntries(run.unknowns.map(({ name }, k) => [name, [hull[2 * k], hull[2 * k + 1]]]));
}

/** The certificate, where it was asked for; samples that may be wrong exclude nothing alone. */
function proofFiles(
	run: GuaranteedRun,
	said: Readonly<Record<string, unknown>>,
	boxes: string,
): Result["files"] {
	const { proof } = run.options;
	if (proof === 0 || !run.done || run.isFree || run.outliers > 0) return [];
	return [{ name: "proof.json", content: `${JSON.stringify(prove(run, proof, saidBy(said, boxes)))}\n` }];
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
