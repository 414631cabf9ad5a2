/** What the judge reads: residuals of one output in one record, in time order. No method's own state. */
import { Reflections } from "../../num/reflections.ts";
import { wholePower } from "../../num/whole-power.ts";
import type { OutputGroup } from "../observe/observations.ts";

/** Directions that fitting took out of residuals: rows of orthonormal columns over all residuals of a result. */
export interface Taken {
	readonly count: number;
	/** Row-major: one row a residual. */
	readonly of: Float64Array;
}

/** With more residuals than this, what a few directions take out of them is little beside the rest. */
export const mostTold = 4000;

export interface ResidualSeries {
	readonly experiment: string;
	readonly output: string;
	readonly t: ArrayLike<number>;
	/** Observed minus predicted over its spread, on the scale on which errors are normal (logarithms, for lognormal outputs). */
	readonly residual: Float64Array;
	/** The samples themselves, in the user's units. */
	readonly observed: ArrayLike<number>;
	/** Where its unit comes from: a declared spread; a bound, in which errors are taken as even; the residuals themselves; the law of counts. */
	readonly noise: "declared" | "bound" | "found" | "counts";
	/** What fitting took out of it, where the method can tell. */
	readonly taken?: Taken;
}

/**
 * A sound problem may raise a grave doubt in one of a hundred runs. A run asks at most so many questions whose answer is left to
 * chance (size, independence, outliers, what is left of the variance, bounds, test records, agreement; some by two methods), and
 * each gets an even share (Bonferroni).
 */
const graveRate = 0.01;
const mostQuestions = 10;
/** Chance of a false alarm of each question, for a whole result: all outputs and records of it together. */
export const level = graveRate / mostQuestions;

/** Standard errors so many times too small matter: an interval that claims 95 % then holds 90 %. */
export const matters = 1.19;

/** Šidák's share: tests of this level, so many of them, raise a false alarm with the chance `level` at most. */
export function shared(chance: number, tests: number): number {
	return 1 - wholePower(1 - chance, tests);
}

/** Series of each output, in the order of their first mention; those without a finite value are left out. */
export function byOutput(series: readonly ResidualSeries[]): Map<string, ResidualSeries[]> {
	const outputs = new Map<string, ResidualSeries[]>();
	for (const each of series) {
		if (each.residual.length === 0 || !each.residual.every(Number.isFinite)) continue;
		outputs.set(each.output, [...(outputs.get(each.output) ?? []), each]);
	}
	return outputs;
}

/** Residuals of a stacked vector, cut into outputs and records. */
export function seriesOf(
	groups: readonly OutputGroup[],
	/** Errors in units of their spread; of counts and limits, what is judged. */
	residual: Float64Array,
	experiments: readonly { readonly name: string }[],
	{
		unit = 1,
		jacobian,
	}: {
		/** Units of the residual in one standard deviation. */
		readonly unit?: number;
		/** Of the residuals, and of what else is fitted after them, by the unknowns: row-major. */
		readonly jacobian?: { readonly of: Float64Array; readonly nUnknowns: number };
	} = {},
): ResidualSeries[] {
	const taken = jacobian && takenBy(jacobian.of, jacobian.nUnknowns);
	return groups.map(({ experiment, measure, law, within, spread, from, to, t, observed }) => ({
		experiment: experiments[experiment].name,
		output: measure.name,
		t,
		observed: observed.map(law.scale.fromCompared),
		residual:
			law.isCount || within
				? residual.slice(from, to)
				: residual.slice(from, to).map((value) => law.normalScore(value / unit)),
		noise:
			spread.kind === "common" || (spread.kind === "simulated" && spread.isFound)
				? "found"
				: measure.kind === "set"
					? "bound"
					: law.isCount
						? "counts"
						: "declared",
		...(taken ? { taken: { ...taken, of: taken.of.slice(from * taken.count, to * taken.count) } } : {}),
	}));
}

/** What least squares take out of residuals: the span of their Jacobian. Undefined where there are too many to look at. */
function takenBy(jacobian: Float64Array, nUnknowns: number): Taken | undefined {
	const n = jacobian.length / nUnknowns;
	if (n > mostTold || !jacobian.every(Number.isFinite)) return undefined;
	const basis = new Reflections(jacobian, n, nUnknowns);
	const of = new Float64Array(n * basis.rank);
	for (let j = 0; j < basis.rank; j++) {
		const column = new Float64Array(n);
		column[j] = 1;
		basis.applyInto(column);
		for (let i = 0; i < n; i++) of[i * basis.rank + j] = column[i];
	}
	return { count: basis.rank, of };
}
