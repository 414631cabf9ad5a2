/** A problem with known truth, by its number: model, records and study as files, and what is true. */

import { exp, log } from "../num/elementary/number.ts";
import { Draws } from "../num/statistics/draws.ts";
import { type Design, designOf, rounded, within } from "./design.ts";
import { type Disturbed, disturbed } from "./disturbed.ts";
import { openAsMeasured } from "./faults.ts";
import { boundOver, noisy } from "./noisy.ts";
import { million, openProblemOf } from "./open/problem.ts";

export interface ProvedProblem {
	readonly number: number;
	/** The only method that is asked it, where it is made for one. */
	readonly asked?: string;
	readonly family: string;
	readonly field: string;
	readonly sampling: string;
	readonly noise: string;
	readonly level: number;
	readonly nRecords: number;
	readonly fault?: { readonly name: string; readonly dose: number; readonly strength?: number };
	/** Files by name: model.ode, the records; and the study for a method. */
	readonly files: Readonly<Record<string, string>>;
	studyText(method: string): string;
	/** Values of the unknowns that have one, by the names that results give them. */
	readonly truth: Readonly<Record<string, number>>;
	/** The true equations and their numbers, where the given model leaves their form open. */
	readonly system?: {
		readonly equations: Readonly<Record<string, string>>;
		readonly params: Readonly<Record<string, number>>;
	};
	/** What would be measured without noise, the fault in it, by record and output. */
	readonly clean: readonly { readonly record: string; readonly output: string; readonly y: Float64Array }[];
	/** Standard deviations of the noise by output; of lognormal noise, in shares of the value. */
	readonly sd: Readonly<Record<string, number>>;
}

/** Undefined where this number gives no problem: a system that does not reach the end of its records. */
export function problemOf(number: number): ProvedProblem | undefined {
	return number < million ? knownForm(number) : openProblemOf(number);
}

/** The equations are given; numbers in them are asked for. */
function knownForm(number: number): ProvedProblem | undefined {
	const design = designOf(number);
	const made = disturbed(design);
	if (!made) return undefined;
	const { family, fault, noise, records, hold, sampling } = design;
	const data = noisy(made, design);
	if (noise.kind === "lognormal" && data.flat().some((values) => values.some((value) => !(value > 0))))
		return undefined;
	const { text, truth } = modelOf(design, made);
	const declared = fault?.kind.name === "wrong hold" ? "zoh" : hold;
	const names = records.map((_, r) => `record-${r + 1}.csv`);
	return {
		number,
		family: family.name,
		field: family.field,
		sampling,
		noise: noise.kind,
		level: noise.level,
		nRecords: records.length,
		...(fault
			? { fault: { name: fault.kind.name, dose: fault.dose, strength: made.strength } }
			: family.openAlone !== undefined && design.outputs.length === 1
				? { fault: { name: openAsMeasured, dose: 1 } }
				: {}),
		truth,
		clean: made.outputs.flatMap((record, r) =>
			record.map((y, o) => ({ record: names[r], output: design.outputs[o], y })),
		),
		sd: Object.fromEntries(
			design.outputs.map((name, o) => [name, noise.kind === "lognormal" ? noise.level : made.sd[o]]),
		),
		files: {
			"model.ode": text,
			...Object.fromEntries(records.map((_, r) => [names[r], csvOf(design, data[r], r)])),
		},
		studyText: (method) =>
			`model: model.ode\ndata:\n${names
				.map(
					(file) =>
						`  - { file: ${file}, time: t${family.input === undefined ? "" : `, input: ${declared}`} }\n`,
				)
				.join("")}method: ${method}\nseed: ${number}\n`,
	};
}

function csvOf({ records, outputs, inputs }: Design, data: readonly Float64Array[], r: number): string {
	const { times } = records[r];
	const input = inputs[r];
	const rows = Array.from(times, (t, i) =>
		[t, ...(input ? [input[i]] : []), ...data.map((values) => Number(values[i].toPrecision(9)))].join(),
	);
	return `${["t", ...(input ? ["u"] : []), ...outputs].join()}\n${rows.join("\n")}\n`;
}

/** The model as given to the methods, and the true values of what is unknown in it. */
function modelOf(design: Design, { sd }: Disturbed): { text: string; truth: Record<string, number> } {
	const { family, fault, params, noise, outputs, records } = design;
	const d = new Draws(design.number, "model");
	const is = (name: string): boolean => fault?.kind.name === name;
	const truth: Record<string, number> = {};
	const lines = family.input === undefined ? [] : ["input u"];
	for (const [name, value] of Object.entries(family.known ?? {})) lines.push(`param ${name} = ${value}`);
	const [pair] = Object.keys(family.params);
	Object.entries(family.params).forEach(([name, [centre, spread]], i) => {
		const shifted =
			is("prior without the truth") && i === 0 ? params[name] * exp(fault!.dose * spread) : centre;
		lines.push(positive(name, shifted, spread));
		if (!(is("unidentifiable pair") && i === 0)) truth[name] = params[name];
	});
	if (is("unidentifiable pair")) lines.push(positive(`${pair}b`, 1, 0.5));
	for (const [name, given] of Object.entries(family.states)) {
		if (typeof given === "number") {
			lines.push(`state ${name} = ${given}`);
			continue;
		}
		const [lo, hi] = given;
		lines.push(`state ${name} ~ uniform(${lo}, ${hi}) in [${lo}, ${hi}]`);
		records.forEach(({ start }, r) => {
			truth[records.length > 1 ? `${name}(0) of record-${r + 1}.csv` : `${name}(0)`] = start[name];
		});
	}
	for (const [left, right] of Object.entries(family.equations)) {
		const said = is("wrong term") && left === family.wrong[0] ? family.wrong[1] : right;
		const doubled = is("unidentifiable pair")
			? said.replace(new RegExp(`\\b${pair}\\b`, "g"), `(${pair}*${pair}b)`)
			: said;
		lines.push(`${left} = ${doubled}`);
	}
	outputs.forEach((name, o) => {
		const value = family.outputs[name];
		const declared = sd[o] / (is("wrong declared noise") ? fault!.dose : 1);
		if (noise.kind === "bounded") {
			const bound = rounded(boundOver * sd[o] * (is("bound too small") ? fault!.dose : 1));
			// A bound that holds for what is written: a little more than the draw.
			lines.push(
				`measure ${name} in ${value} +- ${is("bound too small") ? bound : rounded(1.000001 * bound)}`,
			);
		} else if (noise.kind === "lognormal")
			lines.push(`measure ${name} ~ lognormal(log(${value}), ${noise.level})`);
		else if (noise.kind === "open") {
			const spread = `s_${name}`;
			lines.push(positive(spread, sd[o] * exp(-within(d.normal(), 2.9)), 1));
			truth[spread] = sd[o];
			lines.push(`measure ${name} ~ normal(${value}, ${spread})`);
		} else lines.push(`measure ${name} ~ normal(${value}, ${rounded(declared)})`);
	});
	return { text: `${lines.join("\n")}\n`, truth };
}

/** A positive unknown with a law, and a set that holds nearly all of it. */
function positive(name: string, centre: number, spread: number): string {
	const [lo, hi] = [-1, 1].map((sign) => rounded(centre * exp(3 * sign * spread)));
	return `param ${name} ~ lognormal(${rounded(log(centre))}, ${spread}) in [${lo}, ${hi}]`;
}
