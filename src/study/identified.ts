/** The identified model of a run, with its numbers: what is exported. */
import type { Experiment } from "../data/experiment.ts";
import { InputError } from "../errors.ts";
import { supportOf } from "../estimate/law/declared.ts";
import type { ParameterRow } from "../estimate/result.ts";
import type { Identified, RecordedInput } from "../formats/export/identified.ts";
import type { ExportSource } from "../formats/export/targets.ts";
import { expandCombinations } from "../model/combination.ts";
import { foldFormulaInputs } from "../model/formula-inputs.ts";
import type { Model } from "../model/model.ts";
import { restOf } from "../solve/rest/rest.ts";
import { OdeSystem } from "../solve/system.ts";
import { type SimulationValues, simulationValues } from "./simulate/simulation-values.ts";

const mostKnots = 1000;
/** Conditions of the time alone do not ask for it. */
const still = { at: () => 0, knots: [] };
/** Samples of an input that a program still holds well. */
const mostSamples = 100_000;

/** `interpolation` is that of each record, by its name. */
export function identifiedOf(
	title: string,
	source: Model,
	rows: readonly ParameterRow[],
	experiments: readonly Experiment[],
	isHeld: boolean,
): ExportSource {
	refuseUnknowns(source);
	const { model } = expandCombinations(foldFormulaInputs(source));
	const [first] = experiments;
	const set = Object.fromEntries(rows.map(({ name, estimate }) => [name, estimate]));
	const conditions = first?.conditions ?? {};
	const missing = model.conditions.find(({ name }) => conditions[name] === undefined);
	if (missing)
		throw new InputError(
			`condition ${missing.name}`,
			"has no value",
			"Export a run: its first record gives conditions their values.",
		);
	const values = simulationValues(model, set, conditions, first?.name ?? "", first?.unit);
	const params = new Map([
		...values.params,
		...model.conditions.map(({ name }) => [name, conditions[name]] as const),
	]);
	const span = { from: first?.times[0] ?? 0, to: first?.times.at(-1) ?? 10 };
	const inputs = model.inputs.map(({ name }) => recorded(name, first, isHeld));
	const identified: Identified = {
		title,
		model,
		params,
		initial: first?.rest ? restingState(model, values, first) : values.initial,
		isAtRest: first?.rest !== undefined,
		inputs,
		knots: knotsOf(model, params, inputs, span),
		span,
	};
	const estimated = model.params.flatMap(({ name, knowledge }) => {
		const value = values.params.get(name);
		if (knowledge.kind === "exact" || value === undefined) return [];
		const { lo, hi } = supportOf(name, knowledge) ?? {};
		return [{ name, value, lower: lo ?? Number.NEGATIVE_INFINITY, upper: hi ?? Number.POSITIVE_INFINITY }];
	});
	const records = experiments.map(({ name, times, conditions: own, outputs }) => ({
		name,
		start: times[0],
		conditions: own,
		outputs,
	}));
	return { identified, records, estimated };
}

/** Programs may be asked for other times than those of the record: a hundred times as far ahead, unless conditions change too often for that. Recorded inputs bend at their samples. */
function knotsOf(
	{ graph, components, rhs, inputs }: Model,
	params: ReadonlyMap<string, number>,
	recordings: readonly RecordedInput[],
	{ from, to }: Identified["span"],
): number[] {
	const names = [...params.keys()];
	const system = new OdeSystem({
		graph,
		states: components,
		rhs,
		params: names,
		inputs: inputs.map(({ name }) => name),
	});
	const { switching } = system.ivp(
		[...params.values()],
		inputs.map(() => still),
	);
	const samples = recordings.flatMap(({ times }) => times);
	const bends = samples.length > mostKnots ? [] : samples;
	for (const far of [100, 10, 1]) {
		const length = far * (to - from);
		const changes = switching?.knots(from, from + length) ?? [];
		if (changes.length > mostKnots) continue;
		// They come in pairs, with the instant between them, and are looked at again from near.
		const pairs = changes.flatMap((lo, i) => {
			if (i % 2 === 1) return [];
			const hi = changes[i + 1];
			const nearer = switching!.knots(lo, hi);
			return [nearer.length > 0 ? [Math.min(...nearer), Math.max(...nearer)] : [lo, hi]];
		});
		const aside = (t: number): number => 1e-15 * Math.max(length, Math.abs(t));
		return [...pairs, ...bends.map((t) => [t, t])]
			.flatMap(([lo, hi]) => [lo - aside(lo), hi + aside(hi)])
			.sort((a, b) => a - b);
	}
	return [];
}

/** Where the first record begins, at rest: each rest from the one before it. */
function restingState(model: Model, { params, initial }: SimulationValues, first: Experiment): Float64Array {
	const { graph, components, rhs, conditions } = model;
	const names = [...params.keys(), ...conditions.map(({ name }) => name)];
	const system = new OdeSystem({ graph, states: components, rhs, params: names });
	let x = initial;
	first.rest!.forEach((own, k) => {
		const set = Object.fromEntries(params);
		if (k === 0) x = simulationValues(model, set, own, first.name).initial;
		const values = names.map((name) => params.get(name) ?? own[name]);
		const rest = restOf(system.ivp(values), first.times[0], x, { rtol: 1e-9, atol: 1e-12 });
		if (rest.outcome === "none")
			throw new InputError(`record ${first.name}`, "does not come to rest", rest.message ?? "");
		x = rest.x;
		if (k > 0) return;
		const next = simulationValues(model, set, first.rest![1] ?? first.conditions, first.name).initial;
		x = x.map((value, i) => (first.reset?.includes(components[i]) ? next[i] : value));
	});
	return x;
}

function recorded(name: string, experiment: Experiment | undefined, isHeld: boolean): RecordedInput {
	const signal = experiment?.inputs.get(name);
	if (!experiment || !signal)
		throw new InputError(`input ${name}`, "has no record", "Export a run, which has one.");
	// At its own knots too, where it jumps between the rows.
	const times = [...new Set([...experiment.times, ...(isHeld ? signal.knots : [])])].sort((a, b) => a - b);
	if (times.length > mostSamples)
		throw new InputError(
			`input ${name}`,
			`has ${times.length} samples, and a program holds ${mostSamples} at most`,
			"Train on fewer rows.",
		);
	return { name, times, values: times.map((t) => signal.at(t)), isHeld };
}

function refuseUnknowns({ unknowns, inputs, params }: Model): void {
	const [unknown] = unknowns;
	if (unknown)
		throw new InputError(
			`unknown ${unknown.name}`,
			"is a function, and only models whose unknowns are numbers are exported",
			"Put the function that was found into the model.",
		);
	const process = inputs.find(({ knowledge }) => knowledge.kind === "distribution");
	if (process)
		throw new InputError(
			`input ${process.name}`,
			"is a random process, which no export has",
			"Write a formula for it into the model, or give it as a column of the record.",
		);
	const own = params.find((param) => param.byRecord && param.knowledge.kind === "distribution");
	if (own)
		throw new InputError(
			`param ${own.name}`,
			"differs from record to record by a law, which no export has",
			`Declare it as  param ${own.name} = VALUE  with the value of one record (individuals in summary.json), and export that model.`,
		);
}
