/**
 * Random studies: a valid model with records that it could have made, and options of every method. One seed, one study.
 * Everything random that is thrown at the project comes from here: tests take a fixed slice, `npm run bench -- break` as
 * many as there is time for.
 */
import type { Compute } from "../../src/compute/compute.ts";
import { inline } from "../../src/compute/inline.ts";
import { readTable } from "../../src/data/read/read-table.ts";
import type { Table } from "../../src/data/table/table.ts";
import { InputError } from "../../src/errors.ts";
import { knownParams } from "../../src/estimate/law/given-joint.ts";
import type { Method } from "../../src/methods/method.ts";
import { defaultOptions, type OptionTable, type OptionValues } from "../../src/methods/options.ts";
import type { Problem } from "../../src/methods/problem.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import type { Model } from "../../src/model/model.ts";
import { Draws } from "../../src/num/statistics/draws.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { tablesOf } from "../../src/study/records/records.ts";
import { type Simulation, simulateRecord } from "../../src/study/simulate/simulate.ts";
import { simulationTask } from "../../src/study/simulate/simulate-study.ts";
import type { Study } from "../../src/study/study.ts";
import { parseStudyModel } from "../../src/study/text/inline-model.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { dataFiles } from "./data-files.ts";
import { expression } from "./expressions.ts";
import { type Flavour, flavours, modelText } from "./models.ts";
import { randomRecord } from "./records.ts";
import { optionsText } from "./settings.ts";

export interface RandomStudy {
	readonly seed: number;
	readonly flavour: Flavour;
	readonly model: Model;
	/** Model and records; the study file is that of a method. */
	readonly files: Readonly<Record<string, string | Uint8Array>>;
	studyText(method: string): string;
}

/** `short`: a few samples and the least work, where the first steps of a method are all that is asked for. */
export function randomStudy(seed: number, isShort = false): RandomStudy {
	const flavour = flavours[seed % flavours.length];
	const { text, model } = validModel(seed, flavour);
	const d = new Draws(seed, "records");
	const most = isShort ? 8 : 40;
	const nSamples =
		flavour === "cycle"
			? d.whole(100, isShort ? 110 : 160)
			: // Terms need more samples than there are of them.
				d.whole(isShort ? 5 : 6, most) + (flavour === "combination" ? 4 : 0);
	const isPeriodic = flavour === "cycle" && d.chance(0.8);
	const differ = model.conditions.length > 0 || model.params.some(({ byRecord }) => byRecord);
	const nRecords = differ ? d.whole(2, 3) : d.chance(0.85) ? 1 : 2;
	const records = Array.from({ length: nRecords }, () =>
		randomRecord(d, model, { nSamples, isPeriodic, isShort }),
	);
	const { files, entries, countsRows } = dataFiles(d, model, records);
	const more = countsRows ? selectionText(d, nSamples) : "";
	const warmUp = more.includes("test") && d.chance(0.3) ? "warmUp: 1\n" : "";
	const isLost = d.chance(0.05);
	const set = d.chance(0.15) ? setText(d, model) : "";
	const name = d.chance(0.05) ? "name: drawn\n" : "";
	const simulate = d.chance(0.2)
		? `simulate: { noise: ${d.chance(0.8)}, rtol: 1.0e-6, knots: [${d.decimal(0, 2)}] }\n`
		: "";
	const library = randomLibrary(seed, text);
	const prior = randomPrior(seed, model);
	return {
		seed,
		flavour,
		model: library?.model ?? model,
		files: { "model.ode": text, ...files },
		studyText: (method) => {
			// Other methods refuse what one or two alone know; now and then they are to say so.
			const rests = isLost || method === "fit";
			const warms = rests || method === "bayes";
			const data = entries.map(
				({ keys, starts }) => `  - { ${[...keys, ...(rests ? starts : [])].join(", ")} }\n`,
			);
			return `${name}model: model.ode\ndata:\n${data.join("")}method: ${method}\n${more}${warms ? warmUp : ""}${isLost || method === "bayes" ? prior : ""}${set}${library?.text ?? ""}${simulate}seed: ${seed}\n${optionsText(seed, method, isShort)}`;
		},
	};
}

/** What is known of some parameters together, now and then; some of it is no covariance. */
function randomPrior(seed: number, model: Model): string {
	const d = new Draws(seed, "prior");
	const known = knownParams(model).filter(() => d.chance(0.7));
	if (known.length === 0 || d.chance(0.6)) return "";
	const sds = known.map(() => d.decimal(0.1, 1));
	const r = d.decimal(-1, 1);
	const mean = known.map(({ coordinate }) => `${JSON.stringify(coordinate)}: ${d.decimal(-1, 1)}`);
	const rows = sds.map(
		(a, i) => `[${sds.map((b, j) => (i === j ? 1 : Number(r)) * Number(a) * Number(b)).join(", ")}]`,
	);
	return `prior: { mean: { ${mean.join(", ")} }, covariance: [${rows.join(", ")}] }\n`;
}

/** Candidates that the study gives for the model's unknown function now and then, and the model with them. */
function randomLibrary(seed: number, model: string): { text: string; model: Model } | undefined {
	const d = new Draws(seed, "library");
	const args = /^unknown G\(([^)]*)\)/m.exec(model)?.[1].split(", ");
	if (!args || d.chance(0.6)) return undefined;
	const one = () => expression(d, { leaves: args, wild: 0.05 }, d.whole(0, 2));
	const terms = d.chance(0.2)
		? '"polynomial(2)"'
		: `[${Array.from({ length: d.whole(1, 4) }, () => `"${one()}"`).join(", ")}]`;
	const text = `library: { G: ${terms} }\n`;
	try {
		const study = parseStudy(
			`model: model.ode\ndata: { file: record.csv, time: t }\n${text}`,
			"study.yaml",
			methods,
		);
		return { text, model: parseStudyModel(study, model, "model.ode", parseModel) };
	} catch (error) {
		if (error instanceof InputError) return undefined;
		throw error;
	}
}

/** Rows to learn from and to test on, or another record for that. */
function selectionText(d: Draws, nSamples: number): string {
	if (d.chance(0.5)) return "";
	const cut = Math.ceil(0.7 * nSamples);
	return d.either(
		() => `train: 0..${cut}\ntest: ${cut}..\n`,
		() => `train: 0..${cut}\ntest: ${cut}..\n`,
		() => `test: ..${cut}\n`,
	);
}

/** Where searches begin. */
function setText(d: Draws, model: Model): string {
	const open = model.params.filter(({ knowledge, terms }) => knowledge.kind === "none" && !terms);
	const given = d.some(open).map(({ name }) => `${name}: ${d.decimal(0.2, 2)}`);
	return given.length > 0 ? `set: { ${given.join(", ")} }\n` : "";
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
	const asked: Asked[] = [];
	for (const name of names) {
		const { study, tables } = await readStudy(random, name);
		const problem = problemFromStudy(study, random.model, tables, compute);
		const method = methods.get(name)!;
		const options = { ...defaultOptions(method.options), ...study.options[name] };
		asked.push({ method, problem, options: options as OptionValues<OptionTable> });
	}
	return asked;
}

/** What `odentify simulate` is asked, where what is not known has some value. */
export async function simulationOf(random: RandomStudy): Promise<() => Simulation[]> {
	const { study, tables } = await readStudy(random, "fit");
	const { model } = random;
	const open = [
		...model.params.flatMap(({ name, knowledge, terms }) =>
			knowledge.kind === "none" && !terms ? [name] : [],
		),
		...model.components.filter((_, i) => model.initial[i].kind === "none"),
	];
	const some = Object.fromEntries(open.map((name, i) => [name, 0.3 + 0.1 * i]));
	const asked = { ...study, set: { ...some, ...study.set } };
	const { model: dosed, set, records } = simulationTask(asked, model, tables);
	return () => records.map((record) => simulateRecord(dosed, set, record, study.simulate, study.seed));
}

async function readStudy(
	random: RandomStudy,
	method: string,
): Promise<{ study: Study; tables: ReadonlyMap<string, Table> }> {
	const study = parseStudy(random.studyText(method), "study.yaml", methods);
	const tables = await tablesOf(study, (file, reading) =>
		readTable(bytesOf(random.files[file]), file, reading),
	);
	return { study, tables };
}

function bytesOf(content: string | Uint8Array): Uint8Array {
	return typeof content === "string" ? new TextEncoder().encode(content) : content;
}
