/** Integrates a model with given values and inputs, and makes synthetic measurements of it. */

import { InputError } from "../../errors.ts";
import { orbitStart } from "../../estimate/forward/steady-orbit.ts";
import { stiffInterval } from "../../estimate/forward/stiff-interval.ts";
import { sampleLaw } from "../../estimate/law/declared.ts";
import { Instrument, type Past } from "../../estimate/observe/instrument.ts";
import { compileFunction } from "../../lower/compile-function.ts";
import { stillComing, unsteadyWords } from "../../methods/steady-doubt.ts";
import { Lines } from "../../model/diagnostic.ts";
import type { Node } from "../../model/graph.ts";
import { isWhite } from "../../model/language/process-noise.ts";
import type { Measure, Model, ModelEvent } from "../../model/model.ts";
import { individualModel } from "../../model/population.ts";
import { eventText } from "../../model/print/model.ts";
import { stream } from "../../num/random.ts";
import type { Outcome, Solution } from "../../solve/ivp.ts";
import { type InputSignal, knotsOf } from "../../solve/piecewise-inputs.ts";
import { solveIvp } from "../../solve/solve-ivp.ts";
import { OdeSystem } from "../../solve/system.ts";
import { type Bound, drawnInputs, fastestRate, heldNoiseModel } from "../records/random-inputs.ts";
import type { SimulateOptions } from "../study.ts";
import { randomInputs, withFormulas } from "./simulated-model.ts";
import { simulationValues } from "./simulation-values.ts";

/** What is simulated: times, inputs that come from data, conditions. */
export interface SimulationRecord {
	readonly name: string;
	readonly times: Float64Array;
	readonly signals: ReadonlyMap<string, InputSignal>;
	readonly conditions: Readonly<Record<string, number>>;
	/** Whose record it is, where several are of one. */
	readonly unit?: string;
	/** Where doses lead to a steady state: when the record begins itself, and their interval. */
	readonly begins?: number;
	readonly lead?: number;
	readonly orbit?: number;
}

interface SimulatedColumn {
	readonly name: string;
	readonly kind: "time" | "output" | "input" | "state" | "quantity";
	readonly values: Float64Array;
}

export interface Simulation {
	readonly name: string;
	readonly outcome: Outcome;
	/** What the solver says when it did not come to the end. */
	readonly message: string;
	/** t, outputs, inputs, states. */
	readonly columns: readonly SimulatedColumn[];
	readonly notes: readonly string[];
}

export function simulateRecord(
	source: Model,
	set: Readonly<Record<string, number>>,
	record: SimulationRecord,
	options: SimulateOptions,
	seed: number,
): Simulation {
	const isDrawn = options.noise && randomInputs(source).length > 0;
	const plain = withFormulas(source, options.noise);
	const { model, population } = individualModel(
		isDrawn ? heldNoiseModel(plain) : plain,
		new Set(Object.keys(set)),
	);
	const { times, conditions } = record;
	// With noise each record draws what is its own; without it is that of the middle.
	const drawn = population.map(({ eta, name }) => {
		const value = options.noise ? stream(seed, `${name} of ${record.unit ?? record.name}`).normal(0) : 0;
		return [eta, value];
	});
	const own = { ...set, ...Object.fromEntries(drawn) };
	const {
		params,
		initial: declared,
		notes,
	} = simulationValues(model, own, conditions, record.name, record.unit);
	const names = [...params.keys(), ...model.conditions.map(({ name }) => name)];
	const values = Float64Array.from(names, (name) => params.get(name) ?? conditions[name]);
	const initial = orbitStart(
		model,
		names,
		values,
		declared,
		{ ...record, inputs: record.signals },
		stiffInterval,
	);
	const solve = (all: ReadonlyMap<string, InputSignal>): { bound: Bound; solution: Solution } => {
		const inputs = [...all.keys()];
		const signals = [...all.values()];
		const system = new OdeSystem({
			graph: model.graph,
			states: model.components,
			rhs: model.rhs,
			lifted: model.lifted,
			params: names,
			inputs,
			events: model.events.map((event) => ({ ...event, label: labelOf(source, event) })),
			seed,
		});
		const knots = [...knotsOf(signals), ...options.knots];
		const { rtol, atol } = options;
		const maxSteps = 1_000_000 + 10 * knots.length;
		const settings = { rtol, atol, saveAt: times, knots, maxSteps };
		return {
			bound: { names, values, inputs, signals },
			solution: solveIvp(system.ivp(values, signals), times[0], times[times.length - 1], initial, settings),
		};
	};
	let { bound, solution } = solve(isDrawn ? withNone(model, record.signals) : record.signals);
	if (isDrawn) {
		const rate = fastestRate(model, solution.t, solution.x, bound);
		const numberOf = (name: string): number => params.get(name) ?? conditions[name];
		const processes = drawnInputs(model, times, rate, numberOf, seed, record.name);
		({ bound, solution } = solve(new Map([...record.signals, ...processes])));
	} else
		for (const { name } of randomInputs(source)) notes.push(`${name} = 0: the mean of its random process`);
	const { outcome, message } = solution;
	// What is before the record led to it, and is not shown.
	const { begins = Number.NEGATIVE_INFINITY } = record;
	const shown = solution.t.filter((t) => t < begins).length;
	const columns = columnsOf(
		model,
		source,
		record,
		solution.t.subarray(shown),
		solution.x.subarray(shown * model.components.length),
		bound,
		options,
		seed,
	);
	const left = stillComing(model, params, initial, record);
	const unsteady = left > 0 ? [`${record.name}: ${unsteadyWords(left)}`] : [];
	const unshown = unshownWords(columns);
	return { name: record.name, outcome, message, columns, notes: [...notes, ...unsteady, ...unshown] };
}

/** Outputs that are no number at some times: the logarithm of what is not above 0, for one. */
function unshownWords(columns: readonly SimulatedColumn[]): string[] {
	const [{ values: t }] = columns;
	return columns.flatMap(({ name, kind, values }) => {
		const without = t.filter((_, k) => Number.isNaN(values[k]));
		if (kind !== "output" || without.length === 0) return [];
		const often = `${without.length} of ${t.length} times, first at t = ${without[0]}`;
		return [`${name} has no value at ${often}: its formula, or the law of its errors, allows none there`];
	});
}

/** An event as it is called in messages: its place in the file, unless the text was made from another. */
function labelOf({ fileName, source, columns }: Model, event: ModelEvent): string {
	const text = eventText(event);
	const short = text.length <= 60 ? text : `${text.slice(0, 59)}…`;
	if (columns) return `${event.place ?? fileName}: ${short}`;
	const { line, column } = new Lines(source).position(event.span.start);
	return `${fileName}:${line}:${column}: ${short}`;
}

/** Random inputs as they are in the mean. */
function withNone(model: Model, signals: ReadonlyMap<string, InputSignal>): ReadonlyMap<string, InputSignal> {
	const none: InputSignal = { at: () => 0, knots: [] };
	return new Map([...signals, ...randomInputs(model).map(({ name }): [string, InputSignal] => [name, none])]);
}

function columnsOf(
	model: Model,
	source: Model,
	record: SimulationRecord,
	t: Float64Array,
	x: Float64Array,
	{ names, values, inputs, signals }: Bound,
	options: SimulateOptions,
	seed: number,
): SimulatedColumn[] {
	const { measures, components, graph } = model;
	const { noise } = options;
	const shown = shownColumns(model, options);
	const n = components.length;
	// What stands in the brackets of each measurement: value, spread; then the inputs that are formulas.
	const formulas = source.inputs.flatMap(({ name, knowledge }) =>
		knowledge.kind === "formula" ? [{ name, node: knowledge.value }] : [],
	);
	const nodes = [
		...measures.flatMap(({ value, spread }) => [value, spread ?? graph.zero]),
		...formulas.map(({ node }) => node),
		...shown.map(({ node }) => node),
		...(model.lifted ?? components.map((name) => graph.sym(name))),
		...measures.map(({ correlated }) => correlated ?? graph.zero),
	];
	const evaluate = compileFunction(nodes, [
		{ name: "t", symbols: ["t"] },
		{ name: "x", symbols: components },
		{ name: "u", symbols: inputs },
		{ name: "p", symbols: names },
	]);
	const outputs = measures.map(() => new Float64Array(t.length));
	const driven = [...inputs, ...formulas].map(() => new Float64Array(t.length));
	const states = components.map(() => new Float64Array(t.length));
	const draws = measures.map(({ name }) => stream(seed, `noise of ${name} in ${record.name}`));
	const quantities = shown.map(() => new Float64Array(t.length));
	const row = new Float64Array(nodes.length);
	const instruments = measures.map((measure) => new Instrument(measure));
	const pasts = measures.map(({ correlated }): Past | undefined =>
		correlated ? { time: new Float64Array(1), error: new Float64Array(1), t: Number.NaN } : undefined,
	);
	const u = new Float64Array(inputs.length);
	for (let k = 0; k < t.length; k++) {
		for (let i = 0; i < inputs.length; i++) driven[i][k] = u[i] = signals[i].at(t[k]);
		evaluate(t[k], x.subarray(k * n, (k + 1) * n), u, values, row);
		for (let j = 0; j < measures.length; j++) {
			const [value, spread] = [row[2 * j], row[2 * j + 1]];
			pasts[j]?.time.fill(row[nodes.length - measures.length + j]);
			outputs[j][k] = noise
				? instruments[j].shown(draws[j], k, value, spread, pasts[j], 0, t[k])
				: middle(measures[j], value);
		}
		for (let f = 0; f < formulas.length; f++) driven[inputs.length + f][k] = row[2 * measures.length + f];
		const first = 2 * measures.length + formulas.length;
		for (let q = 0; q < shown.length; q++) quantities[q][k] = shown[q].fixed ?? row[first + q];
		for (let i = 0; i < n; i++) states[i][k] = row[first + shown.length + i];
	}
	const inputNames = [...inputs, ...formulas.map(({ name }) => name)];
	// Rates of infusions are shown by the name that is dosed, unless a state has it; sums of boluses show in the states.
	const rates = new Map(
		model.doses?.map(({ rate, name }) => [rate, components.includes(name) ? `rate of ${name}` : name]),
	);
	// White noise has no value at an instant.
	const hidden = new Set([
		...(model.doses ?? []).flatMap(({ given, seen }) => [given, seen]),
		...model.inputs.filter(isWhite).map(({ name }) => name),
	]);
	return [
		// A model from elsewhere may have a quantity of that name.
		{ name: shown.some(({ name }) => name === "t") ? "time" : "t", kind: "time", values: t },
		...measures.map(({ name }, j) => ({ name, kind: "output" as const, values: outputs[j] })),
		...inputNames.flatMap((name, i) =>
			hidden.has(name) ? [] : [{ name: rates.get(name) ?? name, kind: "input" as const, values: driven[i] }],
		),
		...(model.columns
			? shown.map(({ name }, q) => ({ name, kind: "quantity" as const, values: quantities[q] }))
			: components.map((name, i) => ({ name, kind: "state" as const, values: states[i] }))),
	];
}

/** Columns of a model from elsewhere, species as amounts or concentrations where that is asked for. */
function shownColumns(
	{ columns = [], fileName }: Model,
	{ amounts, concentrations }: SimulateOptions,
): { name: string; node: Node; fixed?: number }[] {
	for (const [key, names] of Object.entries({ amounts, concentrations }))
		for (const name of names)
			if (columns.find((column) => column.name === name)?.amount === undefined)
				throw new InputError(
					`${key}: ${name}`,
					`is no species of ${fileName}`,
					"Only species have amounts and concentrations.",
				);
	return columns.map(({ name, value, amount, concentration, fixed }) => {
		const node = amounts.includes(name) ? amount : concentrations.includes(name) ? concentration : value;
		return { name, node: node ?? value, ...(fixed !== undefined && { fixed }) };
	});
}

/** Without noise: the middle of what an instrument may show. */
function middle(measure: Measure, value: number): number {
	const law = measure.kind === "distribution" ? sampleLaw(measure) : undefined;
	return !law || law.isCount ? value : law.scale.fromCompared(value);
}
