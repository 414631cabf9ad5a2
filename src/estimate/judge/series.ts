/** What the judge reads: residuals of one output in one record, in time order. No method's own state. */

import type { Measure } from "../../model/model.ts";
import { svdSmall, triangulate } from "../../num/linear/least-squares.ts";
import { Reflections } from "../../num/linear/reflections.ts";
import { wholePower } from "../../num/whole-power.ts";
import { sampleLaw } from "../law/declared.ts";
import type { SampleLaw } from "../law/law.ts";
import type { OutputGroup } from "../observe/observations.ts";
import { numbers } from "../observe/sample-terms.ts";

/** Directions that fitting took out of residuals: rows of orthonormal columns over all residuals of a result. */
export interface Taken {
	readonly count: number;
	/** Row-major: one row a residual. */
	readonly of: Float64Array;
}

/** With more residuals than this, what a few directions take out of them is little beside the rest. */
export const mostTold = 4000;

/** The same of so many products of directions at all samples: what they leave is counted again and again. */
const mostProducts = 1.6e7;
const isTold = (n: number, count: number): boolean => n <= mostTold && n * count * count <= mostProducts;

/** A direction of which less than a millionth of the variance is taken is left as it is. */
const leastTaken = 1e-3;

/** What is predicted at each sample, in the user's units, how fast it changes, and how many spreads such a unit is. */
export interface Predicted {
	readonly y: Float64Array;
	readonly slope: Float64Array;
	readonly perUnit: Float64Array;
}

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
	/** A law with heavy tails lets a sample count the less the farther off it lies. */
	readonly isHeavy?: true;
	/** What fitting took out of it, where the method can tell. */
	readonly taken?: Taken;
	/** When its record begins; its first sample where that is not told. */
	readonly start?: number;
	readonly predicted?: Predicted;
}

/**
 * A sound problem may raise a grave doubt in one of a hundred runs. A run asks at most so many questions whose answer is left to
 * chance (size, independence, outliers, uneven size, faults of instruments, what is left of the variance, bounds, test records, agreement; some by two methods), and
 * each gets an even share (Bonferroni).
 */
const graveRate = 0.01;
const mostQuestions = 10;
/** Chance of a false alarm of each question, for a whole result: all outputs and records of it together. */
export const level = graveRate / mostQuestions;

/** Standard errors so many times too small matter: an interval that claims 95 % then holds 90 %. */
export const matters = 1.19;
/** An interval that is off by so many standard errors, and claims 95 %, holds 90 %. */
export const biasMatters = 0.66;

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

/** Where the unit of residuals comes from, if it is not found with the rest. */
export function unitOf(measure: Measure): Exclude<ResidualSeries["noise"], "found"> {
	if (measure.kind === "set" || measure.ofBound) return "bound";
	return sampleLaw(measure).isCount ? "counts" : "declared";
}

/** Squared distance of a sample that lies far off, in units of the spread. */
const far = 100;

/** What a series says of its law: where its tails are heavy, a sample counts the less the farther off it lies. */
export function tailsOf(law: SampleLaw): Pick<ResidualSeries, "isHeavy"> {
	return !law.isCount && law.weight(numbers, far) < law.weight(numbers, 1) ? { isHeavy: true } : {};
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
		/** Of the residuals, and of what else is fitted after them, by the unknowns: row-major. Who cannot tell has to say so. */
		readonly jacobian: { readonly of: Float64Array; readonly nUnknowns: number } | "unknown";
	},
): ResidualSeries[] {
	const taken = jacobian === "unknown" ? undefined : takenBy(jacobian.of, jacobian.nUnknowns);
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
			spread.kind === "common" || (spread.kind === "simulated" && spread.isFound) ? "found" : unitOf(measure),
		...tailsOf(law),
		...(taken ? { taken: { ...taken, of: taken.of.slice(from * taken.count, to * taken.count) } } : {}),
	}));
}

/**
 * The same of a posterior: `along` are rows of B, where of sound residuals BBᵀ is what it takes out of their covariance. Found from draws, its
 * singular values may come out above 1, which is all that there is.
 */
export function withTaken(
	series: readonly (ResidualSeries & { readonly along?: Float64Array })[],
): ResidualSeries[] {
	const n = series.reduce((sum, { residual }) => sum + residual.length, 0);
	const rows = series.map(({ along }) => along);
	const whole = Float64Array.from(rows.flatMap((row) => Array.from(row ?? [])));
	const count = whole.length / n;
	const bare = series.map(({ along: _, ...each }) => each);
	// As many directions as there are residuals could be anything.
	if (rows.includes(undefined) || !(count >= 1 && count < n) || !isTold(n, count)) return bare;
	if (!whole.every(Number.isFinite)) return bare;
	const { s, v } = svdSmall(triangulate(whole, new Float64Array(n), n, count).r, count);
	const kept = Array.from(s.keys()).filter((k) => s[k] > leastTaken);
	const nKept = kept.length;
	if (nKept === 0 || !isTold(n, nKept)) return bare;
	const turned = new Float64Array(n * nKept);
	for (let i = 0; i < n; i++)
		kept.forEach((k, at) => {
			let sum = 0;
			for (let j = 0; j < count; j++) sum += whole[i * count + j] * v[j * count + k];
			turned[i * nKept + at] = sum / Math.max(s[k], 1);
		});
	let from = 0;
	return bare.map((each) => {
		const to = from + each.residual.length * nKept;
		const of = turned.slice(from, to);
		from = to;
		return { ...each, taken: { count: nKept, of } };
	});
}

/** What least squares take out of residuals: the span of their Jacobian. Undefined where there are too many to look at. */
function takenBy(jacobian: Float64Array, nUnknowns: number): Taken | undefined {
	const n = jacobian.length / nUnknowns;
	if (!isTold(n, nUnknowns) || !jacobian.every(Number.isFinite)) return undefined;
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

/** What a curve that has all the samples' times among its own predicts at them. Undefined where it has not, or is not finite. */
export function predictedBy(
	curve: { readonly t: ArrayLike<number>; readonly y: ArrayLike<number> },
	times: ArrayLike<number>,
	/** Spreads of the samples, of logarithms where `isLog`. */
	spread: ArrayLike<number>,
	isLog: boolean,
): Predicted | undefined {
	const { t, y } = curve;
	const n = times.length;
	if (t.length < 3) return undefined;
	const out = { y: new Float64Array(n), slope: new Float64Array(n), perUnit: new Float64Array(n) };
	for (let i = 0, at = 0; i < n; i++) {
		while (at < t.length && t[at] < times[i]) at++;
		if (t[at] !== times[i]) return undefined;
		out.y[i] = y[at];
		out.slope[i] = slopeAt(t, y, at);
		out.perUnit[i] = 1 / (isLog ? y[at] * spread[i] : spread[i]);
	}
	return out.slope.every(Number.isFinite) && out.perUnit.every(Number.isFinite) ? out : undefined;
}

/** Of the parabola through a point and its neighbours. */
function slopeAt(t: ArrayLike<number>, y: ArrayLike<number>, at: number): number {
	const k = Math.min(Math.max(at, 1), t.length - 2);
	const before = (y[k] - y[k - 1]) / (t[k] - t[k - 1]);
	const after = (y[k + 1] - y[k]) / (t[k + 1] - t[k]);
	const bend = (after - before) / (t[k + 1] - t[k - 1]);
	return before + bend * (2 * t[at] - t[k] - t[k - 1]);
}
