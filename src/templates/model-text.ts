/** The text of a template's model: with what is known of its unknowns, fitted to the scales of a record. */
import { log } from "../num/elementary/number.ts";
import type { Scales, SignalScale } from "./scales.ts";
import type { Dimensions, Template, TemplateStart, TemplateUnknown } from "./template.ts";

/** `own` are the scales of the template's sample record, `record` those of the record at hand. */
export function templateModel(template: Template, own: Scales, record: Scales): string {
	const ratio = new Ratios(template, own, record);
	const params = [
		...(template.known ?? []).map(({ name, value, means }) => ({ text: `${name} = ${value}`, means })),
		...template.unknowns.map((unknown) => ({ text: priorOf(unknown, ratio, record), means: unknown.means })),
		...template.outputs.map((output, i) => noiseOf(template, output.name, i, record)),
	];
	const width = Math.max(...params.map(({ text }) => text.length));
	const starts = template.starts.map((start) => startText(start, ratio, record));
	return [
		`# ${template.title}: ${template.sentence}`,
		"",
		...template.inputs.map(({ name, means }) => `input   ${name}  # ${means}`),
		...params.map(({ text, means }) => `param   ${text.padEnd(width)}  # ${means}`),
		...(starts.length > 0 ? [`state   ${starts.join(", ")}`] : []),
		"",
		...template.body,
		"",
		...template.outputs.map(({ name, means }, i) => {
			const { of, isRelative } = template.measured[name];
			const law = isRelative
				? `lognormal(log(${of}), ${spreadName(template, i)})`
				: `normal(${of}, ${spreadName(template, i)})`;
			return `measure ${name} ~ ${law}  # ${means}`;
		}),
		"",
	].join("\n");
}

/** Ratios of scales: what a number is multiplied by when time and signals have other units. */
class Ratios {
	readonly #ratios: ReadonlyMap<string, number>;

	constructor(template: Template, own: Scales, record: Scales) {
		const ratios = new Map<string, number>([["t", quotient(record.time, own.time)]]);
		for (const { name, isPositive } of [...template.inputs, ...template.outputs]) {
			const [a, b] = [record.signals.get(name), own.signals.get(name)];
			if (a && b)
				ratios.set(name, isPositive ? quotient(a.largest, b.largest) : quotient(a.spread, b.spread));
		}
		this.#ratios = ratios;
	}

	of(scales: Dimensions): number {
		let ratio = 1;
		for (const [name, power] of Object.entries(scales)) {
			const base = this.#ratios.get(name) ?? 1;
			// Powers are whole or halves.
			const root = Number.isInteger(power) ? base : Math.sqrt(base);
			const times = Number.isInteger(power) ? power : 2 * power;
			for (let i = 0; i < Math.abs(times); i++) ratio = times > 0 ? ratio * root : ratio / root;
		}
		return ratio;
	}
}

function quotient(a: number, b: number): number {
	const ratio = a / b;
	return Number.isFinite(ratio) && ratio > 0 ? ratio : 1;
}

function priorOf({ name, truth, scales }: TemplateUnknown, ratio: Ratios, record: Scales): string {
	if (!("within" in scales) || typeof scales.within !== "string")
		return `${name} ~ lognormal(log(${digits(usual(truth) * ratio.of(scales as Dimensions))}), 1)`;
	const signal = record.signals.get(scales.within)!;
	return `${name} ~ normal(${digits(signal.mean)}, ${digits(2 * spreadOf(signal))})`;
}

/** A round number near the truth of the sample: what somebody would say who knows the size of things, and no more. */
export function usual(truth: number): number {
	const nearest = [1, 2, 5, 10].map((step) => step * powerOfTen(truth));
	return nearest.reduce((best, each) =>
		Math.abs(log(each / truth)) < Math.abs(log(best / truth)) ? each : best,
	);
}

function powerOfTen(value: number): number {
	return Number(`1e${Math.floor(Number(value.toExponential().split("e")[1]))}`);
}

function startText(
	{ state, near, scales, isPositive, truth }: TemplateStart,
	ratio: Ratios,
	record: Scales,
): string {
	const signal = near === undefined ? undefined : record.signals.get(near);
	if (signal && isPositive) {
		const first = signal.first > 0 ? signal.first : spreadOf(signal);
		return `${state} ~ lognormal(log(${digits(first)}), 0.5)`;
	}
	if (signal) return `${state} ~ normal(${digits(signal.first)}, ${digits(spreadOf(signal))})`;
	if (scales === undefined) return `${state} = ${truth}`;
	const size = usual(truth === 0 ? 1 : Math.abs(truth)) * ratio.of(scales);
	return isPositive
		? `${state} ~ lognormal(log(${digits(size)}), 1)`
		: `${state} ~ normal(0, ${digits(2 * size)})`;
}

function noiseOf(template: Template, output: string, index: number, record: Scales) {
	const { isRelative } = template.measured[output];
	const signal = record.signals.get(output)!;
	const size = isRelative ? 0.1 : 0.05 * spreadOf(signal);
	return {
		text: `${spreadName(template, index)} ~ lognormal(log(${digits(size)}), 1)`,
		means: isRelative ? `relative error of ${output}` : `error of ${output}`,
	};
}

function spreadName({ outputs }: Template, index: number): string {
	return outputs.length === 1 ? "s" : `s_${outputs[index].name}`;
}

function spreadOf({ spread, largest }: SignalScale): number {
	return spread > 0 ? spread : largest > 0 ? largest : 1;
}

function digits(value: number): string {
	return String(Number(value.toPrecision(2)));
}
