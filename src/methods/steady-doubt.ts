/**
 * Records that begin in a steady state of doses: what is before them is not shown, and it is looked at whether the steady
 * state is one: whether it was found, or the doses that were given came near it.
 */
import type { Experiment } from "../data/experiment.ts";
import { orbitStart } from "../estimate/forward/steady-orbit.ts";
import { stiffInterval } from "../estimate/forward/stiff-interval.ts";
import { distrust, doubt, listSome, percent } from "../estimate/judge/words.ts";
import type { Doubt, ParameterRow, Prediction, Result } from "../estimate/result.ts";
import { compileFunction } from "../lower/compile-function.ts";
import { evaluate } from "../model/evaluate.ts";
import type { Model } from "../model/model.ts";
import { individualModel } from "../model/population.ts";
import type { InputSignal } from "../solve/piecewise-inputs.ts";
import { knotsOf } from "../solve/piecewise-inputs.ts";
import { solveIvp } from "../solve/solve-ivp.ts";
import { OdeSystem } from "../solve/system.ts";
import type { Problem } from "./problem.ts";

/** A part of the output that may be missing. */
const tolerance = 1e-3;
/** Changes that may be the solver's. */
const solverError = 1e-6;
/** Instants of an interval that are looked at, as parts of it: off the times of doses, where samples may be before them or behind. */
const phases = [0.37, 1.37, 2.37, 3.37, 4.37, 5.37, 6.37, 7.37].map((each) => each / 8);

interface Led extends Pick<Experiment, "times" | "conditions" | "begins" | "lead" | "orbit"> {
	readonly signals: ReadonlyMap<string, InputSignal>;
}

export function withSteadyStates<S>(result: Result<S>, { model, train, test }: Problem): Result<S> {
	if (!model.steady) return result;
	const of = (part: Prediction["part"]): readonly Experiment[] => (part === "train" ? train : test);
	const predictions = result.predictions.map((each) =>
		withoutLead(each, of(each.part).find(({ name }) => name === each.experiment)?.begins),
	);
	const doubts = doubtsOf(model, train, result.parameters);
	const message =
		doubts.length > 0 && !distrust(result.doubts)
			? `${result.message.replace(/\.$/, "")}, ${distrust(doubts)}.`
			: result.message;
	return { ...result, message, predictions, doubts: [...doubts, ...result.doubts] };
}

function withoutLead(prediction: Prediction, begins: number | undefined): Prediction {
	if (begins === undefined) return prediction;
	const from = prediction.t.findIndex((t) => t >= begins);
	if (from <= 0) return prediction;
	const { t, y, lo, hi } = prediction;
	return {
		...prediction,
		t: t.subarray(from),
		y: y.subarray(from),
		...(lo && { lo: lo.subarray(from) }),
		...(hi && { hi: hi.subarray(from) }),
	};
}

function doubtsOf(source: Model, train: readonly Experiment[], rows: readonly ParameterRow[]): Doubt[] {
	const { model } = individualModel(source);
	const estimates = new Map(rows.map(({ name, estimate }) => [name, estimate]));
	const far = train.flatMap((experiment) => {
		const { name, unit = name, inputs } = experiment;
		const params = new Map(
			model.params.flatMap((param) => {
				const value = param.name.endsWith("#eta")
					? 0
					: (estimates.get(`${param.name} of ${unit}`) ?? estimates.get(param.name));
				return value === undefined ? [] : [[param.name, value] as const];
			}),
		);
		const initial = Float64Array.from(model.components, (component, i) => {
			const knowledge = model.initial[i];
			if (knowledge.kind === "exact")
				return evaluate(knowledge.value, (symbol) => params.get(symbol) ?? experiment.conditions[symbol]);
			const plain = `${component}(0)`;
			return estimates.get(`${plain} of ${name}`) ?? estimates.get(plain) ?? 0;
		});
		const names = [...params.keys(), ...model.conditions.map((each) => each.name)];
		const values = Float64Array.from(names, (each) => params.get(each) ?? experiment.conditions[each]);
		const start = orbitStart(model, names, values, initial, experiment, stiffInterval);
		const left = stillComing(model, params, start, { ...experiment, signals: inputs });
		return left > 0 ? [{ name, left }] : [];
	});
	if (far.length === 0) return [];
	const most = Math.max(...far.map(({ left }) => left));
	return doubt(
		"steady-state",
		"The steady state of the doses was not reached",
		`In ${listSome(far.map(({ name }) => name))}: ${unsteadyWords(most)}`,
		true,
	);
}

export function unsteadyWords(left: number): string {
	const share =
		left < 10 ? `${percent(left)} of an output is still to come` : "outputs still change as they did";
	return `the record is to begin in a steady state, but the doses that were given before it did not lead there: ${share}. There may be none, where more is given than is taken away. Write earlier doses as rows of the file, without SS.`;
}

/** What is missing of a steady state, as a part of an output; 0 where it is little, or where there is none to reach. */
export function stillComing(
	model: Model,
	params: ReadonlyMap<string, number>,
	initial: Float64Array,
	{ times, begins, lead = 0, orbit, conditions, signals }: Led,
): number {
	// Intervals that do not fit into one another: a formula knows them all the same.
	if (begins === undefined || (model.steady === "exact" && orbit === undefined)) return 0;
	if (initial.some(Number.isNaN)) return Number.POSITIVE_INFINITY;
	const names = [...params.keys(), ...model.conditions.map(({ name }) => name)];
	const values = Float64Array.from(names, (name) => params.get(name) ?? conditions[name]);
	const inputs = [...signals.keys()];
	const own = [...signals.values()];
	const { graph, components: states, rhs, lifted, measures, events } = model;
	const system = new OdeSystem({
		graph,
		states,
		rhs,
		lifted,
		params: names,
		inputs,
		events: events.map((each) => ({ ...each, label: "" })),
	});
	const knots = knotsOf(own);
	const saveAt = Float64Array.from(
		[-3, -2, -1].flatMap((k) => phases.map((part) => begins + (k + part) * lead)),
	);
	const options = { rtol: 1e-10, atol: 1e-12, saveAt, knots, maxSteps: 100_000 + 10 * knots.length };
	const { t, x } = solveIvp(system.ivp(values, own), times[0], saveAt[saveAt.length - 1], initial, options);
	if (t.length < saveAt.length) return Number.POSITIVE_INFINITY;
	const outputs = compileFunction(
		measures.map(({ value }) => value),
		[
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: states },
			{ name: "u", symbols: inputs },
			{ name: "p", symbols: names },
		],
	);
	const n = states.length;
	const seen = Array.from(saveAt, (at, k) => {
		const y = new Float64Array(measures.length);
		outputs(
			at,
			x.subarray(k * n, (k + 1) * n),
			Float64Array.from(own, (signal) => signal.at(at)),
			values,
			y,
		);
		return y;
	});
	const missing = measures.map((_, j) => {
		// The largest of an interval: where nothing is left before the next dose, there is nothing to compare with.
		const most = (of: (phase: number) => number): number =>
			Math.max(...phases.map((_, phase) => Math.abs(of(phase))));
		const at = (interval: number, phase: number): number => seen[interval * phases.length + phase][j];
		const before = most((phase) => at(1, phase) - at(0, phase));
		const last = most((phase) => at(2, phase) - at(1, phase));
		const scale = most((phase) => at(2, phase));
		if (!(last > solverError * scale)) return 0;
		// What comes shrinks from dose to dose by one factor.
		const ratio = last / before;
		return ratio < 1 ? (last * ratio) / (1 - ratio) / scale : Number.POSITIVE_INFINITY;
	});
	const most = Math.max(0, ...missing);
	return most > tolerance ? most : 0;
}
