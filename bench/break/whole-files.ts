/** Whole files of every format that is read, with numbers of their own, each with the way in which it is read. */
import { parquetWriteBuffer } from "hyparquet-writer";
import { readTable } from "../../src/data/read/read-table.ts";
import { readPetab } from "../../src/formats/petab/problem.ts";
import { readModel } from "../../src/formats/read-model.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { methods } from "../../src/methods/registry.ts";
import type { Draws } from "../../src/num/statistics/draws.ts";
import { petabStudy } from "../../src/study/petab/as-study.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { matFile as mat5 } from "../../test/data/mat5-writer.ts";
import { xlsxBytes } from "../../test/data/xlsx-writer.ts";
import {
	compartment,
	event,
	list,
	parameter,
	reaction,
	rule,
	sbml,
	species,
} from "../../test/formats/models.ts";
import { randomStudy } from "../../test/random/studies.ts";
import { matFile as mat73 } from "../../test/workbench/mat-file.ts";

/** Files that belong together: any of them may be damaged. */
export interface WholeFiles {
	readonly files: Readonly<Record<string, Uint8Array>>;
	read(files: Readonly<Record<string, Uint8Array>>): Promise<unknown>;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (content: Uint8Array): string => new TextDecoder().decode(content);

let newMat: Promise<Uint8Array> | undefined;

type Column = readonly number[];
const tables: Record<string, (d: Draws, t: Column, y: Column) => Uint8Array | Promise<Uint8Array>> = {
	"record.csv": (d, t, y) => delimited(d.pick([",", ";"]), t, y),
	"record.tsv": (_, t, y) => delimited("\t", t, y),
	"record.xlsx": (_, t, y) => xlsxBytes({ data: [["t", "y"], ...t.map((at, i) => [at, y[i]])] }),
	"record.mat": (d, t, y) =>
		mat5(
			[t, y].map((values, i) => ({
				kind: "array" as const,
				name: ["t", "y"][i],
				size: [values.length, 1],
				values: [...values],
			})),
			{ little: d.chance(0.7), compressed: d.chance(0.5) },
		),
	"new.mat": () => (newMat ??= mat73()),
	"record.parquet": (d, t, y) =>
		new Uint8Array(
			parquetWriteBuffer({
				columnData: [
					{ name: "t", data: [...t], type: "DOUBLE" },
					{ name: "y", data: y.map((value) => (d.chance(0.1) ? null : value)), type: "DOUBLE" },
				],
				codec: d.pick(["UNCOMPRESSED", "SNAPPY"] as const),
			}),
		),
};

function delimited(separator: string, t: Column, y: Column): Uint8Array {
	return bytes(`t${separator}y\n${t.map((at, i) => `${at}${separator}${y[i]}\n`).join("")}`);
}

/** By format: what is drawn, and how it is read. */
export const formats: Record<string, (d: Draws) => Promise<WholeFiles>> = {
	...Object.fromEntries(
		Object.entries(tables).map(([name, made]) => [
			name,
			async (d: Draws): Promise<WholeFiles> => {
				const n = d.whole(1, 60);
				const column = (): number[] =>
					Array.from({ length: n }, (_, i) => (d.chance(0.5) ? i / 7 : d.normal()));
				const content = await made(d, column(), column());
				return { files: { [name]: content }, read: (files) => readTable(files[name], name) };
			},
		]),
	),
	"model.ode": async (d) => ({
		files: { "model.ode": bytes(randomStudy(d.whole(0, 1e6), true).files["model.ode"] as string) },
		read: async (files) => applicability(readModel(textOf(files["model.ode"]), "model.ode")),
	}),
	"study.yaml": async (d) => {
		const study = randomStudy(d.whole(0, 1e6), true);
		return {
			files: { "study.yaml": bytes(study.studyText(d.pick([...methods.keys()]))) },
			read: async (files) => parseStudy(textOf(files["study.yaml"]), "study.yaml", methods),
		};
	},
	"model.xml": async (d) => ({
		files: { "model.xml": bytes(sbmlModel(d)) },
		read: async (files) => applicability(readModel(textOf(files["model.xml"]), "model.xml")),
	}),
	petab: async (d) => ({
		files: Object.fromEntries(Object.entries(petabProblem(d)).map(([name, text]) => [name, bytes(text)])),
		read: async (files) => {
			const open = (name: string): string | undefined => files[name] && textOf(files[name]);
			const problem = readPetab(textOf(files["problem.yaml"]), "problem.yaml", open);
			for (const [name, text] of petabStudy(problem, open).files)
				if (name === "study.yaml") parseStudy(text, name, methods);
				else if (name.endsWith(".ode")) applicability(readModel(text, name));
		},
	}),
};

/** Reactions in a volume, with a rule, an event and a parameter of a reaction's own where that is drawn. */
function sbmlModel(d: Draws): string {
	const rate = d.pick(["(times k1 A)", "(divide (times k1 A) (plus 1 A))", "(times k1 (power A 2))"]);
	const parts = [
		list("Compartments", compartment("c", d.whole(1, 4))),
		list(
			"Species",
			species("A", "c", 'initialConcentration="1"'),
			species("B", "c", d.pick(['initialConcentration="0"', 'initialAmount="2"'])),
		),
		list("Parameters", parameter("k1", d.between(0.1, 2)), parameter("k2", 0.3), parameter("w", 1, false)),
		...(d.chance(0.5)
			? [list("Rules", rule(d.pick(["assignment", "rate"]), "w", "(plus A (times k2 t))"))]
			: []),
		list("Reactions", reaction("forth", "A", "B:2", rate), reaction("back", "B", "A", "(times k2 B)")),
		...(d.chance(0.4) ? [list("Events", event("(gt t 1)", { A: "(times 2 A)" }))] : []),
	];
	return sbml(parts.join("\n"), { version: d.pick(["3.1", "3.2", "2.4"]) });
}

const table = (...rows: readonly string[]): string =>
	`${rows.map((row) => row.replaceAll(" ", "\t")).join("\n")}\n`;

/** A problem of either version. */
function petabProblem(d: Draws): Record<string, string> {
	const model = sbmlModel(d);
	const value = (): string => d.decimal(0.1, 2);
	const samples = Array.from({ length: d.whole(1, 6) }, (_, i) => i);
	if (d.chance(0.5))
		return {
			"problem.yaml":
				"format_version: 1\nparameter_file: parameters.tsv\nproblems:\n- sbml_files: [model.xml]\n  condition_files: [conditions.tsv]\n  observable_files: [observables.tsv]\n  measurement_files: [measurements.tsv]\n",
			"model.xml": model,
			"parameters.tsv": table(
				"parameterId parameterScale lowerBound upperBound nominalValue estimate",
				`k1 ${d.pick(["lin", "log", "log10"])} 0.01 10 ${value()} 1`,
				"sd lin 0.01 10 0.5 1",
			),
			"conditions.tsv": table("conditionId k2 A", `usual ${value()} NaN`, `given 0.8 ${value()}`),
			"observables.tsv": table(
				"observableId observableFormula noiseFormula observableTransformation noiseDistribution",
				`obs_a A+0.1 sd ${d.pick(["lin", "log", "log10"])} ${d.pick(["normal", "laplace"])}`,
			),
			"measurements.tsv": table(
				"observableId simulationConditionId measurement time",
				...samples.map((i) => `obs_a ${d.pick(["usual", "given"])} ${value()} ${d.chance(0.1) ? "inf" : i}`),
			),
		};
	return {
		"problem.yaml":
			"format_version: 2.0.0\nparameter_files: [parameters.tsv]\nmodel_files:\n  m: { location: model.xml, language: sbml }\ncondition_files: [conditions.tsv]\nexperiment_files: [experiments.tsv]\nobservable_files: [observables.tsv]\nmeasurement_files: [measurements.tsv]\n",
		"model.xml": model,
		"parameters.tsv": table(
			"parameterId lowerBound upperBound nominalValue estimate",
			`k1 0.01 10 ${value()} true`,
			"sd 0.01 10 0.5 true",
		),
		"conditions.tsv": table("conditionId targetId targetValue", "start k2 k1*2", `dose A A+${value()}`),
		"experiments.tsv": table("experimentId time conditionId", "course 0 start", "course 2 dose"),
		"observables.tsv": table(
			"observableId observableFormula noiseFormula noiseDistribution",
			`obs_a A+0.1 sd ${d.pick(["normal", "laplace", "log-normal"])}`,
		),
		"measurements.tsv": table(
			"observableId experimentId time measurement",
			...samples.map((i) => `obs_a course ${i} ${value()}`),
		),
	};
}
