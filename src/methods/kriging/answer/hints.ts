/**
 * Hints at the form of a learned function: which terms of a polynomial library it is near to, with errors. The library
 * takes the place of the function's trend and covariance in the same equations; terms that do not differ from zero are
 * taken out one by one, the least sure first. The lowest degree that explains the data is kept. Where none does, errors are
 * widened by what is left, and `left` says how much that is. Errors are those given the kept terms: where another term in
 * the place of one of them fits as well, `others` names it.
 */
import { choleskyInto, solveLowerInto } from "../../../num/linear/cholesky.ts";
import { squared } from "../../../num/whole-power.ts";
import { FieldDesign, SplitFunctionals } from "../field/field-design.ts";
import { IntrinsicKriging } from "../field/intrinsic-kriging.ts";
import type { LearnedField } from "../field/learned-field.ts";
import { monomialAt, monomials, monomialText } from "../field/monomials.ts";

export interface HintTerm {
	readonly term: string;
	readonly weight: number;
	readonly sd: number;
}

export interface Hint {
	readonly of: string;
	readonly kept: readonly HintTerm[];
	readonly dropped: readonly string[];
	/** Share of the function's variation, over the data, that the kept terms leave: root mean square. */
	readonly left: number;
	/** Root mean square of what the kept terms leave of the data, in units of their noise: near 1 for the right form. */
	readonly misfit: number;
	/** Sets of as many terms that noise does not tell from the kept ones: one term in the place of another. */
	readonly others: readonly Swap[];
}

export interface Swap {
	readonly term: string;
	readonly inPlaceOf: string;
}

/** A hint that is worth words: few terms, and hardly anything left. */
export function isNear({ left, kept }: Hint): boolean {
	return left < 0.05 && kept.length > 0 && kept.length <= 6;
}

/** A term stays when it is this many standard deviations from zero. */
const sure = 3;

/** In pieces, one for each fit of a set of terms. */
export function* hintsFor(field: LearnedField, degree: number): Generator<void, Hint[]> {
	const hints: Hint[] = [];
	for (const [of, fn] of field.design.functions.entries()) {
		const library = monomials(fn.argNames.length, degree);
		// On an orbit terms stand in for one another: the lowest degree that noise allows is taken.
		let found: LibraryFit | undefined;
		const beside = besideFunction(field, of);
		for (let d = 1; d <= degree && !found?.suffices; d++)
			found = (yield* reduced(field, of, beside, monomials(fn.argNames.length, d))) ?? found;
		if (!found) continue;
		const { terms, weight, sd, t, misfit } = found;
		const name = (exponents: readonly number[]): string => monomialText(exponents, fn.argNames);
		const kept = terms.flatMap((exponents, k) =>
			t[k] >= sure ? [{ term: name(exponents), weight: weight[k], sd: sd[k] }] : [],
		);
		const names = new Set(kept.map(({ term }) => term));
		const dropped = library.map(name).filter((term) => !names.has(term));
		const others = swaps(field, of, beside, found, library).map(({ term, inPlaceOf }) => ({
			term: name(term),
			inPlaceOf: name(inPlaceOf),
		}));
		hints.push({ of: fn.name, kept, dropped, left: leftOver(field, of, terms, weight), misfit, others });
	}
	return hints;
}

/**
 * Which sets with one other term explain the data, and as well as those found. Of a fit with all terms, leaving out those
 * of D adds  b_Dᵀ C_DD⁻¹ b_D  to the sum of squares (b, C: its weights and their covariance): one fit serves for all sets.
 */
function swaps(
	field: LearnedField,
	of: number,
	beside: Float64Array,
	found: LibraryFit,
	library: readonly (readonly number[])[],
): { term: readonly number[]; inPlaceOf: readonly number[] }[] {
	const whole = found.suffices ? fitted(field, of, beside, library) : undefined;
	if (!whole) return [];
	const key = (exponents: readonly number[]): string => exponents.join();
	const own = new Set(found.terms.map(key));
	const chiWithout = (used: ReadonlySet<string>): number => {
		const out = Array.from(library.keys()).filter((k) => !used.has(key(library[k])));
		return whole.chi + quadratic(whole.covariance, whole.weight, library.length, out);
	};
	// Held against its own sum from the same fit, so that rounding of nearly equal terms does not count.
	const least = chiWithout(own);
	if (!Number.isFinite(least)) return [];
	return found.terms.flatMap((inPlaceOf) =>
		library
			.filter((term) => !own.has(key(term)))
			.filter((term) => {
				const used = new Set([...own].filter((each) => each !== key(inPlaceOf)).concat(key(term)));
				const chi = chiWithout(used);
				return chi < least + squared(sure) && isChance(chi, found.freedom);
			})
			.map((term) => ({ term, inPlaceOf })),
	);
}

/** b_Dᵀ C_DD⁻¹ b_D for rows D of a covariance; infinite where it is singular. */
function quadratic(covariance: Float64Array, b: Float64Array, n: number, rows: readonly number[]): number {
	const m = rows.length;
	const unit = rows.map((i) => Math.sqrt(covariance[i * n + i]));
	const c = Float64Array.from(
		{ length: m * m },
		(_, at) =>
			covariance[rows[Math.floor(at / m)] * n + rows[at % m]] / (unit[Math.floor(at / m)] * unit[at % m]),
	);
	if (!choleskyInto(c, m)) return Number.POSITIVE_INFINITY;
	const z = Float64Array.from(rows, (i, k) => b[i] / unit[k]);
	solveLowerInto(z, c, m);
	return z.reduce((sum, value) => sum + value * value, 0);
}

/** Noise alone leaves as much in one case of a hundred. */
function isChance(chi: number, freedom: number): boolean {
	return chi / freedom < 1 + 2.33 * Math.sqrt(2 / freedom);
}

/** The library without terms that do not differ from zero, the least sure first. */
function* reduced(
	field: LearnedField,
	of: number,
	beside: Float64Array,
	library: readonly (readonly number[])[],
): Generator<void, LibraryFit | undefined> {
	yield;
	let found = fitted(field, of, beside, library);
	while (found && found.terms.length > 1) {
		const { t, terms } = found;
		let worst = 0;
		for (let j = 1; j < terms.length; j++) if (t[j] < t[worst]) worst = j;
		if (t[worst] >= sure) break;
		yield;
		found = fitted(field, of, beside, terms.toSpliced(worst, 1));
	}
	return found;
}

interface LibraryFit {
	readonly terms: readonly (readonly number[])[];
	readonly weight: Float64Array;
	readonly sd: Float64Array;
	/** |weight|/sd. */
	readonly t: Float64Array;
	readonly misfit: number;
	/** Sum of the squares that are left, in units of the noise, and how many of them are free. */
	readonly chi: number;
	readonly freedom: number;
	/** Covariance of the weights' errors given the noise. */
	readonly covariance: Float64Array;
	readonly suffices: boolean;
}

/** Covariance of the data without what the function itself does: the others keep theirs. */
function besideFunction({ design, data, hyper: all }: LearnedField, of: number): Float64Array {
	const hyper = all.slice();
	design.functions[of].covariance.hyperNames.forEach((name, i) => {
		if (name !== "length") hyper[design.hyperStart[of] + i] = 0;
	});
	const k = new SplitFunctionals(design, data.sites, data.functionals).covariance(hyper);
	for (let i = 0; i < k.length; i++) k[i] += data.noise[i];
	return k;
}

function fitted(
	{ design: own, data }: LearnedField,
	of: number,
	beside: Float64Array,
	terms: readonly (readonly number[])[],
): LibraryFit | undefined {
	const design = new LibraryDesign(own, of, terms);
	const mean = design.meanMatrix(data.sites, data.functionals);
	const kriging = new IntrinsicKriging(beside, mean, data.y, design.nMean);
	if (!kriging.isDefinite) return undefined;
	const { beta } = kriging;
	let chi = 0;
	for (let i = 0; i < kriging.solved.length; i++)
		chi += kriging.rotatedY[kriging.rank + i] * kriging.solved[i];
	const freedom = kriging.solved.length;
	const misfit = Math.sqrt(chi / Math.max(freedom, 1));
	const start = design.trendStart[of];
	const all = kriging.betaCovariance();
	const weight = beta.slice(start, start + terms.length);
	const sd = new Float64Array(terms.length);
	const m = terms.length;
	const covariance = Float64Array.from(
		{ length: m * m },
		(_, at) => all[(start + Math.floor(at / m)) * design.nMean + start + (at % m)],
	);
	weight.forEach((_, j) => {
		sd[j] = Math.max(misfit, 1) * Math.sqrt(Math.max(covariance[j * m + j], 0));
	});
	// A term that those before it explain has no weight of its own.
	return {
		terms,
		weight,
		sd,
		t: weight.map((value, j) => (sd[j] > 0 ? Math.abs(value) / sd[j] : 0)),
		misfit,
		chi,
		freedom,
		covariance,
		suffices: isChance(chi, freedom),
	};
}

/** How far the terms are from the learned function at the data. */
function leftOver(
	{ design, data, functions }: LearnedField,
	of: number,
	terms: readonly (readonly number[])[],
	weight: Float64Array,
): number {
	const { scale, centre } = design.functions[of];
	const values = data.sites
		.filter((site) => site.of === of)
		.map(({ x }) => {
			const args = x.map((value, a) => value * scale[a] + centre[a]);
			const said = terms.reduce((sum, exponents, k) => sum + weight[k] * monomialAt(exponents, args), 0);
			return { learned: functions[of].value(args), said };
		});
	const mean = values.reduce((sum, { learned }) => sum + learned, 0) / values.length;
	const rms = (f: (v: (typeof values)[number]) => number): number =>
		Math.sqrt(values.reduce((sum, v) => sum + squared(f(v)), 0) / values.length);
	return rms(({ learned, said }) => learned - said) / (rms(({ learned }) => learned - mean) || 1);
}

/** A design in which the trend of one function is a library in natural units. */
class LibraryDesign extends FieldDesign {
	readonly #of: number;
	readonly #library: readonly (readonly number[])[];

	constructor(design: FieldDesign, of: number, library: readonly (readonly number[])[]) {
		super(
			design.functions.map((fn, i) => (i === of ? { ...fn, basis: library } : fn)),
			design.nFree,
		);
		this.#of = of;
		this.#library = library;
	}

	override meanAtSite(site: { of: number; x: Float64Array }): Float64Array {
		if (site.of !== this.#of) return super.meanAtSite(site);
		const { centre, scale } = this.functions[site.of];
		const args = site.x.map((value, a) => value * scale[a] + centre[a]);
		const row = new Float64Array(this.nMean);
		this.#library.forEach((exponents, j) => {
			row[this.trendStart[site.of] + j] = monomialAt(exponents, args);
		});
		return row;
	}
}
