/** A study and a model to begin with: from a template, or from the columns of a file alone. */
import { stringify } from "yaml";
import { csvText } from "../data/csv/write-csv.ts";
import type { Table } from "../data/table/table.ts";
import type { TableChoices } from "../data/table/table-choices.ts";
import { templateFor, templateText } from "./for-columns.ts";
import { linearFor } from "./linear.ts";
import { sampleRecord } from "./sample-record.ts";
import type { Template } from "./template.ts";

/** A file to write, by its name. */
export interface BeginningFile {
	readonly name: string;
	readonly content: string;
}

export interface RecordFile {
	readonly fileName: string;
	readonly table: Pick<Table, "columns">;
	/** How it is read, where that had to be said. */
	readonly reading?: TableChoices;
	readonly time?: string;
	readonly rate?: number;
	/** Name in the model: column. */
	readonly columns?: Readonly<Record<string, string>>;
}

/** With the template's own sample record. */
export function beginningOf(template: Template): BeginningFile[] {
	const { columns } = sampleRecord(template);
	const unitOf = new Map([...template.inputs, ...template.outputs].map(({ name, unit }) => [name, unit]));
	const record = csvText(
		Object.entries(columns).map(([name, values]) => ({
			name: unitOf.has(name) ? `${name} [${unitOf.get(name)}]` : name,
			values: Float64Array.from(values, (value) => Number(value.toPrecision(7))),
		})),
	);
	const study = studyOf(template.title, `${template.name}.ode`, { file: "record.csv", time: "t" });
	return [
		{ name: "study.yaml", content: study },
		{ name: `${template.name}.ode`, content: templateText(template) },
		{ name: "record.csv", content: record },
	];
}

/** For a file at hand. Columns that nothing is called like have to be in `columns`. */
export function beginningFor(template: Template, record: RecordFile): BeginningFile[] {
	const made = templateFor(template, record.table, record.columns, record.time);
	return filesOf(template.title, template.name, record, made);
}

/** A linear model of the columns, where nothing else is known of them. */
export function linearBeginning(
	record: RecordFile & { readonly table: Pick<Table, "columns" | "source"> },
): BeginningFile[] {
	return filesOf("A first look", "linear", record, linearFor(record.table, { time: record.time }));
}

interface Made {
	readonly model: string;
	readonly time?: string;
	readonly columns: Readonly<Record<string, string>>;
}

function filesOf(title: string, name: string, record: RecordFile, made: Made): BeginningFile[] {
	const { words, ...reading } = record.reading ?? {};
	const data = {
		file: record.fileName,
		...(record.rate === undefined && made.time !== undefined ? { time: made.time } : {}),
		...(record.rate === undefined ? {} : { rate: record.rate }),
		...(Object.keys(made.columns).length > 0 ? { columns: made.columns } : {}),
		...(words === undefined ? {} : { missing: [...words] }),
		...reading,
	};
	return [
		{ name: "study.yaml", content: studyOf(title, `${name}.ode`, data) },
		{ name: `${name}.ode`, content: made.model },
	];
}

function studyOf(title: string, model: string, data: object): string {
	const body = stringify({ model, data, method: "fit" }, { lineWidth: 0 });
	return `# ${title}. Look at it with  odentify check study.yaml  and run it with  odentify run study.yaml\n${body}`;
}
