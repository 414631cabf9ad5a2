/** Spreads that need no search, as rows of the answer. */
import type { OutputGroup } from "../../estimate/observe/observations.ts";
import type { ParameterRow } from "../../estimate/result.ts";
import { squared } from "../../num/whole-power.ts";
import { errorsOf } from "./errors.ts";
import type { FitRun } from "./fit-run.ts";
import { spreadInterval } from "./spread-interval.ts";

/** Spreads that were declared as parameters: the size of the residuals, with its own error. */
export function spreadRows(run: FitRun): ParameterRow[] {
	if (errorsOf(run).noise === undefined) return [];
	const { groups, nObservations } = run.estimation.observations;
	const paramOf = ({ spread }: OutputGroup): string | undefined =>
		spread.kind === "common" ? spread.param : undefined;
	const names = new Set(groups.map(paramOf).filter((name) => name !== undefined));
	return [...names].map((name) => {
		const alike = groups.filter((group) => paramOf(group) === name);
		const count = alike.reduce((sum, { from, to }) => sum + to - from, 0);
		// Its share of the degrees of freedom is that of the samples.
		const degrees = Math.max((count * run.degrees) / nObservations, 1);
		const { spread, from } = alike[0];
		const unit = (spread.kind === "common" && spread.perParam) || 1;
		const estimate = run.optimum.spreads[from] / unit;
		const set = spread.kind === "common" ? spread : { lo: 0, hi: Number.POSITIVE_INFINITY };
		// Within its set it is the size of the residuals itself.
		const seen = estimate > set.lo && estimate < set.hi ? estimate : seenIn(run, alike);
		return {
			name,
			estimate,
			...spreadInterval(estimate, seen * Math.sqrt(count / degrees), degrees, set),
		};
	});
}

/** Root mean square of the errors of outputs with one spread, in units of its parameter. */
function seenIn({ optimum: { errors, sd } }: FitRun, alike: readonly OutputGroup[]): number {
	let [squares, count] = [0, 0];
	for (const { spread, from, to } of alike) {
		const unit = (spread.kind === "common" && spread.perParam) || 1;
		for (let i = from; i < to; i++, count++) squares += squared((errors[i] * sd[i]) / unit);
	}
	return Math.sqrt(squares / count);
}
