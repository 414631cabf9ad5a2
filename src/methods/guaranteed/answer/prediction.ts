/** Enclosures of the outputs: of the records that were used, and of others with the same parameters. */
import type { Experiment } from "../../../data/experiment.ts";
import type { Prediction } from "../../../estimate/result.ts";
import { ConstraintReader } from "../constraint/constraint.ts";
import { Effort } from "../flow/effort.ts";
import { ExperimentFlow } from "../flow/experiment-flow.ts";
import { isFailure } from "../flow/flow.ts";
import type { GuaranteedRun } from "../guaranteed-run.ts";
import { guaranteedUnknowns } from "../unknowns.ts";
import { partsOf } from "./followed.ts";

/** Bounds of each output at each of its samples, over all that is left; up to where a part of it could not be followed. */
export function trainPredictions(run: GuaranteedRun): Prediction[] {
	const { train, model } = run.problem;
	return train.flatMap((experiment, e) =>
		model.measures.flatMap(({ name }): Prediction[] => {
			const series = experiment.outputs.get(name);
			if (!series || series.times.length === 0) return [];
			const lo = new Float64Array(series.times.length).fill(Number.POSITIVE_INFINITY);
			const hi = new Float64Array(series.times.length).fill(Number.NEGATIVE_INFINITY);
			const seen = new Int32Array(series.times.length);
			const position = new Map(Array.from(series.times, (t, i) => [t, i]));
			const parts = partsOf(run);
			const tries = Math.max(1, Math.min(96, Math.floor(60_000 / (series.times.length * parts.length))));
			for (const { constraints, box } of parts)
				for (const constraint of constraints) {
					if (constraint.isSide || constraint.experiment !== e || constraint.output !== name) continue;
					const i = position.get(constraint.t)!;
					const [least, most] = run.reader(constraint).closeRange(constraint, box, tries);
					// Of an output without bounds only values near the bar were looked at, which an outlier is not.
					if (!(least <= most) || (constraint.jump === "open" && run.outliers > 0)) continue;
					lo[i] = Math.min(lo[i], least);
					hi[i] = Math.max(hi[i], most);
					seen[i]++;
				}
			const end = seen.findIndex((count) => count < parts.length || count === 0);
			return prediction(experiment, name, "train", series, lo, hi, end < 0 ? seen.length : end);
		}),
	);
}

/** A sample that no value that is left can have made. */
export interface Contradicted {
	readonly experiment: string;
	readonly output: string;
	readonly t: number;
	/** How far the bar of the sample is from all that the output can be. */
	readonly far: number;
}

export interface TestPredictions {
	readonly predictions: readonly Prediction[];
	/** Records whose integration could not be proved to their end. */
	readonly failed: readonly string[];
	readonly contradicted: readonly Contradicted[];
}

/** Enclosed forecasts of other records. */
export function testPredictions(run: GuaranteedRun): TestPredictions {
	const { test } = run.problem;
	const enclosure = run.enclosure;
	const predictions: Prediction[] = [];
	const failed: string[] = [];
	const contradicted: Contradicted[] = [];
	if (!enclosure) return { predictions, failed, contradicted };
	for (const experiment of test) {
		const unknowns = guaranteedUnknowns(run.system, [experiment.name]);
		const flow = new ExperimentFlow(run.system, experiment, 0, unknowns, {
			...run.options,
			order: run.order,
			spending: new Effort(run.options.effort),
		});
		const box = Float64Array.from(
			unknowns.flatMap(({ kind, prior }, i) =>
				kind === "param" ? [enclosure[2 * i], enclosure[2 * i + 1]] : [prior.lo, prior.hi],
			),
		);
		const set = flow.start(box);
		const bounds = new Map<string, { t: number[]; lo: number[]; hi: number[] }>();
		for (const instant of flow.instants) {
			const seen = flow.course.advance(set, instant.t) ?? flow.course.at(set, instant.t);
			const reader = new ConstraintReader(flow.table);
			const outputs = isFailure(seen) ? undefined : flow.constraints(seen, instant);
			if (!outputs || outputs.some(({ jump, range }) => jump === "open" || range)) {
				failed.push(experiment.name);
				break;
			}
			for (const constraint of outputs) {
				if (constraint.isSide) continue;
				const own = bounds.get(constraint.output) ?? { t: [], lo: [], hi: [] };
				const [lo, hi] = reader.range(constraint, box);
				own.t.push(instant.t);
				own.lo.push(lo);
				own.hi.push(hi);
				const far = Math.max(constraint.lo - hi, lo - constraint.hi);
				const { output, t } = constraint;
				if (far > 0) contradicted.push({ experiment: experiment.name, output, t, far });
				bounds.set(constraint.output, own);
			}
		}
		for (const [name, { t, lo, hi }] of bounds) {
			const series = experiment.outputs.get(name)!;
			const upTo = series.times.filter((time) => time <= t[t.length - 1]).length;
			predictions.push(
				...prediction(experiment, name, "test", series, Float64Array.from(lo), Float64Array.from(hi), upTo),
			);
		}
	}
	return { predictions, failed, contradicted };
}

function prediction(
	experiment: Experiment,
	output: string,
	part: "train" | "test",
	series: { readonly times: Float64Array; readonly values: Float64Array },
	lo: Float64Array,
	hi: Float64Array,
	end: number,
): Prediction[] {
	if (end === 0) return [];
	return [
		{
			experiment: experiment.name,
			output,
			part,
			unasked: true,
			t: series.times.slice(0, end),
			y: lo.slice(0, end).map((value, i) => value / 2 + hi[i] / 2),
			lo: lo.slice(0, end),
			hi: hi.slice(0, end),
			data: { t: series.times, y: series.values },
		},
	];
}
