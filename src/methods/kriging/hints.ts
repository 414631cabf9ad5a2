/**
 * Hints at the form of a learned function: which terms of a polynomial library it is near to, with errors. The library
 * takes the place of the function's trend and covariance in the same equations; terms that do not differ from zero are
 * taken out one by one, the least sure first. The lowest degree that explains the data is kept. Where none does, errors are
 * widened by what is left, and `left` says how much that is.
 */
import { FieldDesign } from "./field-design.ts";
import { LearnedField } from "./learned-field.ts";
import { monomialAt, monomials, monomialText } from "./monomials.ts";

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
}

/** A term stays when it is this many standard deviations from zero. */
const sure = 3;

export function hintsFor(field: LearnedField, degree: number): Hint[] {
	return field.design.functions.flatMap((fn, of) => {
		const library = monomials(fn.argNames.length, degree);
		// On an orbit terms stand in for one another: the lowest degree that noise allows is taken.
		let found: LibraryFit | undefined;
		for (let d = 1; d <= degree && !found?.suffices; d++)
			found = reduced(field, of, monomials(fn.argNames.length, d)) ?? found;
		if (!found) return [];
		const { terms, weight, sd, t, misfit } = found;
		const name = (exponents: readonly number[]): string => monomialText(exponents, fn.argNames);
		const kept = terms.flatMap((exponents, k) =>
			t[k] >= sure ? [{ term: name(exponents), weight: weight[k], sd: sd[k] }] : [],
		);
		const names = new Set(kept.map(({ term }) => term));
		const dropped = library.map(name).filter((term) => !names.has(term));
		return [{ of: fn.name, kept, dropped, left: leftOver(field, of, terms, weight), misfit }];
	});
}

/** The library without terms that do not differ from zero, the least sure first. */
function reduced(
	field: LearnedField,
	of: number,
	library: readonly (readonly number[])[],
): LibraryFit | undefined {
	let found = fitted(field, of, library);
	while (found && found.terms.length > 1) {
		const { t, terms } = found;
		let worst = 0;
		for (let j = 1; j < terms.length; j++) if (t[j] < t[worst]) worst = j;
		if (t[worst] >= sure) break;
		found = fitted(field, of, terms.toSpliced(worst, 1));
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
	/** Noise alone leaves as much in one case of a hundred. */
	readonly suffices: boolean;
}

function fitted(
	field: LearnedField,
	of: number,
	terms: readonly (readonly number[])[],
): LibraryFit | undefined {
	const { data } = field;
	const design = new LibraryDesign(field.design, of, terms);
	// The function itself has no covariance here; the others keep theirs.
	const hyper = field.hyper.slice();
	design.functions[of].covariance.hyperNames.forEach((name, i) => {
		if (name !== "length") hyper[design.hyperStart[of] + i] = 0;
	});
	const { kriging, beta } = new LearnedField(design, data, hyper);
	if (!kriging.isDefinite) return undefined;
	let chi = 0;
	for (let i = 0; i < kriging.solved.length; i++)
		chi += kriging.rotatedY[kriging.rank + i] * kriging.solved[i];
	const misfit = Math.sqrt(chi / Math.max(kriging.solved.length, 1));
	const start = design.trendStart[of];
	const covariance = kriging.betaCovariance();
	const weight = beta.slice(start, start + terms.length);
	const sd = new Float64Array(terms.length);
	const at = (j: number): number => (start + j) * design.nMean + start + j;
	weight.forEach((_, j) => {
		sd[j] = Math.max(misfit, 1) * Math.sqrt(Math.max(covariance[at(j)], 0));
	});
	// A term that those before it explain has no weight of its own.
	return {
		terms,
		weight,
		sd,
		t: weight.map((value, j) => (sd[j] > 0 ? Math.abs(value) / sd[j] : 0)),
		misfit,
		suffices: misfit ** 2 < 1 + 2.33 * Math.sqrt(2 / kriging.solved.length),
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
		Math.sqrt(values.reduce((sum, v) => sum + f(v) ** 2, 0) / values.length);
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
