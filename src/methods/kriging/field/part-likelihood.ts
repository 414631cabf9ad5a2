/**
 * How likely the data are when one part of one function's covariance has a given size and all else stays as it is: REML of
 * B + s A, with B the noise and the other functions. A is a product of few columns, A = F Fᵀ (a smooth covariance is), so that
 * with G = L⁻¹ F, B = L Lᵀ, each size costs a small matrix only:
 *
 *     log |B + s A| = log |B| + log |I + s GᵀG|,   yᵀ(B + s A)⁻¹y = |L⁻¹y|² - s qᵀ(I + s GᵀG)⁻¹q,   q = Gᵀ L⁻¹ y.
 *
 * Reference: Golub, Van Loan, Matrix Computations, section 2.1.4 (Sherman, Morrison, Woodbury).
 */
import {
	choleskyInto,
	choleskyLogDeterminant,
	solveLowerColumnsInto,
	solveLowerInto,
} from "../../../num/linear/cholesky.ts";
import { dot } from "../../../num/linear/dense.ts";
import { type LowRank, pivotedCholesky } from "../../../num/linear/pivoted-cholesky.ts";
import { Reflections } from "../../../num/linear/reflections.ts";
import { combineRows, type FieldDesign, SplitFunctionals, squaresInto } from "./field-design.ts";
import type { FieldData } from "./field-hyper.ts";

/** What is left out of a part, as a share of it. */
const negligible = 1e-11;

export class PartLikelihood {
	readonly #reflections: Reflections;
	/** Contrasts of the data: how many, and their mean square. */
	readonly size: number;
	readonly variance: number;
	readonly #y: Float64Array;

	constructor(
		readonly design: FieldDesign,
		readonly data: FieldData,
		readonly split: SplitFunctionals = new SplitFunctionals(design, data.sites, data.functionals),
	) {
		const { sites, functionals, y } = data;
		this.#reflections = new Reflections(design.meanMatrix(sites, functionals), y.length, design.nMean);
		this.#y = this.#contrasts(y);
		this.size = this.#y.length;
		const total = dot(y, y) / y.length;
		this.variance = Math.max(dot(this.#y, this.#y) / Math.max(this.size, 1), 1e-8 * total, 1e-300);
	}

	/** The data beside function `fn`: undefined where their covariance is not definite. */
	beside(fn: number, hyper: Float64Array): Beside | undefined {
		const { design, data } = this;
		const others = hyper.slice();
		for (let i = design.hyperStart[fn]; i < design.hyperStart[fn + 1]; i++)
			if (!isLength(design, fn, i)) others[i] = 0;
		const k = this.split.covariance(others);
		for (let i = 0; i < k.length; i++) k[i] += data.noise[i];
		const factor = this.#block(k);
		if (!choleskyInto(factor, this.size)) return undefined;
		const y = this.#y.slice();
		solveLowerInto(y, factor, this.size);
		return { factor, y };
	}

	/** F of hyperparameter i of function `fn`, at a size of 1. */
	*columns(fn: number, i: number, hyper: Float64Array): Generator<void, Columns> {
		const { design, data, size } = this;
		const alone = hyper.slice();
		for (let j = design.hyperStart[fn]; j < design.hyperStart[fn + 1]; j++)
			if (!isLength(design, fn, j)) alone[j] = j === i ? 1 : 0;
		const { isDefinite } = design.functions[fn].covariance;
		const low = isDefinite ? yield* this.#atSites(fn, i, alone) : yield* this.#ofContrasts(i, alone);
		const { rank } = low;
		if (!isDefinite) return { values: low.factor, rank, trace: traceOf(low.factor) };
		const rows = combineRows(data.functionals, low.factor, rank);
		const values = new Float64Array(size * rank);
		const column = new Float64Array(data.y.length);
		for (let c = 0; c < rank; c++) {
			for (let j = 0; j < column.length; j++) column[j] = rows[j * rank + c];
			const own = this.#contrasts(column);
			for (let j = 0; j < size; j++) values[j * rank + c] = own[j];
		}
		return { values, rank, trace: traceOf(values) };
	}

	/** Of the function at its sites; rows of others are zero. */
	*#atSites(fn: number, i: number, alone: Float64Array): Generator<void, LowRank> {
		const { design, data } = this;
		const { covariance, argNames } = design.functions[fn];
		const own = design.hyperOf(alone, fn);
		const part = i - design.hyperStart[fn];
		const at = [...data.sites.keys()].filter((s) => data.sites[s].of === fn);
		const squares = new Float64Array(argNames.length);
		const column = (j: number): Float64Array => {
			const { x } = data.sites[at[j]];
			return Float64Array.from(at, (s) => {
				squaresInto(squares, 0, data.sites[s].x, x);
				return covariance.byLog(own, squares, 0, part);
			});
		};
		// One at a distance of nothing.
		const low = yield* pivotedCholesky({ diagonal: new Float64Array(at.length).fill(1), column }, negligible);
		const factor = new Float64Array(data.sites.length * low.rank);
		at.forEach((s, j) => {
			factor.set(low.factor.subarray(j * low.rank, (j + 1) * low.rank), s * low.rank);
		});
		return { ...low, factor };
	}

	/** A covariance that is definite on contrasts alone has a root there and nowhere else. */
	*#ofContrasts(i: number, alone: Float64Array): Generator<void, LowRank> {
		const { size } = this;
		const a = this.#block(this.split.covarianceByLog(alone, i));
		return yield* pivotedCholesky(
			{
				diagonal: Float64Array.from({ length: size }, (_, j) => a[j * size + j]),
				column: (j) => a.slice(j * size, (j + 1) * size),
			},
			negligible,
		);
	}

	#contrasts(y: Float64Array): Float64Array {
		const rotated = y.slice();
		this.#reflections.applyTransposeInto(rotated);
		return rotated.slice(this.#reflections.rank);
	}

	#block(k: Float64Array): Float64Array {
		const { rank, n } = this.#reflections;
		this.#reflections.congruenceInto(k);
		const { size } = this;
		const block = new Float64Array(size * size);
		for (let i = 0; i < size; i++)
			for (let j = 0; j < size; j++) block[i * size + j] = k[(rank + i) * n + rank + j];
		return block;
	}
}

/** L of B, and L⁻¹ y. */
export interface Beside {
	readonly factor: Float64Array;
	readonly y: Float64Array;
}

/** F, row by row, and the trace of F Fᵀ. */
export interface Columns {
	readonly values: Float64Array;
	readonly rank: number;
	readonly trace: number;
}

/** Logarithm of the likelihood by size, up to what does not depend on the part. */
export function logLikelihoodBySize(
	{ factor, y }: Beside,
	{ values, rank }: Columns,
): (size: number) => number {
	const n = y.length;
	const g = values.slice();
	solveLowerColumnsInto(g, rank, factor, n);
	const gram = new Float64Array(rank * rank);
	const q = new Float64Array(rank);
	for (let j = 0; j < n; j++)
		for (let a = 0, row = j * rank; a < rank; a++) {
			const value = g[row + a];
			q[a] += value * y[j];
			for (let b = 0; b <= a; b++) gram[a * rank + b] += value * g[row + b];
		}
	const small = new Float64Array(rank * rank);
	return (size) => {
		for (let a = 0; a < rank; a++) {
			for (let b = 0; b <= a; b++) small[a * rank + b] = size * gram[a * rank + b];
			small[a * rank + a] += 1;
		}
		if (!choleskyInto(small, rank)) return Number.NEGATIVE_INFINITY;
		const z = q.slice();
		solveLowerInto(z, small, rank);
		return (size * dot(z, z) - choleskyLogDeterminant(small, rank)) / 2;
	};
}

function traceOf(values: Float64Array): number {
	return dot(values, values);
}

function isLength({ functions, hyperStart }: FieldDesign, fn: number, i: number): boolean {
	return functions[fn].covariance.hyperNames[i - hyperStart[fn]] === "length";
}
