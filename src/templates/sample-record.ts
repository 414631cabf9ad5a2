/** The sample record of a template: simulated from its truth, with noise. */
import { signalFrom } from "../data/signal/signal.ts";
import { InternalError } from "../errors.ts";
import { parseModel } from "../model/language/parse-model.ts";
import { exp } from "../num/elementary/number.ts";
import { stream } from "../num/random.ts";
import { simulateRecord } from "../study/simulate/simulate.ts";
import { type Scales, scaleOf, timeScale } from "./scales.ts";
import type { Template } from "./template.ts";

export interface SampleRecord {
	/** `t`, inputs and outputs by name, as measured. */
	readonly columns: Readonly<Record<string, Float64Array>>;
	/** Outputs without noise. */
	readonly exact: Readonly<Record<string, Float64Array>>;
	/** What is unknown in the model, and its value here: parameters, spreads, initial values as `x(0)`. */
	readonly truth: Readonly<Record<string, number>>;
}

export function sampleRecord(template: Template, seed = 1): SampleRecord {
	const { times, inputs, outputs, unknowns, starts, known = [] } = template;
	const t = Float64Array.from({ length: times.samples }, (_, i) => (times.to * i) / (times.samples - 1));
	const u = template.input ? t.map((at) => template.input!.at(at)) : undefined;
	const signals = new Map(u ? inputs.map(({ name }) => [name, signalFrom(t, u, "zoh")]) : []);
	const { outcome, message, columns } = simulateRecord(
		parseModel(exactText(template), `${template.name}.ode`),
		{},
		{ name: template.name, times: t, signals, conditions: {} },
		{ noise: false, rtol: 1e-10, atol: 1e-12, knots: [], amounts: [], concentrations: [], digits: 17 },
		seed,
	);
	if (outcome !== "converged") throw new InternalError(`template ${template.name}: ${message}`);
	const exact = Object.fromEntries(
		outputs.map(({ name }) => [name, columns.find((column) => column.name === name)!.values]),
	);
	const spreads = outputs.map(({ name }) =>
		template.measured[name].isRelative ? template.noise : template.noise * scaleOf(exact[name]).spread,
	);
	const measured = outputs.map(({ name }, i): [string, Float64Array] => [
		name,
		withNoise(exact[name], spreads[i], template.measured[name].isRelative, seed, i),
	]);
	return {
		columns: {
			t,
			...Object.fromEntries(u ? inputs.map(({ name }) => [name, u]) : []),
			...Object.fromEntries(measured),
		},
		exact,
		truth: {
			...Object.fromEntries(known.map(({ name, value }) => [name, value])),
			...Object.fromEntries(unknowns.map(({ name, truth }) => [name, truth])),
			...Object.fromEntries(
				outputs.map(({ name }, i) => [outputs.length === 1 ? "s" : `s_${name}`, spreads[i]]),
			),
			...Object.fromEntries(starts.map(({ state, truth }) => [`${state}(0)`, truth])),
		},
	};
}

/** The model with all that it needs known, and exact measurements. */
function exactText({ inputs, unknowns, known = [], starts, body, outputs, measured }: Template): string {
	return [
		...inputs.map(({ name }) => `input ${name}`),
		...known.map(({ name, value }) => `param ${name} = ${value}`),
		...unknowns.map(({ name, truth }) => `param ${name} = ${truth}`),
		...starts.map(({ state, truth }) => `state ${state} = ${truth}`),
		...body,
		...outputs.map(({ name }) => `measure ${name} = ${measured[name].of}`),
	].join("\n");
}

function withNoise(values: Float64Array, spread: number, isRelative: boolean, seed: number, purpose: number) {
	const noise = stream(seed, `template-${purpose}`);
	return values.map((value, i) => {
		const e = spread * noise.normal(i);
		return isRelative ? value * exp(e) : value + e;
	});
}

/** The scales of a sample record. */
export function scalesOf(template: Template, columns: Readonly<Record<string, ArrayLike<number>>>): Scales {
	const names = [...template.inputs, ...template.outputs].map(({ name }) => name);
	return {
		time: timeScale(
			columns.t,
			template.outputs.map(({ name }) => columns[name] ?? []),
		),
		signals: new Map(names.filter((name) => columns[name]).map((name) => [name, scaleOf(columns[name])])),
	};
}
