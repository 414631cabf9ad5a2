/** A problem made ready for the method: its form, the record as a smooth periodic function, and what is searched for. */
import type { Experiment } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import type { Unknown } from "../../estimate/unknowns/unknowns.ts";
import { expandCombinations } from "../../model/combination.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Model } from "../../model/model.ts";
import { gaussRule } from "../../num/gauss-legendre.ts";
import { seriesAt } from "../../num/harmonic-fit.ts";
import { squared } from "../../num/whole-power.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import type { Represent } from "./adjustment/linearization.ts";
import { dependent } from "./form/collinear.ts";
import { isRefusal, type PeriodicForm, type Refusal } from "./form/form.ts";
import { formFunctions } from "./form/form-functions.ts";
import { recognize } from "./form/recognize.ts";
import { driveOn } from "./observer/drive.ts";
import { gainsFor } from "./observer/gains.ts";
import { type Grid, gridOf, type Sampled, sampleOn } from "./observer/grid.ts";
import { Representation } from "./observer/representation.ts";
import type { periodicOptions } from "./options.ts";
import { type Curve, fourierCurve, quinticCurve } from "./record/curve.ts";
import { type RecordDrive, recordDrive } from "./record/drive.ts";
import { mostAdjusted } from "./record/model-series.ts";
import { type PeriodicRecord, periodicRecord } from "./record/record.ts";
import { searchedUnknowns } from "./search/unknowns.ts";

export type PeriodicOptions = OptionValues<typeof periodicOptions>;

export interface Question {
	readonly model: Model;
	readonly form: PeriodicForm;
	readonly unknowns: readonly Unknown[];
	readonly t: Float64Array;
	readonly y: Float64Array;
	readonly record: PeriodicRecord;
	readonly experiment: Experiment;
	readonly drive: RecordDrive;
	readonly constants: Float64Array;
	/** Of the noise that would make the curve err by as much as it does: noise itself, and what interpolation adds. */
	readonly variance: number;
	/** On the grid of the search, and on one that holds all harmonics of what is adjusted. */
	readonly coarse: Represent;
	readonly fine: Represent;
}

/** Intervals of the search: Gauss nodes make up for few; what they leave is corrected on the fine grid. */
const fewest = 130;
const enough = 260;

/** `mayDrift`: the record is a short window of a longer one, and a slow change in it is no reason to refuse it. */
export function questionOf(problem: Problem, options: PeriodicOptions, mayDrift = false): Question {
	const { model } = expandCombinations(foldFormulaInputs(problem.model));
	const form = recognize(model);
	if (isRefusal(form)) throw refused(form);
	const [experiment] = problem.train;
	const [measure] = model.measures;
	const series = experiment.outputs.get(measure.name);
	if (!series)
		throw new InputError(`measure ${measure.name}`, "has no samples", "Map its column under  columns:.");
	const unknowns = searchedUnknowns(model, form, problem.start);
	if (form.lambda.length + form.recovered.size + form.hidden.length === 0)
		throw new InputError(
			model.fileName,
			"leaves nothing to estimate",
			"Write  param k  for what is not known.",
		);
	const where = `${experiment.name}, ${measure.name}`;
	const drive = recordDrive(model, form, experiment);
	const record = periodicRecord(series.times, series.values, where, {
		driven: drive.period,
		mayDrift,
		harmonics: options.harmonics === "auto" ? undefined : options.harmonics,
		period: options.period > 0 ? options.period : undefined,
	});
	const constants = Float64Array.from(form.constants, (name) => experiment.conditions[name]);
	const fourier = options.interpolation === "fourier";
	const curve = fourier ? fourierCurve(record) : quinticCurve(series.times, series.values, record);
	const represent = representOn(form, constants, options, curve, record, drive);
	const K = record.series.harmonics;
	const automatic = Math.max(fewest, Math.min(enough, Math.ceil(K / 2)));
	// Where inputs jump or bend, intervals begin.
	const knots = drive.knots && Math.round((drive.knots * record.period) / drive.period!);
	const aligned = (intervals: number): number =>
		knots && knots <= 4 * intervals ? knots * Math.ceil(intervals / knots) : intervals;
	const coarse = options.intervals === "auto" ? aligned(automatic) : options.intervals;
	const question: Question = {
		model,
		form,
		unknowns,
		t: series.times,
		y: series.values,
		record,
		experiment,
		drive,
		constants,
		variance: fourier
			? record.variance
			: Math.max(record.variance, interpolationVariance(curve, record, series.times.length)),
		coarse: represent(coarse),
		fine: represent(aligned(Math.max(coarse, K + 2 * Math.min(K, mostAdjusted) + 20))),
	};
	refuseCollinear(question);
	return question;
}

/** What the curve differs by from the series, spread over as many coefficients as are adjusted. */
function interpolationVariance(curve: Curve, { series }: PeriodicRecord, nSamples: number): number {
	const { harmonics, c } = series;
	const points = 8 * harmonics + 8;
	let square = 0;
	for (let k = 0; k < points; k++) {
		const phi = (2 * Math.PI * k) / points;
		square += squared(curve.at(phi) - seriesAt(c, phi));
	}
	return ((square / points) * nSamples) / (2 * Math.min(harmonics, mostAdjusted) + 1);
}

function refused({ subject, problem, remedy }: Refusal): InputError {
	return new InputError(subject, problem, remedy);
}

function representOn(
	form: PeriodicForm,
	constants: Float64Array,
	options: PeriodicOptions,
	curve: Curve,
	{ series, period }: PeriodicRecord,
	drive: RecordDrive,
): (intervals: number) => Represent {
	const functions = formFunctions(form);
	const rule = gaussRule(options.nodes);
	const n = form.chain.length;
	const r = form.terms.length;
	return (intervals) => {
		const phases = gridOf(1, intervals, rule);
		const own = sampleOn(phases, curve.at);
		const driven = driveOn(phases, drive.at(series.origin, period));
		return (c, omega) => {
			const grid = gridOf(((2 * Math.PI) / omega) * (series.omega / curve.omega), intervals, rule);
			const gains = gainsFor(grid, n, r);
			const y = corrected(own, phases, c, series.c);
			return new Representation(form, grid, y, constants, gains, functions, false, driven);
		};
	};
}

/** The curve with the corrections that an adjustment has made to the series. */
function corrected(own: Sampled, grid: Grid, c: Float64Array, measured: Float64Array): Sampled {
	if (c.every((value, i) => value === measured[i])) return own;
	const change = c.map((value, i) => value - (measured[i] ?? 0));
	const { nodes, starts } = sampleOn(grid, (phi) => seriesAt(change, phi));
	return {
		nodes: nodes.map((value, j) => value + own.nodes[j]),
		starts: starts.map((value, k) => value + own.starts[k]),
	};
}

/** Regressors that are collinear along this record, though not for every y. */
function refuseCollinear({ form, coarse, record }: Question): void {
	const r = form.terms.length;
	if (r < 2) return;
	const { psi } = coarse(record.series.c, record.series.omega);
	const rows = Array.from({ length: psi.length / r }, (_, i) => [...psi.subarray(i * r, (i + 1) * r)]);
	const found = dependent(rows, form);
	if (found) throw refused(found);
}
