/** A study with everything that was asked: problem, method, options, and the lines that introduce it to the user. */
import type { Compute } from "../compute/compute.ts";
import { inline } from "../compute/inline.ts";
import { readTableFile } from "../data/node/read-file.ts";
import type { Table } from "../data/table/table.ts";
import { InputError } from "../errors.ts";
import type { Method } from "../methods/method.ts";
import type { GivenOptions } from "../methods/options.ts";
import type { Problem } from "../methods/problem.ts";
import { methods } from "../methods/registry.ts";
import { equationToPlain } from "../model/print/expression.ts";
import { freeInitials, freeParams } from "../model/structure/free.ts";
import { verdictWithinReach } from "../model/within-reach.ts";
import { declaredNoise, few, recordLines } from "../report/record-lines.ts";
import { digest } from "../study/node/checkpoint.ts";
import { besideStudy, type LoadedStudy } from "../study/node/load-study.ts";
import { priorWords } from "../study/prior.ts";
import { problemFromStudy } from "../study/problem-from-study.ts";
import { tablesOf } from "../study/records/records.ts";
import { labelled } from "./terminal/model-lines.ts";
import { readingLine } from "./terminal/reading-line.ts";
import { cut } from "./terminal/wrap.ts";

export interface Question {
	readonly loaded: LoadedStudy;
	readonly problem: Problem;
	readonly method: Method;
	readonly options: GivenOptions;
	/** Digest of what the data say. */
	readonly data: string;
	/** One line a record. */
	readonly records: readonly string[];
	/** How their files were understood, where that could have been otherwise. */
	readonly readings: readonly string[];
	readonly noise: Readonly<Record<string, number>>;
}

export async function questionOf(loaded: LoadedStudy, compute: Compute = inline): Promise<Question> {
	const { study, model, path } = loaded;
	if (study.records.some(({ file }) => file === "-"))
		throw new InputError(
			'file: "-"',
			"is standard input, which is read while it comes only",
			"odentify run STUDY --follow  with  method: bayes; or name a file.",
		);
	const tables = await tablesOf(study, (file, choices) => readTableFile(besideStudy(path, file), choices));
	const problem = problemFromStudy(study, model, tables, compute);
	const method = methods.get(study.method)!;
	return {
		loaded,
		problem,
		method,
		options: study.options[study.method] ?? {},
		data: digestOf(tables),
		records: recordLines(study, problem),
		readings: [...tables.values()].flatMap((table) => readingLine(table) ?? []),
		noise: declaredNoise(model, problem.train),
	};
}

/** A method that would never end looking at the equations is not begun. Why else it does not apply, it says itself. */
export function assertWithinReach({ method, problem: { model } }: Question): void {
	const { beyond, why } = verdictWithinReach(model, method);
	if (beyond) throw new InputError(model.fileName, `${method.name} does not apply`, why);
}

/** `Study`, `Model` and `Record` lines of the first minute. */
export function questionLines({ loaded, records }: Question, shown: string): string[] {
	const { model } = loaded;
	const equations = model.equations.map((equation) => cut(equationToPlain(equation)));
	const unknown = [
		few(freeParams(model).length, "unknown parameter"),
		...(freeInitials(model).length > 0 ? [few(freeInitials(model).length, "initial value")] : []),
	].join(", ");
	const width = Math.max(...equations.map((each) => [...each].length));
	const first = `${equations[0]}${" ".repeat(width - [...equations[0]].length + 4)}${unknown}`;
	return [
		...labelled("Study", [shown]),
		...labelled("Model", [first, ...equations.slice(1)]),
		...labelled(records.length > 1 ? "Records" : "Record", records),
		...labelled("Prior", priorWords(loaded.study)),
	];
}

/** Changes when a number, a name or a length of the data changes. */
function digestOf(tables: ReadonlyMap<string, Table>): string {
	const parts = [...tables.values()].flatMap(({ columns }) =>
		columns.flatMap(({ name, values }) => [
			name,
			new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
		]),
	);
	return digest(...parts);
}
