/** Integrates a model with given values and inputs, and makes synthetic measurements of it. */

import { InputError } from "../errors.ts";
import { sampleLaw } from "../estimate/law/declared.ts";
import { decayOf } from "../estimate/observe/memory.ts";
import { compileFunction } from "../lower/compile-function.ts";
import { stillComing, unsteadyWords } from "../methods/steady-doubt.ts";
import { constantValue } from "../model/constant.ts";
import { Lines } from "../model/diagnostic.ts";
import type { Node } from "../model/graph.ts";
import type { Measure, Model, ModelEvent } from "../model/model.ts";
import { individualModel } from "../model/population.ts";
import { eventText } from "../model/print/model.ts";
import { type Stream, stream } from "../num/random.ts";
import type { Outcome } from "../solve/ivp.ts";
import { type InputSignal, knotsOf } from "../solve/piecewise-inputs.ts";
import { solveIvp } from "../solve/solve-ivp.ts";
import { OdeSystem } from "../solve/system.ts";
import { withFormulas } from "./simulated-model.ts";
import { simulationValues } from "./simulation-values.ts";
import type { SimulateOptions } from "./study.ts";

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
	const { model, population } = individualModel(withFormulas(source), new Set(Object.keys(set)));
	const { times, conditions } = record;
	// With noise each record draws what is its own; without it is that of the middle.
	const drawn = population.map(({ eta, name }) => {
		const value = options.noise ? stream(seed, `${name} of ${record.unit ?? record.name}`).normal(0) : 0;
		return [eta, value];
	});
	const own = { ...set, ...Object.fromEntries(drawn) };
	const { params, initial, notes } = simulationValues(model, own, conditions, record.name, record.unit);
	const names = [...params.keys(), ...model.conditions.map(({ name }) => name)];
	const values = Float64Array.from(names, (name) => params.get(name) ?? conditions[name]);
	const inputs = [...record.signals.keys()];
	const signals = [...record.signals.values()];
	const system = new OdeSystem({
		graph: model.graph,
		states: model.components,
		rhs: model.rhs,
		params: names,
		inputs,
		events: model.events.map((event) => ({ ...event, label: labelOf(source, event) })),
		seed,
	});
	const knots = [...knotsOf(signals), ...options.knots];
	const { rtol, atol } = options;
	const solution = solveIvp(system.ivp(values, signals), times[0], times[times.length - 1], initial, {
		rtol,
		atol,
		saveAt: times,
		knots,
		maxSteps: 1_000_000 + 10 * knots.length,
	});
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
		{ names, values, inputs, signals },
		options,
		seed,
	);
	const left = model.steady === "approached" ? stillComing(model, params, initial, record) : 0;
	const unsteady = left > 0 ? [`${record.name}: ${unsteadyWords(left)}`] : [];
	return { name: record.name, outcome, message, columns, notes: [...notes, ...unsteady] };
}

/** An event as it is called in messages: its place in the file, unless the text was made from another. */
function labelOf({ fileName, source, columns }: Model, event: ModelEvent): string {
	const text = eventText(event);
	const short = text.length <= 60 ? text : `${text.slice(0, 59)}…`;
	if (columns) return `${event.place ?? fileName}: ${short}`;
	const { line, column } = new Lines(source).position(event.span.start);
	return `${fileName}:${line}:${column}: ${short}`;
}

interface Bound {
	readonly names: readonly string[];
	readonly values: Float64Array;
	readonly inputs: readonly string[];
	readonly signals: readonly InputSignal[];
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
	const errors = measures.map((measure, j) => drawnErrors(measure, draws[j], t));
	const u = new Float64Array(inputs.length);
	for (let k = 0; k < t.length; k++) {
		for (let i = 0; i < inputs.length; i++) driven[i][k] = u[i] = signals[i].at(t[k]);
		evaluate(t[k], x.subarray(k * n, (k + 1) * n), u, values, row);
		for (let j = 0; j < measures.length; j++)
			outputs[j][k] = measured(
				measures[j],
				row[2 * j],
				row[2 * j + 1],
				noise
					? { random: draws[j], error: errors[j](k, row[nodes.length - measures.length + j]) }
					: undefined,
				k,
			);
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
	const sums = new Set(model.doses?.flatMap(({ given, seen }) => [given, seen]));
	return [
		// A model from elsewhere may have a quantity of that name.
		{ name: shown.some(({ name }) => name === "t") ? "time" : "t", kind: "time", values: t },
		...measures.map(({ name }, j) => ({ name, kind: "output" as const, values: outputs[j] })),
		...inputNames.flatMap((name, i) =>
			sums.has(name) ? [] : [{ name: rates.get(name) ?? name, kind: "input" as const, values: driven[i] }],
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

/** Errors of unit spread, one sample after the other; `time` is how long they are remembered, 0 for not at all. */
function drawnErrors(measure: Measure, random: Stream, t: Float64Array): (k: number, time: number) => number {
	const law = measure.kind === "distribution" ? sampleLaw(measure) : undefined;
	if (!law || law.isCount) return () => 0;
	let before = 0;
	return (k, time) => {
		const drawn = law.draw(random, k);
		if (!measure.correlated) return drawn;
		const { rho, fresh } = k === 0 ? { rho: 0, fresh: 1 } : decayOf(t[k] - t[k - 1], time);
		before = rho * before + fresh * drawn;
		return before;
	};
}

/** What an instrument would show. Without noise: the middle of what it may show. */
function measured(
	measure: Measure,
	value: number,
	spread: number,
	noise: { readonly random: Stream; readonly error: number } | undefined,
	index: number,
): number {
	if (measure.kind === "exact") return value;
	if (measure.kind === "set") return noise ? value + spread * (2 * noise.random.uniform(index) - 1) : value;
	const law = sampleLaw(measure);
	if (law.isCount) return noise ? law.draw(noise.random, index, value, spread) : value;
	const shown = law.scale.fromCompared(noise ? value + spread * noise.error : value);
	if (!noise || !measure.rounded) return shown;
	const digit = constantValue(measure.rounded);
	return digit * Math.round(shown / digit);
}
