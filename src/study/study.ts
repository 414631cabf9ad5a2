/** What a study file says, checked and with its defaults filled in; what only the model or the data can tell is not yet known. */
import type { DoseColumn } from "../data/doses.ts";
import type { RecordMeaning } from "../data/record.ts";
import type { TableChoices } from "../data/table/table-choices.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { GivenForm } from "../model/language/forms.ts";
import type { Span } from "../model/model.ts";
import type { StudyPrior } from "./prior.ts";
import type { Places } from "./text/schema.ts";
import { StudyError } from "./text/study-error.ts";

/** Rows of a record, 0-based, half-open; `to` is `Infinity` for "to the end". */
export interface Rows {
	readonly from: number;
	readonly to: number;
}

/** Evenly spaced times for a simulation that needs no file. */
export interface Times {
	readonly from: number;
	readonly to: number;
	/** How many samples, both ends counted. */
	readonly samples: number;
}

/** What makes several records of one file. */
export interface Grouping {
	/** The column whose values tell experiments apart, and which of them are wanted: all by default. */
	readonly group?: string;
	readonly only?: readonly string[];
	readonly except?: readonly string[];
	/** Conditions that are columns of the file, one value a record. */
	readonly conditionColumns: Readonly<Record<string, string>>;
	/** Doses that stand in the file, by the input or the state that they go into; a reset begins a new record. */
	readonly doseColumns?: Readonly<Record<string, DoseColumn>>;
}

export interface StudyRecord extends RecordMeaning, Grouping {
	/** How its file is read; what is left out is found out from the file. */
	readonly reading?: TableChoices;
	/** Place in the study: `data`, `data[1]`, `test[0]`. */
	readonly path: string;
	/** As shown: its `name`, else its file's. */
	readonly name: string;
	/** As written, relative to the study file. Absent when `times` stands for it. */
	readonly file?: string;
	readonly times?: Times;
	/** Only of records under `test`. */
	readonly rows?: Rows;
	/** Of a record with groups: whether the study gave its name. */
	readonly isNamed?: boolean;
}

export interface SimulateOptions {
	/** Adds the declared noise to the outputs. */
	readonly noise: boolean;
	readonly rtol: number;
	readonly atol: number;
	/** Times onto which the solver steps exactly. */
	readonly knots: readonly number[];
	/** Species shown as amounts or as concentrations, whatever their id stands for. */
	readonly amounts: readonly string[];
	readonly concentrations: readonly string[];
	/** Significant digits of what is written; 17 are exact. */
	readonly digits: number;
}

/** Which rows of a record are used; `none`: not at all. */
export type Selection = Rows | "none";

export interface Study {
	/** As shown in reports; the file's name by default. */
	readonly name?: string;
	/** Name of the file, for messages. */
	readonly fileName: string;
	readonly source: string;
	readonly places: Places;
	readonly model:
		| { readonly kind: "file"; readonly file: string }
		| { readonly kind: "text"; readonly text: string };
	readonly records: readonly StudyRecord[];
	readonly method: string;
	/** One for each record. */
	readonly train: readonly Selection[];
	readonly test: readonly Selection[];
	/** Further records, only for testing. */
	readonly testRecords: readonly StudyRecord[];
	/** Rows of each test record that tell how it starts; absent: all of them do. */
	readonly warmUp?: number;
	readonly seed: number;
	readonly set: Readonly<Record<string, number>>;
	/** What is known of parameters together. */
	readonly prior?: StudyPrior;
	/** Candidates for unknown functions, in the place of what the model says of their form. */
	readonly library: readonly GivenForm[];
	/** Options given, by method; defaults are the method's. */
	readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	readonly simulate: SimulateOptions;
}

/** What a record's table is kept under: a file that is read in two ways is two tables. */
export function tableKey({ file, reading = {} }: StudyRecord): string {
	const isPlain = Object.keys(reading).length === 0;
	return isPlain ? (file ?? "") : `${file}\n${JSON.stringify(reading)}`;
}

export const allRows: Rows = { from: 0, to: Infinity };

/** Where `path` stands in the study file, or its nearest ancestor that is there. */
export function placeOf(study: Pick<Study, "places">, path: string, part: "key" | "value"): Span {
	for (let here = path; ; here = here.replace(/(\.[^.[]*|\[\d+\])$/, "")) {
		const place = study.places.get(here);
		if (place) return place[here === path ? part : "key"];
		if (!/[.[]/.test(here)) return { start: 0, end: 1 };
	}
}

/** An error at a place of the study file. */
export function problemAt(
	study: Pick<Study, "places">,
	path: string,
	part: "key" | "value",
	message: string,
	remedy = "",
): Diagnostic {
	return { span: placeOf(study, path, part), message, remedy };
}

export function throwAny(
	study: Pick<Study, "fileName" | "source">,
	diagnostics: readonly Diagnostic[],
): void {
	// What holds for every part of a record is told once.
	const key = ({ span, message }: Diagnostic): string => `${span.start} ${span.end} ${message}`;
	const each = [...new Map(diagnostics.map((diagnostic) => [key(diagnostic), diagnostic])).values()];
	if (each.length > 0) throw new StudyError(study.fileName, study.source, each);
}
