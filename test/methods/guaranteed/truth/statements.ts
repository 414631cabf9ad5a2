/**
 * Every statement of a result held against values that are known to be consistent with the data: the truth, and others that are drawn from the
 * sets and whose courses meet all bars. What is said to hold for all that is consistent has to hold for each of them.
 */
import type { Figure } from "../../../../src/estimate/figure.ts";
import type { Prediction, Result } from "../../../../src/estimate/result.ts";
import { answer } from "../../../../src/methods/guaranteed/answer/answer.ts";
import { GuaranteedRun } from "../../../../src/methods/guaranteed/guaranteed-run.ts";
import { guaranteedOptions } from "../../../../src/methods/guaranteed/options.ts";
import { parseCertificate } from "../../../../src/methods/guaranteed/proof/certificate.ts";
import { verifyCertificate } from "../../../../src/methods/guaranteed/proof/verify.ts";
import type { GuaranteedSummary } from "../../../../src/methods/guaranteed/summary.ts";
import { defaultOptions } from "../../../../src/methods/options.ts";
import { parseModel } from "../../../../src/model/language/parse-model.ts";
import { problemOf } from "../records.ts";
import type { TruthProblem, Values } from "./problem.ts";

/** Values beside the truth that are tried. */
const mostWitnesses = 10;

export interface Checked {
	readonly outcome: string;
	/** What was held against witnesses, by kind of statement. */
	readonly counts: Readonly<Record<string, number>>;
	readonly witnesses: number;
	/** Statements that do not hold. */
	readonly misses: readonly string[];
}

export async function checkStatements(problem: TruthProblem): Promise<Checked> {
	const model = parseModel(problem.text, "truth.ode");
	const run = new GuaranteedRun(problemOf(model, problem.train, problem.test), {
		...defaultOptions(guaranteedOptions),
		...problem.options,
	});
	while (!(await run.advance()).done);
	const result = await answer(run);
	const misses: string[] = [];
	const counts: Record<string, number> = {};
	const isRobust = run.options.outliers !== 0;
	const witnesses = [problem.truth, ...others(problem, run.outliers)].filter(
		(values) => !isRobust || isConsistent(problem, values, 1 - 1e-6, run.outliers),
	);
	if (isRobust) ofOutliers(problem, result, witnesses, misses, counts);
	const states = run.system.states;
	for (const values of witnesses) {
		const say = (kind: string, holds: boolean, what: () => string): void => {
			counts[kind] = (counts[kind] ?? 0) + 1;
			if (!holds) misses.push(`${kind}: ${what()} for ${JSON.stringify(values)}`);
		};
		const near = (value: number, lo: number, hi: number): boolean => {
			const slack = problem.slack * (1 + Math.abs(value));
			return lo <= value + slack && value - slack <= hi;
		};
		say("outcome", result.outcome !== "refuted", () => "refuted");
		ofParameters(result, values, say);
		ofPredictions(problem, result.predictions, values, say, near);
		ofStates(problem, result, states, values, say, near);
		ofFigures(problem, result.figures, states, values, say, near);
		ofBoxes(result, run, values, say);
	}
	ofInnerBoxes(problem, run, misses, counts);
	ofProof(run, result, witnesses, misses, counts);
	return { outcome: result.outcome, counts, witnesses: witnesses.length, misses };
}

type Say = (kind: string, holds: boolean, what: () => string) => void;
type Near = (value: number, lo: number, hi: number) => boolean;

/** Draws from the sets that are consistent with all data, clearly. */
function others(problem: TruthProblem, outliers: number): Values[] {
	const found: Values[] = [];
	for (let k = 0; k < 3 * mostWitnesses && found.length < mostWitnesses; k++) {
		// Near the truth and far from it.
		const share = 10 ** -problem.draw(0, k % 2 === 0 ? 4 : 0.5);
		const values = Object.fromEntries(
			Object.entries(problem.sets).map(([name, [lo, hi]]) => {
				const there = lo + (hi - lo) * problem.draw(0.001, 0.999);
				return [name, problem.truth[name] + share * (there - problem.truth[name])];
			}),
		);
		if (isConsistent(problem, values, 1 - 1e-6, outliers)) found.push(values);
	}
	return found;
}

function isConsistent(problem: TruthProblem, values: Values, share: number, outliers: number): boolean {
	const broken = brokenBy(problem, values, share);
	return broken !== undefined && broken.length <= outliers;
}

/** Samples that are not within a share of their bars, as `record,t,output`; nothing where there is no solution. */
function brokenBy(
	{ train, course, bars, slack, assumed }: TruthProblem,
	values: Values,
	share: number,
): string[] | undefined {
	const broken: string[] = [];
	for (const { name, times, outputs } of train) {
		const there = course(values, name, [...times]);
		if (!there || (assumed && !assumed(values, there.states, share < 1))) return undefined;
		for (const [output, series] of outputs)
			series.times.forEach((t, i) => {
				const y = there.outputs[output][times.indexOf(t)];
				const most = share * bars[output] + (share > 1 ? slack * (1 + Math.abs(y)) : 0);
				if (!(Math.abs(y - series.values[i]) <= most)) broken.push(`${name},${t},${output}`);
			});
	}
	return broken;
}

/** No value breaks fewer samples than are said to be broken at least; those that are named are broken by every value that is left. */
function ofOutliers(
	problem: TruthProblem,
	{ summary, outcome }: Result<GuaranteedSummary>,
	witnesses: readonly Values[],
	misses: string[],
	counts: Record<string, number>,
): void {
	const { atLeast, samples } = summary.outliers!;
	const say = (kind: string, holds: boolean, what: string): void => {
		counts[kind] = (counts[kind] ?? 0) + 1;
		if (!holds) misses.push(`${kind}: ${what}`);
	};
	const ofTruth = brokenBy(problem, problem.truth, 1 - 1e-6)!.length;
	say("least outliers", atLeast <= ofTruth, `${atLeast} where the truth breaks ${ofTruth}`);
	say("outcome", outcome !== "refuted" || summary.outliers!.allowed < ofTruth, "refuted");
	for (const values of witnesses) {
		const broken = brokenBy(problem, values, 1 + 1e-6)!;
		for (const { t, output, record } of samples)
			say("named outliers", broken.includes(`${record},${t},${output}`), `${output} at ${t} is none`);
	}
}

function ofParameters(result: Result<GuaranteedSummary>, values: Values, say: Say): void {
	for (const { name, lo, hi } of result.parameters)
		say("parameters", lo! <= values[name] && values[name] <= hi!, () => `${name} in [${lo}, ${hi}]`);
	for (const [name, { lo, hi }] of Object.entries(result.summary.parameters))
		say("summary", lo <= values[name] && values[name] <= hi, () => `${name} in [${lo}, ${hi}]`);
	for (const [, name, lo, hi] of result.message.matchAll(
		/([\w()]+(?: of \w+)?) in \[([-\d.e]+), ([-\d.e]+)\]/g,
	))
		if (result.outcome === "proved" && name in values)
			say(
				"message",
				Number(lo) <= values[name] && values[name] <= Number(hi),
				() => `${name} in [${lo}, ${hi}]`,
			);
}

function ofPredictions(
	{ course, train }: TruthProblem,
	predictions: readonly Prediction[],
	values: Values,
	say: Say,
	near: Near,
): void {
	for (const { experiment, output, t, lo, hi, part } of predictions) {
		const there = course(values, experiment, [...t]);
		if (!there && train.every(({ name }) => name !== experiment)) continue;
		t.forEach((at, i) => {
			const y = there?.outputs[output][i] ?? Number.NaN;
			const holds = there === undefined || Number.isNaN(y) || near(y, lo![i], hi![i]);
			say(
				`${part} prediction`,
				holds,
				() => `${output} of ${experiment} at ${at} in [${lo![i]}, ${hi![i]}], ${y}`,
			);
		});
	}
}

function ofStates(
	{ course, train }: TruthProblem,
	{ summary }: Result<GuaranteedSummary>,
	states: readonly string[],
	values: Values,
	say: Say,
	near: Near,
): void {
	for (const row of summary.states) {
		const record = String(row.record ?? train[0].name);
		const x = course(values, record, [row.t])!.states[0];
		x.forEach((value, i) => {
			const [lo, hi] = row[states[i]] as readonly [number, number];
			say(
				"states",
				near(value, lo, hi),
				() => `${states[i]} of ${record} at ${row.t} in [${lo}, ${hi}], ${value}`,
			);
		});
	}
}

/** Bands of the states, which are drawn with straight edges; what is said of outputs; how the unknowns shrank. */
function ofFigures(
	{ course, train }: TruthProblem,
	figures: readonly Figure[],
	states: readonly string[],
	values: Values,
	say: Say,
	near: Near,
): void {
	for (const { name, caption, marks } of figures) {
		const [what, first, second] = name.split("-");
		for (const mark of marks) {
			if (what === "state" && mark.type === "band") {
				const { name: record, times: recorded } = train[Number(second)];
				const times = between(mark.x);
				const course1 = course(values, record, times);
				say("band exists", course1 !== undefined, () => `${record} to ${times[times.length - 1]}`);
				const isWhole = times[times.length - 1] >= recorded[recorded.length - 1];
				say("caption", isWhole !== caption.includes("nothing is proved from there on"), () => caption);
				course1?.states.forEach((x, k) => {
					const at = k >> 1;
					const mean = (edge: ArrayLike<number>): number =>
						k % 2 === 0 ? edge[at] : edge[at] / 2 + edge[at + 1] / 2;
					const value = x[Number(first)];
					say(
						"band",
						near(value, mean(mark.lo), mean(mark.hi)),
						() =>
							`${states[Number(first)]} of ${record} at ${times[k]} in [${mean(mark.lo)}, ${mean(mark.hi)}], ${value}`,
					);
				});
			}
			if (what === "output" && mark.type === "boxes" && mark.label === "enclosure") {
				const { name: record } = train[Number(second)];
				const times = Array.from(mark.x0, (x, i) => x / 2 + mark.x1[i] / 2);
				const there = course(values, record, times)?.outputs[`y${first}`];
				there?.forEach((y, i) => {
					const holds = Number.isNaN(y) || near(y, mark.y0[i] - 1e-9, mark.y1[i] + 1e-9);
					say("output figure", holds, () => `y${first} of ${record} at ${times[i]}, ${y}`);
				});
			}
			if (what === "shrink" && mark.type === "band") {
				const unknown = caption.match(/^Values of (.+) that were/)![1];
				Array.from(mark.lo, (lo, i) =>
					say(
						"shrinkage",
						lo <= values[unknown] && values[unknown] <= mark.hi[i],
						() => `${unknown} at ${mark.x[i]}`,
					),
				);
			}
		}
	}
}

/** The points, and the middles between them. */
function between(x: ArrayLike<number>): number[] {
	return Array.from(x).flatMap((at, i) => (i + 1 < x.length ? [at, at / 2 + x[i + 1] / 2] : [at]));
}

/** Outside all boxes there is nothing. */
function ofBoxes({ files }: Result<GuaranteedSummary>, run: GuaranteedRun, values: Values, say: Say): void {
	const csv = files.find(({ name }) => name === "boxes.csv");
	if (!csv) return;
	const [, ...lines] = String(csv.content).trimEnd().split("\n");
	const holds = lines.some((line) => {
		const bounds = line.split(",").slice(1).map(Number);
		return run.unknowns.every(
			({ name }, k) => bounds[2 * k] <= values[name] && values[name] <= bounds[2 * k + 1],
		);
	});
	say("boxes", holds, () => `none of ${lines.length} boxes holds it`);
}

/** The certificate is confirmed, and holds all that is consistent. */
function ofProof(
	{ problem }: GuaranteedRun,
	{ files }: Result<GuaranteedSummary>,
	witnesses: readonly Values[],
	misses: string[],
	counts: Record<string, number>,
): void {
	const file = files.find(({ name }) => name === "proof.json");
	if (!file) return;
	counts.certificate = (counts.certificate ?? 0) + 1;
	const certificate = parseCertificate(String(file.content), "proof.json");
	const { holds, why } = verifyCertificate(certificate, problem);
	if (!holds) misses.push(`certificate: ${why}`);
	for (const values of witnesses)
		for (const [k, name] of certificate.unknowns.entries()) {
			counts["certified bounds"] = (counts["certified bounds"] ?? 0) + 1;
			const [lo, hi] = certificate.enclosure?.slice(2 * k, 2 * k + 2) ?? [];
			if (!(lo <= values[name] && values[name] <= hi))
				misses.push(`certified bounds: ${name} in [${lo}, ${hi}]`);
		}
}

/** Inner boxes hold nothing but consistent values, inside the declared sets: corners and points within. */
function ofInnerBoxes(
	problem: TruthProblem,
	run: GuaranteedRun,
	misses: string[],
	counts: Record<string, number>,
): void {
	const { inner } = run.innerBoxes;
	for (let k = 0; k < Math.min(inner.length, 12); k++) {
		const box = inner[Math.min(inner.length - 1, Math.floor(problem.draw(0, inner.length)))];
		const values = Object.fromEntries(
			run.unknowns.map(({ name }, i) => {
				const share = Math.min(Math.max(problem.draw(-0.5, 1.5), 0), 1);
				return [
					name,
					Math.min(Math.max(box[2 * i] + share * (box[2 * i + 1] - box[2 * i]), box[2 * i]), box[2 * i + 1]),
				];
			}),
		);
		counts["inner boxes"] = (counts["inner boxes"] ?? 0) + 1;
		const isInside = Object.entries(problem.sets).every(
			([name, [lo, hi]]) => lo <= values[name] && values[name] <= hi,
		);
		if (!isInside || !isConsistent(problem, values, 1 + 1e-6, run.outliers))
			misses.push(
				`inner boxes: ${JSON.stringify(values)} is ${isInside ? "not consistent" : "outside the sets"}`,
			);
	}
}
