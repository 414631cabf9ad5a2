/**
 * Random studies: a valid model with records that it could have made, and options of every method. One seed, one study.
 * Everything random that is thrown at the project comes from here: tests take a fixed slice, `npm run bench -- break` as
 * many as there is time for.
 */
import type { Compute } from "../../src/compute/compute.ts";
import { inline } from "../../src/compute/inline.ts";
import { readTable } from "../../src/data/read-table.ts";
import { InputError } from "../../src/errors.ts";
import type { Method } from "../../src/methods/method.ts";
import { defaultOptions, type OptionTable, type OptionValues } from "../../src/methods/options.ts";
import type { Problem } from "../../src/methods/problem.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import type { Model } from "../../src/model/model.ts";
import { Draws } from "../../src/num/draws.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { tablesOf } from "../../src/study/records.ts";
import { parseStudy } from "../../src/study/study-file.ts";
import { type Flavour, flavours, modelText } from "./models.ts";
import { type RandomRecord, randomRecord } from "./records.ts";
import { optionsText } from "./settings.ts";

export interface RandomStudy {
	readonly seed: number;
	readonly flavour: Flavour;
	readonly model: Model;
	/** Model and records; the study file is that of a method. */
	readonly files: Readonly<Record<string, string>>;
	studyText(method: string): string;
}

/** `short`: a few samples and the least work, where the first steps of a method are all that is asked for. */
export function randomStudy(seed: number, isShort = false): RandomStudy {
	const flavour = flavours[seed % flavours.length];
	const { text, model } = validModel(seed, flavour);
	const d = new Draws(seed, "records");
	const most = isShort ? 8 : 40;
	const nSamples = flavour === "cycle" ? d.whole(100, isShort ? 110 : 160) : d.whole(isShort ? 5 : 6, most);
	const isPeriodic = flavour === "cycle" && d.chance(0.8);
	const nRecords = model.conditions.length > 0 ? d.whole(2, 3) : d.chance(0.85) ? 1 : 2;
	const records = Array.from({ length: nRecords }, () =>
		randomRecord(d, model, { nSamples, isPeriodic, isShort }),
	);
	const input = d.pick(["zoh", "linear", "cubic", "sinc"]);
	const selection = d.chance(0.5)
		? `train: 0..${Math.ceil(0.7 * nSamples)}\ntest: ${Math.ceil(0.7 * nSamples)}..\n`
		: "";
	return {
		seed,
		flavour,
		model,
		files: {
			"model.ode": text,
			...Object.fromEntries(records.map((record, i) => [`record-${i}.csv`, csvOf(record)])),
		},
		studyText: (method) => {
			const data = records.map(({ conditions }, i) => {
				const given = Object.entries(conditions).map(([name, value]) => `${name}: ${value}`);
				const more = given.length > 0 ? `, conditions: { ${given.join(", ")} }` : "";
				// A band-limited input needs even times.
				const kind = input === "sinc" && !isEven(records[i]) ? "linear" : input;
				return `  - { file: record-${i}.csv, time: t, input: ${kind}${more} }\n`;
			});
			return `model: model.ode\ndata:\n${data.join("")}method: ${method}\n${selection}seed: ${seed}\n${optionsText(seed, method, isShort)}`;
		},
	};
}

/** The first draw that the language takes: a constant like asin(2) is refused, and hardly ever drawn. */
function validModel(seed: number, flavour: Flavour): { text: string; model: Model } {
	for (let attempt = 0; ; attempt++) {
		const text = modelText(new Draws(seed, `model ${attempt}`), flavour);
		try {
			return { text, model: parseModel(text, "model.ode") };
		} catch (error) {
			if (!(error instanceof InputError) || attempt >= 20) throw error;
		}
	}
}

export interface Asked {
	readonly method: Method;
	readonly problem: Problem;
	readonly options: OptionValues<OptionTable>;
}

/** What methods are asked, without a disk. */
export async function questionsOf(
	random: RandomStudy,
	names: readonly string[],
	compute: Compute = inline,
): Promise<Asked[]> {
	const study = parseStudy(random.studyText("all"), "study.yaml", methods);
	const tables = await tablesOf(study, (file) =>
		readTable(new TextEncoder().encode(random.files[file]), file),
	);
	const problem = problemFromStudy(study, random.model, tables, compute);
	return names.map((name) => {
		const method = methods.get(name)!;
		const options = { ...defaultOptions(method.options), ...study.options[name] };
		return { method, problem, options: options as OptionValues<OptionTable> };
	});
}

function isEven({ times }: RandomRecord): boolean {
	const step = times[1] - times[0];
	return times.every((t, i) => i === 0 || Math.abs(t - times[i - 1] - step) < 1e-6 * step);
}

function csvOf({ times, columns }: RandomRecord): string {
	const rows = times.map((t, i) =>
		[
			t,
			...[...columns.values()].map((column) => (Number.isNaN(column[i]) ? "" : column[i].toPrecision(8))),
		].join(),
	);
	return `${["t", ...columns.keys()].join()}\n${rows.join("\n")}\n`;
}
