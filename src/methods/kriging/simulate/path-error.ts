/** Errors along a path as columns: of the field at its nodes, of the parameters and of the first state, carried step by step. */
import { choleskyInto } from "../../../num/linear/cholesky.ts";
import { type LowRank, pivotedCholesky } from "../../../num/linear/pivoted-cholesky.ts";
import { squared } from "../../../num/whole-power.ts";
import { type Site, scaled } from "../field/field-design.ts";
import type { LearnedField } from "../field/learned-field.ts";
import { type Path, type PathStep, product } from "./path.ts";
import type { SimulationSpec } from "./simulation.ts";

/** Everything uncertain along a path: the field at its nodes, the parameters, the first state. */
export interface PathUncertainty {
	readonly sites: readonly Site[];
	/** Free numbers of the field: parameters, and the first state where it is one. */
	readonly free: readonly number[];
	readonly low: LowRank;
	/** What the field says of all of them. */
	readonly prediction: Float64Array;
}

/** The calls at given arguments, as sites of the field. */
export function sitesOf({ dynamics, error }: SimulationSpec, args: Float64Array): Site[] {
	return dynamics.layout.calls.map(({ fn, node, start }) => ({
		of: fn,
		x: scaled(error.field.design.functions[fn], args.subarray(start, start + node.args.length)),
	}));
}

export function* pathUncertainty(
	spec: SimulationSpec,
	{ args }: Path,
	field: LearnedField = spec.error.field,
): Generator<void, PathUncertainty> {
	const { n, nParams } = spec.dynamics;
	const { start } = spec;
	const sites = args.flatMap((each) => sitesOf(spec, each));
	const free = Array.from({ length: nParams }, (_, j) => j);
	if (start.kind === "segment") for (let i = 0; i < n; i++) free.push(nParams + start.segment * n + i);
	const covariance = yield* field.errorCovariance(sites, free);
	// On one scale: beside what is far from the data, errors near them would be lost.
	const unit = covariance.diagonal.map((variance) => Math.sqrt(Math.max(variance, 0)) || 1);
	const low = yield* pivotedCholesky(
		{
			diagonal: covariance.diagonal.map((variance, i) => variance / squared(unit[i])),
			column: (j) => covariance.column(j).map((value, i) => value / (unit[i] * unit[j])),
		},
		1e-9,
	);
	const factor = low.factor.map((value, at) => value * unit[Math.floor(at / low.rank)]);
	return { sites, free, low: { ...low, factor }, prediction: covariance.prediction };
}

/** Distance from the middle of the data, in units of their reach, up to which the field can be said to have an error. */
const farthest = 4;

export interface ErrorColumns {
	/** One row a site of the path, a parameter, and a number of the first state where it is one of the field's. */
	readonly rows: Float64Array;
	readonly width: number;
	/** The first columns: what is left open of the field by its data alone. */
	readonly rank: number;
	readonly nSites: number;
	readonly nCalls: number;
	readonly nParams: number;
	/** Sites at which the field cannot be said to have an error. */
	readonly isFar: readonly boolean[];
}

/** Errors of the field along a path (and of the free numbers) as columns; outside the data those of an open trend too. */
export function* errorColumns(spec: SimulationSpec, path: Path): Generator<void, ErrorColumns> {
	const { error } = spec;
	const { sites, free, low, prediction } = yield* pathUncertainty(spec, path, error.cautious);
	const nSites = sites.length;
	const isFar = sites.map((site) => error.hull.isBeyond(farthest, site));
	const share = Float64Array.from(sites, (site) => error.share(site));
	const open = share.some((s) => s > 0)
		? yield* pathUncertainty(spec, path, error.open)
		: { low: { rank: 0, factor: new Float64Array(0) }, prediction };
	// Columns of the cautious field and what it says otherwise; then the same of the open trend.
	const width = low.rank + 1 + (open.low.rank > 0 ? open.low.rank + 1 : 0);
	const rows = new Float64Array((nSites + free.length) * width);
	for (let i = 0; i < nSites + free.length; i++) {
		const s = share[i] ?? 0;
		const own = Math.sqrt(1 - s * s);
		const at = i * width;
		const said = i < nSites ? error.value(sites[i]) : error.field.free[free[i - nSites]];
		for (let c = 0; c < low.rank; c++) rows[at + c] = own * low.factor[i * low.rank + c];
		rows[at + low.rank] = own * (prediction[i] - said);
		if (!(s > 0)) continue;
		const after = at + low.rank + 1;
		const { rank, factor } = open.low;
		for (let c = 0; c < rank; c++) rows[after + c] = s * factor[i * rank + c];
		rows[after + rank] = s * (open.prediction[i] - said);
	}
	const { nCalls, nParams } = spec.dynamics;
	return { rows, width, rank: low.rank, nSites, nCalls, nParams, isFar };
}

/** δ after a step from δ before it (n × width); columns beyond those of the field are of the first state alone. */
export function carriedOver(
	{ a, w, p, nodes }: PathStep,
	delta: Float64Array,
	width: number,
	{ rows, width: nColumns, nSites, nCalls, nParams }: ErrorColumns,
): Float64Array<ArrayBuffer> {
	const n = delta.length / width;
	const next = product(a, delta, n, width);
	const add = (row: number, weights: Float64Array, columns: number, j: number): void => {
		for (let i = 0; i < n; i++) {
			const weight = weights[i * columns + j];
			if (weight === 0) continue;
			for (let c = 0; c < nColumns; c++) next[i * width + c] += weight * rows[row * nColumns + c];
		}
	};
	nodes.forEach((node, q) => {
		for (let j = 0; j < nCalls; j++) add(node * nCalls + j, w[q], nCalls, j);
	});
	for (let j = 0; j < nParams; j++) add(nSites + j, p, nParams, j);
	return next;
}

/** L of P = L Lᵀ, with a little more where P is singular. */
export function rootOf(covariance: Float64Array, n: number): Float64Array {
	let trace = 0;
	for (let i = 0; i < n; i++) trace += covariance[i * n + i];
	const root = covariance.slice();
	for (let i = 0; i < n; i++) root[i * n + i] += 1e-12 * trace + 1e-300;
	if (!choleskyInto(root, n)) root.fill(0);
	for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) root[i * n + j] = 0;
	return root;
}
