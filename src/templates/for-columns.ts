/** A template for the record at hand: columns are matched by what they are called, the model is fitted to their sizes. */
import type { Column, Table } from "../data/table/table.ts";
import { timeColumnOf } from "../data/time/time-column.ts";
import { templateModel } from "./model-text.ts";
import { sampleRecord, scalesOf } from "./sample-record.ts";
import { type Scales, scaleOf, timeScale } from "./scales.ts";
import type { Template, TemplateSignal } from "./template.ts";

export interface TemplateForColumns {
	/** Text of the model. */
	readonly model: string;
	/** The column of times, where one says so. */
	readonly time?: string;
	/** Name in the model: column. */
	readonly columns: Readonly<Record<string, string>>;
	/** Names of the model for which no column is called so: somebody has to say which. */
	readonly open: readonly TemplateSignal[];
	/** Columns of numbers that nothing stands for. */
	readonly left: readonly string[];
}

/** What was already said: which column stands for a name of the model. */
export type GivenColumns = Readonly<Record<string, string>>;

export function templateFor(
	template: Template,
	table: Pick<Table, "columns">,
	given: GivenColumns = {},
	givenTime?: string,
): TemplateForColumns {
	const time = givenTime ?? timeColumnOf(table, Object.values(given));
	const free = new Map(table.columns.map((column) => [column.name, column]));
	if (time !== undefined) free.delete(time);
	const columns: Record<string, string> = {};
	const signals = [...template.inputs, ...template.outputs];
	const take = (name: string, column: string): void => {
		columns[name] = column;
		free.delete(column);
	};
	for (const { name } of signals) if (Object.hasOwn(given, name)) take(name, given[name]);
	// Names first, then other names: `y` is not given away to what is only also called so.
	for (const matches of [isName, isAlsoCalled])
		for (const signal of signals) {
			if (Object.hasOwn(columns, signal.name)) continue;
			const found = [...free.values()].find((column) => matches(signal, column));
			if (found) take(signal.name, found.name);
		}
	const open = signals.filter(({ name }) => !Object.hasOwn(columns, name));
	return {
		model: modelFor(template, table, columns, time),
		...(time === undefined ? {} : { time }),
		columns: Object.fromEntries(Object.entries(columns).filter(([name, column]) => name !== column)),
		open,
		left: [...free.keys()],
	};
}

/** The model of a template with the sizes of its own sample record. */
export function templateText(template: Template): string {
	const own = scalesOf(template, sampleRecord(template).columns);
	return templateModel(template, own, own);
}

function isName({ name }: TemplateSignal, column: Column): boolean {
	return bare(column.name) === bare(name);
}

function isAlsoCalled({ alsoCalled, means }: TemplateSignal, column: Column): boolean {
	return [means, ...alsoCalled].map(bare).includes(bare(column.name));
}

function bare(name: string): string {
	return name.toLowerCase().replace(/[\s_.-]+/g, "");
}

/** With sizes from the record where it has them, from the sample record where not. */
function modelFor(
	template: Template,
	{ columns: all }: Pick<Table, "columns">,
	columns: GivenColumns,
	time: string | undefined,
): string {
	const own = scalesOf(template, sampleRecord(template).columns);
	const valuesOf = (name: string | undefined): Float64Array | undefined => {
		const column = all.find((each) => each.name === name);
		return column && finite(column.values) ? column.values : undefined;
	};
	const signals = new Map(own.signals);
	for (const [name, column] of Object.entries(columns)) {
		const values = valuesOf(column);
		if (values) signals.set(name, scaleOf(values));
	}
	const times = valuesOf(time);
	const outputs = template.outputs.flatMap(({ name }) => valuesOf(columns[name]) ?? []);
	const isTimed = times !== undefined && outputs.length === template.outputs.length;
	const scales: Scales = { time: isTimed ? timeScale(times, outputs) : own.time, signals };
	return templateModel(template, own, scales);
}

function finite(values: Float64Array): boolean {
	return values.some((value) => Number.isFinite(value));
}
