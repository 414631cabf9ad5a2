/** Integrates a model with given values: states, outputs and inputs as columns, with noise if asked. */
import type { Dose } from "../data/doses.ts";
import { type Interpolation, type Signal, signalFrom } from "../data/signal/signal.ts";
import { InputError } from "../errors.ts";
import { dosedModel, dosedTimes } from "../methods/experiment-of.ts";
import type { Model } from "../model/model.ts";
import { simulateRecord } from "../study/simulate/simulate.ts";

export interface SimulationOptions {
	/** When the outputs are wanted; the first is where the simulation begins. */
	readonly times: ArrayLike<number>;
	/** Values of parameters and initial values: `{ k: 2, "x(0)": 1 }`. */
	readonly values?: Readonly<Record<string, number>>;
	/** Samples of the inputs at `times`. */
	readonly inputs?: Readonly<Record<string, ArrayLike<number>>>;
	readonly input?: Interpolation;
	readonly conditions?: Readonly<Record<string, number>>;
	/** What is given on the way, by the input or the state that it goes into. */
	readonly doses?: Readonly<Record<string, readonly Dose[]>>;
	/** Adds the declared noise to the outputs. */
	readonly noise?: boolean;
	readonly seed?: number;
	readonly rtol?: number;
	readonly atol?: number;
	/** Times onto which the solver steps exactly. */
	readonly knots?: readonly number[];
	/** Species of a model from SBML that are shown as amounts or as concentrations, whatever their id stands for. */
	readonly amounts?: readonly string[];
	readonly concentrations?: readonly string[];
}

export interface Simulated {
	/** `t`, outputs, inputs and states by name: what `record` takes. */
	readonly columns: Readonly<Record<string, Float64Array>>;
	/** Choices that were not made by the caller, as sentences. */
	readonly notes: readonly string[];
}

export function simulate(source: Model, options: SimulationOptions): Simulated {
	const given = Float64Array.from(options.times);
	const model = dosedModel(source, [options]);
	const signals = new Map<string, Signal>(
		Object.entries(options.inputs ?? {}).map(([name, values]) => [
			name,
			signalFrom(given, Float64Array.from(values), options.input ?? "zoh"),
		]),
	);
	const { signals: dosed, ...own } = dosedTimes(model, { ...options, name: "simulation" }, given);
	if (own.begins !== undefined && signals.size > 0)
		throw new InputError(
			"simulation",
			"begins in a steady state of doses, and the inputs are not known before it",
			"Give them as formulas of the model.",
		);
	for (const [name, signal] of dosed) signals.set(name, signal);
	const missing = model.inputs.find(({ name, knowledge }) => knowledge.kind === "none" && !signals.has(name));
	if (missing)
		throw new InputError(
			`input ${missing.name}`,
			"has no samples",
			`Give them:  inputs: { ${missing.name}: […] }`,
		);
	const { outcome, message, columns, notes } = simulateRecord(
		model,
		options.values ?? {},
		{ name: "simulation", ...own, signals },
		{
			noise: options.noise ?? false,
			rtol: options.rtol ?? 1e-8,
			atol: options.atol ?? 1e-10,
			knots: options.knots ?? [],
			amounts: options.amounts ?? [],
			concentrations: options.concentrations ?? [],
			digits: 17,
		},
		options.seed ?? 1,
	);
	if (outcome !== "converged") throw new InputError("simulation", message);
	return { columns: Object.fromEntries(columns.map(({ name, values }) => [name, values])), notes };
}
