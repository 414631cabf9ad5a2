/**
 * A fit of some terms with what can be said of it to first order: errors, correlations, what is left open. Sensitivities are
 * those of the steps themselves, exact but for rounding.
 */
import { mostTold } from "../../../estimate/judge/series.ts";
import { covarianceOf, covarianceOfTriangle } from "../../../estimate/least-squares/covariance.ts";
import { isOpen, roundingError } from "../../../estimate/least-squares/null-space.ts";
import { choleskyInto, choleskyInverse, solveLowerInto } from "../../../num/linear/cholesky.ts";
import { triangulateInto } from "../../../num/linear/householder.ts";
import { squared } from "../../../num/whole-power.ts";
import { designMatrix, residualOf, type WeightedProblem } from "../forward/linearisation.ts";
import type { WeightEvaluation } from "../forward/weight-forward.ts";
import { type Descent, largestMatrix, largestSvd } from "./descent.ts";
import type { Triangle } from "./linear-fit.ts";
import { normalEquations } from "./normal-equations.ts";
import { reducedTo } from "./segmented-system.ts";

export interface FittedModel {
	/** Unknowns that are in: terms, then initial values. */
	readonly active: readonly number[];
	/** All unknowns; 0 for terms that are out. */
	readonly point: Float64Array;
	readonly sse: number;
	readonly iterations: number;
	/** Through a triangle, instead of singular values. */
	readonly quick: boolean;
	/** (BᵀB)⁻¹ of the active unknowns, directions that the data leave open left out. */
	readonly covariance: Float64Array;
	/** Directions that the data leave open, of unit length in active unknowns scaled to equal effect. */
	readonly open: readonly Float64Array[];
	readonly gram: Float64Array;
	/** Weighted residuals. */
	readonly residual: Float64Array;
	/** Of these by the active unknowns, where it is kept: row-major. */
	readonly jacobian?: Float64Array;
	/** What the model says of each observation, and its spread where that is simulated. */
	readonly value: Float64Array;
	readonly spread?: Float64Array;
	/** In segments: steps of all starts that go with a step of the active unknowns. */
	readonly follow?: (step: Float64Array) => Float64Array;
}

/** `error`: the share below which a change of the outputs is none. */
export async function fittedModel(descent: Descent, error = roundingError): Promise<FittedModel> {
	const { problem, active, point } = descent;
	const here = await descent.evaluation();
	const common = {
		active,
		point: point.slice(),
		sse: descent.sse,
		iterations: descent.iterations,
		quick: descent.options.quick ?? false,
		residual: residualOf(problem, here),
		value: here.value,
		spread: here.spread,
	};
	const n = active.length;
	const linear = await descent.linear();
	if (linear) return { ...common, ...byTriangle(linear.system, n, error) };
	if (active.length > largestSvd || common.residual.length * active.length > largestMatrix)
		return { ...common, ...byNormalEquations(problem, here, active) };
	const b = designMatrix(problem, here, active);
	const { matrix, open } = covarianceOf(b, n, error);
	const gram = new Float64Array(n * n);
	for (let i = 0; i < common.residual.length; i++)
		for (let j = 0; j < n; j++) {
			const left = b[i * n + j];
			if (left !== 0) for (let k = 0; k <= j; k++) gram[j * n + k] += left * b[i * n + k];
		}
	for (let j = 0; j < n; j++) for (let k = 0; k < j; k++) gram[k * n + j] = gram[j * n + k];
	return { ...common, covariance: matrix, open, gram };
}

/** With the Jacobian of the residuals; not in segments, whose starts are fitted as well, nor of more samples than the judge looks at. */
export async function withJacobian(descent: Descent, model: FittedModel): Promise<FittedModel> {
	const { problem, active } = descent;
	if (problem.segmented || model.residual.length > mostTold) return model;
	return { ...model, jacobian: designMatrix(problem, await descent.evaluation(), active) };
}

/** From the triangle of the linearised problem. */
export function byTriangle(
	system: Triangle,
	n: number,
	error = roundingError,
): Pick<FittedModel, "covariance" | "open" | "gram" | "follow"> {
	const { triangle } = system;
	const r = new Float64Array(n * n);
	const gram = new Float64Array(n * n);
	for (let j = 0; j < n; j++)
		for (let i = 0; i <= j; i++) {
			r[i * n + j] = triangle[j * n + i];
			for (let k = 0; k <= i; k++) gram[i * n + j] += triangle[j * n + k] * triangle[i * n + k];
			gram[j * n + i] = gram[i * n + j];
		}
	const covariance = covarianceOfTriangle(triangle, n, error);
	const common = { gram, follow: system.follow && ((step: Float64Array) => system.follow!(step)) };
	if (covariance) return { covariance, open: [], ...common };
	const { matrix, open } = covarianceOf(r, n, error);
	return { covariance: matrix, open, ...common };
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

/** Unknowns that take part in what the data leave open. */
export function openUnknowns({ active, open }: FittedModel): Set<number> {
	return new Set(active.filter((_, k) => isOpen(open, k)));
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
	const n = unknowns.length;
	if (problem.segmented) {
		const { triangle: columns, right: qtb, rest } = reducedTo(problem, here, unknowns);
		const triangle = new Float64Array(n * n);
		for (let i = 0; i < n; i++)
			for (let j = i; j < n; j++) {
				triangle[i * n + j] = columns[j * n + i];
				qtb[i] += columns[j * n + i] * point[unknowns[j]];
			}
		return { triangle, qtb, rest };
	}
	const b = designMatrix(problem, here, unknowns);
	const right = residualOf(problem, here);
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

/**
 * How large a term is, in standard errors: its weight over its error; of one with several weights the root mean square, correlations
 * counted. null where the data leave it open.
 */
export function termSize(model: FittedModel, members: readonly number[], variance: number): number | null {
	const { active, covariance, point } = model;
	const n = active.length;
	const open = openUnknowns(model);
	if (members.some((u) => open.has(u))) return null;
	const places = members.map((u) => active.indexOf(u));
	const k = places.length;
	if (k === 1) {
		const size = Math.abs(point[members[0]]) / Math.sqrt(covariance[places[0] * n + places[0]] * variance);
		return Number.isNaN(size) ? null : size;
	}
	const l = new Float64Array(k * k);
	for (let i = 0; i < k; i++)
		for (let j = 0; j <= i; j++) l[i * k + j] = covariance[places[i] * n + places[j]] * variance;
	if (!choleskyInto(l, k)) return null;
	const z = Float64Array.from(members, (u) => point[u]);
	solveLowerInto(z, l, k);
	return Math.sqrt(z.reduce((sum, value) => sum + squared(value), 0) / k);
}

/** Where the fit goes, to first order, when active unknowns move by `shifts`: one after the other, each with those before it held. */
export function movedAlong(
	{ active, covariance, follow }: Pick<FittedModel, "active" | "covariance" | "follow">,
	point: Float64Array,
	unknowns: readonly number[],
	shifts: readonly number[],
): Float64Array {
	const n = active.length;
	const step = new Float64Array(n);
	let c = covariance;
	unknowns.forEach((unknown, m) => {
		const k = active.indexOf(unknown);
		const own = c[k * n + k];
		const shift = shifts[m] - step[k];
		for (let i = 0; i < n; i++) step[i] += (c[i * n + k] / own) * shift;
		if (m === unknowns.length - 1) return;
		const held = c.slice();
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++) held[i * n + j] -= (c[i * n + k] / own) * c[k * n + j];
		c = held;
	});
	const moved = point.slice();
	active.forEach((u, i) => {
		moved[u] += step[i];
	});
	const starts = follow?.(step);
	if (starts)
		for (let i = 0, at = moved.length - starts.length; i < starts.length; i++, at++) moved[at] += starts[i];
	return moved;
}
