/** Whether independent runs ended in the same place, and whether their clouds are clouds at all. */
import { squared } from "../../../num/whole-power.ts";
import type { BayesRun } from "../bayes-run.ts";
import type { Sampler } from "../smc/pooled.ts";
import { moments } from "./posterior.ts";

export interface RunAgreement {
	/** Unknowns in which the runs differ by more than chance explains. */
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

/** Logarithms of evidence. */
const farEvidence = 10;

/** Runs that came to their end; where two or more have found the best part of the posterior, those that have. */
function countedRuns(run: BayesRun): { done: Sampler[]; nLost: number } {
	const done = run.samplers.filter(({ outcome, cloud }) => outcome === "converged" && cloud);
	const evidences = done.map((sampler) => run.evidenceOf(sampler));
	const best = done.filter((_, r) => evidences[r] >= Math.max(...evidences) - farEvidence);
	return best.length < 2 ? { done, nLost: 0 } : { done: best, nLost: done.length - best.length };
}

/** Whether one run has much more evidence than all others: only another one that finds the same tells that it is right. */
export function isAlone(run: BayesRun): boolean {
	const evidences = run.alive.map((sampler) => run.evidenceOf(sampler)).sort((a, b) => b - a);
	return evidences.length > 1 && !(evidences[0] - evidences[1] <= farEvidence);
}

/** Undefined where fewer than two runs came to their end. */
export function runAgreement(run: BayesRun): RunAgreement | undefined {
	const { unknowns } = run;
	const { done, nLost } = countedRuns(run);
	if (done.length < 2) return undefined;
	const few = 4 / Math.sqrt(Math.min(...done.map(({ n }) => n)));
	const pooled = run.pooled();
	const evidences = done.map((sampler) => run.evidenceOf(sampler));
	const isLost = Math.max(...evidences) - Math.min(...evidences) > farEvidence;
	const apart = unknowns.flatMap(({ name }, i) => {
		const each = done.map(({ cloud, n }) => moments(cloud!.z.subarray(i * n, (i + 1) * n)));
		const means = each.map(({ mean }) => mean);
		const sd = Math.max(...each.map((one) => one.sd));
		if (!(Math.max(...means) - Math.min(...means) > (0.4 + few) * sd)) return [];
		return !isLost && isConfirmed(run, i, pooled) ? [] : [name];
	});
	return { apart, evidences, nLost, isLost, n: done[0].n };
}

/** Effective draws that can confirm an answer. */
const enough = 60;

/**
 * Whether draws around what all runs found, weighed by the posterior itself, have the mean that is shown: then runs differ by
 * chance, or by the parts of the posterior that each holds, and are weighed rightly.
 */
function isConfirmed(run: BayesRun, unknown: number, { z, n }: { z: Float64Array; n: number }): boolean {
	const { drawn } = run;
	if (!drawn || !(drawn.effective >= enough)) return false;
	const { mean, sd } = moments(z.subarray(unknown * n, (unknown + 1) * n));
	return Math.abs(mean - drawn.means[unknown]) <= (0.4 + 4 / Math.sqrt(drawn.effective)) * sd;
}

/**
 * R̂ of each unknown in sampled coordinates: the spread of all runs together beside that within them, 1 where they agree. Undefined
 * where fewer than two runs came to their end.
 *
 * Reference: Gelman, Rubin, "Inference from iterative simulation using multiple sequences", Statistical Science 7, 1992.
 */
export function rHats(run: BayesRun): number[] | undefined {
	const { done } = countedRuns(run);
	if (done.length < 2) return undefined;
	return run.unknowns.map((_, i) => {
		const each = done.map(({ cloud, n }) => moments(cloud!.z.subarray(i * n, (i + 1) * n)));
		const within = each.reduce((sum, { sd }) => sum + squared(sd), 0) / each.length;
		const between = squared(moments(each.map(({ mean }) => mean)).sd);
		const share = 1 - 1 / done[0].n;
		return within > 0 ? Math.sqrt(share + between / within) : between > 0 ? Number.POSITIVE_INFINITY : 1;
	});
}

/** Different particles in the cloud of the run with the most evidence, and how many it has. */
export function distinctParticles(run: BayesRun): { distinct: number; n: number } {
	const { alive, unknowns } = run;
	const [best] = alive.sort((a, b) => run.evidenceOf(b) - run.evidenceOf(a));
	const { cloud, n } = best;
	const seen = new Set(
		Array.from({ length: n }, (_, b) => unknowns.map((_, i) => cloud!.z[i * n + b]).join()),
	);
	return { distinct: seen.size, n };
}
