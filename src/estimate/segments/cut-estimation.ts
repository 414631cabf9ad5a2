/**
 * An estimation problem with its records cut, for multiple shooting: each segment is an experiment of its own, which begins at
 * a state that is unknown and shows where it ends, so that the next one can be held against it.
 *
 * Reference: Bock, "Recent advances in parameter identification techniques for ODE", 1983.
 */
import type { Experiment, Series } from "../../data/experiment.ts";
import type { Measure, Model } from "../../model/model.ts";
import type { Estimation } from "../forward/estimation.ts";
import type { Evaluation } from "../forward/forward.ts";
import { GridKernels } from "../forward/grid-kernels.ts";
import { type Observations, type OutputGroup, observationsOf } from "../observe/observations.ts";
import type { Unknown } from "../unknowns/unknowns.ts";
import { type Cuts, cutsOf } from "./cuts.ts";

export interface CutEstimation {
	readonly cuts: Cuts;
	/** Segments as experiments; its unknowns are the parameters, then the start of each segment. */
	readonly estimation: Estimation;
	/** Groups of samples by segment. */
	readonly seen: readonly (readonly OutputGroup[])[];
	/** Where the end of each segment stands among the observations, component by component; none for the last of a record. */
	readonly ends: readonly (readonly number[])[];
	/** When each segment begins. */
	readonly begins: readonly number[];
	/** The whole records, of which all states are seen. */
	readonly states: Estimation;
}

/** A state that is so many times what it was has blown up. */
const mostSize = 1e6;

/** Events and rests before a record are no matter of where a segment begins. */
export function canBeCut({ model, experiments }: Estimation): boolean {
	return model.events.length === 0 && experiments.every(({ rest }) => rest === undefined);
}

/** Segments of about `length` sample times. */
export function cutEstimation(whole: Estimation, length: number): CutEstimation {
	const { model, experiments, observations } = whole;
	const cuts = cutsOf(observations.grids, length);
	const begins = cuts.segments.map(({ experiment, from, start }) => {
		const { t0, times } = observations.grids[experiment];
		return start < 0 ? t0 : times[from];
	});
	const ends = model.components.map((component) => stateMeasure(model, component));
	const parts = cuts.segments.map((segment, s) => {
		const { experiment, isLast } = segment;
		const next = isLast ? undefined : begins[s + 1];
		return segmentOf(experiments[experiment], begins[s], next, ends, `${s}`);
	});
	const free: Model = {
		...model,
		initial: model.components.map(() => ({ kind: "none" as const })),
		measures: [...model.measures.map((measure) => plainMeasure(model, measure)), ...ends],
	};
	const params = whole.unknowns.filter(({ kind }) => kind === "param").map((each) => ofSegments(each, cuts));
	const unknowns = [
		...params,
		...parts.flatMap((_, s) => model.components.map((__, c) => startUnknown(model, s, c))),
	];
	const nOwn = model.measures.length;
	const cut = estimationFrom(whole, free, unknowns, parts);
	const of = (s: number): OutputGroup[] =>
		cut.observations.groups.filter(({ experiment }) => experiment === s);
	return {
		cuts,
		estimation: cut,
		seen: parts.map((_, s) => of(s).filter(({ index }) => index < nOwn)),
		ends: parts.map((_, s) => of(s).flatMap(({ index, from }) => (index < nOwn ? [] : [from]))),
		begins,
		states: statesAlong(whole, ends),
	};
}

/** The state at every sample time, of records that start as the model says: steps from cut to cut would be other ones. */
function statesAlong(whole: Estimation, measures: readonly Measure[]): Estimation {
	const experiments = whole.experiments.map((experiment, e) => {
		const { t0, times } = whole.observations.grids[e];
		const all = times[0] > t0 ? Float64Array.of(t0, ...times) : times;
		return { ...experiment, outputs: new Map(measures.map(({ name }) => [name, unseen(all)])) };
	});
	return estimationFrom(whole, { ...whole.model, measures }, whole.unknowns, experiments);
}

/** States where segments begin as a point makes them, segment by segment; of a record that blew up, where it began. */
export function startsAlong({ cuts, begins, states }: CutEstimation, { value }: Evaluation): Float64Array {
	const n = states.model.components.length;
	const starts = new Float64Array(cuts.segments.length * n);
	cuts.segments.forEach(({ experiment }, s) => {
		const seen = states.observations.groups.filter((group) => group.experiment === experiment);
		const isFollowed = seen.every(({ from, to }) =>
			value.subarray(from, to).every((x) => Math.abs(x) < mostSize * (1 + Math.abs(value[from]))),
		);
		for (const { index, from, t } of seen)
			starts[s * n + index] = value[from + (isFollowed ? t.indexOf(begins[s]) : 0)];
	});
	return starts;
}

function estimationFrom(
	{ compute, common }: Estimation,
	model: Model,
	unknowns: readonly Unknown[],
	experiments: readonly Experiment[],
): Estimation {
	const observations: Observations = observationsOf(model, experiments, common);
	const kernels = new GridKernels(model, unknowns, common);
	return { model, experiments, unknowns, observations, compute, kernels, common };
}

/** Samples from where it begins to before the next one does. */
function segmentOf(
	experiment: Experiment,
	begin: number,
	next: number | undefined,
	ends: readonly Measure[],
	name: string,
): Experiment {
	const outputs = new Map<string, Series>();
	for (const [output, { times, values, rows }] of experiment.outputs) {
		const inside = (_: number, i: number): boolean =>
			times[i] >= begin && (next === undefined || times[i] < next);
		outputs.set(output, {
			times: times.filter(inside),
			values: values.filter(inside),
			rows: rows.filter(inside),
		});
	}
	if (next !== undefined) for (const end of ends) outputs.set(end.name, unseen(Float64Array.of(next)));
	return { ...experiment, name, times: Float64Array.of(begin), outputs };
}

const unseen = (times: Float64Array): Series => ({
	times,
	values: new Float64Array(times.length),
	rows: new Int32Array(times.length),
});

function stateMeasure({ graph, measures }: Model, component: string): Measure {
	const { span } = measures[0];
	return { name: `where ${component} ends`, kind: "exact", value: graph.sym(component), span };
}

/** What is compared, without what is said of its errors: segments are weighed by how much an output varies. */
function plainMeasure({ graph }: Model, measure: Measure): Measure {
	const { name, kind, family, value, shape, span } = measure;
	if (kind !== "distribution") return { name, kind: "exact", value, span };
	return { name, kind, family, value, ...(measure.spread && { spread: graph.one }), shape, span };
}

/** A parameter that differs from record to record is the same in all segments of one. */
function ofSegments(unknown: Unknown, { segments }: Cuts): Unknown {
	if (!unknown.own) return unknown;
	const { param, experiments } = unknown.own;
	const own = [...segments.keys()].filter((s) => experiments.includes(segments[s].experiment));
	return { ...unknown, own: { param, experiments: own } };
}

function startUnknown({ components }: Model, segment: number, component: number): Unknown {
	return {
		name: `${components[component]} of segment ${segment}`,
		kind: "initial",
		component,
		experiment: segment,
		scale: "linear",
		lo: Number.NEGATIVE_INFINITY,
		hi: Number.POSITIVE_INFINITY,
		start: 0,
		informed: false,
		draw: () => 0,
	};
}
