/** What the measurements of a PEtab problem say of its nominal values. */
import { InputError } from "../../errors.ts";
import { families } from "../../estimate/law/families.ts";
import { truncated } from "../../estimate/law/truncated.ts";
import { numbers } from "../../estimate/observe/sample-terms.ts";
import type {
	Override,
	PetabMeasurement,
	PetabParameter,
	PetabProblem,
} from "../../formats/petab/problem.ts";
import { type OpenFile, sbmlModel } from "../../formats/sbml/read-sbml.ts";
import { evaluate } from "../../model/evaluate.ts";
import { log } from "../../num/elementary/number.ts";
import { squared } from "../../num/whole-power.ts";
import { checkIds, withConstants } from "./check-ids.ts";
import { type Rests, type SimulatedPoint, simulateExperiment } from "./simulate-experiment.ts";

export interface PetabAnswer {
	readonly logLikelihood: number;
	readonly chi2: number;
	/** Log density of the priors; absent where there are none. */
	readonly logPrior?: number;
	/** What the model says of each measurement, in their order. */
	readonly simulated: Float64Array;
	/** Which measurement is the first that has no finite likelihood, and why; absent where all have one. */
	readonly failed?: string;
}

export function petabLikelihood(problem: PetabProblem, open: OpenFile): PetabAnswer {
	const { measurements, observables, parameters } = problem;
	for (const { id, nominal, place } of parameters.values())
		if (Number.isNaN(nominal))
			throw new InputError(place, `parameter ${id} has no nominal value`, "Fill in the column nominalValue.");
	const simulated = new Float64Array(measurements.length);
	const spreads = new Float64Array(measurements.length);
	const used = [...new Set(measurements.map((each) => each.model))].map((id) => {
		const { text, file } = problem.models.get(id)!;
		return { id, ...sbmlModel(text, file, open) };
	});
	checkIds(
		problem,
		used.map(({ model }) => model),
	);
	for (const { id: model, model: sbml, problems } of used) {
		const own = withConstants(problem, sbml);
		const rests: Rests = new Map();
		const series = new Map<string, number[]>();
		measurements.forEach((each, i) => {
			if (each.model !== model) return;
			const list = series.get(each.experiment);
			if (list) list.push(i);
			else series.set(each.experiment, [i]);
		});
		for (const [experiment, indices] of series) {
			const times = [...new Set(indices.map((i) => measurements[i].time))].sort((a, b) => (a < b ? -1 : 1));
			const measured = [...new Set(indices.map((i) => measurements[i].observable))];
			const points = simulateExperiment({
				problem: own,
				sbml,
				problems,
				experiment,
				observables: measured.map((id) => observables.get(id)!),
				times,
				rests,
			});
			for (const i of indices) {
				const { time, place, observable } = measurements[i];
				const point = points.get(time)!;
				const { value, noise } = point.own.observed.get(observable)!;
				const symbol = symbolsOf(point, time, measurements[i], problem);
				simulated[i] = evaluate(value, symbol);
				spreads[i] = evaluate(noise, symbol);
				if (!(spreads[i] > 0))
					throw new InputError(
						place,
						`the noise of this measurement is ${spreads[i]}`,
						"A spread is positive.",
					);
			}
		}
	}
	let logLikelihood = 0;
	let chi2 = 0;
	let failed: string | undefined;
	measurements.forEach((measurement, i) => {
		const { observable, value, place } = measurement;
		const { scale, law } = observables.get(observable)!;
		if (scale !== "lin" && !(value > 0))
			throw new InputError(
				place,
				`the measurement is ${value}, and is compared by its logarithm`,
				"It must be positive.",
			);
		const terms = termsOf(value, simulated[i], spreads[i], scale, law);
		if (!Number.isFinite(terms.logDensity))
			failed ??= withoutLikelihood(problem, measurement, simulated[i], spreads[i]);
		logLikelihood += terms.logDensity;
		chi2 += terms.square;
	});
	const known = [...parameters.values()].filter(({ estimate, prior }) => estimate && prior);
	const found = { logLikelihood, chi2, simulated, ...(failed !== undefined && { failed }) };
	if (known.length === 0) return found;
	const all = problem.version === 2 ? [...parameters.values()].filter(({ estimate }) => estimate) : known;
	const logPrior = all.reduce((sum, each) => sum + logPriorOf(each, each.nominal), 0);
	return { ...found, logPrior };
}

/** Where a measurement stands, and what the model says of it. */
function withoutLikelihood(
	{ observables, experiments, version }: PetabProblem,
	{ observable, experiment, time, place }: PetabMeasurement,
	value: number,
	spread: number,
): string {
	const { scale } = observables.get(observable)!;
	const { periods } = experiments.get(experiment)!;
	const at = periods.filter((period) => period.time <= time).at(-1) ?? periods[0];
	const conditions = at?.conditions.join(" and ") ?? "";
	const parts = [
		...(version === 2 && experiment !== "" ? [`experiment ${experiment}`] : []),
		...(conditions === "" ? [] : [`condition ${conditions}`]),
	];
	const where = parts.length === 0 ? "" : ` in ${parts.join(", ")}`;
	const why = !Number.isFinite(value)
		? "which is no finite number"
		: scale !== "lin" && !(value > 0)
			? "and is compared by its logarithm, which that has not"
			: `which is beyond all measure from what was measured, by a noise of ${spread}`;
	return `${place}: ${observable} is ${value} at t = ${time}${where}, ${why}.`;
}

/** Errors by the laws that all methods use. One on the scale of log10 is one of the natural logarithm, log(10) times as wide. */
function termsOf(
	measured: number,
	value: number,
	spread: number,
	scale: "lin" | "log" | "log10",
	law: "normal" | "laplace",
): { logDensity: number; square: number } {
	const family = { normal: ["normal", "lognormal"], laplace: ["laplace", "loglaplace"] } as const;
	const { scale: compared, logDensity } = families[family[law][scale === "lin" ? 0 : 1]].noise!();
	const wide = scale === "log10" ? spread * log(10) : spread;
	const at = compared.toCompared(measured);
	const error = (at - compared.toCompared(value)) / wide;
	const square = squared(error);
	return { logDensity: logDensity(numbers, square) - log(wide) + compared.logSlope(at), square };
}

/** Of version 2 all parameters have a prior where one has: a flat one between the bounds. */
export function logPriorOf({ lower, upper, scale, prior }: PetabParameter, value: number): number {
	if (!prior) {
		const isBounded = Number.isFinite(lower) && Number.isFinite(upper) && lower < upper;
		return isBounded ? families.uniform.number!(lower, upper).logDensity(value) : 0;
	}
	const law = families[prior.family].number!(...prior.args);
	const cut = prior.isCut ? (truncated(law, lower, upper) ?? law) : law;
	// On a logarithmic scale the density is that of the scaled parameter.
	const slope = prior.onScale ? log(value) + (scale === "log10" ? log(log(10)) : 0) : 0;
	return cut.logDensity(value) + slope;
}

function symbolsOf(
	{ own: { model, placeholders }, state }: SimulatedPoint,
	time: number,
	{ observable, observableParameters, noiseParameters, place }: PetabMeasurement,
	{ parameters, observables }: PetabProblem,
): (name: string) => number {
	const values = new Map(model.components.map((component, i) => [component, state[i]]));
	values.set("t", time);
	const names = placeholders.get(observable)!;
	const put = (ids: readonly string[], overrides: readonly Override[]): void =>
		ids.forEach((id, k) => {
			const override = overrides[k];
			values.set(names.get(id)!, typeof override === "number" ? override : parameters.get(override)!.nominal);
		});
	const { observablePlaceholders, noisePlaceholders } = observables.get(observable)!;
	put(observablePlaceholders, observableParameters);
	put(noisePlaceholders, noiseParameters);
	return (name) => {
		const value = values.get(name);
		if (value === undefined)
			throw new InputError(place, `nothing stands for ${name}`, "Declare it in the parameter table.");
		return value;
	};
}
