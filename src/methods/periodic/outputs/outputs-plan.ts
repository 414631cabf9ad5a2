/**
 * Several measured states of one record. Each output's own equations are worked on by the integrals, with the other outputs as
 * the periodic functions that they are; what noise these have makes those answers starts, no more. Then one least squares on
 * simulations of the whole model over all outputs at once.
 */
import type { Experiment, Series } from "../../../data/experiment.ts";
import { InputError } from "../../../errors.ts";
import { expandCombinations } from "../../../model/combination.ts";
import { foldFormulaInputs } from "../../../model/formula-inputs.ts";
import type { Model } from "../../../model/model.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Problem } from "../../problem.ts";
import type { Natural, NaturalValue } from "../adjustment/natural.ts";
import type { JointPlan } from "../joint-run.ts";
import type { PeriodicRun } from "../periodic-run.ts";
import { type Polished, polish } from "../polish/polish.ts";
import { noiseVariances } from "../polish/weights.ts";
import type { PeriodicOptions } from "../question.ts";
import { recordDrive } from "../record/drive.ts";
import { PeriodicSignal } from "../record/periodic-signal.ts";
import { type PeriodicRecord, periodicRecord } from "../record/record.ts";
import { type OutputPart, outputParts } from "./parts.ts";
import { inOneUnit, openScales } from "./scales.ts";
import { bestPolished, startsAround } from "./starts.ts";

/** Periods of outputs that differ by more than so many standard deviations are not one. */
const mostDeviations = 6;

export class OutputsPlan implements JointPlan {
	readonly noun = "output";
	/** Without combinations and formula inputs. */
	readonly model: Model;
	readonly parts: readonly OutputPart[];
	readonly experiment: Experiment;
	/** By measure, in the model's order. */
	readonly series: readonly Series[];
	readonly records: readonly PeriodicRecord[];
	readonly period: number;
	/** 0 where it is that of a drive. */
	readonly periodSd: number;

	constructor(
		readonly problem: Problem,
		options: PeriodicOptions,
	) {
		this.model = expandCombinations(foldFormulaInputs(problem.model)).model;
		const parts = outputParts(this.model);
		if (!Array.isArray(parts)) throw new InputError(parts.subject, parts.problem, parts.remedy);
		if (parts.length === 0)
			throw new InputError(
				this.model.fileName,
				"leaves nothing to estimate",
				"Write  param k  for what is not known.",
			);
		this.parts = parts;
		[this.experiment] = problem.train;
		this.series = this.model.measures.map(({ name }) => {
			const series = this.experiment.outputs.get(name);
			if (!series)
				throw new InputError(`measure ${name}`, "has no samples", "Map its column under  columns:.");
			return series;
		});
		const driven = parts
			.map(({ model, form, beside }) => {
				const others = new Set(beside.values());
				const drives = form.drives.filter((name) => !others.has(name));
				return recordDrive(model, { ...form, drives }, this.experiment).period;
			})
			.find((period) => period !== undefined);
		const recordOf = (k: number, known: { driven?: number; period?: number }): PeriodicRecord => {
			const where = `${this.experiment.name}, ${this.model.measures[k].name}`;
			const harmonics = options.harmonics === "auto" ? undefined : options.harmonics;
			return periodicRecord(this.series[k].times, this.series[k].values, where, { ...known, harmonics });
		};
		const given = options.period > 0 ? { period: options.period } : {};
		const alone = this.series.map((_, k) => recordOf(k, driven === undefined ? given : { driven, ...given }));
		({ period: this.period, periodSd: this.periodSd } = commonPeriod(alone, this.experiment.name));
		this.records = this.series.map((_, k) => recordOf(k, { driven: this.period, period: this.period }));
	}

	get count(): number {
		return this.parts.length;
	}
	/** Whether the period is the model's own. */
	get isFree(): boolean {
		return this.periodSd > 0;
	}

	part(index: number, start: Readonly<Record<string, number>>): Problem {
		const { model, beside } = this.parts[index];
		const at = (name: string): number => this.model.measures.findIndex((measure) => measure.name === name);
		const signals = [...beside].map(
			([name, state]) => [state, new PeriodicSignal(this.records[at(name)].series)] as const,
		);
		const [measure] = model.measures;
		const experiment: Experiment = {
			...this.experiment,
			inputs: new Map([...this.experiment.inputs, ...signals]),
			outputs: new Map([[measure.name, this.series[at(measure.name)]]]),
		};
		return { ...this.problem, model, train: [experiment], test: [], start };
	}

	async join(runs: readonly PeriodicRun[], answered: readonly number[]): Promise<Polished | undefined> {
		if (answered.length < this.count) return undefined;
		const [{ cycles }] = this.records;
		const own = (_: number, k: number): number => this.records[k].variance;
		const [variances] = noiseVariances(this.model, [this.experiment], own);
		const record = { variance: variances[0], cycles };
		const natural = this.#together(runs.map((run) => run.natural!));
		const found: Polished[] = [];
		for (const start of startsAround(natural, this.problem.start))
			found.push(
				await polish(
					this.problem,
					[{ question: { model: this.model, record }, variances, natural: start, simulated: undefined }],
					{ finite: true },
				),
			);
		return bestPolished(
			found,
			variances.map((variance, k) => this.series[k].times.length / variance),
		);
	}

	/** Of each parameter and initial value the answer that knows it best; hidden states in one unit. */
	#together(answers: readonly Natural[]): Natural {
		const known = bestOf(answers.flatMap((answer) => answer.params));
		const scaled = inOneUnit(openScales(this.parts), answers, known);
		const params = [...known.values()].map((value) => scaled.get(value.name) ?? value);
		const initial = bestOf(answers.flatMap((answer) => answer.initial));
		const first = this.model.components.map((name): NaturalValue => {
			const found = scaled.get(`${name}(0)`) ?? initial.get(name);
			if (found) return { ...found, name };
			// A measured state whose equation has nothing to find.
			const k = this.model.measures.findIndex(({ value }) => value.name === name);
			const signal = new PeriodicSignal(this.records[k].series);
			return { name, value: signal.at(this.experiment.times[0]), sd: 0, from: "closed form" };
		});
		return {
			params,
			covariance: new Float64Array(0),
			initial: first,
			combinations: [],
			period: this.period,
			periodSd: this.periodSd,
		};
	}
}

/** By name, the value that is known best; one that was only held is known least. */
function bestOf(all: readonly NaturalValue[]): Map<string, NaturalValue> {
	const best = new Map<string, NaturalValue>();
	for (const value of all) {
		const other = best.get(value.name);
		const isBetter = !other || (value.from !== "held" && (other.from === "held" || !(other.sd <= value.sd)));
		if (isBetter) best.set(value.name, value);
	}
	return best;
}

/** The longest period, of which those of the others are a whole part; their errors make it better known. */
function commonPeriod(
	records: readonly PeriodicRecord[],
	where: string,
): { period: number; periodSd: number } {
	const longest = records.reduce((a, b) => (b.period > 1.2 * a.period ? b : a));
	let weights = 0;
	let sum = 0;
	for (const { period: own, periodSd: sd } of records) {
		const times = Math.round(longest.period / own);
		const error = Math.sqrt(squared(times * sd) + squared(longest.periodSd));
		const apart = Math.abs(times * own - longest.period);
		if (!(apart <= mostDeviations * error + 1e-6 * longest.period))
			throw new InputError(
				where,
				`has outputs that repeat themselves with different periods, ${Number(own.toPrecision(6))} and ${Number(longest.period.toPrecision(6))}`,
				"Use  method: fit, which simulates the model and knows no such limit.",
			);
		const weight = 1 / squared(Math.max(times * sd, 1e-15 * longest.period));
		weights += weight;
		sum += weight * (times * own - longest.period);
	}
	const isKnown = records.every(({ periodSd }) => periodSd === 0);
	return { period: longest.period + sum / weights, periodSd: isKnown ? 0 : 1 / Math.sqrt(weights) };
}
