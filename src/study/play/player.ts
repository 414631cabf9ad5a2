/**
 * A model moved by hand: values in, curves out, over all records at once. Fixed steps in one kernel, and the same with half
 * the step: where the two differ, steps become finer. A model with events, or one that would need too many steps, is solved
 * adaptively instead, which takes longer.
 */
import { inline } from "../../compute/inline.ts";
import { integrateBatchInline } from "../../compute/integrate-batch.ts";
import type { Experiment } from "../../data/experiment.ts";
import { trendAt } from "../../data/table/detrend.ts";
import { type Estimation, estimationOf } from "../../estimate/forward/estimation.ts";
import { chooseIntegration } from "../../estimate/forward/integration.ts";
import { sampleLaw } from "../../estimate/law/declared.ts";
import { offLimit } from "../../estimate/predict/residuals.ts";
import type { Unknown } from "../../estimate/unknowns/unknowns.ts";
import { type CompiledFunction, compileFunction } from "../../lower/compile-function.ts";
import type { Kernel } from "../../lower/ir.ts";
import { type Grid, planGrid } from "../../lower/kernels/grid.ts";
import { rungeKuttaKernel } from "../../lower/kernels/runge-kutta.ts";
import type { Model } from "../../model/model.ts";
import { symbolsOf } from "../../model/walk.ts";
import { initialName } from "../simulate/set-values.ts";
import type { simulateRecord } from "../simulate/simulate.ts";
import { withFormulas } from "../simulate/simulated-model.ts";
import { type Track, trackOf } from "./track.ts";

/** A record to play over, with the rows whose distance from the curve is told. */
export interface PlayedRecord {
	readonly experiment: Experiment;
	readonly counted: { readonly from: number; readonly to: number };
	/** It is only tested on: methods find no initial values of its own for it. */
	readonly isTest: boolean;
}

export interface PlayedCurve {
	readonly name: string;
	readonly values: Float64Array;
}

export interface Played {
	readonly record: string;
	readonly t: Float64Array;
	readonly outputs: readonly (PlayedCurve & {
		/** Root mean square of measured minus simulated. */
		readonly rmse: number;
	})[];
	readonly states: readonly PlayedCurve[];
}

/** Steps from one sample to the next beyond which the adaptive solver takes over. */
const mostSubsteps = 64;
/** Difference that half the step may make, beside the size of the curve: less than is seen. */
const unseen = 1e-3;
/** Points that a curve over few samples has at least, so that it is seen as one. */
const leastPoints = 400;
const tolerances = { rtol: 1e-6, atol: 1e-9 };

export class Player {
	readonly tracks: readonly Track[];
	readonly #model: Model;
	readonly #estimation: Estimation;
	readonly #names: readonly (string | undefined)[];
	readonly #kernel: Kernel | undefined;
	readonly #grids: Map<number, Grid>[];
	/** For each record: its samples, with points between them where they are few. */
	readonly #times: readonly Float64Array[];
	#substeps: number;

	constructor(
		private readonly source: Model,
		private readonly records: readonly PlayedRecord[],
		start: Readonly<Record<string, number>>,
		/** The adaptive solver, fetched when it is needed. */
		private readonly solver: () => Promise<typeof simulateRecord>,
	) {
		// Values that differ from record to record are moved for all of them at once.
		const formulas = withFormulas(source);
		const model = {
			...formulas,
			params: formulas.params.map((param) => ({ ...param, byRecord: undefined })),
		};
		this.#model = model;
		const experiments = records.map(({ experiment }) => experiment);
		this.#estimation = estimationOf(model, experiments, start, inline, true);
		const { unknowns } = this.#estimation;
		const nTrained = records.filter(({ isTest }) => !isTest).length;
		this.#names = unknowns.map((unknown) => this.#nameOf(unknown, nTrained > 1));
		this.tracks = unknowns.flatMap((unknown, i) => {
			const name = this.#names[i];
			if (name === undefined) return [];
			const declared = model.params.find((param) => param.name === name)?.knowledge;
			return [trackOf({ ...unknown, name }, (declared ?? model.initial[unknown.component]).kind)];
		});
		const first = chooseIntegration(this.#estimation, [Float64Array.from(unknowns, (each) => each.start)]);
		this.#substeps = first.kind === "fixed" ? first.substeps : Infinity;
		this.#kernel = model.events.length > 0 ? undefined : this.#makeKernel();
		this.#grids = records.map(() => new Map());
		this.#times = experiments.map(({ times }) => withPointsBetween(times));
	}

	/** Curves of all records; what has no value here begins as its track does. */
	async play(values: Readonly<Record<string, number>>): Promise<Played[]> {
		const point = this.#pointOf(values);
		const curves: Played[] = [];
		for (const [e, record] of this.records.entries()) {
			const rows = this.#rowsOf(e, point) ?? (await this.#solved(record.experiment, e, point));
			curves.push(this.#curves(record, this.#times[e], rows));
		}
		return curves;
	}

	/** Slopes of the two states of a model that nothing drives, at points of the plane of its first record; else nothing. */
	field(values: Readonly<Record<string, number>>, points: Float64Array): Float64Array | undefined {
		const { components, rhs, inputs } = this.#model;
		if (components.length !== 2 || inputs.length > 0 || this.records.length === 0) return undefined;
		if (symbolsOf(rhs).has("t")) return undefined;
		const { initial } = this.#estimation.kernels;
		const p = initial.paramValues(this.#pointOf(values), this.records[0].experiment);
		this.#slopes ??= compileFunction(rhs, [
			{ name: "x", symbols: components },
			{ name: "p", symbols: initial.params },
		]);
		const slopes = new Float64Array(points.length);
		for (let i = 0; i < points.length; i += 2)
			this.#slopes(points.subarray(i, i + 2), p, slopes.subarray(i, i + 2));
		return slopes;
	}
	#slopes: CompiledFunction | undefined;

	#nameOf({ kind, name, component, experiment }: Unknown, isOneOfMany: boolean): string | undefined {
		if (kind === "param") return name;
		const { experiment: own, isTest } = this.records[experiment];
		if (isTest) return undefined;
		const plain = initialName(this.#model.components[component]);
		return isOneOfMany ? `${plain} of ${own.name}` : plain;
	}

	#pointOf(values: Readonly<Record<string, number>>): Float64Array {
		const { unknowns } = this.#estimation;
		return Float64Array.from(unknowns, (unknown, i) => {
			const name = this.#names[i];
			if (name !== undefined) return values[name] ?? unknown.start;
			if (unknown.informed) return unknown.start;
			// Of a test record nothing is seen: as the first record begins.
			const like = unknowns.findIndex(
				({ component, kind }) => kind === "initial" && component === unknown.component,
			);
			return values[this.#names[like] ?? ""] ?? unknown.start;
		});
	}

	#makeKernel(): Kernel {
		const { graph, components, rhs, measures } = this.#model;
		const states = components.map((name) => graph.sym(name));
		return rungeKuttaKernel({
			graph,
			components,
			rhs,
			params: this.#estimation.kernels.initial.params,
			inputs: this.#estimation.kernels.inputs,
			outputs: [...measures.map(({ value }) => value), ...states],
		});
	}

	/** Outputs and states at every sample, or `undefined` where fixed steps do not serve. */
	#rowsOf(e: number, point: Float64Array): Float64Array | undefined {
		if (!this.#kernel) return undefined;
		while (this.#substeps <= mostSubsteps) {
			const coarse = this.#integrated(e, point, this.#substeps);
			const fine = this.#integrated(e, point, 2 * this.#substeps);
			if (this.#areAlike(coarse, fine)) return fine;
			this.#substeps *= 2;
		}
		return undefined;
	}

	#integrated(e: number, point: Float64Array, substeps: number): Float64Array {
		const { experiment } = this.records[e];
		const { initial, inputs } = this.#estimation.kernels;
		let grid = this.#grids[e].get(substeps);
		if (!grid) {
			const signals = inputs.map((name) => experiment.inputs.get(name)!);
			grid = planGrid(this.#times[e], experiment.times[0], { substeps }, signals);
			this.#grids[e].set(substeps, grid);
		}
		const params = initial.paramValues(point, experiment);
		const x0 = initial.state(point, params, e, experiment);
		const sizes = { nStates: x0.length, nOutputs: this.#width, nSens: 0 };
		return integrateBatchInline(this.#kernel!, grid, { batch: 1, params, x0 }, sizes).y;
	}

	get #width(): number {
		return this.#model.measures.length + this.#model.components.length;
	}

	/** Curves that run away look the same from where they do. */
	#areAlike(coarse: Float64Array, fine: Float64Array): boolean {
		const width = this.#width;
		for (let column = 0; column < this.#model.measures.length; column++) {
			let difference = 0;
			let size = 0;
			for (let i = column; i < fine.length; i += width) {
				if (!Number.isFinite(fine[i]) || !Number.isFinite(coarse[i])) {
					if (Number.isFinite(fine[i])) return false;
					break;
				}
				difference = Math.max(difference, Math.abs(fine[i] - coarse[i]));
				size = Math.max(size, Math.abs(fine[i]));
			}
			if (difference > unseen * size) return false;
		}
		return true;
	}

	async #solved(experiment: Experiment, e: number, point: Float64Array): Promise<Float64Array> {
		const simulate = await this.solver();
		const { components, measures } = this.#model;
		const set: Record<string, number> = {};
		for (const [i, { kind, name, component, experiment: of }] of this.#estimation.unknowns.entries())
			if (kind === "param") set[name] = point[i];
			else if (of === e) set[initialName(components[component])] = point[i];
		const { name, inputs, conditions } = experiment;
		const times = this.#times[e];
		const options = { ...tolerances, noise: false, knots: [], amounts: [], concentrations: [], digits: 17 };
		const record = { name, times, signals: inputs, conditions };
		const { columns } = simulate(this.source, set, record, options, 1);
		const rows = new Float64Array(times.length * this.#width).fill(Number.NaN);
		const wanted = [...measures.map((measure) => measure.name), ...components];
		for (const [column, own] of wanted.entries()) {
			const kind = column < measures.length ? "output" : "state";
			const values = columns.find((each) => each.name === own && each.kind === kind)?.values ?? [];
			for (let k = 0; k < values.length; k++) rows[k * wanted.length + column] = values[k];
		}
		// Already as the instrument shows it: taken back to what is compared, as the kernel gives it.
		for (const [column, measure] of measures.entries()) {
			const { scale } = sampleLaw(measure);
			if (!scale.isLog) continue;
			for (let i = column; i < rows.length; i += wanted.length) rows[i] = scale.toCompared(rows[i]);
		}
		return rows;
	}

	#curves(record: PlayedRecord, times: Float64Array, rows: Float64Array): Played {
		const { experiment } = record;
		const { measures, components } = this.#model;
		const { removed } = experiment;
		const column = (at: number): Float64Array =>
			Float64Array.from(times, (_, k) => rows[k * this.#width + at]);
		const outputs = measures.map((measure, m) => {
			const { scale } = sampleLaw(measure);
			const values = column(m);
			const trend = removed[measure.name];
			for (let k = 0; k < values.length; k++) {
				if (scale.isLog) values[k] = scale.fromCompared(values[k]);
				if (trend) values[k] += trendAt(trend, times[k]);
			}
			return { name: measure.name, values, rmse: distance(record, times, measure.name, values) };
		});
		const states = components.map((name, i) => ({ name, values: column(measures.length + i) }));
		return { record: experiment.name, t: times, outputs, states };
	}
}

function withPointsBetween(times: Float64Array): Float64Array {
	const parts = Math.ceil(leastPoints / times.length);
	if (!(parts > 1) || times.length < 2) return times;
	const all = new Float64Array((times.length - 1) * parts + 1);
	for (let i = 0; i + 1 < times.length; i++)
		for (let part = 0; part < parts; part++)
			all[i * parts + part] = part === 0 ? times[i] : times[i] + ((times[i + 1] - times[i]) * part) / parts;
	all[all.length - 1] = times[times.length - 1];
	return all;
}

/** Over the counted rows; a limit that is kept is no distance, and a curve that ran away is infinitely far. */
function distance(
	{ experiment, counted }: PlayedRecord,
	times: Float64Array,
	output: string,
	values: Float64Array,
): number {
	const { removed } = experiment;
	const series = experiment.outputs.get(output);
	if (!series) return Number.NaN;
	const trend = removed[output];
	let sum = 0;
	let n = 0;
	let at = 0;
	for (let k = 0; k < series.times.length; k++) {
		while (times[at] < series.times[k]) at++;
		if (series.rows[k] < counted.from || series.rows[k] >= counted.to) continue;
		const measured = series.values[k] + (trend ? trendAt(trend, times[at]) : 0);
		const off = offLimit(measured - values[at], series.limits?.[k] ?? 0);
		sum += Number.isNaN(off) ? Infinity : off * off;
		n++;
	}
	return Math.sqrt(sum / n);
}
