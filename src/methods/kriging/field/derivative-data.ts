/**
 * Observations of the unknown functions from step 1: each equation at each sample time, D̂ = g(t, x̂, u, p, f(x̂)) + error.
 * The error is that of the derivative and, to first order, that of the arguments:
 *
 *     error = w - Σ_c J_c e_c,
 *
 * where w and e are errors of one joint posterior, correlated in time and with one another. (With G = J this is
 * N = C_ww + Σ G C_ee G - (G C_ew + its transpose); J comes from the pass before.)
 */
import { BoundDynamics, type Dynamics } from "../dynamics.ts";
import {
	type SmoothedRecord,
	type SmoothedTrack,
	smoothedState,
	withConditions,
} from "../time/smoothed-record.ts";
import { type FieldFunction, type Functional, type Site, scaled } from "./field-design.ts";
import type { FieldData } from "./field-hyper.ts";
import { jumpVariance, meanSignals } from "./input-jumps.ts";
import type { KernelSum } from "./kernel-sum.ts";

/** How much of the errors of step 1 is carried over. */
export type ErrorPass =
	/** Derivatives only, each for itself (the paper). */
	| { readonly kind: "independent" }
	/** Derivatives, with their correlation in time. */
	| { readonly kind: "derivatives" }
	/** States and derivatives together, with the gradients of these functions. */
	| { readonly kind: "joint"; readonly functions: readonly KernelSum[] };

export interface DerivativeDataSpec {
	readonly dynamics: Dynamics;
	readonly records: readonly SmoothedRecord[];
	readonly functions: readonly FieldFunction[];
	/** Values of the free parameters about which the equations are linearised. */
	readonly params: Float64Array;
	readonly current: readonly KernelSum[] | undefined;
	readonly pass: ErrorPass;
}

/** Arguments of call j at all instants of all records. */
export function callArguments(
	dynamics: Dynamics,
	records: readonly SmoothedRecord[],
	params: Float64Array,
): Float64Array[] {
	return records.flatMap((smoothed) => {
		const { record } = smoothed;
		const signals = meanSignals(record.signals);
		const bound = new BoundDynamics(dynamics, [], withConditions(params, record), signals);
		return Array.from(record.grid, (t, i) => {
			bound.argsAt(t, smoothedState(dynamics, smoothed, i));
			return bound.args.slice();
		});
	});
}

export function derivativeData(spec: DerivativeDataSpec): FieldData {
	const { dynamics, records, functions, params, current, pass } = spec;
	const { layout, n: nStates, nCalls, nParams } = dynamics;
	const sites: Site[] = [];
	const functionals: Functional[] = [];
	const y: number[] = [];
	const extra: number[] = [];
	const blocks: { from: number; coefficients: Float64Array[][]; smoothed: SmoothedRecord }[] = [];
	const rhs = new Float64Array(nStates);
	const byCall = new Float64Array(nStates * nCalls);
	const byParam = new Float64Array(nStates * nParams);
	const J = new Float64Array(nStates * nStates);
	const none = new Float64Array(nCalls);
	const carried = pass.kind === "joint" ? pass.functions : undefined;
	for (const smoothed of records) {
		const { record } = smoothed;
		const p = withConditions(params, record);
		const bound = new BoundDynamics(dynamics, carried ?? current ?? [], p, meanSignals(record.signals));
		const jumps = carried && jumpVariance(dynamics, smoothed, carried, params);
		const from = y.length;
		const coefficients: Float64Array[][] = [];
		record.grid.forEach((t, i) => {
			const x = smoothedState(dynamics, smoothed, i);
			const u = bound.u.at(t);
			dynamics.rhs(t, x, u, p, none, rhs);
			bound.byCall(t, x, byCall);
			// Columns of the free parameters; where functions take part in them, those of the pass before.
			if (nParams > 0 && bound.functions.length > 0) bound.byParam(t, x, byParam);
			else if (nParams > 0) dynamics.byParam(t, x, u, p, none, bound.slopes.fill(0), byParam);
			if (carried) bound.jacobian(t, x, J);
			bound.argsAt(t, x);
			const first = sites.length;
			for (const { fn, node, start } of layout.calls)
				sites.push({
					of: fn,
					x: scaled(functions[fn], bound.args.subarray(start, start + node.args.length)),
				});
			layout.equations.forEach(({ component, track, order }, e) => {
				const calls = layout.calls.map((_, j) => j).filter((j) => byCall[component * nCalls + j] !== 0);
				const factors = byParam.slice(component * nParams, (component + 1) * nParams);
				if (calls.length === 0 && factors.every((value) => value === 0)) return;
				functionals.push({
					at: Int32Array.from(calls, (j) => first + j),
					weight: Float64Array.from(calls, (j) => byCall[component * nCalls + j]),
					factors,
				});
				// The known part is moved to the left; parameters are linearised about their present values.
				let value = smoothed.tracks[track].mean[order * record.grid.length + i] - rhs[component];
				factors.forEach((factor, k) => {
					value += factor * params[k];
				});
				y.push(value);
				coefficients.push(errorCoefficients(dynamics, track, order, carried ? J : undefined, component, i));
				extra.push(jumps?.[e][i] ?? 0);
			});
		});
		blocks.push({ from, coefficients, smoothed });
	}
	return { sites, functionals, y: Float64Array.from(y), noise: noiseMatrix(extra, blocks, pass) };
}

/** Of each track: coefficients of the errors of order 0, 1, … at instant i; the instant is kept in the last place. */
function errorCoefficients(
	{ layout, n }: Dynamics,
	track: number,
	order: number,
	J: Float64Array | undefined,
	component: number,
	i: number,
): Float64Array[] {
	const all = layout.tracks.map(({ components }) => {
		const row = new Float64Array(components.length + 2);
		row[row.length - 1] = i;
		return row;
	});
	all[track][order] += 1;
	if (J)
		for (const [c, place] of layout.places.entries()) all[place.track][place.order] -= J[component * n + c];
	return all;
}

/** `extra`: variance of each observation beside that of step 1. */
function noiseMatrix(
	extra: readonly number[],
	blocks: readonly { from: number; coefficients: Float64Array[][]; smoothed: SmoothedRecord }[],
	pass: ErrorPass,
): Float64Array {
	const n = extra.length;
	const noise = new Float64Array(n * n);
	for (const { from, coefficients, smoothed } of blocks) {
		coefficients.forEach((a, r) => {
			for (let s = pass.kind === "independent" ? r : 0; s <= r; s++) {
				let sum = 0;
				for (let track = 0; track < a.length; track++)
					sum += bilinear(a[track], coefficients[s][track], smoothed.tracks[track]);
				noise[(from + r) * n + from + s] = noise[(from + s) * n + from + r] = sum;
			}
		});
	}
	// Rounding in step 1 must not make it indefinite.
	let trace = 0;
	for (let i = 0; i < n; i++) trace += noise[i * n + i] / n;
	for (let i = 0; i < n; i++) noise[i * n + i] += 1e-10 * trace + extra[i];
	return noise;
}

/** aᵀ C b for two coefficient rows of one track. */
function bilinear(a: Float64Array, b: Float64Array, track: SmoothedTrack): number {
	const orders = a.length - 1;
	let sum = 0;
	for (let q = 0; q < orders; q++) {
		if (a[q] === 0) continue;
		for (let r = 0; r < orders; r++)
			if (b[r] !== 0) sum += a[q] * b[r] * track.covariance(q, a[orders], r, b[orders]);
	}
	return sum;
}
