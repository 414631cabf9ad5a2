/** Records for random models: simulated from values that the model allows, where that goes well; else signals of moderate size. */
import { compileFunction } from "../../src/lower/compile-function.ts";
import { constantValue } from "../../src/model/constant.ts";
import type { Node } from "../../src/model/graph.ts";
import { errorDistributions } from "../../src/model/language/vocabulary.ts";
import type { Knowledge, Model } from "../../src/model/model.ts";
import type { Draws } from "../../src/num/statistics/draws.ts";
import { driveFrequency } from "./cycle-model.ts";
import { hasNumbersOnly } from "./doses.ts";

export interface RandomRecord {
	readonly times: readonly number[];
	/** By name: data inputs, then outputs. NaN: no value. */
	readonly columns: ReadonlyMap<string, readonly number[]>;
	readonly conditions: Readonly<Record<string, number>>;
	/** Samples of which only a limit is known: `y1` and row, with the sign that stands before the number. */
	readonly limits: ReadonlyMap<string, "<" | ">">;
}

/** Runge-Kutta steps from one sample to the next. */
const substeps = 6;
const largest = 1e4;

export interface RecordManner {
	readonly nSamples: number;
	/** Signals that repeat themselves, as a method that needs a period has them: few random models oscillate. */
	readonly isPeriodic: boolean;
	/** Signals of any form will do. */
	readonly isShort: boolean;
}

export function randomRecord(d: Draws, model: Model, manner: RecordManner): RandomRecord {
	const { nSamples, isPeriodic, isShort } = manner;
	const driven = drivenPeriod(model);
	const beats = d.between(2.2, 5);
	const step = isPeriodic && driven > 0 ? (beats * driven) / nSamples : d.between(0.02, 0.3);
	const period = isPeriodic ? (step * nSamples) / beats : undefined;
	const isEven = isPeriodic || d.chance(0.8);
	const start = d.chance(0.8) ? 0 : d.between(-2, 5);
	const times = Array.from({ length: nSamples }, (_, i) =>
		Number((start + step * (i + (isEven || i === 0 ? 0 : d.between(-0.3, 0.3)))).toPrecision(9)),
	);
	const conditions = Object.fromEntries(
		model.conditions.map(({ name }) => [name, Number(d.between(0, 2).toPrecision(3))]),
	);
	const inputs = model.inputs.map(() => waveOf(d, period));
	const made = isPeriodic || isShort ? undefined : simulated(d, model, times, inputs, conditions);
	const outputs = model.measures.map(({ family = "", spread }, m) => {
		const isLogarithmic = family.startsWith("log");
		const size = spread ? constantValue(spread) : 0;
		const noise = isPeriodic ? 0.002 : Number.isFinite(size) ? 0.5 * size : 0.05;
		const wave = waveOf(d, period);
		return times.map((t, i) => {
			const value = made?.[m][i] ?? wave(t) + (isLogarithmic ? 1.5 : 0);
			const sample = value + noise * Math.max(-2, Math.min(2, d.normal()));
			if (isCount(family)) return Math.max(0, Math.round(Math.min(sample, 1e4)));
			return isLogarithmic ? Math.exp(Math.max(-20, Math.min(sample, 20))) : sample;
		});
	});
	// Never in the first nor in the last row, so that each part of a record has a value.
	const gaps = d.chance(0.15);
	const inside = (i: number): boolean => i > 0 && i < nSamples - 1;
	const columns = new Map<string, number[]>();
	for (const [j, { name, knowledge }] of model.inputs.entries())
		if (knowledge.kind === "none") columns.set(name, times.map(inputs[j]));
	for (const [m, { name }] of model.measures.entries())
		columns.set(
			name,
			outputs[m].map((value, i) => (gaps && inside(i) && d.chance(0.1) ? Number.NaN : value)),
		);
	const limits = new Map<string, "<" | ">">();
	for (const { name, kind, family = "" } of model.measures)
		if (kind === "distribution" && !isCount(family) && d.chance(hasNumbersOnly(model) ? 0.12 : 0.01))
			for (let i = 0; i < nSamples; i++) if (d.chance(0.25)) limits.set(`${name} ${i}`, d.pick(["<", ">"]));
	return { times, columns, conditions, limits };
}

const isCount = (family: string): boolean => errorDistributions.get(family)?.args[0].role === "value";

/** Of a model that is driven by the time; else NaN. */
function drivenPeriod({ params }: Model): number {
	const known = params.find(({ name }) => name === driveFrequency)?.knowledge;
	return known?.kind === "exact" ? (2 * Math.PI) / constantValue(known.value) : Number.NaN;
}

function waveOf(d: Draws, period = d.between(1, 12)): (t: number) => number {
	const [a, second, phase, mean] = [
		d.between(0.3, 1),
		d.between(0, 0.3),
		d.between(0, 6),
		d.between(-0.5, 0.5),
	];
	const w = (2 * Math.PI) / period;
	return (t) => mean + a * Math.sin(w * t + phase) + second * Math.sin(2 * w * t);
}

/** The outputs of a simulation; undefined where it blows up or something in it has no form yet. */
function simulated(
	d: Draws,
	model: Model,
	times: readonly number[],
	inputs: readonly ((t: number) => number)[],
	conditions: Readonly<Record<string, number>>,
): number[][] | undefined {
	if (model.unknowns.length > 0) return undefined;
	const n = model.components.length;
	const names = model.params.map(({ name }) => name);
	const values = Float64Array.from([
		...model.params.map(({ knowledge }) => allowedValue(d, knowledge)),
		...Object.values(conditions),
	]);
	const args = [
		{ name: "t", symbols: ["t"] },
		{ name: "x", symbols: model.components },
		{ name: "u", symbols: model.inputs.map(({ name }) => name) },
		{ name: "p", symbols: [...names, ...Object.keys(conditions)] },
	];
	const compiled = (nodes: readonly Node[]) => {
		const f = compileFunction(nodes, args, "js");
		return (t: number, x: Float64Array): Float64Array => {
			const out = new Float64Array(nodes.length);
			f(
				Float64Array.of(t),
				x,
				Float64Array.from(inputs, (at) => at(t)),
				values,
				out,
			);
			return out;
		};
	};
	const rate = compiled(model.rhs);
	const measure = compiled(model.measures.map(({ value }) => value));
	let x = new Float64Array(n);
	const start = compiled(
		model.initial.map((each) => (each.kind === "exact" ? each.value : model.graph.zero)),
	);
	x = start(times[0], x).map((value, i) =>
		model.initial[i].kind === "exact" ? value : allowedValue(d, model.initial[i]),
	);
	const outputs: number[][] = model.measures.map(() => []);
	for (const [i, t] of times.entries()) {
		const y = measure(t, x);
		if (!y.every((value) => Math.abs(value) < largest)) return undefined;
		for (const [m, value] of y.entries()) outputs[m].push(value);
		const h = ((times[i + 1] ?? t) - t) / substeps;
		for (let k = 0; k < substeps; k++) x = stepped(rate, t + k * h, x, h);
		if (!x.every((value) => Math.abs(value) < largest)) return undefined;
	}
	return outputs;
}

type Rate = (t: number, x: Float64Array) => Float64Array;

function stepped(rate: Rate, t: number, x: Float64Array, h: number): Float64Array<ArrayBuffer> {
	const plus = (by: number, k: Float64Array): Float64Array => x.map((value, i) => value + by * k[i]);
	const k1 = rate(t, x);
	const k2 = rate(t + h / 2, plus(h / 2, k1));
	const k3 = rate(t + h / 2, plus(h / 2, k2));
	const k4 = rate(t + h, plus(h, k3));
	return Float64Array.from(x, (value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
}

/** A value that is allowed. */
function allowedValue(d: Draws, knowledge: Knowledge): number {
	if (knowledge.kind === "exact") return constantValue(knowledge.value);
	if (knowledge.kind === "set") {
		const [lo, hi] = [constantValue(knowledge.lo), constantValue(knowledge.hi)];
		return d.between(lo, hi);
	}
	if (knowledge.kind === "none") return d.between(0.1, 1);
	const { family, args } = knowledge.distribution;
	// The law of a population may have other parameters in it.
	const [a, b] = args.map(constantValue).map((value) => (Number.isNaN(value) ? 0.3 : value));
	if (family === "normal") return a + 0.5 * b;
	if (family === "lognormal") return Math.exp(a);
	if (family === "uniform") return d.between(a, b);
	return family === "gamma" ? a / b : family === "beta" ? a / (a + b) : 0.5 * a;
}
