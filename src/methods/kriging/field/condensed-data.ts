/**
 * Many observations of the functions as few that say the same. Each function is carried by its values at some nodes: at a site it
 * is their best interpolation, exact for its trend. Observations then are sums of values at nodes, and with A = Gᵀ N⁻¹ G = L Lᵀ
 * over all of them as many as there are nodes and free numbers hold all that they tell: Lᵀ f = L⁻¹ Gᵀ N⁻¹ y with errors that are
 * independent, of size 1. Parts whose errors are independent of one another are added one by one, so that time grows with their
 * number and memory does not. Free numbers of a part alone, such as its first state, are eliminated there.
 *
 * Reference: Quiñonero-Candela, Rasmussen, "A unifying view of sparse approximate Gaussian process regression", 2005.
 */
import { choleskyInto, solveLowerInto } from "../../../num/linear/cholesky.ts";
import { dot, identity, product, transposed } from "../../../num/linear/dense.ts";
import { squared } from "../../../num/whole-power.ts";
import { combineRows, FieldDesign, type FieldFunction, type Functional, type Site } from "./field-design.ts";
import type { FieldData } from "./field-hyper.ts";
import { IntrinsicKriging } from "./intrinsic-kriging.ts";

/** Nodes nearer to one another than this, in units of the spread of the arguments, would say the same. */
const nearest = 0.05;
/** Share of the variance that keeps nodes from being too much alike, and of the information from being none. */
const nugget = 1e-9;

export class CondensedData {
	readonly #design: FieldDesign;
	/** Values at nodes and free numbers: what is observed. */
	readonly #size: number;
	/** By covariances with the nodes, trends and free numbers, what belongs to each of them. */
	readonly #carried: Float64Array;
	/** Gᵀ N⁻¹ G and Gᵀ N⁻¹ y. */
	readonly #information: Float64Array;
	readonly #right: Float64Array;

	constructor(
		functions: readonly FieldFunction[],
		readonly nodes: readonly Site[],
		nFree: number,
	) {
		this.#design = new FieldDesign(functions, nFree);
		this.#size = nodes.length + nFree;
		this.#carried = carriedBy(this.#design, nodes);
		this.#information = new Float64Array(this.#size * this.#size);
		this.#right = new Float64Array(this.#size);
	}

	/** Factors beyond those of the free numbers are of numbers that the part has to itself. */
	add({ sites, functionals, y, noise }: FieldData): void {
		const { nodes } = this;
		const { nFree, nMean } = this.#design;
		const size = this.#size;
		const n = y.length;
		const m = nodes.length;
		const width = m + nMean;
		const shared = functionals.map(
			(each): Functional => ({ ...each, factors: each.factors.slice(0, nFree) }),
		);
		const byNodes = combineRows(
			functionals,
			this.#design.siteCovariance(ones(this.#design), sites, nodes),
			m,
		);
		const mean = this.#design.meanMatrix(sites, shared);
		const rows = new Float64Array(n * width);
		for (let i = 0; i < n; i++) {
			rows.set(byNodes.subarray(i * m, (i + 1) * m), i * width);
			rows.set(mean.subarray(i * nMean, (i + 1) * nMean), i * width + m);
		}
		const g = transposed(product(rows, this.#carried, n, width, size), n, size);
		const factor = noise.slice();
		choleskyInto(factor, n);
		const own: Float64Array[] = [];
		/** In units of the noise, and without what the part's own numbers can do. */
		const left = (values: Float64Array): Float64Array => {
			solveLowerInto(values, factor, n);
			for (const each of own) {
				const along = dot(each, values);
				for (let i = 0; i < n; i++) values[i] -= along * each[i];
			}
			return values;
		};
		for (let j = nFree; j < (functionals[0]?.factors.length ?? 0); j++) {
			const values = left(Float64Array.from(functionals, ({ factors }) => factors[j]));
			const length = Math.sqrt(dot(values, values));
			if (length > 0) own.push(values.map((value) => value / length));
		}
		const columns = Array.from({ length: size }, (_, p) => left(g.subarray(p * n, (p + 1) * n)));
		const data = left(y.slice());
		for (let p = 0; p < size; p++) {
			this.#right[p] += dot(columns[p], data);
			for (let q = 0; q <= p; q++) this.#information[p * size + q] += dot(columns[p], columns[q]);
		}
	}

	get data(): FieldData {
		const { nodes } = this;
		const m = nodes.length;
		const size = this.#size;
		const l = this.#information.slice();
		let trace = 0;
		for (let p = 0; p < size; p++) trace += l[p * size + p] / size;
		for (let p = 0; p < size; p++) l[p * size + p] += nugget * trace;
		choleskyInto(l, size);
		const y = this.#right.slice();
		solveLowerInto(y, l, size);
		const functionals = Array.from({ length: size }, (_, i): Functional => {
			const row = Float64Array.from({ length: size }, (_, p) => (p < i ? 0 : l[p * size + i]));
			const at = Int32Array.from({ length: Math.max(m - i, 0) }, (_, k) => i + k);
			return { at, weight: row.slice(i, Math.max(m, i)), factors: row.slice(m) };
		});
		return { sites: nodes, functionals, y, noise: identity(size) };
	}
}

/** Functions by covariances with nodes and trends (rows), for a value of 1 at each node, and free numbers (columns). */
function carriedBy(
	{ functions, trendStart, nTrend, nFree }: FieldDesign,
	nodes: readonly Site[],
): Float64Array {
	const m = nodes.length;
	const size = m + nFree;
	const matrix = new Float64Array((m + nTrend + nFree) * size);
	for (let j = 0; j < nFree; j++) matrix[(m + nTrend + j) * size + m + j] = 1;
	functions.forEach((fn, of) => {
		const places = [...nodes.keys()].filter((k) => nodes[k].of === of);
		const count = places.length;
		const alone = new FieldDesign([fn], 0);
		const sites = places.map((k): Site => ({ of: 0, x: nodes[k].x }));
		const k = alone.siteCovariance(ones(alone), sites, sites);
		const most = k.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
		for (let i = 0; i < count; i++) k[i * count + i] += nugget * most;
		const mean = Float64Array.from(sites.flatMap((site) => [...alone.meanAtSite(site)]));
		const kriging = new IntrinsicKriging(k, mean, new Float64Array(count), alone.nMean);
		places.forEach((place, i) => {
			const one = new Float64Array(count);
			one[i] = 1;
			const { dual, beta } = kriging.fitted(one);
			places.forEach((other, j) => {
				matrix[other * size + place] = dual[j];
			});
			beta.forEach((value, j) => {
				matrix[(m + trendStart[of] + j) * size + place] = value;
			});
		});
	});
	return matrix;
}

/** Covariances of parts of one size. */
function ones({ nHyper }: FieldDesign): Float64Array {
	return new Float64Array(nHyper).fill(1);
}

/** Sites of each function, one after the other as far as can be from all before: so many in all. */
export function nodesAmong(sites: readonly Site[], nFunctions: number, most: number): Site[] {
	return Array.from({ length: nFunctions }, (_, of) =>
		spreadOut(
			sites.filter((site) => site.of === of),
			Math.floor(most / nFunctions),
		),
	).flat();
}

function spreadOut(sites: readonly Site[], most: number): Site[] {
	const away = new Float64Array(sites.length).fill(Number.POSITIVE_INFINITY);
	const chosen: Site[] = [];
	let next = 0;
	while (chosen.length < most && away[next] > squared(nearest)) {
		const node = sites[next];
		chosen.push(node);
		sites.forEach(({ x }, i) => {
			const apart = x.reduce((sum, value, a) => sum + squared(value - node.x[a]), 0);
			if (apart < away[i]) away[i] = apart;
		});
		next = away.reduce((far, value, i) => (value > away[far] ? i : far), 0);
	}
	return chosen;
}
