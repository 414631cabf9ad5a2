/**
 * Models of the same data by their log evidence: how much more probable each makes the record. With equal odds beforehand,
 * the odds afterwards are the ratios of the evidences.
 *
 * Words for differences after Kass, Raftery, "Bayes factors", JASA 90, 1995.
 */
import { InputError } from "../errors.ts";
import type { Prediction, Result } from "../estimate/result.ts";
import { normalisedWeights } from "../num/statistics/log-weights.ts";
import { squared } from "../num/whole-power.ts";
import { anyObject, fields, listOf, number } from "./text/shape.ts";

export interface RunEvidence {
	readonly run: string;
	readonly logEvidence: number;
	/** Half the width of its 90 % interval, or half the range over independent runs where that is not known. */
	readonly uncertainty: number;
	/** Log evidence below the best. */
	readonly below: number;
	/** Probability, were all equally probable beforehand; NaN where it cannot be compared. */
	readonly probability: number;
	/** What steps half as long would add to the log evidence, where it was measured. */
	readonly stepShift?: number;
	readonly verdict: string;
}

export interface Comparison {
	/** Best first. */
	readonly rows: RunEvidence[];
	/** What to know before the table is believed. */
	readonly warnings: string[];
}

interface BayesSummary {
	readonly logEvidence: number;
	readonly stepShift?: number;
	readonly logEvidenceInterval?: { readonly lo: number; readonly hi: number };
	readonly runs?: readonly { readonly logEvidence?: number }[];
	readonly filter?: Readonly<Record<string, unknown>>;
}

const bayesSummary = fields(
	{ logEvidence: number },
	{
		stepShift: number,
		logEvidenceInterval: fields({ lo: number, hi: number }, { level: number }),
		runs: listOf(fields({}, { logEvidence: number })),
		filter: anyObject,
	},
);

export function compareEvidence(runs: readonly Named[]): Comparison {
	const known = runs.map(({ run, result }) => {
		const summary = result.summary as unknown as BayesSummary;
		const { logEvidence, stepShift } = summary;
		if (bayesSummary(result.summary, "") !== undefined || !Number.isFinite(logEvidence))
			throw new InputError(
				run,
				"has no log evidence",
				"Compare runs of  method: bayes  that have an answer.",
			);
		return {
			run,
			logEvidence,
			uncertainty: uncertaintyOf(summary),
			...(stepShift === undefined ? {} : { stepShift }),
		};
	});
	for (const { run, result } of runs.slice(1)) assertSameData(runs[0], { run, result });
	const best = Math.max(...known.map(({ logEvidence }) => logEvidence));
	const first = known.findIndex(({ logEvidence }) => logEvidence === best);
	const isComparable = runs.map(({ result }) =>
		otherSettings(runs[first].result, result).every((name) => name === "substeps"),
	);
	const probabilities = normalisedWeights(
		known.map(({ logEvidence }, i) => (isComparable[i] ? logEvidence : Number.NEGATIVE_INFINITY)),
	);
	const rows = known
		.map((one, i) => {
			const below = best - one.logEvidence;
			if (!isComparable[i])
				return { ...one, below, probability: Number.NaN, verdict: "not comparable: see below" };
			const verdict = verdictOf(below, together(known[first], one), gainOfSteps(known[first], one));
			return { ...one, below, probability: probabilities[i], verdict };
		})
		.sort((a, b) => a.below - b.below);
	return { rows, warnings: [...settingWarnings(runs, first), ...doubtWarnings(runs)] };
}

function uncertaintyOf({ logEvidenceInterval: interval, runs = [] }: BayesSummary): number {
	if (interval) return (interval.hi - interval.lo) / 2;
	const all = runs.flatMap(({ logEvidence }) => (Number.isFinite(logEvidence) ? [logEvidence!] : []));
	return all.length > 1 ? (Math.max(...all) - Math.min(...all)) / 2 : Number.NaN;
}

/** Of the difference of two; what is not known counts as nothing. */
function together(a: { readonly uncertainty: number }, b: { readonly uncertainty: number }): number {
	return Math.sqrt(squared(a.uncertainty || 0) + squared(b.uncertainty || 0));
}

/** By how much smaller steps would bring a run nearer to the best. */
function gainOfSteps(best: { readonly stepShift?: number }, one: { readonly stepShift?: number }): number {
	return (one.stepShift ?? 0) - (best.stepShift ?? 0);
}

function verdictOf(below: number, uncertainty: number, steps: number): string {
	if (below === 0) return "best";
	if (below < 2 * uncertainty) return "cannot be told from the best: take more particles";
	if (below < 2 * steps) return "cannot be told from the best: take smaller steps";
	if (below < 1) return "as good as the best";
	if (below < 3) return "somewhat worse";
	return below < 5 ? "clearly worse" : "ruled out by the data";
}

/** Of the log evidence: less than any verdict turns on. */
const negligibleShift = 0.1;

interface Named {
	readonly run: string;
	readonly result: Result;
}

/** Options of the study by the names that results keep them under. */
const settingNames: Readonly<Record<string, string>> = {
	diffusion: "integrationError",
	gammaRange: "gammaRange",
	equationEvidence: "equationEvidence",
	layout: "layout",
	q: "q",
	linearisation: "linearisation",
	substeps: "substeps",
};

/** A likelihood that holds another solver's error is a likelihood of something else. */
function otherSettings(a: Result, b: Result): string[] {
	const [mine, theirs] = [a, b].map(({ summary }) => (summary as unknown as BayesSummary).filter ?? {});
	// Where no error of the solver is in the likelihood, only the length of its steps may still tell.
	const names =
		mine.diffusion === "off" && theirs.diffusion === "off"
			? ["equationEvidence", "substeps"]
			: Object.keys(settingNames);
	return names.filter(
		(name) => mine[name] !== theirs[name] && (name !== "gammaRange" || mine.diffusion === "running"),
	);
}

function settingWarnings(runs: readonly Named[], first: number): string[] {
	const names = new Set(runs.flatMap(({ result }) => otherSettings(runs[first].result, result)));
	const isShort = runs.every(
		({ result }) => Math.abs((result.summary as unknown as BayesSummary).stepShift ?? 1) < negligibleShift,
	);
	if (isShort) names.delete("substeps");
	return [...names].map((name) => {
		const values = runs.map(({ run, result }) => {
			const value = (result.summary as unknown as BayesSummary).filter?.[name];
			return `${value === "off" ? "none" : String(value)} (${run})`;
		});
		return `${settingNames[name]} differs: ${values.join(", ")}. A part of the difference may be the solver's. Give all studies the same  bayes: { ${settingNames[name]} }.`;
	});
}

function doubtWarnings(runs: readonly Named[]): string[] {
	return runs.flatMap(({ run, result }) => {
		const grave = (result.doubts ?? []).filter((doubt) => doubt.grave).map(({ title }) => title);
		return grave.length > 0 ? [`${run} is itself in doubt: ${grave.join("; ")}.`] : [];
	});
}

/** Evidences of other data say nothing of one another. */
function assertSameData(first: Named, other: Named): void {
	const [a, b] = [first, other].map(({ result }) =>
		result.predictions.filter(({ part }) => part === "train"),
	);
	const differs = (reason: string): never => {
		throw new InputError(
			other.run,
			`was not learnt from the same data as ${first.run}: ${reason}`,
			"Evidences compare models of the same samples only.",
		);
	};
	if (a.length !== b.length) differs(`it has ${b.length} measured outputs and records, not ${a.length}`);
	for (const [i, mine] of a.entries()) {
		const theirs = b[i];
		if (theirs.output !== mine.output)
			differs(`it measures ${theirs.output} where that measures ${mine.output}`);
		if (!sameSamples(mine, theirs)) differs(`the samples of ${mine.output} differ`);
	}
}

function sameSamples({ data: a }: Prediction, { data: b }: Prediction): boolean {
	if (!a || !b) return a === b;
	if (a.y.length !== b.y.length) return false;
	for (let i = 0; i < a.y.length; i++) if (a.y[i] !== b.y[i] || a.t[i] !== b.t[i]) return false;
	return true;
}
