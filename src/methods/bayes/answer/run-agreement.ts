/** Whether independent runs ended in the same place, and whether their clouds are clouds at all. */
import { log } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import type { BayesRun } from "../bayes-run.ts";
import { moments } from "./posterior.ts";

export interface RunAgreement {
	/** Unknowns in whose means or widths the runs differ by more than chance explains. */
	readonly apart: readonly string[];
	/** Log evidences of the runs that count. */
	readonly evidences: readonly number[];
	/** Runs that came to their end and do not count: they missed what two or more of the others found. */
	readonly nLost: number;
	/** Whether evidences are so far apart that one run is not where the posterior is; nor may the other be. */
	readonly isLost: boolean;
	/** Particles of a run. */
	readonly n: number;
}

/** Where runs ended: clouds in sampled coordinates. */
export interface RunClouds {
	readonly names: readonly string[];
	/** Those that came to their end: columns of n draws, how many of them count, and their log evidence. */
	readonly runs: readonly {
		readonly z: Float64Array;
		readonly n: number;
		readonly effective: number;
		readonly logEvidence: number;
	}[];
	/** What is shown. */
	readonly pooled: { readonly z: Float64Array; readonly n: number };
	/** Draws around what all runs found, weighed by the posterior itself. */
	readonly drawn?: {
		readonly effective: number;
		readonly means: ArrayLike<number>;
		readonly sds: ArrayLike<number>;
	};
}

export function cloudsOf(run: BayesRun): RunClouds {
	const evidences = run.logEvidences;
	const done = run.furthest.filter(({ outcome }) => outcome === "converged");
	return {
		names: run.unknowns.map(({ name }) => name),
		runs: done.map((sampler) => {
			const { cloud, n } = sampler;
			return { z: cloud!.z, n, effective: n, logEvidence: evidences.get(sampler)! };
		}),
		pooled: run.pooled(),
		...(run.drawn && { drawn: run.drawn }),
	};
}

/** Logarithms of evidence. */
const farEvidence = 10;
/** Means so many standard deviations apart, and logarithms of deviations, are so beside what chance adds. */
const farApart = 0.4;

/** Where two runs or more have found the best part of the posterior, those that have. */
function countedRuns({ runs }: RunClouds): { done: RunClouds["runs"]; nLost: number } {
	const most = Math.max(...runs.map(({ logEvidence }) => logEvidence));
	const best = runs.filter(({ logEvidence }) => logEvidence >= most - farEvidence);
	return best.length < 2 ? { done: runs, nLost: 0 } : { done: best, nLost: runs.length - best.length };
}

/** Whether one run has much more evidence than all others: only another one that finds the same tells that it is right. */
export function isAlone(run: BayesRun): boolean {
	const evidences = [...run.logEvidences.values()].sort((a, b) => b - a);
	return evidences.length > 1 && !(evidences[0] - evidences[1] <= farEvidence);
}

/** Undefined where fewer than two runs came to their end. */
export function runAgreement(clouds: RunClouds): RunAgreement | undefined {
	const { done, nLost } = countedRuns(clouds);
	if (done.length < 2) return undefined;
	const few = 4 / Math.sqrt(Math.min(...done.map(({ effective }) => effective)));
	const evidences = done.map(({ logEvidence }) => logEvidence);
	const isLost = Math.max(...evidences) - Math.min(...evidences) > farEvidence;
	const apart = clouds.names.flatMap((name, i) => {
		const each = done.map(({ z, n }) => moments(z.subarray(i * n, (i + 1) * n)));
		const means = each.map(({ mean }) => mean);
		const sd = Math.max(...each.map((one) => one.sd));
		const narrowest = Math.min(...each.map((one) => one.sd));
		const isApart = Math.max(...means) - Math.min(...means) > (farApart + few) * sd;
		if (!isApart && !(log(sd / narrowest) > farApart + few)) return [];
		return !isLost && isConfirmed(clouds, i) ? [] : [name];
	});
	return { apart, evidences, nLost, isLost, n: done[0].n };
}

/** Effective draws that can confirm an answer. */
const enough = 60;

/**
 * Whether draws around what all runs found, weighed by the posterior itself, have the mean and the width that are shown: then
 * runs differ by chance, or by the parts of the posterior that each holds, and are weighed rightly.
 */
function isConfirmed({ drawn, pooled: { z, n } }: RunClouds, unknown: number): boolean {
	if (!drawn || !(drawn.effective >= enough)) return false;
	const { mean, sd } = moments(z.subarray(unknown * n, (unknown + 1) * n));
	const far = farApart + 4 / Math.sqrt(drawn.effective);
	return Math.abs(mean - drawn.means[unknown]) <= far * sd && Math.abs(log(drawn.sds[unknown] / sd)) <= far;
}

/**
 * R̂ of each unknown in sampled coordinates: the spread of all runs together beside that within them, 1 where they agree. Undefined
 * where fewer than two runs came to their end.
 *
 * Reference: Gelman, Rubin, "Inference from iterative simulation using multiple sequences", Statistical Science 7, 1992.
 */
export function rHats(clouds: RunClouds): number[] | undefined {
	const { done } = countedRuns(clouds);
	if (done.length < 2) return undefined;
	return clouds.names.map((_, i) => {
		const each = done.map(({ z, n }) => moments(z.subarray(i * n, (i + 1) * n)));
		const within = each.reduce((sum, { sd }) => sum + squared(sd), 0) / each.length;
		const between = squared(moments(each.map(({ mean }) => mean)).sd);
		const share = 1 - 1 / done[0].n;
		return within > 0 ? Math.sqrt(share + between / within) : between > 0 ? Number.POSITIVE_INFINITY : 1;
	});
}

/** Different particles in the cloud of the run with the most evidence, and how many it has. */
export function distinctParticles(run: BayesRun): { distinct: number; n: number } {
	const { unknowns } = run;
	const [[{ cloud, n }]] = [...run.logEvidences].sort(([, a], [, b]) => b - a);
	const seen = new Set(
		Array.from({ length: n }, (_, b) => unknowns.map((_, i) => cloud!.z[i * n + b]).join()),
	);
	return { distinct: seen.size, n };
}
