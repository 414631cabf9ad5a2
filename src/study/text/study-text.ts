/**
 * A study as text again, with everything resolved: the model's text inside, every default written out. It is a study
 * itself: running it repeats the run.
 */
import { stringify } from "yaml";
import { defaultOptions } from "../../methods/options.ts";
import type { StudyPrior } from "../prior.ts";
import { dosesText } from "../records/dose-shape.ts";
import type { Rows, Selection, Study, StudyRecord } from "../study.ts";
import type { MethodOptions } from "./study-file.ts";

/** `fileOf` says how a record's file is named in the new text, which may lie in another folder. */
export function studyText(
	study: Study,
	modelText: string,
	methods: MethodOptions,
	fileOf: (file: string) => string,
): string {
	const one = <T>(list: readonly T[]): T | readonly T[] => (list.length === 1 ? list[0] : list);
	// `all` hands the options of other methods on to them.
	const asked = new Set([...Object.keys(study.options), study.method]);
	const optionsOf = (name: string): object => ({
		...defaultOptions(methods.get(name)?.options ?? {}),
		...study.options[name],
	});
	const rows = (selections: readonly Selection[]): unknown =>
		one(selections.map((selection) => (selection === "none" ? "none" : rowsText(selection))));
	const testRecords = study.testRecords.map((record) => recordText(record, fileOf));
	const isUsed = (selections: readonly Selection[]): boolean => selections.some((each) => each !== "none");
	const resolved = {
		...(study.name === undefined ? {} : { name: study.name }),
		model: modelText.endsWith("\n") ? modelText : `${modelText}\n`,
		data: one(study.records.map((record) => recordText(record, fileOf))),
		method: study.method,
		train: rows(study.train),
		...(testRecords.length > 0 ? { test: one(testRecords) } : {}),
		...(isUsed(study.test) ? { test: rows(study.test) } : {}),
		...(study.warmUp === undefined ? {} : { warmUp: study.warmUp }),
		seed: study.seed,
		...(Object.keys(study.set).length > 0 ? { set: { ...study.set } } : {}),
		...(study.prior && { prior: priorText(study.prior, fileOf) }),
		simulate: withoutEmpty(study.simulate),
		...Object.fromEntries([...asked].map((name) => [name, optionsOf(name)])),
	};
	return stringify(resolved, { lineWidth: 0, blockQuote: "literal", aliasDuplicateObjects: false });
}

function priorText(prior: StudyPrior, fileOf: (file: string) => string): StudyPrior {
	return "from" in prior ? { ...prior, from: fileOf(prior.from) } : { ...prior, mean: { ...prior.mean } };
}

/** A list of nothing is not written: it could not be read again. */
function withoutEmpty(options: object): object {
	return Object.fromEntries(
		Object.entries(options).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
	);
}

function recordText(record: StudyRecord, fileOf: (file: string) => string): Record<string, unknown> {
	const { file, times, rate, time, start, columns, input, detrend, missing, rows, name } = record;
	const { group, only, except, isNamed = true, factors = {} } = record;
	const { words = [], ...reading } = record.reading ?? {};
	const conditions = { ...record.conditions, ...record.conditionColumns };
	const filled = (object: object): boolean => Object.keys(object).length > 0;
	return {
		// The names of groups are made from it where it is given.
		...(group === undefined || isNamed ? { name } : {}),
		...(file === undefined ? {} : { file: fileOf(file) }),
		...(times === undefined ? {} : { times }),
		...(rate === undefined ? {} : { rate }),
		...(time === undefined ? {} : { time }),
		...(start === undefined || file === undefined ? {} : { start }),
		...(filled(columns) ? { columns: { ...columns } } : {}),
		input,
		detrend,
		...(group === undefined ? {} : { group }),
		...(only === undefined ? {} : { only }),
		...(except === undefined ? {} : { except }),
		...(filled(conditions) ? { conditions } : {}),
		...(missing.length + words.length > 0 ? { missing: [...missing, ...words] } : {}),
		...(filled(factors) ? { factors: { ...factors } } : {}),
		...reading,
		...(record.rest === undefined ? {} : { rest: record.rest.map((each) => ({ ...each })) }),
		...(record.reset === undefined ? {} : { reset: record.reset }),
		...dosesText(record),
		...(rows === undefined ? {} : { rows: rowsText(rows) }),
	};
}

function rowsText({ from, to }: Rows): string {
	return `${from}..${to === Infinity ? "" : to}`;
}
