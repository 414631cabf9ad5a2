/** Study text -> Study. Every error at once, each with its place and the nearest right name. */

import { DETRENDS } from "../../data/record.ts";
import { INTERPOLATIONS } from "../../data/signal/signal.ts";
import {
	DATE_ORDERS,
	DECIMALS,
	SEPARATORS,
	type Separator,
	type TableChoices,
} from "../../data/table/table-choices.ts";
import type { OptionTable } from "../../methods/options.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { libraryOf } from "../library.ts";
import { priorOf, priorShape } from "../prior.ts";
import { doseShape, dosesOf } from "../records/dose-shape.ts";
import { rowsShape, type TestEntry, testShape, trainShape } from "../records/row-selection.ts";
import { allRows, type Rows, type Selection, type Study, type StudyRecord, type Times } from "../study.ts";
import {
	boolean,
	choice,
	type FieldValues,
	integer,
	integerOr,
	mapping,
	marker,
	named,
	number,
	numberOrText,
	oneOrMany,
	optionBlock,
	Place,
	type Places,
	type Shape,
	text,
} from "./schema.ts";
import { type NamedFiles, StudyError } from "./study-error.ts";
import { yamlTree } from "./yaml-source.ts";

/** What the study file needs to know of the methods. */
export type MethodOptions = ReadonlyMap<string, { readonly options: OptionTable }>;

const timesShape = mapping("from, to, and step or samples", {
	from: number(),
	to: number(),
	step: number({ min: 0, open: true }),
	samples: integer({ min: 2, max: 10_000_000 }),
});

const recordFields = {
	name: text,
	file: text,
	times: timesShape,
	rate: number({ min: 0, open: true }),
	time: text,
	start: number(),
	columns: named(text, "model names with their columns, like { u: V1, y: V2 }"),
	input: choice(INTERPOLATIONS),
	detrend: choice(DETRENDS),
	group: text,
	only: oneOrMany(text),
	except: oneOrMany(text),
	conditions: named(numberOrText, "conditions with their values or columns, like { c2: 0.5 }"),
	missing: oneOrMany(marker),
	factors: named(number(), "names of the model with factors, like { y: 0.001 }"),
	header: integerOr({ min: 1 }, "none"),
	separator: choice(Object.keys(SEPARATORS) as Separator[]),
	decimal: choice(DECIMALS),
	dates: choice(DATE_ORDERS),
	units: named(text, "columns with their units, like { y: mm }"),
	sheet: text,
	rest: oneOrMany(named(number(), "conditions with their values, like { c2: 0.5 }")),
	reset: oneOrMany(text),
	doses: named(doseShape, "inputs or states with their doses, like { depot: AMT }"),
} as const;
type RecordFields = FieldValues<typeof recordFields>;

const recordShape = mapping("a record with its file, like { file: record.csv, rate: 100 }", recordFields);
const testRecordShape = mapping("a record with its file, like { file: other.csv }", {
	...recordFields,
	rows: rowsShape,
});

const simulateShape = mapping("options of simulate, like { noise: true }", {
	noise: boolean,
	rtol: number({ min: 1e-14, max: 0.1 }),
	atol: number({ min: 0, max: 1e6 }),
	knots: oneOrMany(number()),
	amounts: oneOrMany(text),
	concentrations: oneOrMany(text),
	digits: integer({ min: 3, max: 17 }),
});

const defaultSimulate = {
	noise: false,
	rtol: 1e-8,
	atol: 1e-10,
	knots: [],
	amounts: [],
	concentrations: [],
	digits: 17,
};

/** Reads a study. Throws StudyError with all that is wrong. */
export function parseStudy(source: string, fileName: string, methods: MethodOptions): Study {
	const diagnostics: Diagnostic[] = [];
	const report = (diagnostic: Diagnostic): void => {
		diagnostics.push(diagnostic);
	};
	const fail = (named?: NamedFiles): never => {
		throw new StudyError(fileName, source, diagnostics, named);
	};
	const tree = yamlTree(source, report);
	if (!tree) return fail();
	const places: Places = new Map();
	const root = new Place(tree, "", tree.span, report, places);
	if (tree.kind === "null") {
		root.wrong("the study is empty", "It needs at least  model:  and  data:");
		return fail();
	}

	const names = [...methods.keys()];
	const blocks = Object.fromEntries([...methods].map(([name, { options }]) => [name, optionBlock(options)]));
	const fields = {
		name: text,
		model: text,
		data: oneOrMany(recordShape),
		method: choice(names),
		train: trainShape,
		test: testShape(testRecordShape),
		warmUp: integer({ min: 1 }),
		seed: integer({ min: 0 }),
		set: named(number(), "names with values, like { k3: 4 }"),
		prior: priorShape,
		library: named(oneOrMany(text), "unknown functions with their candidates, like { f: [1, x, x*y] }"),
		simulate: simulateShape,
	};
	const read = mapping<Record<string, Shape<unknown>>>("the keys of a study", { ...fields, ...blocks }).read(
		root,
	) as FieldValues<typeof fields> | undefined;
	if (!read) return fail();

	if (!places.has("model"))
		root.wrongKey(start(root), 'there is no "model"', "Name the file:  model: my.ode");
	if (!places.has("data"))
		root.wrongKey(
			start(root),
			'there is no "data"',
			"Name the record:  data: { file: record.csv, rate: 100 }",
		);
	const asList = tree.kind === "map" && tree.entries.find(({ key }) => key === "data")?.value.kind === "list";
	const records = (read.data ?? []).map((fields, i) =>
		recordOf(fields, asList ? `data[${i}]` : "data", {}, places, report),
	);
	const { selections, testRecords } = testOf(read.test, read.data?.[0] ?? {}, places, report);
	const count = read.data?.length;
	const train = spreadOver(read.train, count, "train", allRows, places, report);
	const test = spreadOver(selections, count, "test", "none", places, report);
	if (train.length > 0 && train.every((each) => each === "none") && read.train)
		report({
			span: places.get("train")!.value,
			message: "no record is left to train on",
			remedy: "Give one a range.",
		});
	const prior = priorOf(read.prior, places, report);
	const library = libraryOf(read.library ?? {}, places, report);
	if (diagnostics.length > 0) fail(namedFiles(read.model, [...records, ...testRecords], library));

	const model = read.model!;
	return {
		fileName,
		...(read.name === undefined ? {} : { name: read.name }),
		source,
		places,
		// A file's name is one line; a model is more.
		model: model.includes("\n") ? { kind: "text", text: model } : { kind: "file", file: model },
		records,
		method: read.method ?? names[0],
		train,
		test,
		testRecords,
		...(read.warmUp === undefined ? {} : { warmUp: read.warmUp }),
		seed: read.seed ?? 1,
		set: read.set ?? {},
		...(prior && { prior }),
		library,
		options: Object.fromEntries(
			names.filter((name) => name in read).map((name) => [name, (read as Record<string, object>)[name]]),
		) as Study["options"],
		simulate: { ...defaultSimulate, ...read.simulate },
	};
}

function namedFiles(
	model: string | undefined,
	records: readonly StudyRecord[],
	library: Study["library"],
): NamedFiles {
	return {
		library: library.map(({ name }) => name),
		...(model === undefined || model.includes("\n") ? {} : { model }),
		records: records.flatMap(({ file, reading = {} }) => (file === undefined ? [] : [{ file, reading }])),
	};
}

function start(root: Place): { start: number; end: number } {
	return { start: root.tree.span.start, end: root.tree.span.start + 1 };
}

function recordOf(
	fields: RecordFields & { rows?: Rows },
	path: string,
	inherited: RecordFields,
	places: Places,
	report: (diagnostic: Diagnostic) => void,
): StudyRecord {
	// Places are kept for values that have errors too: what was given wrongly is not also missing.
	const given = (key: string): boolean => places.has(`${path}.${key}`);
	const wrong = (key: string, message: string, remedy: string): void =>
		report({ span: places.get(given(key) ? `${path}.${key}` : path)!.key, message, remedy });
	if (!given("file") && !given("times"))
		wrong(
			"file",
			"the record has no file",
			"Add  file: record.csv  (or  times: …  for a simulation without data).",
		);
	if (given("file") && given("times"))
		wrong("times", "a record has a file or times, not both", "Remove one of them.");
	if (given("rate") && given("time"))
		wrong("rate", "a record has a rate or a time column, not both", "Remove one of them.");
	const group = fields.group ?? inherited.group;
	for (const key of ["only", "except"] as const)
		if (given(key) && group === undefined)
			wrong(key, `${key} chooses groups, and the record has none`, "Name their column:  group: Subject");
	if (given("group") && given("times"))
		wrong("group", "times that are made have no groups", "Remove one of them.");
	if (given("times") && Object.values(fields.doses ?? {}).some(({ kind }) => kind === "columns"))
		wrong("doses", "times that are made have no column of doses", "List them:  [{ time: 0, amount: 320 }]");
	const conditions = { ...inherited.conditions, ...fields.conditions };
	const clock = given("rate") || given("time") ? fields : { ...inherited, ...fields };
	return {
		path,
		name: fields.name ?? baseName(fields.file ?? path),
		file: fields.file,
		times: timesOf(fields.times, (message, remedy) => wrong("times", message, remedy)),
		rate: clock.rate,
		time: clock.time,
		start: clock.start ?? (clock.time === undefined ? 0 : undefined),
		columns: { ...inherited.columns, ...fields.columns },
		input: fields.input ?? inherited.input ?? "zoh",
		detrend: fields.detrend ?? inherited.detrend ?? "none",
		conditions: ofType(conditions, "number"),
		conditionColumns: ofType(conditions, "string"),
		...(group === undefined ? {} : { group, isNamed: fields.name !== undefined }),
		...(fields.only ? { only: fields.only } : {}),
		...(fields.except ? { except: fields.except } : {}),
		missing: (fields.missing ?? inherited.missing ?? []).filter((each) => typeof each === "number"),
		factors: { ...inherited.factors, ...fields.factors },
		reading: readingOf(fields, inherited, wrong),
		...(fields.rest ? { rest: fields.rest } : {}),
		...(fields.reset ? { reset: fields.reset } : {}),
		...dosesOf(fields.doses || inherited.doses ? { ...inherited.doses, ...fields.doses } : undefined),
		rows: fields.rows,
	};
}

/** How the file is read. Where the names stand, and in which sheet, is not taken over from another file. */
function readingOf(
	fields: RecordFields,
	inherited: RecordFields,
	wrong: (key: string, message: string, remedy: string) => void,
): TableChoices {
	const { separator, decimal, dates, missing } = { ...inherited, ...fields };
	const { header, sheet } = fields;
	const units = { ...inherited.units, ...fields.units };
	const words = (missing ?? []).filter((each) => typeof each === "string");
	if (separator === "comma" && decimal === "comma")
		wrong("decimal", "a comma cannot be the decimal sign and separate the fields", "Choose another for one.");
	return {
		...(header === undefined ? {} : { header }),
		...(separator === undefined ? {} : { separator }),
		...(decimal === undefined ? {} : { decimal }),
		...(dates === undefined ? {} : { dates }),
		...(sheet === undefined ? {} : { sheet }),
		...(words.length > 0 ? { words } : {}),
		...(Object.keys(units).length > 0 ? { units } : {}),
	};
}

function ofType<T extends "number" | "string">(
	values: Readonly<Record<string, number | string>>,
	type: T,
): Record<string, T extends "number" ? number : string> {
	const chosen = Object.entries(values).filter(([, value]) => typeof value === type);
	return Object.fromEntries(chosen) as Record<string, T extends "number" ? number : string>;
}

function timesOf(
	fields: { from?: number; to?: number; step?: number; samples?: number } | undefined,
	wrong: (message: string, remedy: string) => void,
): Times | undefined {
	if (!fields) return undefined;
	const { from = 0, to, step, samples } = fields;
	if (to === undefined || (step === undefined) === (samples === undefined)) {
		wrong(
			"times are from, to, and either step or samples",
			"For example  times: { from: 0, to: 20, step: 0.01 }",
		);
		return undefined;
	}
	if (!(to > from)) {
		wrong(`times end at ${to}, before they start at ${from}`, "Let  to  be later than  from.");
		return undefined;
	}
	const count = samples ?? Math.floor(((to - from) / step!) * (1 + 1e-12)) + 1;
	if (!(count >= 2 && count <= 10_000_000)) {
		wrong(`the step makes ${count} samples`, "Choose one that makes from 2 to 10 million.");
		return undefined;
	}
	return { from, to: step === undefined ? to : from + (count - 1) * step, samples: count };
}

function testOf(
	entries: readonly TestEntry<RecordFields & { rows?: Rows }>[] | undefined,
	first: RecordFields,
	places: Places,
	report: (diagnostic: Diagnostic) => void,
): { selections: readonly Selection[] | undefined; testRecords: StudyRecord[] } {
	if (!entries || entries.length === 0) return { selections: undefined, testRecords: [] };
	const records = entries.filter((entry) => entry.kind === "record");
	if (records.length === 0)
		return { selections: entries.map((entry) => (entry as { rows: Selection }).rows), testRecords: [] };
	if (records.length < entries.length) {
		report({
			span: places.get("test")!.key,
			message: "test holds rows and records",
			remedy: "List rows of the data, or other records; to test on both, list the file of the data too.",
		});
		return { selections: undefined, testRecords: [] };
	}
	const list = places.has("test[0]");
	return {
		selections: undefined,
		testRecords: records.map((entry, i) =>
			recordOf(entry.record, list ? `test[${i}]` : "test", first, places, report),
		),
	};
}

/** One selection for each record: one range serves all, a list has one for each. */
function spreadOver(
	given: readonly Selection[] | undefined,
	count: number | undefined,
	key: string,
	fallback: Selection,
	places: Places,
	report: (diagnostic: Diagnostic) => void,
): Selection[] {
	const n = count ?? given?.length ?? 0;
	if (!given) return Array.from({ length: n }, () => fallback);
	if (given.length === 1 && !places.has(`${key}[0]`)) return Array.from({ length: n }, () => given[0]);
	if (given.length !== n)
		report({
			span: places.get(key)!.value,
			message: `${key} has ${given.length} ranges, the data have ${n} records`,
			remedy: 'Give one range for each record, in their order; "none" leaves one out.',
		});
	return [...given];
}

function baseName(path: string): string {
	return path.split(/[\\/]/).at(-1) || path;
}
