/**
 * Models of the same data by their log evidence: how much more probable each makes the record. With equal odds beforehand,
 * the odds afterwards are the ratios of the evidences.
 *
 * Words for differences after Kass, Raftery, "Bayes factors", JASA 90, 1995.
 */
import { InputError } from "../errors.ts";
import type { Prediction, Result } from "../methods/result.ts";
import { normalisedWeights } from "../num/log-weights.ts";

export interface RunEvidence {
	readonly run: string;
	readonly logEvidence: number;
	/** Half the range over independent runs. */
	readonly uncertainty: number;
	/** Log evidence below the best. */
	readonly below: number;
	/** Probability, were all equally probable beforehand. */
	readonly probability: number;
	readonly verdict: string;
}

/** Best first. */
export function compareEvidence(
	runs: readonly { readonly run: string; readonly result: Result }[],
): RunEvidence[] {
	const known = runs.map(({ run, result }) => {
		const { logEvidence, runs: each } = result.summary as {
			logEvidence?: unknown;
			runs?: readonly { readonly logEvidence?: number }[];
		};
		if (typeof logEvidence !== "number" || !Number.isFinite(logEvidence))
			throw new InputError(
				run,
				"has no log evidence",
				"Compare runs of  method: bayes  that have an answer.",
			);
		const all = (each ?? []).flatMap((one) => (Number.isFinite(one.logEvidence) ? [one.logEvidence!] : []));
		return {
			run,
			logEvidence,
			uncertainty: all.length > 1 ? (Math.max(...all) - Math.min(...all)) / 2 : Number.NaN,
		};
	});
	for (const { run, result } of runs.slice(1)) assertSameData(runs[0], { run, result });
	const best = Math.max(...known.map(({ logEvidence }) => logEvidence));
	const probabilities = normalisedWeights(known.map(({ logEvidence }) => logEvidence));
	return known
		.map((one, i) => {
			const below = best - one.logEvidence;
			return { ...one, below, probability: probabilities[i], verdict: verdictOf(below, one.uncertainty) };
		})
		.sort((a, b) => a.below - b.below);
}

function verdictOf(below: number, uncertainty: number): string {
	if (below === 0) return "best";
	if (below < 2 * uncertainty) return "cannot be told from the best: take more particles";
	if (below < 1) return "as good as the best";
	if (below < 3) return "somewhat worse";
	return below < 5 ? "clearly worse" : "ruled out by the data";
}

type Named = { readonly run: string; readonly result: Result };

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
