/** What the measurements of a PEtab problem say of its nominal values. */
import { InputError } from "../../errors.ts";
import { families } from "../../estimate/law/families.ts";
import { numbers } from "../../estimate/observe/likelihood.ts";
import type { Override, PetabMeasurement, PetabProblem } from "../../formats/petab/problem.ts";
import { type OpenFile, sbmlModel } from "../../formats/sbml/read-sbml.ts";
import { evaluate } from "../../model/evaluate.ts";
import type { Model } from "../../model/model.ts";
import { log } from "../../num/elementary/number.ts";
import { squared } from "../../num/whole-power.ts";
import { simulationValues } from "../simulation-values.ts";
import { type ConditionModel, conditionModel } from "./condition-model.ts";
import { solveCondition, steadyState } from "./solve-condition.ts";

export interface PetabAnswer {
	readonly logLikelihood: number;
	readonly chi2: number;
	/** What the model says of each measurement, in their order. */
	readonly simulated: Float64Array;
}

export function petabLikelihood(problem: PetabProblem, open: OpenFile): PetabAnswer {
	const { sbml, measurements, observables } = problem;
	const { model: document, problems } = sbmlModel(sbml.text, sbml.file, open);
	const models = new Map<string, ConditionModel>();
	const modelOf = (condition: string): ConditionModel => {
		let known = models.get(condition);
		if (!known) models.set(condition, (known = conditionModel(problem, document, problems, condition)));
		return known;
	};
	const rests = new Map<string, Float64Array>();
	const restOf = (condition: string): Float64Array => {
		let known = rests.get(condition);
		if (!known) {
			const { model } = modelOf(condition);
			rests.set(condition, (known = steadyState(model, startOf(model), condition)));
		}
		return known;
	};
	const simulated = new Float64Array(measurements.length);
	const spreads = new Float64Array(measurements.length);
	const series = new Map<string, number[]>();
	measurements.forEach(({ before = "", condition }, i) => {
		const key = `${before}\n${condition}`;
		const list = series.get(key);
		if (list) list.push(i);
		else series.set(key, [i]);
	});
	for (const indices of series.values()) {
		const { before, condition } = measurements[indices[0]];
		const own = modelOf(condition);
		const start = startOf(own.model);
		if (before !== undefined) takeOver(start, restOf(before), own);
		const times = [...new Set(indices.map((i) => measurements[i].time))].sort((a, b) => a - b);
		const states = solveCondition(own.model, start, times, condition);
		for (const i of indices) {
			const { time, place } = measurements[i];
			const { value, noise } = own.observed.get(measurements[i].observable)!;
			const symbol = symbolsOf(own, states.get(time)!, time, measurements[i], problem);
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
	let logLikelihood = 0;
	let chi2 = 0;
	measurements.forEach(({ observable, value, place }, i) => {
		const { scale, law } = observables.get(observable)!;
		const terms = termsOf(value, simulated[i], spreads[i], scale, law);
		if (scale !== "lin" && !(value > 0))
			throw new InputError(
				place,
				`the measurement is ${value}, and is compared by its logarithm`,
				"It must be positive.",
			);
		logLikelihood += terms.logDensity;
		chi2 += terms.square;
	});
	return { logLikelihood, chi2, simulated };
}

/** Errors by the laws that all methods use. One on the scale of log10 is one of the natural logarithm, log(10) times as wide. */
function termsOf(
	measured: number,
	value: number,
	spread: number,
	scale: "lin" | "log" | "log10",
	law: "normal" | "laplace",
): { logDensity: number; square: number } {
	const { scale: compared, logDensity } = families[scale === "lin" ? "normal" : "lognormal"].noise!();
	const wide = scale === "log10" ? spread * log(10) : spread;
	const at = compared.toCompared(measured);
	const error = (at - compared.toCompared(value)) / wide;
	const square = squared(error);
	const own = law === "laplace" ? -log(2) - Math.abs(error) : logDensity(numbers, square);
	return { logDensity: own - log(wide) + compared.logSlope(at), square };
}

function startOf(model: Model): Float64Array {
	return simulationValues({ ...model, params: [] }, {}, {}, "problem").initial;
}

/** The states of rest, except those that the condition sets. */
function takeOver(start: Float64Array, rest: Float64Array, { model, text, set }: ConditionModel): void {
	const fixed = new Set([...set].map((id) => text.stateOf(id)));
	model.components.forEach((component, i) => {
		if (!fixed.has(component)) start[i] = rest[i];
	});
}

function symbolsOf(
	{ model, placeholders }: ConditionModel,
	state: Float64Array,
	time: number,
	measurement: PetabMeasurement,
	{ parameters }: PetabProblem,
): (name: string) => number {
	const values = new Map(model.components.map((component, i) => [component, state[i]]));
	values.set("t", time);
	const { observable, observableParameters, noiseParameters, place } = measurement;
	const put = (kind: string, overrides: readonly Override[]): void =>
		overrides.forEach((override, k) => {
			const name = placeholders.get(`${kind}Parameter${k + 1}_${observable}`);
			if (name !== undefined)
				values.set(name, typeof override === "number" ? override : parameters.get(override)!.nominal);
		});
	put("observable", observableParameters);
	put("noise", noiseParameters);
	const idOf = new Map([...placeholders].map(([id, name]) => [name, id]));
	return (name) => {
		const value = values.get(name);
		if (value === undefined)
			throw new InputError(
				place,
				`nothing stands for ${idOf.get(name) ?? name}`,
				"Fill in observableParameters and noiseParameters.",
			);
		return value;
	};
}
