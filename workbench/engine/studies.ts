/** Studies and runs as texts: written from what the page holds, read into it. */
import { stringify } from "yaml";
import { csvText } from "../../src/data/index.ts";
import { InputError, methods, model as readModel } from "../../src/index.ts";
import { type Applicability, applicability } from "../../src/methods/index.ts";
import type { Model } from "../../src/model/index.ts";
import { rmseOf, rmseSentences, standardFigures } from "../../src/report/index.ts";
import {
	type Adaptation,
	adaptedFor,
	dosesText,
	type Evidence,
	keptResult,
	packStudy,
	parseStudy,
	parseStudyModel,
	type Rows,
	type Selection,
	type StudyRecord,
	studyModelText,
	unpackStudy,
} from "../../src/study/index.ts";
import type { Finished, OpenedStudy, Plan, PlanRecord, RowRange, RunFile, TableData } from "../contract.ts";

export function verdictsOf(model: Model): readonly Applicability[] {
	return applicability(model);
}

export function adapted(model: Model, method: string, evidence: Evidence): Adaptation {
	return adaptedFor(methods.get(method)!, model, evidence);
}

/** The study as a file of its own, the model inside. It is what the page runs, and what the command line can run. */
export function planText(plan: Plan): string {
	const { model, records, method, options, seed, set, prior, warmUp } = plan;
	const one = <T>(list: readonly T[]): T | readonly T[] => (list.length === 1 ? list[0] : list);
	const tested = records.some(({ test }) => test !== undefined && test !== "none");
	const trained = records.some(({ train }) => train !== undefined);
	const study = {
		model: model.endsWith("\n") ? model : `${model}\n`,
		data: one(records.map(recordOf)),
		method,
		...(trained
			? { train: one(records.map(({ train }) => (train === undefined ? "0.." : rowsText(train)))) }
			: {}),
		...(tested
			? { test: one(records.map(({ test }) => (test === undefined ? "none" : rowsText(test)))) }
			: {}),
		...(tested && warmUp !== undefined ? { warmUp } : {}),
		seed,
		...(Object.keys(set).length > 0 ? { set } : {}),
		...(prior && { prior }),
		...Object.fromEntries(Object.entries(options).filter(([, given]) => Object.keys(given).length > 0)),
	};
	return stringify(study, { lineWidth: 0, blockQuote: "literal", aliasDuplicateObjects: false });
}

function recordOf(record: PlanRecord): Record<string, unknown> {
	const { file, name, time, rate, start, columns, input, detrend, missing, group, only, except } = record;
	const conditions = { ...record.conditions, ...record.conditionColumns };
	const { words = [], ...reading } = record.reading ?? {};
	const factors = record.factors ?? {};
	const filled = (object: object): boolean => Object.keys(object).length > 0;
	return {
		file,
		...(name === undefined ? {} : { name }),
		...(time === undefined ? {} : { time }),
		...(time === undefined && rate !== undefined ? { rate } : {}),
		...(start === undefined || (time === undefined && start === 0) ? {} : { start }),
		...(filled(columns) ? { columns } : {}),
		...(input === "zoh" ? {} : { input }),
		...(detrend === "none" ? {} : { detrend }),
		...(group === undefined ? {} : { group }),
		...(only ? { only } : {}),
		...(except ? { except } : {}),
		...(filled(conditions) ? { conditions } : {}),
		...(missing.length + words.length > 0 ? { missing: [...missing, ...words] } : {}),
		...(filled(factors) ? { factors } : {}),
		...(record.rest ? { rest: record.rest } : {}),
		...(record.reset ? { reset: record.reset } : {}),
		...dosesText(record),
		...reading,
	};
}

function rowsText(rows: RowRange | "none"): string {
	return rows === "none" ? "none" : `${rows.from}..${rows.to ?? ""}`;
}

/** A study file as the page holds it. Records that are only tested on become records without training rows. */
export function openStudy(text: string, fileName: string, modelText = ""): OpenedStudy {
	const study = parseStudy(text, fileName, methods);
	const { model, records, train, test, testRecords } = study;
	const source = model.kind === "text" ? model.text : modelText;
	// The page has one place for the model: candidates that the study gives go into its text, if they are right.
	if (study.library.length > 0 && source !== "") parseStudyModel(study, source, fileName, readModel);
	refuseTwins([...records, ...testRecords].flatMap(({ file }) => (file === undefined ? [] : [file])));
	const plan: Plan = {
		title: fileName.replace(/\.ya?ml$/i, ""),
		model: studyModelText(study, source),
		records: [
			...records.map((record, i) => planRecord(record, train[i], test[i])),
			...testRecords.map((record) => planRecord(record, "none", record.rows ?? { from: 0, to: Infinity })),
		],
		method: study.method,
		options: study.options,
		seed: study.seed,
		...(study.warmUp === undefined ? {} : { warmUp: study.warmUp }),
		set: study.set,
		...(study.prior && { prior: study.prior }),
	};
	return { plan, ...(model.kind === "file" ? { modelFile: model.file } : {}) };
}

/** The page sees names of files, not their folders. */
function refuseTwins(paths: readonly string[]): void {
	const byName = new Map<string, string>();
	for (const path of paths) {
		const name = baseName(path);
		const other = byName.get(name) ?? path;
		if (other !== path)
			throw new InputError(
				`${other} and ${path}`,
				"have the same name",
				"The page sees no folders: rename one file, also in the study.",
			);
		byName.set(name, path);
	}
}

function planRecord(record: StudyRecord, train: Selection, test: Selection): PlanRecord {
	const { file = "", time, rate, start, columns, input, detrend, conditions, missing } = record;
	const { group, only, except, conditionColumns, factors = {}, reading = {}, rest, reset } = record;
	const { doses, doseColumns } = record;
	const filled = (object: object): boolean => Object.keys(object).length > 0;
	const all = (rows: Selection): boolean => rows !== "none" && rows.from === 0 && rows.to === Infinity;
	return {
		file: baseName(file),
		...(record.name === baseName(file) ? {} : { name: record.name }),
		...(time === undefined ? {} : { time }),
		...(rate === undefined ? {} : { rate }),
		...(start === undefined || (time === undefined && start === 0) ? {} : { start }),
		columns: { ...columns },
		input,
		detrend,
		conditions: { ...conditions },
		missing,
		...(filled(factors) ? { factors } : {}),
		...(filled(reading) ? { reading } : {}),
		...(group === undefined ? {} : { group }),
		...(only ? { only } : {}),
		...(except ? { except } : {}),
		...(rest ? { rest } : {}),
		...(reset ? { reset } : {}),
		...(doses ? { doses } : {}),
		...(doseColumns ? { doseColumns } : {}),
		...(Object.keys(conditionColumns).length > 0 ? { conditionColumns } : {}),
		...(all(train) ? {} : { train: rangeOf(train) }),
		...(test === "none" ? {} : { test: rangeOf(test) }),
	};
}

function rangeOf(rows: Rows | "none"): RowRange | "none" {
	if (rows === "none") return "none";
	return rows.to === Infinity ? { from: rows.from } : { from: rows.from, to: rows.to };
}

export function baseName(path: string): string {
	return path.split(/[\\/]/).at(-1) || path;
}

/** A record as CSV that reads back to the same numbers. */
export function recordText({ columns }: TableData): string {
	return csvText(
		columns.map(({ name, unit, ...column }) => ({
			...column,
			name: unit === undefined ? name : `${name} [${unit}]`,
		})),
	);
}

/** The study of the page as one file, which the command line runs, too. */
export function packed(plan: Plan, files: readonly RunFile[]): Uint8Array<ArrayBuffer> {
	const study = parseStudy(planText(plan), "study.yaml", methods);
	const bytesOf = (content: RunFile["content"]): Uint8Array =>
		typeof content === "string" ? new TextEncoder().encode(content) : content;
	return packStudy(study, (file) => {
		const own = files.find(({ name }) => name === file);
		if (!own) throw new InputError(file, "is not here", "Drop the file onto the page first.");
		return bytesOf(own.content);
	}) as Uint8Array<ArrayBuffer>;
}

/** The files of such an archive, the study first; the page sees no folders. */
export function unpacked(bytes: Uint8Array, name: string): readonly RunFile[] {
	const { study, files } = unpackStudy(bytes, name, methods);
	refuseTwins([...files.keys()]);
	return [study, ...[...files.keys()].filter((each) => each !== study)].map((each) => ({
		name: baseName(each),
		content: files.get(each)!,
	}));
}

/** A run folder of `odentify run`, from three of its files. */
export function openRun(ask: { name: string; study: string; result: string; summary: string }): Finished {
	const file = (name: string): string => `${ask.name}/${name}`;
	const { result, facts } = keptResult(ask.result, file("result.json"));
	const summary = summaryIn(ask.summary, file("summary.json"));
	const files: RunFile[] = [
		{ name: "summary.json", content: ask.summary },
		{ name: "study.yaml", content: ask.study },
	];
	return {
		title: ask.name,
		result,
		fits: standardFigures(result.predictions, result.doubts),
		summary,
		rmse: rmseOf(result),
		sentences: rmseSentences(result, facts.noise),
		seconds: Number(summary.seconds),
		files,
	};
}

function summaryIn(text: string, fileName: string): Record<string, unknown> {
	try {
		const summary: unknown = JSON.parse(text);
		if (typeof summary === "object" && summary !== null) return summary as Record<string, unknown>;
	} catch {
		// Said below.
	}
	throw new InputError(
		fileName,
		"is not readable as JSON",
		"The file is damaged or of another version; do the study again.",
	);
}
