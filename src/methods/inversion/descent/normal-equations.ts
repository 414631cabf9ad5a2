/**
 * BᵀB and Bᵀr without B: in each experiment B = kron(c, J) ([whiten2014] eq. (4)), so BᵀB is a sum of kron(c cᵀ, JᵀJ) and only
 * the derivatives by the parameters of the equations are ever held.
 */
import { dotsInto } from "../../../num/linear/block-products.ts";
import { residualOf, type WeightedProblem } from "../forward/linearisation.ts";
import type { WeightEvaluation } from "../forward/weight-forward.ts";
import type { Slices } from "../slices.ts";

export interface NormalEquations {
	/** Both triangles, n × n. */
	readonly gram: Float64Array;
	readonly right: Float64Array;
}

export function normalEquations(
	problem: WeightedProblem,
	here: WeightEvaluation,
	active: readonly number[],
): NormalEquations {
	const slices = formingNormalEquations(problem, here, active);
	for (;;) {
		const { done, value } = slices.next();
		if (done) return value;
	}
}

/** The same, experiment by experiment. */
export function* formingNormalEquations(
	problem: WeightedProblem,
	here: WeightEvaluation,
	active: readonly number[],
): Slices<NormalEquations> {
	const { forward, rowWeights } = problem;
	const { candidates, observations, kernels, factors, initials, experiments } = forward.setting;
	const { weights } = candidates;
	const nWeights = weights.length;
	const nInner = candidates.inner.length;
	const { freeComponents } = kernels.initial;
	const nSens = kernels.nSens;
	const residual = residualOf(problem, here);
	const n = active.length;
	const gram = new Float64Array(n * n);
	const right = new Float64Array(n);
	for (let e = 0; e < experiments.length; e++) {
		// Which active unknowns matter in this experiment, with their column and factor.
		const own: { k: number; column: number; factor: number }[] = [];
		active.forEach((u, k) => {
			if (u < nWeights) own.push({ k, column: weights[u].inner, factor: factors[e * nWeights + u] });
			else if (initials[u - nWeights].experiment === e)
				own.push({ k, column: nInner + freeComponents.indexOf(initials[u - nWeights].component), factor: 1 });
		});
		const used = [...new Set(own.map(({ column }) => column))].sort((a, b) => a - b);
		const place = new Int32Array(nSens).fill(-1);
		used.forEach((column, i) => {
			place[column] = i;
		});
		const small = new Float64Array(used.length * used.length);
		const smallRight = new Float64Array(used.length);
		const rows = observations.groups.filter(({ experiment }) => experiment === e);
		addExperiment(small, smallRight, used, { inner: here.inner!, nSens, residual, rowWeights, rows });
		spreadInto(gram, right, n, small, smallRight, used.length, {
			k: Int32Array.from(own, ({ k }) => k),
			place: Int32Array.from(own, ({ column }) => place[column]),
			factor: Float64Array.from(own, ({ factor }) => factor),
		});
		yield `linearised in ${e + 1} of ${experiments.length} experiments`;
	}
	mirror(gram, n);
	return { gram, right };
}

/** Copies the lower triangle to the upper one, in squares that stay in the cache. */
function mirror(matrix: Float64Array, n: number): void {
	const side = 32;
	for (let top = 0; top < n; top += side)
		for (let left = 0; left <= top; left += side)
			for (let i = top; i < Math.min(top + side, n); i++)
				for (let j = left; j < Math.min(left + side, i); j++) matrix[j * n + i] = matrix[i * n + j];
}

/** Adds kron(c cᵀ, JᵀJ) of one experiment: the lower triangle. */
function spreadInto(
	gram: Float64Array,
	right: Float64Array,
	n: number,
	small: Float64Array,
	smallRight: Float64Array,
	size: number,
	{ k, place, factor }: { k: Int32Array; place: Int32Array; factor: Float64Array },
): void {
	// Both triangles, so that the inner loop need not ask which.
	for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) small[j * size + i] = small[i * size + j];
	for (let a = 0; a < k.length; a++) {
		const left = factor[a];
		if (left === 0) continue;
		right[k[a]] += left * smallRight[place[a]];
		const target = k[a] * n;
		const source = place[a] * size;
		for (let b = 0; b <= a; b++) gram[target + k[b]] += left * factor[b] * small[source + place[b]];
	}
}

interface Rows {
	readonly inner: Float64Array;
	readonly nSens: number;
	readonly residual: Float64Array;
	readonly rowWeights: Float64Array;
	readonly rows: readonly { readonly from: number; readonly to: number }[];
}

/** JᵀJ and Jᵀr of one experiment (lower triangle), for the used columns. */
function addExperiment(
	small: Float64Array,
	smallRight: Float64Array,
	used: readonly number[],
	{ inner, nSens, residual, rowWeights, rows }: Rows,
): void {
	const parts = rows.map(({ from, to }) => ({
		from,
		to,
		columns: nonzeroColumns(inner, nSens, used, from, to),
	}));
	// In the integral form an output depends on few columns: then each output by itself; else all rows together.
	const filled = parts.reduce((sum, { columns }) => sum + columns.length, 0);
	const sparse = filled < 0.5 * parts.length * used.length;
	const groups = sparse
		? parts.map(({ from, to, columns }) => ({ ranges: [{ from, to }], columns }))
		: [{ ranges: rows, columns: [...used.keys()] }];
	for (const { ranges, columns } of groups) {
		const length = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
		const right = new Float64Array(length);
		const block = new Float64Array(length * columns.length);
		let at = 0;
		for (const { from, to } of ranges)
			for (let i = from; i < to; i++, at++) {
				right[at] = residual[i];
				for (let c = 0; c < columns.length; c++)
					block[c * length + at] = inner[i * nSens + used[columns[c]]] * rowWeights[i];
			}
		addProducts(small, smallRight, used.length, block, right, Int32Array.from(columns), length);
	}
}

function nonzeroColumns(
	inner: Float64Array,
	nSens: number,
	used: readonly number[],
	from: number,
	to: number,
): number[] {
	const found: number[] = [];
	for (let c = 0; c < used.length; c++)
		for (let i = from; i < to; i++)
			if (inner[i * nSens + used[c]] !== 0) {
				found.push(c);
				break;
			}
	return found;
}

/** Products of columns, two by four so that each number is loaded once for several products. */
function addProducts(
	small: Float64Array,
	smallRight: Float64Array,
	size: number,
	block: Float64Array,
	right: Float64Array,
	columns: Int32Array,
	length: number,
): void {
	const n = columns.length;
	for (let a = 0; a < n; a++) {
		let sum = 0;
		for (let k = 0; k < length; k++) sum += block[a * length + k] * right[k];
		smallRight[columns[a]] += sum;
	}
	const sums = new Float64Array(8);
	for (let a = 0; a < n; a += 2) {
		const p = a * length;
		const q = a + 1 < n ? p + length : p;
		const rowP = columns[a] * size;
		const rowQ = a + 1 < n ? columns[a + 1] * size : -1;
		for (let b = 0; b <= a + 1 && b < n; b += 4) {
			const r0 = b * length;
			const r1 = b + 1 < n ? r0 + length : r0;
			const r2 = b + 2 < n ? r0 + 2 * length : r0;
			const r3 = b + 3 < n ? r0 + 3 * length : r0;
			dotsInto(sums, block, p, q, block, r0, r1, r2, r3, length);
			for (let m = 0; m < 4 && b + m < n; m++) {
				if (b + m <= a) small[rowP + columns[b + m]] += sums[m];
				if (rowQ >= 0 && b + m <= a + 1) small[rowQ + columns[b + m]] += sums[4 + m];
			}
		}
	}
}
