/** Whether independent runs ended in the same place, and whether their clouds are clouds at all. */
import type { BayesRun } from "../bayes-run.ts";
import { moments } from "./posterior.ts";

export interface RunAgreement {
	/** Unknowns in which the runs differ by more than chance explains. */
	readonly apart: readonly string[];
	/** Log evidences of the runs that came to their end. */
	readonly evidences: readonly number[];
	/** Particles of a run. */
	readonly n: number;
}

/** Undefined where fewer than two runs came to their end. */
export function runAgreement(run: BayesRun): RunAgreement | undefined {
	const { samplers, unknowns } = run;
	const done = samplers.filter(({ outcome, cloud }) => outcome === "converged" && cloud);
	if (done.length < 2) return undefined;
	const few = 4 / Math.sqrt(Math.min(...done.map(({ n }) => n)));
	const apart = unknowns.flatMap(({ name }, i) => {
		const each = done.map(({ cloud, n }) => moments(cloud!.z.subarray(i * n, (i + 1) * n)));
		const means = each.map(({ mean }) => mean);
		const sd = Math.max(...each.map((one) => one.sd));
		return Math.max(...means) - Math.min(...means) > (0.4 + few) * sd ? [name] : [];
	});
	return { apart, evidences: done.map((sampler) => run.evidenceOf(sampler)), n: done[0].n };
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
