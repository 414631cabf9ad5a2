/** Spreads that are declared parameters and need no search, as an answer tells them: with their own errors, and where a set holds them. */
import { squared } from "../../num/whole-power.ts";
import type { HeldSpread } from "../judge/spread-bounds.ts";
import type { ParameterRow } from "../result.ts";
import type { Observations, OutputGroup } from "./observations.ts";
import { onEnd, spreadInterval } from "./spread-interval.ts";

/** What the samples are beside a simulation. */
export interface FoundErrors {
	readonly observations: Pick<Observations, "groups" | "nObservations">;
	/** Observed minus predicted. */
	readonly errors: Float64Array;
	/** The spread of each sample that fits best. */
	readonly spreads: Float64Array;
	/** Samples less unknowns. */
	readonly degrees: number;
}

export function spreadRows({ observations, errors, spreads, degrees: all }: FoundErrors): ParameterRow[] {
	const { groups, nObservations } = observations;
	const names = new Set(groups.map(paramOf).filter((name) => name !== undefined));
	return [...names].map((name) => {
		const alike = groups.filter((group) => paramOf(group) === name);
		const count = alike.reduce((sum, { from, to }) => sum + to - from, 0);
		// Its share of the degrees of freedom is that of the samples.
		const degrees = Math.max((count * all) / nObservations, 1);
		const { spread, from } = alike[0];
		const estimate = spreads[from] / unitOf(alike[0]);
		const set = spread.kind === "common" ? spread : { lo: 0, hi: Number.POSITIVE_INFINITY };
		// Within its set it is the size of the residuals itself.
		const seen = estimate > set.lo && estimate < set.hi ? estimate : seenIn(errors, alike);
		return {
			name,
			estimate,
			...spreadInterval(estimate, seen * Math.sqrt(count / degrees), degrees, set),
		};
	});
}

/** Those that were found where their range ends. */
export function heldSpreads({
	observations,
	errors,
	spreads,
}: Pick<FoundErrors, "observations" | "errors" | "spreads">): HeldSpread[] {
	const held = new Map<string, HeldSpread>();
	for (const { spread, from, to } of observations.groups) {
		if (spread.kind !== "common" || spread.param === undefined) continue;
		const { param: name, perParam = 1, lo, hi } = spread;
		const value = spreads[from] / perParam;
		const end = value >= hi * (1 - onEnd) ? "largest" : value <= lo * (1 + onEnd) ? "least" : undefined;
		if (!end) continue;
		let { squares, count } = held.get(name) ?? { squares: 0, count: 0 };
		for (let i = from; i < to; i++, count++) squares += squared(errors[i] / spreads[i]);
		held.set(name, { name, end, squares, count });
	}
	return [...held.values()];
}

function paramOf({ spread }: OutputGroup): string | undefined {
	return spread.kind === "common" ? spread.param : undefined;
}

function unitOf({ spread }: OutputGroup): number {
	return (spread.kind === "common" && spread.perParam) || 1;
}

/** Root mean square of the errors of outputs with one spread, in units of its parameter. */
function seenIn(errors: Float64Array, alike: readonly OutputGroup[]): number {
	let [squares, count] = [0, 0];
	for (const group of alike)
		for (let i = group.from; i < group.to; i++, count++) squares += squared(errors[i] / unitOf(group));
	return Math.sqrt(squares / count);
}
