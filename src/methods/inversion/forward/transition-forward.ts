/**
 * The simulation with sensitivities for many parameters: too many for one unrolled kernel. From one sample to the next small
 * changes go as x⁺ = M x + Σ L_s P_s p over all stages s of all steps, with small matrices M and L_s (states × states) and sparse
 * P_s = ∂f/∂p. They come from the last stage backwards, L of a stage being what it adds itself and what goes on through the
 * stage after it, so that the wide matrix of sensitivities is touched once a sample and not four times a step. It is the exact
 * derivative of the same steps.
 */
import { compileFunction } from "../../../lower/compile-function.ts";
import type { Grid } from "../../../lower/kernels/grid.ts";
import { stageNodes, tableaus } from "../../../lower/kernels/tableaus.ts";
import { Differentiator } from "../../../model/derivative.ts";
import type { Lane, Setting } from "./weight-forward.ts";

type Run = (...args: (number | Float64Array)[]) => void;
interface Sparse {
	readonly row: Int32Array;
	readonly column: Int32Array;
	readonly run: Run;
	readonly count: number;
}

interface Functions {
	readonly rhs: Run;
	readonly byState: Sparse;
	readonly byParam: Sparse;
	readonly outputs: Run;
	readonly outputByState: Sparse;
	readonly outputByParam: Sparse;
}

const made = new WeakMap<Setting["kernels"], Functions>();

/** `columns`: which sensitivities are wanted; the others are left 0. */
export function transitionLaunch(
	setting: Setting,
	grid: Grid,
	lanes: readonly Lane[],
	columns: readonly number[],
): void {
	let functions = made.get(setting.kernels);
	if (!functions) made.set(setting.kernels, (functions = functionsOf(setting)));
	const transition = new Transition(setting, grid, functions, Int32Array.from(columns));
	for (const lane of lanes) transition.run(lane);
}

function functionsOf({ candidates, kernels }: Setting): Functions {
	const { model, inner } = candidates;
	const d = new Differentiator(model.graph);
	const args = [
		{ name: "t", symbols: ["t"] },
		{ name: "x", symbols: model.components },
		{ name: "u", symbols: kernels.inputs },
		{ name: "p", symbols: kernels.initial.params },
	];
	const outputs = model.measures.map(({ value }) => value);
	const sparse = (nodes: typeof outputs, names: readonly string[]): Sparse => {
		const entries = nodes.flatMap((node, row) =>
			names.map((name, column) => ({ row, column, node: d.derivative(node, name) })),
		);
		const nonzero = entries.filter(({ node }) => node !== model.graph.zero);
		return {
			row: Int32Array.from(nonzero, ({ row }) => row),
			column: Int32Array.from(nonzero, ({ column }) => column),
			run: compileFunction(
				nonzero.map(({ node }) => node),
				args,
			),
			count: nonzero.length,
		};
	};
	return {
		rhs: compileFunction(model.rhs, args),
		byState: sparse([...model.rhs], model.components),
		byParam: sparse([...model.rhs], inner),
		outputs: compileFunction(outputs, args),
		outputByState: sparse(outputs, model.components),
		outputByParam: sparse(outputs, inner),
	};
}

/** What one step leaves behind: its length, and ∂f/∂x and the values of ∂f/∂p at each stage. */
interface StepRecord {
	h: number;
	readonly j: readonly Float64Array[];
	readonly p: readonly Float64Array[];
}

/** Entries of ∂f/∂p of one component with columns that follow one another. */
interface Stretch {
	readonly row: number;
	readonly column: number;
	readonly from: number;
	readonly count: number;
}

const { c: stageTimes, b: stageWeights, a: stageMatrix } = tableaus.rk4;
const nodes = stageNodes(tableaus.rk4);
/** x of stage s is x + h · reach[s] · K of the stage before. */
const reach = stageMatrix.map((row) => (row.length === 0 ? 0 : row[row.length - 1]));

class Transition {
	readonly #n: number;
	/** Sensitivities are held for the wanted columns only: how many, and where each stands among them. */
	readonly #width: number;
	readonly #place: Int32Array;
	/** Where the wanted entries of P stand among all, and how they go together. */
	readonly #index: Int32Array;
	readonly #stretches: readonly Stretch[];
	/** Steps since the last sample. */
	readonly #steps: StepRecord[] = [];
	#used = 0;

	constructor(
		readonly setting: Setting,
		readonly grid: Grid,
		readonly functions: Functions,
		readonly columns: Int32Array,
	) {
		this.#n = setting.candidates.model.components.length;
		this.#width = columns.length;
		const { row, column } = functions.byParam;
		this.#place = new Int32Array(setting.kernels.nSens).fill(-1);
		columns.forEach((c, k) => {
			this.#place[c] = k;
		});
		this.#index = Int32Array.from([...row.keys()].filter((e) => this.#place[column[e]] >= 0));
		this.#stretches = stretchesOf(
			this.#index,
			row,
			column.map((c) => this.#place[c]),
		);
	}

	run({ experiment, point, into }: Lane): void {
		const { kernels, experiments, observations } = this.setting;
		const { initial } = kernels;
		const p = initial.paramValues(point, experiments[experiment]);
		const x = initial.state(point, p, experiment);
		const full = initial.sensitivities(p);
		let S: Float64Array = new Float64Array(this.#n * this.#width);
		for (let i = 0; i < this.#n; i++)
			for (let c = 0; c < this.#width; c++)
				S[i * this.#width + c] = full[i * kernels.nSens + this.columns[c]];
		let next: Float64Array = new Float64Array(S.length);
		const groups = observations.groups.filter((group) => group.experiment === experiment);
		const places = groups.map(
			(group) => new Map(Array.from(group.gridIndex, (sample, k) => [sample, group.from + k])),
		);
		const { emit, nSteps } = this.grid;
		for (let step = 0; step <= nSteps; step++) {
			if (emit[step] >= 0) {
				[S, next] = this.#catchUp(S, next);
				this.#emit(emit[step], x, S, p, groups, places, into);
			}
			if (step < nSteps) this.#step(step, x, p);
		}
	}

	/** One step of x, and what it does to small changes. */
	#step(step: number, x: Float64Array, p: Float64Array): void {
		const n = this.#n;
		const { rhs, byState, byParam } = this.functions;
		const { t, h: lengths } = this.grid;
		const h = lengths[step];
		const record = this.#record();
		record.h = h;
		const values = new Float64Array(byState.count);
		const slopes: Float64Array[] = [];
		for (const [s, fraction] of stageTimes.entries()) {
			const xs = s === 0 ? x : x.map((value, i) => value + h * reach[s] * slopes[s - 1][i]);
			const ts = t[step] + h * fraction;
			const u = this.#inputs(step, fraction);
			const k = new Float64Array(n);
			rhs(ts, xs, u, p, k);
			slopes.push(k);
			byState.run(ts, xs, u, p, values);
			const jacobian = record.j[s];
			for (let e = 0; e < byState.count; e++) jacobian[byState.row[e] * n + byState.column[e]] = values[e];
			byParam.run(ts, xs, u, p, record.p[s]);
		}
		for (let i = 0; i < n; i++) x[i] += h * slopes.reduce((sum, k, s) => sum + stageWeights[s] * k[i], 0);
	}

	#record(): StepRecord {
		const n = this.#n;
		if (this.#used === this.#steps.length)
			this.#steps.push({
				h: 0,
				j: stageTimes.map(() => new Float64Array(n * n)),
				p: stageTimes.map(() => new Float64Array(this.functions.byParam.count)),
			});
		return this.#steps[this.#used++];
	}

	#inputs(step: number, fraction: number): Float64Array {
		const count = this.setting.kernels.inputs.length;
		const first = (step * nodes.length + nodes.indexOf(fraction)) * count;
		return this.grid.u.subarray(first, first + count);
	}

	/** Sensitivities after all steps since the last sample: later steps first, so that the small matrices multiply. */
	#catchUp(S: Float64Array, out: Float64Array): [Float64Array, Float64Array] {
		if (this.#used === 0) return [S, out];
		const n = this.#n;
		const width = this.#width;
		const index = this.#index;
		const count = index.length;
		const values = stageTimes.map(() => new Float64Array(count));
		const L = stageTimes.map(() => new Float64Array(n * n));
		const through = new Float64Array(n * n);
		out.fill(0);
		const M = new Float64Array(n * n);
		const next = new Float64Array(n * n);
		for (let i = 0; i < n; i++) M[i * n + i] = 1;
		for (let k = this.#used - 1; k >= 0; k--) {
			const { h, j, p } = this.#steps[k];
			next.set(M);
			for (let s = 3; s >= 0; s--) {
				const own = L[s];
				const after = s === 3 ? 0 : h * reach[s + 1];
				for (let i = 0; i < n * n; i++) own[i] = h * stageWeights[s] * M[i] + after * through[i];
				multiplyInto(through, own, j[s], n);
				for (let i = 0; i < n * n; i++) next[i] += through[i];
				gather(values[s], p[s], index);
			}
			for (const stretch of this.#stretches)
				for (let i = 0; i < n; i++) addStretch(out, i * width, L, i * n, values, stretch);
			M.set(next);
		}
		for (let i = 0; i < n; i++) {
			let k = 0;
			for (; k + 3 < n; k += 4) addFour(out, i * width, S, k * width, width, M, i * n + k);
			for (; k < n; k++) addRow(out, i * width, S, k * width, width, M[i * n + k]);
		}
		this.#used = 0;
		return [out, S];
	}

	#emit(
		sample: number,
		x: Float64Array,
		S: Float64Array,
		p: Float64Array,
		groups: readonly { readonly index: number }[],
		places: readonly Map<number, number>[],
		{ value, inner }: Lane["into"],
	): void {
		const width = this.#width;
		const { outputs, outputByState, outputByParam } = this.functions;
		const { sampleT, sampleU } = this.grid;
		const count = this.setting.kernels.inputs.length;
		const t = sampleT[sample];
		const u = sampleU.subarray(sample * count, (sample + 1) * count);
		const y = new Float64Array(this.setting.candidates.model.measures.length);
		outputs(t, x, u, p, y);
		const dx = new Float64Array(outputByState.count);
		const dp = new Float64Array(outputByParam.count);
		outputByState.run(t, x, u, p, dx);
		outputByParam.run(t, x, u, p, dp);
		groups.forEach(({ index }, g) => {
			const i = places[g].get(sample);
			if (i === undefined) return;
			value[i] = y[index];
			const target = i * this.setting.kernels.nSens;
			for (let e = 0; e < outputByState.count; e++) {
				if (outputByState.row[e] !== index) continue;
				const source = outputByState.column[e] * width;
				scatterRow(inner!, target, S, source, dx[e], this.columns);
			}
			for (let e = 0; e < outputByParam.count; e++)
				if (outputByParam.row[e] === index) inner![target + outputByParam.column[e]] += dp[e];
		});
	}
}

function stretchesOf(index: Int32Array, row: Int32Array, column: Int32Array): Stretch[] {
	const stretches: Stretch[] = [];
	for (let at = 0; at < index.length; ) {
		const from = at;
		const first = index[at];
		while (
			at < index.length &&
			row[index[at]] === row[first] &&
			column[index[at]] === column[first] + (at - from)
		)
			at++;
		stretches.push({ row: row[first], column: column[first], from, count: at - from });
	}
	return stretches;
}

function gather(into: Float64Array, values: Float64Array, index: Int32Array): void {
	for (let e = 0; e < index.length; e++) into[e] = values[index[e]];
}

/** Row i of Σ L_s P_s, added to row i of the sensitivities: all four stages at once. */
function addStretch(
	out: Float64Array,
	target: number,
	L: readonly Float64Array[],
	row: number,
	values: readonly Float64Array[],
	stretch: Stretch,
): void {
	const [v0, v1, v2, v3] = values;
	const place = row + stretch.row;
	const l0 = L[0][place];
	const l1 = L[1][place];
	const l2 = L[2][place];
	const l3 = L[3][place];
	const at = target + stretch.column - stretch.from;
	for (let e = stretch.from, end = stretch.from + stretch.count; e < end; e++)
		out[at + e] += l0 * v0[e] + l1 * v1[e] + l2 * v2[e] + l3 * v3[e];
}

/** Four rows of S at once, by four factors that follow one another: `out` is read and written once. */
function addFour(
	out: Float64Array,
	target: number,
	S: Float64Array,
	source: number,
	width: number,
	factors: Float64Array,
	first: number,
): void {
	const f0 = factors[first];
	const f1 = factors[first + 1];
	const f2 = factors[first + 2];
	const f3 = factors[first + 3];
	const s1 = source + width;
	const s2 = s1 + width;
	const s3 = s2 + width;
	for (let c = 0; c < width; c++)
		out[target + c] += f0 * S[source + c] + f1 * S[s1 + c] + f2 * S[s2 + c] + f3 * S[s3 + c];
}

function addRow(
	out: Float64Array,
	target: number,
	S: Float64Array,
	source: number,
	width: number,
	factor: number,
): void {
	for (let c = 0; c < width; c++) out[target + c] += factor * S[source + c];
}

/** A row of the wanted columns, added to where they stand among all. */
function scatterRow(
	out: Float64Array,
	target: number,
	S: Float64Array,
	source: number,
	factor: number,
	columns: Int32Array,
): void {
	for (let c = 0; c < columns.length; c++) out[target + columns[c]] += factor * S[source + c];
}

/** out = a b, all n × n; most of b is 0 where few terms are in. */
function multiplyInto(out: Float64Array, a: Float64Array, b: Float64Array, n: number): void {
	out.fill(0);
	for (let k = 0; k < n; k++)
		for (let j = 0; j < n; j++) {
			const factor = b[k * n + j];
			if (factor === 0) continue;
			for (let i = 0; i < n; i++) out[i * n + j] += factor * a[i * n + k];
		}
}
