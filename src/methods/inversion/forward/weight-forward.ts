/**
 * The model as a function of the weights: for each experiment p = A c, and the outputs f(p) with their derivative by p,
 * the exact derivative of the discrete integration. Experiments that are sampled alike run side by side.
 */
import type { Compute } from "../../../compute/compute.ts";
import type { Experiment } from "../../../data/experiment.ts";
import { GridKernels } from "../../../estimate/forward/grid-kernels.ts";
import type { Observations } from "../../../estimate/observe/observations.ts";
import { spreadParams } from "../../../estimate/observe/spread.ts";
import { initialGuess } from "../../../estimate/unknowns/initial-guess.ts";
import { type Unknown, unknownsOf } from "../../../estimate/unknowns/unknowns.ts";
import { type Grid, planGrid } from "../../../lower/kernels/grid.ts";
import type { Model } from "../../../model/model.ts";
import { type Candidates, factorValues } from "../candidates/candidates.ts";
import { type AsyncSlices, atOnce, inSlices } from "../slices.ts";
import { transitionLaunch } from "./transition-forward.ts";

export interface WeightEvaluation {
	/** What the model says of each observation; not finite where it blew up. */
	readonly value: Float64Array;
	/** Derivative by the parameters of the equations and by the experiment's own initial values: nObservations × nColumns. */
	readonly inner?: Float64Array;
	/** Spread of each observation where the model declares one that varies. */
	readonly spread?: Float64Array;
	/** In segments: each start minus the end before it, and the derivative of each segment's end. */
	readonly gaps?: Float64Array;
	readonly ends?: Float64Array;
}

/** What stays the same whatever the steps: made once for a set of experiments. */
export interface Setting {
	readonly candidates: Candidates;
	readonly experiments: readonly Experiment[];
	readonly observations: Observations;
	readonly compute: Compute;
	readonly kernels: GridKernels;
	/** Parameters of the equations, then initial values. */
	readonly unknowns: readonly Unknown[];
	/** Initial values that are unknown, experiment by experiment. */
	readonly initials: readonly Unknown[];
	/** Row-major experiments × weights. */
	readonly factors: Float64Array;
	/** Whether sensitivities are too many for one unrolled kernel. */
	readonly large: boolean;
}

/** Sensitivities (states × columns) that one kernel keeps in registers and memory at most. */
export const largestKernel = 400;
/** Bytes of output that one launch may fill. */
const launchBytes = 2 ** 27;
/** Experiments with very many sensitivities that are simulated in one go. */
const atATime = 8;

export function settingOf(
	candidates: Candidates,
	experiments: readonly Experiment[],
	observations: Observations,
	start: Readonly<Record<string, number>>,
	compute: Compute,
): Setting {
	const { model, inner } = candidates;
	const bare = withPlainParams(model);
	const unknowns = unknownsOf({
		model: bare,
		experiments: experiments.map(({ name }) => name),
		start: Object.fromEntries(Object.entries(start).filter(([name]) => !inner.includes(name))),
		except: spreadParams(model),
		initialGuess: (component, e) => initialGuess(model, observations, component, e),
	});
	const kernels = new GridKernels(bare, unknowns);
	return {
		candidates,
		experiments,
		observations,
		compute,
		kernels,
		unknowns,
		initials: unknowns.filter(({ kind }) => kind === "initial"),
		factors: factorValues(candidates, experiments),
		large: model.components.length * kernels.nSens > largestKernel,
	};
}

/** Parameters of the equations are plain numbers in each experiment, whatever makes them up. */
export function withPlainParams(model: Model): Model {
	return {
		...model,
		params: model.params.map((param) => ({ ...param, terms: undefined, byRecord: undefined })),
	};
}

/** One lane of a launch: a point in one experiment. */
export interface Lane {
	readonly experiment: number;
	/** Parameters of the equations, then all unknown initial values. */
	readonly point: Float64Array;
	readonly into: WeightEvaluation;
}

/** What the iteration needs of a model: the simulation, or the integral form that bridges to it. */
export interface ForwardModel {
	readonly setting: Setting;
	readonly says: string;
	/**
	 * Points: the weights, then the unknown initial values. Where only some unknowns move (`active`), derivatives by the
	 * others may be left 0.
	 */
	evaluate(
		points: readonly Float64Array[],
		sensitivities: boolean,
		active?: readonly number[],
	): Promise<WeightEvaluation[]>;
	/** The same, some experiments at a time. */
	evaluating(
		points: readonly Float64Array[],
		sensitivities: boolean,
		active?: readonly number[],
	): AsyncSlices<WeightEvaluation[]>;
	/** A point as this model takes it. */
	complete?(point: Float64Array): Float64Array;
}

/** Experiments that are sampled alike. */
interface Group {
	readonly grid: Grid;
	readonly experiments: readonly number[];
}

export class WeightForward implements ForwardModel {
	readonly #groups: readonly Group[];

	constructor(
		readonly setting: Setting,
		/** Steps from one sample to the next. */
		readonly substeps: number,
	) {
		this.#groups = groupsOf(setting, substeps);
	}

	get says(): string {
		return `Runge–Kutta of order 4, ${this.substeps} step${this.substeps === 1 ? "" : "s"} a sample`;
	}

	evaluate(
		points: readonly Float64Array[],
		sensitivities: boolean,
		active?: readonly number[],
	): Promise<WeightEvaluation[]> {
		const { large } = this.setting;
		return large && sensitivities
			? atOnce(this.#transitions(points, active))
			: this.#launches(points, sensitivities);
	}

	evaluating(
		points: readonly Float64Array[],
		sensitivities: boolean,
		active?: readonly number[],
	): AsyncSlices<WeightEvaluation[]> {
		const { large } = this.setting;
		return large && sensitivities
			? this.#transitions(points, active)
			: inSlices(this.#launches(points, sensitivities));
	}

	async #launches(points: readonly Float64Array[], sensitivities: boolean): Promise<WeightEvaluation[]> {
		const { kernels } = this.setting;
		const evaluations = this.#emptyEvaluations(points.length, sensitivities);
		for (const group of this.#groups) {
			const { grid } = group;
			const lanes = this.#lanes(group, points, evaluations);
			const width = 8 * kernels.nOutputs * grid.nSamples * (sensitivities ? 1 + kernels.nSens : 1);
			const most = Math.max(8, Math.floor(launchBytes / width));
			for (let from = 0; from < lanes.length; from += most)
				await launch(this.setting, grid, lanes.slice(from, from + most), sensitivities);
		}
		return evaluations;
	}

	/** With sensitivities too many for one kernel. */
	async *#transitions(
		points: readonly Float64Array[],
		active: readonly number[] | undefined,
	): AsyncSlices<WeightEvaluation[]> {
		const evaluations = this.#emptyEvaluations(points.length, true);
		const columns = columnsOf(this.setting, active);
		for (const group of this.#groups) {
			const lanes = this.#lanes(group, points, evaluations);
			for (let from = 0; from < lanes.length; from += atATime) {
				transitionLaunch(this.setting, group.grid, lanes.slice(from, from + atATime), columns);
				yield `simulated ${Math.min(from + atATime, lanes.length)} of ${lanes.length} experiments`;
			}
		}
		return evaluations;
	}

	#emptyEvaluations(count: number, sensitivities: boolean): WeightEvaluation[] {
		const { observations, kernels } = this.setting;
		const n = observations.nObservations;
		return Array.from({ length: count }, () => ({
			value: new Float64Array(n),
			...(sensitivities ? { inner: new Float64Array(n * kernels.nSens) } : {}),
			...(kernels.hasSpreads ? { spread: new Float64Array(n) } : {}),
		}));
	}

	#lanes(
		{ experiments }: Group,
		points: readonly Float64Array[],
		evaluations: readonly WeightEvaluation[],
	): Lane[] {
		return points.flatMap((point, k) =>
			experiments.map((experiment) => ({
				experiment,
				point: innerPoint(this.setting, point, experiment),
				into: evaluations[k],
			})),
		);
	}
}

/** Columns of the sensitivities that some unknowns need. */
function columnsOf({ candidates, kernels }: Setting, active: readonly number[] | undefined): number[] {
	const { weights, inner } = candidates;
	const all = [...Array(kernels.nSens).keys()];
	if (!active) return all;
	const used = new Set(active.flatMap((u) => (u < weights.length ? [weights[u].inner] : [])));
	return all.filter((column) => column >= inner.length || used.has(column));
}

/** p = A c of an experiment, then the initial values. */
export function innerPoint(
	{ candidates, initials, factors }: Setting,
	point: Float64Array,
	e: number,
): Float64Array {
	const { weights, inner } = candidates;
	const p = new Float64Array(inner.length + initials.length);
	for (let w = 0; w < weights.length; w++)
		if (weights[w].inner >= 0) p[weights[w].inner] += point[w] * factors[e * weights.length + w];
	p.set(point.subarray(weights.length, weights.length + initials.length), inner.length);
	return p;
}

function groupsOf(setting: Setting, substeps: number): { grid: Grid; experiments: number[] }[] {
	const { experiments, observations, kernels } = setting;
	const groups: { grid: Grid; experiments: number[] }[] = [];
	experiments.forEach((experiment, e) => {
		const { t0, times } = observations.grids[e];
		if (times.length === 0) return;
		const alike = groups.find(({ experiments: [first] }) => {
			const other = observations.grids[first];
			return (
				kernels.inputs.length === 0 &&
				other.t0 === t0 &&
				other.times.length === times.length &&
				other.times.every((t, i) => t === times[i])
			);
		});
		if (alike) alike.experiments.push(e);
		else {
			const signals = kernels.inputs.map((name) => experiment.inputs.get(name)!);
			groups.push({ grid: planGrid(times, t0, { substeps }, signals), experiments: [e] });
		}
	});
	return groups;
}

async function launch(
	setting: Setting,
	grid: Grid,
	lanes: readonly Lane[],
	sensitivities: boolean,
): Promise<void> {
	const { kernels, compute, experiments, candidates } = setting;
	const { initial, nOutputs, nSens } = kernels;
	const batch = lanes.length;
	const nStates = candidates.model.components.length;
	const params = new Float64Array(initial.params.length * batch);
	const x0 = new Float64Array(nStates * batch);
	const s0 = new Float64Array(sensitivities ? nStates * nSens * batch : 0);
	lanes.forEach(({ point, experiment }, b) => {
		const p = initial.paramValues(point, experiments[experiment]);
		intoLane(params, p, b, batch);
		intoLane(x0, initial.state(point, p, experiment), b, batch);
		if (sensitivities) intoLane(s0, initial.sensitivities(p), b, batch);
	});
	const y = new Float64Array(grid.nSamples * nOutputs * batch);
	const dy = new Float64Array(sensitivities ? y.length * nSens : 0);
	const { t, h, u, emit, sampleT, sampleU } = grid;
	await compute.run(sensitivities ? kernels.sensitive : kernels.plain, {
		batch,
		buffers: {
			...{ t, h, u, emit, sampleT, sampleU, params, x0, s0, y, dy },
			xEnd: new Float64Array(nStates * batch),
			sEnd: new Float64Array(sensitivities ? nStates * nSens * batch : 0),
		},
		scalars: { nSteps: grid.nSteps },
	});
	lanes.forEach((lane, b) => {
		collect(setting, lane, y, dy, b, batch);
	});
}

/** One lane of the kernel's outputs, put where the observations want it. */
function collect(
	setting: Setting,
	lane: Lane,
	y: Float64Array,
	dy: Float64Array,
	b: number,
	batch: number,
): void {
	const { observations, kernels, candidates } = setting;
	const { nOutputs, nSens } = kernels;
	const { value, inner, spread } = lane.into;
	for (const group of observations.groups) {
		if (group.experiment !== lane.experiment) continue;
		for (let i = group.from; i < group.to; i++) {
			const place = group.gridIndex[i - group.from] * nOutputs + group.index;
			value[i] = y[place * batch + b];
			if (spread) spread[i] = y[(place + candidates.model.measures.length) * batch + b];
			if (inner) for (let c = 0; c < nSens; c++) inner[i * nSens + c] = dy[(place * nSens + c) * batch + b];
		}
	}
}

export function intoLane(buffer: Float64Array, values: Float64Array, b: number, batch: number): void {
	for (let i = 0; i < values.length; i++) buffer[i * batch + b] = values[i];
}
