/** A fit of some terms with what can be said of it to first order: errors, correlations, what is left open. */
import { choleskyInto, choleskyInverse } from "../../../num/cholesky.ts";
import { solveTriangleInto, triangulateInto } from "../../../num/householder.ts";
import { squared } from "../../../num/whole-power.ts";
import { designMatrix, residualOf, type WeightedProblem } from "../forward/linearisation.ts";
import type { WeightEvaluation } from "../forward/weight-forward.ts";
import { DampedSystem } from "./damped-step.ts";
import { type Descent, largestMatrix, largestSvd } from "./descent.ts";
import { normalEquations } from "./normal-equations.ts";

export interface FittedModel {
	/** Unknowns that are in: terms, then initial values. */
	readonly active: readonly number[];
	/** All unknowns; 0 for terms that are out. */
	readonly point: Float64Array;
	readonly sse: number;
	readonly iterations: number;
	/** (BᵀB)⁻¹ of the active unknowns, directions that the data leave open left out. */
	readonly covariance: Float64Array;
	/** Directions that the data leave open, of unit length in active unknowns scaled to equal effect. */
	readonly open: readonly Float64Array[];
	readonly gram: Float64Array;
	/** Weighted residuals. */
	readonly residual: Float64Array;
}

/** A direction is open when it moves the residuals so much less than the stiffest one. */
const openBelow = 1e-8;

export async function fittedModel(descent: Descent): Promise<FittedModel> {
	const { problem, active, point } = descent;
	const here = await descent.evaluation();
	const common = {
		active,
		point: point.slice(),
		sse: descent.sse,
		iterations: descent.iterations,
		residual: residualOf(problem, here),
	};
	if (active.length > largestSvd || common.residual.length * active.length > largestMatrix)
		return { ...common, ...byNormalEquations(problem, here, active) };
	const b = designMatrix(problem, here, active);
	const n = active.length;
	const m = b.length / Math.max(n, 1);
	const norms = new Float64Array(n);
	for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) norms[j] += squared(b[i * n + j]);
	for (let j = 0; j < n; j++) norms[j] = Math.sqrt(norms[j]) || 1;
	const gram = new Float64Array(n * n);
	for (let i = 0; i < m; i++)
		for (let j = 0; j < n; j++) {
			const left = b[i * n + j];
			if (left !== 0) for (let k = 0; k <= j; k++) gram[j * n + k] += left * b[i * n + k];
		}
	for (let j = 0; j < n; j++) for (let k = 0; k < j; k++) gram[k * n + j] = gram[j * n + k];
	// Columns of equal length: whether a direction is open must not depend on units.
	for (let i = 0, at = 0; i < m; i++) for (let j = 0; j < n; j++) b[at++] /= norms[j];
	const { covariance, open } = inverseOf(b, m, n);
	for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) covariance[i * n + j] /= norms[i] * norms[j];
	return { ...common, covariance, open, gram };
}

/** (BᵀB)⁻¹: through the triangle where that is clearly regular, otherwise through the singular values. */
function inverseOf(b: Float64Array, m: number, n: number): Pick<FittedModel, "covariance" | "open"> {
	const columns = new Float64Array(m * n);
	for (let i = 0, at = 0; i < m; i++) for (let j = 0; j < n; j++) columns[j * m + i] = b[at++];
	triangulateInto(columns, m, new Float64Array(m), m, n);
	let least = 1;
	for (let j = 0; j < n; j++) least = Math.min(least, Math.abs(columns[j * m + j]));
	if (m < n || !(least > 1e-4)) {
		const system = new DampedSystem(b, new Float64Array(m), m, n);
		const open = [...system.d.keys()]
			.filter((l) => !(system.d[l] > openBelow * system.d[0]))
			.map((l) => Float64Array.from({ length: n }, (_, i) => system.v[i * n + l]));
		return { covariance: system.covariance(openBelow), open };
	}
	const covariance = new Float64Array(n * n);
	const inverse = new Float64Array(n * n);
	const unit = new Float64Array(n);
	for (let j = 0; j < n; j++) {
		unit.fill(0);
		unit[j] = 1;
		solveTriangleInto(unit, columns, m, n);
		inverse.set(unit, j * n);
	}
	for (let j = 0; j < n; j++)
		for (let a = 0; a <= j; a++)
			for (let c = 0; c <= j; c++) covariance[a * n + c] += inverse[j * n + a] * inverse[j * n + c];
	return { covariance, open: [] };
}

/** For many unknowns: nothing is said of what the data leave open. */
function byNormalEquations(
	problem: WeightedProblem,
	here: WeightEvaluation,
	active: readonly number[],
): Pick<FittedModel, "covariance" | "open" | "gram"> {
	const n = active.length;
	const { gram } = normalEquations(problem, here, active);
	const l = gram.slice();
	for (let i = 0; i < n; i++) l[i * n + i] *= 1 + 1e-13;
	const covariance = choleskyInto(l, n) ? choleskyInverse(l, n) : new Float64Array(n * n).fill(Number.NaN);
	return { covariance, open: [], gram };
}

/** A share of an open direction below which an unknown does not take part in it. */
const takesPart = 1e-3;

/** Unknowns that take part in what the data leave open. */
export function openUnknowns({ active, open }: FittedModel): Set<number> {
	return new Set(active.filter((_, k) => open.some((direction) => Math.abs(direction[k]) > takesPart)));
}

/** Standard errors of the active unknowns, [whiten2014] eq. (11); NaN for one that takes part in an open direction. */
export function standardErrors(model: FittedModel, variance: number): Float64Array {
	const { active, covariance } = model;
	const n = active.length;
	const open = openUnknowns(model);
	return Float64Array.from(active, (u, i) =>
		open.has(u) ? Number.NaN : Math.sqrt(covariance[i * n + i] * variance),
	);
}

/** The linearised problem over given unknowns, with the point taken out: b = residual + B a. */
export function linearProblem(
	problem: WeightedProblem,
	here: WeightEvaluation,
	point: Float64Array,
	unknowns: readonly number[],
): { triangle: Float64Array; qtb: Float64Array; rest: number } {
	const b = designMatrix(problem, here, unknowns);
	const right = residualOf(problem, here);
	const n = unknowns.length;
	const m = right.length;
	for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) right[i] += b[i * n + j] * point[unknowns[j]];
	const columns = new Float64Array(m * n);
	for (let i = 0, at = 0; i < m; i++) for (let j = 0; j < n; j++) columns[j * m + i] = b[at++];
	triangulateInto(columns, m, right, m, n);
	let rest = 0;
	for (let i = n; i < m; i++) rest += squared(right[i]);
	const triangle = new Float64Array(n * n);
	for (let j = 0; j < n; j++)
		for (let i = 0; i <= Math.min(j, m - 1); i++) triangle[i * n + j] = columns[j * m + i];
	const qtb = new Float64Array(n);
	qtb.set(right.subarray(0, Math.min(m, n)));
	return { triangle, qtb, rest };
}
