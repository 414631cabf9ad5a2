/** What is said of each unknown in a word or two. */
import { oneSided, type Verdict } from "../../../estimate/judge/identifiability.ts";
import type { Law } from "../../../estimate/law/law.ts";
import { isOpen } from "../../../estimate/least-squares/null-space.ts";
import type { BayesRun } from "../bayes-run.ts";
import type { Marginal } from "./posterior.ts";
import { cloudsOf, runAgreement } from "./run-agreement.ts";

/** `structurally` where outputs do not move, `practically` where the posterior is nearly the prior, or is so on one side. */
export function verdictsOf(run: BayesRun, posterior: readonly Marginal[]): string[] {
	const apart = runAgreement(cloudsOf(run))?.apart ?? [];
	return posterior.map((one, i) => {
		const { name } = one;
		if (isPoint(one)) return "not known: the cloud collapsed";
		if (isOpen(run.open, i)) return "structurally unidentifiable";
		if (run.cutOff.some((each) => each.name === name)) return "not known: cut off by the solver";
		if (apart.includes(name)) return "not known: the runs disagree";
		return verdictOf(one, run.priorSd[i], run.unknowns[i].prior);
	});
}

/** Whether a posterior is so much narrower than its prior that data have told of it. Deviations in sampled coordinates. */
export function isToldOf(sd: number, priorSd: number): boolean {
	return !(sd > 0.8 * priorSd);
}

/** By how much narrower the posterior is than the prior, and on which sides. */
export function verdictOf({ sampledSd, values }: Marginal, priorSd: number, { mass }: Law): Verdict {
	if (!isToldOf(sampledSd, priorSd)) return "practically unidentifiable";
	return oneSided(values.map(mass)) ?? "identifiable";
}

/** All particles are one: there is no interval. */
export function isPoint({ values }: Marginal): boolean {
	return values.every((value) => value === values[0]);
}
