/**
 * Choice of the integration, and the check that its error is not in the answer: a fit with too coarse steps looks as
 * good as any, because the parameters absorb the error.
 */
import { compileFunction } from "../../lower/compile-function.ts";
import { Differentiator } from "../../model/derivative.ts";
import { exp, log } from "../../num/elementary/number.ts";
import { spectralRadius } from "../../num/linear/least-squares.ts";
import { squared } from "../../num/whole-power.ts";
import { rounding } from "../observe/error-scale.ts";
import { type Observations, typicalInterval } from "../observe/observations.ts";
import type { Estimation, Integration } from "./estimation.ts";
import type { Evaluation } from "./forward.ts";
import { InitialState } from "./initial-state.ts";

/** Steps from one sample to the next from which on the adaptive solver is the better tool. */
const mostSubsteps = 256;
/** Largest product of step and spectral radius that a first choice allows. */
const firstStep = 0.5;
/** Integration error that is negligible beside the residuals, as a share of their size. */
export const negligibleError = 0.02;
/** Integration error, as the same share, from which on it decides where an optimum lies. */
export const grossError = 1;
/** Tolerances of the adaptive solver: the first, with which to search, and those that a check holds it against. */
const tolerances = [1e-4, 1e-8, 1e-11] as const;
export const looseAdaptive: Integration = { kind: "adaptive", rtol: tolerances[0] };

/** First choice from the time scales of the model at the given points, in natural units. */
export function chooseIntegration(estimation: Estimation, points: readonly Float64Array[]): Integration {
	const radii = points.map(fastestRateOf(estimation)).sort((a, b) => a - b);
	const rate = radii[Math.floor(0.75 * (radii.length - 1))];
	const substeps = Math.ceil((typicalInterval(estimation.observations) * rate) / firstStep);
	return substeps <= mostSubsteps ? { kind: "fixed", substeps: Math.max(substeps, 1) } : looseAdaptive;
}

export interface IntegrationError {
	/** Root mean square beside that of the residuals. */
	readonly share: number;
	/** Sum of squares, weighted by sd. */
	readonly squares: number;
}

/** Difference of two evaluations beside the residuals (`residualRms`, weighted by sd), or beside rounding. */
export function integrationError(
	observations: Observations,
	sd: Float64Array,
	coarse: Evaluation,
	fine: Evaluation,
	residualRms: number,
): IntegrationError {
	let sum = 0;
	let signal = 0;
	for (let i = 0; i < sd.length; i++) {
		sum += squared((coarse.value[i] - fine.value[i]) / sd[i]);
		signal += squared(observations.values[i] / sd[i]);
	}
	const rms = Math.sqrt(sum / sd.length);
	// Data without noise: the residuals are rounding errors, and so is then what finer steps change.
	const floor = rounding * Math.sqrt(signal / sd.length);
	return { share: rms <= floor ? 0 : rms / Math.max(residualRms, floor), squares: sum };
}

/** What an integration is checked against. */
export function finer(integration: Integration): Integration {
	if (integration.kind === "fixed") return { ...integration, substeps: 2 * integration.substeps };
	return { kind: "adaptive", rtol: tighter(integration.rtol) ?? tolerances[2] / 10 };
}

/**
 * After an error was seen: finer steps (order 4), the adaptive solver when they would be too many, then a tighter
 * tolerance; undefined when nothing finer is left.
 */
export function refine(integration: Integration, error: number): Integration | undefined {
	if (integration.kind === "adaptive") {
		const rtol = tighter(integration.rtol);
		return rtol === undefined ? undefined : { kind: "adaptive", rtol };
	}
	const wanted = stepsForError(integration.substeps, error, negligibleError / 2, 4);
	return wanted <= mostSubsteps ? { ...integration, substeps: wanted } : looseAdaptive;
}

/** The next tolerance; `undefined` behind the last. */
function tighter(rtol: number = tolerances[1]): number | undefined {
	return tolerances.find((each) => each < rtol);
}

/** Steps a sample with which a solver of this order, seen to make an error with `substeps`, makes only the wanted one. */
export function stepsForError(substeps: number, error: number, wanted: number, order: number): number {
	if (!Number.isFinite(error)) return substeps * 4;
	const factor = exp(log(error / wanted) / order);
	return Math.max(Math.ceil(substeps * Math.min(Math.max(factor, 1.25), 16)), substeps + 1);
}

/** Spectral radius of the Jacobian at the start of the first experiment, as a function of the unknowns. */
function fastestRateOf({ model, unknowns, experiments }: Estimation): (point: Float64Array) => number {
	const n = model.components.length;
	const [experiment] = experiments;
	const initial = new InitialState(model, unknowns);
	const inputs = model.inputs.map(({ name }) => name);
	const u = Float64Array.from(inputs, (name) => experiment.inputs.get(name)?.at(experiment.times[0]) ?? 0);
	const jacobian = compileFunction(new Differentiator(model.graph).jacobian(model.rhs, model.components), [
		{ name: "t", symbols: ["t"] },
		{ name: "x", symbols: model.components },
		{ name: "u", symbols: inputs },
		{ name: "p", symbols: initial.params },
	]);
	const matrix = new Float64Array(n * n);
	return (point) => {
		const values = initial.paramValues(point, experiment);
		jacobian(experiment.times[0], initial.state(point, values, 0, experiment), u, values, matrix);
		const radius = spectralRadius(matrix, n);
		return Number.isFinite(radius) ? radius : 0;
	};
}
