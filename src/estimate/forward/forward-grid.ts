/** The forward model by fixed Runge–Kutta steps: the whole batch, over the whole record, in one kernel. */
import type { Compute } from "../../compute/compute.ts";
import { type BatchOutput, integrateBatch } from "../../compute/integrate-batch.ts";
import { counting } from "../../compute/work.ts";
import type { Experiment } from "../../data/experiment.ts";
import { type Grid, planGrid, type StepRule } from "../../lower/kernels/grid.ts";
import { counted } from "../judge/words.ts";
import { type OutputGroup, typicalInterval } from "../observe/observations.ts";
import type { Evaluation, Forward } from "./forward.ts";
import type { ForwardSpec } from "./forward-adaptive.ts";
import type { GridKernels } from "./grid-kernels.ts";

export interface GridForwardSpec extends ForwardSpec {
	readonly kernels: GridKernels;
	readonly compute: Compute;
	/** Steps from one sample to the next, in long gaps as many more. */
	readonly substeps: number;
	/** Steps of one length wherever samples lie; see `Integration`. */
	readonly even?: boolean;
}

/** Bytes of output that one launch may fill; larger batches are cut. */
const launchBytes = 2 ** 28;
const samplesAtOnce = 32;
const spareBytes = 2 ** 24;

export function gridForward(given: GridForwardSpec): Forward {
	const compute = counting(given.compute);
	const spec = { ...given, compute };
	const { substeps } = spec;
	const usual = typicalInterval(spec.observations);
	const rule = spec.even ? { maxStep: usual / substeps } : { substeps, usual };
	const grids = spec.experiments.map((experiment, e) => gridOf(spec, experiment, e, rule));
	/** Results of the last launch, for the next one to overwrite: a search has many of the same size. */
	let spare: BatchOutput | undefined;
	return {
		says: `Runge–Kutta of order 4, ${counted(substeps, "step")} a sample`,
		get operations() {
			return compute.operations;
		},
		async evaluate(points, sensitivities, spareEvaluations = []) {
			const evaluations = points.map(
				() =>
					(sensitivities && emptied(spec, spareEvaluations.pop())) || emptyEvaluation(spec, sensitivities),
			);
			for (const [e, grid] of grids.entries()) {
				if (!grid) continue;
				const width = spec.kernels.nOutputs * (sensitivities ? 1 + spec.kernels.nSens : 1);
				const lanes = Math.max(8, Math.floor(launchBytes / (8 * width * grid.nSamples)));
				for (let from = 0; from < points.length; from += lanes) {
					const used = spare;
					spare = undefined;
					const own = evaluations.slice(from, from + lanes);
					const output = await launch(spec, e, grid, points.slice(from, from + lanes), own, used);
					collectAll(spec, e, own, output);
					if (8 * output.dy.length <= spareBytes) spare = output;
				}
			}
			return evaluations;
		},
	};
}

function gridOf(spec: GridForwardSpec, experiment: Experiment, e: number, rule: StepRule): Grid | undefined {
	const { t0, times } = spec.observations.grids[e];
	if (times.length === 0) return undefined;
	const signals = spec.kernels.inputs.map((name) => experiment.inputs.get(name)!);
	return planGrid(times, t0, rule, signals);
}

function emptyEvaluation(spec: GridForwardSpec, sensitivities: boolean): Evaluation {
	const n = spec.observations.nObservations;
	return {
		value: new Float64Array(n),
		...(sensitivities ? { jacobian: new Float64Array(n * spec.unknowns.length) } : {}),
		...(spec.kernels.hasSpreads ? { spread: new Float64Array(n) } : {}),
		...(spec.kernels.hasSpreads && sensitivities
			? { spreadJacobian: new Float64Array(n * spec.unknowns.length) }
			: {}),
	};
}

/** An evaluation that is no longer needed, to be filled again. */
function emptied(spec: GridForwardSpec, spare: Evaluation | undefined): Evaluation | undefined {
	const n = spec.observations.nObservations;
	if (spec.kernels.hasSpreads || spare?.value.length !== n) return undefined;
	if (spare.jacobian?.length !== n * spec.unknowns.length) return undefined;
	// Initial values of other experiments have columns that nobody writes.
	if (spec.experiments.length > 1) spare.jacobian.fill(0);
	return spare;
}

async function launch(
	spec: GridForwardSpec,
	e: number,
	grid: Grid,
	points: readonly Float64Array[],
	evaluations: readonly Evaluation[],
	used: BatchOutput | undefined,
): Promise<BatchOutput> {
	const sensitivities = evaluations[0].jacobian !== undefined;
	const { kernels, compute, experiments, model } = spec;
	const { initial, nOutputs, nSens } = kernels;
	const batch = points.length;
	const nStates = model.components.length;
	const params = new Float64Array(initial.params.length * batch);
	const x0 = new Float64Array(nStates * batch);
	const s0 = new Float64Array(sensitivities ? nStates * nSens * batch : 0);
	points.forEach((point, b) => {
		const p = initial.paramValues(point, experiments[e], e);
		intoLane(params, p, b, batch);
		intoLane(x0, initial.state(point, p, e), b, batch);
		if (sensitivities) intoLane(s0, initial.sensitivities(p), b, batch);
	});
	const record = experiments[e];
	if (initial.isSettled(record))
		initial.settleInto(x0, sensitivities ? s0 : undefined, params, batch, record);
	return integrateBatch(
		compute,
		sensitivities ? kernels.sensitive : kernels.plain,
		grid,
		{ batch, params, x0, ...(sensitivities ? { s0 } : {}) },
		{ nStates, nOutputs, nSens: sensitivities ? nSens : 0 },
		used,
	);
}

function collectAll(
	spec: GridForwardSpec,
	e: number,
	evaluations: readonly Evaluation[],
	{ y, dy }: BatchOutput,
): void {
	const batch = evaluations.length;
	const columns = spec.kernels.initial.columns(e);
	for (const group of spec.observations.groups) {
		if (group.experiment !== e) continue;
		// Some samples of every lane, then the next: lanes lie side by side, and so each line of memory is read once.
		for (let from = group.from; from < group.to; from += samplesAtOnce) {
			const to = Math.min(from + samplesAtOnce, group.to);
			for (let b = 0; b < batch; b++)
				collect(spec, columns, group, from, to, evaluations[b], y, dy, b, batch);
		}
	}
}

/** Samples of one lane of the kernel's outputs, put where the observations want them. */
function collect(
	{ kernels, model, unknowns }: GridForwardSpec,
	columns: ArrayLike<number>,
	{ gridIndex, index, from: first }: OutputGroup,
	from: number,
	to: number,
	{ value, jacobian, spread, spreadJacobian }: Evaluation,
	y: Float64Array,
	dy: Float64Array,
	b: number,
	batch: number,
): void {
	const { nOutputs, nSens } = kernels;
	const nUnknowns = unknowns.length;
	for (let i = from; i < to; i++) {
		const place = gridIndex[i - first] * nOutputs + index;
		value[i] = y[place * batch + b];
		if (spread) spread[i] = y[(place + model.measures.length) * batch + b];
		if (!jacobian) continue;
		for (let c = 0; c < nSens; c++)
			jacobian[i * nUnknowns + columns[c]] = dy[(place * nSens + c) * batch + b];
		if (!spreadJacobian) continue;
		const spreadPlace = (place + model.measures.length) * nSens;
		for (let c = 0; c < nSens; c++)
			spreadJacobian[i * nUnknowns + columns[c]] = dy[(spreadPlace + c) * batch + b];
	}
}

function intoLane(buffer: Float64Array, values: Float64Array, b: number, batch: number): void {
	for (let i = 0; i < values.length; i++) buffer[i * batch + b] = values[i];
}
