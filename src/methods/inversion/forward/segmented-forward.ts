/**
 * The simulation in segments (multiple shooting): each begins at a start of its own, so that nothing grows along a whole record.
 * A point has the starts behind the unknowns; the gaps between the end of each segment and the start of the next are part of
 * what is made small. Segments that are sampled alike run side by side.
 */

import { GridKernels } from "../../../estimate/forward/grid-kernels.ts";
import type { Cuts, Segment } from "../../../estimate/segments/cuts.ts";
import { type Grid, planGrid } from "../../../lower/kernels/grid.ts";
import { symbolsOf } from "../../../model/walk.ts";
import { type AsyncSlices, inSlices } from "../slices.ts";
import type { SmoothStates } from "./smooth-states.ts";
import {
	type ForwardModel,
	innerPoint,
	intoLane,
	type Setting,
	type WeightEvaluation,
} from "./weight-forward.ts";

/** An observation of a segment: its place among all, and among what the kernel writes. */
interface Seen {
	readonly observation: number;
	readonly place: number;
}

/** Segments that are sampled alike, with the steps of the first. */
interface Alike {
	readonly grid: Grid;
	readonly segments: number[];
}

/** Lanes of one launch. */
const mostLanes = 256;
/** Sample times within so small a share of a segment are the same. */
const sameTime = 1e-9;

export class SegmentedForward implements ForwardModel {
	/** Columns: parameters of the equations, then the components of the segment's start. */
	readonly nColumns: number;
	readonly nStates: number;
	/** Of each segment. */
	readonly seen: readonly (readonly Seen[])[];
	readonly #kernels: GridKernels;
	readonly #nUnknowns: number;
	readonly #alike: readonly Alike[];

	constructor(
		readonly setting: Setting,
		readonly substeps: number,
		readonly cuts: Cuts,
		/** What the samples show of the states: where starts begin. */
		readonly smooth: readonly SmoothStates[],
	) {
		const { candidates, kernels } = setting;
		this.#nUnknowns = candidates.weights.length + setting.initials.length;
		this.nStates = candidates.model.components.length;
		this.nColumns = candidates.inner.length + this.nStates;
		this.#kernels =
			kernels.initial.freeComponents.length === this.nStates ? kernels : kernelsFromAnyStart(setting);
		this.seen = this.#allSeen();
		this.#alike = this.#groups();
	}

	get says(): string {
		return `Runge–Kutta of order 4, ${this.substeps} step${this.substeps === 1 ? "" : "s"} a sample, in ${this.cuts.segments.length} segments`;
	}

	#allSeen(): Seen[][] {
		const { observations, kernels } = this.setting;
		const { segments } = this.cuts;
		const seen: Seen[][] = segments.map(() => []);
		for (const { experiment, from: first, gridIndex, index } of observations.groups) {
			// Segments and samples both go on in time.
			let s = segments.findIndex((segment) => segment.experiment === experiment);
			for (const [i, k] of gridIndex.entries()) {
				while (s >= 0 && segments[s]?.experiment === experiment && k >= segments[s].to) s++;
				const segment = segments[s];
				if (segment?.experiment === experiment && k >= segment.from)
					seen[s].push({ observation: first + i, place: (k - segment.from) * kernels.nOutputs + index });
			}
		}
		return seen;
	}

	/** A point with its starts: where it has none, the smoothed samples are there. */
	complete(point: Float64Array): Float64Array {
		const { nStates: n, cuts } = this;
		const nUnknowns = this.#nUnknowns;
		const whole = new Float64Array(nUnknowns + cuts.nStarts * n);
		whole.set(point.subarray(0, Math.min(point.length, whole.length)));
		if (point.length < whole.length)
			for (const { start, experiment, from } of cuts.segments) {
				if (start < 0) continue;
				const { x, parts } = this.smooth[experiment];
				whole.set(x.subarray(from * parts * n, (from * parts + 1) * n), nUnknowns + start * n);
			}
		return whole;
	}

	evaluate(points: readonly Float64Array[], sensitivities: boolean): Promise<WeightEvaluation[]> {
		return this.#launches(
			points.map((point) => this.complete(point)),
			sensitivities,
		);
	}

	evaluating(points: readonly Float64Array[], sensitivities: boolean): AsyncSlices<WeightEvaluation[]> {
		return inSlices(this.evaluate(points, sensitivities));
	}

	async #launches(points: readonly Float64Array[], sensitivities: boolean): Promise<WeightEvaluation[]> {
		const { observations, kernels } = this.setting;
		const { cuts, nStates: n, nColumns } = this;
		const m = observations.nObservations;
		const evaluations = points.map(() => ({
			value: new Float64Array(m),
			gaps: new Float64Array(cuts.nStarts * n),
			...(sensitivities
				? {
						inner: new Float64Array(m * nColumns),
						ends: new Float64Array(cuts.segments.length * n * nColumns),
					}
				: {}),
			...(kernels.hasSpreads ? { spread: new Float64Array(m) } : {}),
		}));
		for (const { grid, segments } of this.#alike) {
			const lanes = points.flatMap((point, k) =>
				segments.map((segment) => ({ segment, point, into: evaluations[k] })),
			);
			for (let from = 0; from < lanes.length; from += mostLanes)
				await this.#launch(grid, lanes.slice(from, from + mostLanes), sensitivities);
		}
		return evaluations;
	}

	async #launch(
		grid: Grid,
		lanes: readonly { segment: number; point: Float64Array; into: WeightEvaluation }[],
		sensitivities: boolean,
	): Promise<void> {
		const { compute, experiments, candidates, kernels } = this.setting;
		const { nStates: n, nColumns } = this;
		const { initial, nOutputs } = kernels;
		const batch = lanes.length;
		const params = new Float64Array(initial.params.length * batch);
		const x0 = new Float64Array(n * batch);
		const s0 = new Float64Array(sensitivities ? n * nColumns * batch : 0);
		const nUnknowns = this.#nUnknowns;
		let last: { of: Float64Array; experiment: number; own: Float64Array; p: Float64Array } | undefined;
		lanes.forEach(({ segment, point }, b) => {
			const { experiment: e, start } = this.cuts.segments[segment];
			// Segments of one record at one point have all but their starts in common.
			if (last?.of !== point || last.experiment !== e) {
				const own = innerPoint(this.setting, point, e);
				last = { of: point, experiment: e, own, p: initial.paramValues(own, experiments[e]) };
			}
			const { own, p } = last;
			intoLane(params, p, b, batch);
			const at = nUnknowns + start * n;
			intoLane(x0, start < 0 ? initial.state(own, p, e) : point.subarray(at, at + n), b, batch);
			if (sensitivities) this.#firstSensitivitiesInto(s0, b, batch, start < 0 ? p : undefined);
		});
		const y = new Float64Array(grid.nSamples * nOutputs * batch);
		const dy = new Float64Array(sensitivities ? y.length * nColumns : 0);
		const xEnd = new Float64Array(n * batch);
		const sEnd = new Float64Array(sensitivities ? n * nColumns * batch : 0);
		const { t, h, u, emit, sampleT, sampleU } = grid;
		await compute.run(sensitivities ? this.#kernels.sensitive : kernels.plain, {
			batch,
			buffers: { ...{ t, h, u, emit, sampleT, sampleU, params, x0, s0, y, dy }, xEnd, sEnd },
			scalars: { nSteps: grid.nSteps },
		});
		lanes.forEach(({ segment, point, into }, b) => {
			for (const { observation, place } of this.seen[segment]) {
				into.value[observation] = y[place * batch + b];
				if (into.spread) into.spread[observation] = y[(place + candidates.model.measures.length) * batch + b];
				if (sensitivities)
					for (let c = 0; c < nColumns; c++)
						into.inner![observation * nColumns + c] = dy[(place * nColumns + c) * batch + b];
			}
			if (this.cuts.segments[segment].isLast) return;
			const { start } = this.cuts.segments[segment + 1];
			for (let i = 0; i < n; i++)
				into.gaps![start * n + i] = point[nUnknowns + start * n + i] - xEnd[i * batch + b];
			if (sensitivities)
				for (let i = 0; i < n * nColumns; i++) into.ends![segment * n * nColumns + i] = sEnd[i * batch + b];
		});
	}

	/** `p`: of a segment that begins as the model says. */
	#firstSensitivitiesInto(s0: Float64Array, b: number, batch: number, p: Float64Array | undefined): void {
		const { nStates: n, nColumns } = this;
		const { initial, nSens } = this.setting.kernels;
		const nInner = nColumns - n;
		const own = p && initial.sensitivities(p);
		for (let i = 0; i < n; i++) {
			if (own) for (let c = 0; c < nInner; c++) s0[(i * nColumns + c) * batch + b] = own[i * nSens + c];
			s0[(i * nColumns + nInner + i) * batch + b] = 1;
		}
	}

	/** Where nothing depends on time itself, segments differ by where they begin only. */
	#groups(): Alike[] {
		const { observations, kernels, candidates, experiments } = this.setting;
		const { model } = candidates;
		const symbols = symbolsOf([...model.rhs, ...model.measures.map(({ value }) => value)]);
		const ofTime = kernels.inputs.length > 0 || kernels.hasSpreads || symbols.has("t");
		const groups: (Alike & { times: Float64Array })[] = [];
		this.cuts.segments.forEach(({ experiment, from, to, start, isLast }: Segment, s) => {
			const { t0, times: all } = observations.grids[experiment];
			const times = all.slice(from, isLast ? to : to + 1);
			const begin = start < 0 ? t0 : times[0];
			const since = times.map((t) => t - begin);
			const near = sameTime * (since[since.length - 1] || 1);
			const alike = groups.find(
				(group) =>
					!ofTime &&
					group.times.length === since.length &&
					group.times.every((t, i) => Math.abs(t - since[i]) <= near),
			);
			if (alike) alike.segments.push(s);
			else {
				const signals = kernels.inputs.map((name) => experiments[experiment].inputs.get(name)!);
				const grid = planGrid(times, begin, { substeps: this.substeps }, signals);
				groups.push({ grid, segments: [s], times: since });
			}
		});
		return groups;
	}
}

/** Kernels with derivatives by every component of the start. */
function kernelsFromAnyStart({ candidates, unknowns }: Setting): GridKernels {
	const { model } = candidates;
	const params = model.params.map((param) => ({ ...param, terms: undefined }));
	const initial = model.components.map(() => ({ kind: "none" as const }));
	return new GridKernels({ ...model, params, initial }, unknowns);
}
