/** `odentify init [FILE]`: a study and a model to begin with, from a template or from the columns of a file. */
import { basename, join, relative, resolve } from "node:path";
import { readTableFile } from "../../data/node/read-file.ts";
import { findColumn } from "../../data/record.ts";
import { refuseWords } from "../../data/table/missing-words.ts";
import type { Table } from "../../data/table/table.ts";
import { DATE_ORDERS, type DateOrder, type TableChoices } from "../../data/table/table-choices.ts";
import { openDates } from "../../data/time/date-column.ts";
import { timeColumnOf } from "../../data/time/time-column.ts";
import { InputError, nearestName } from "../../errors.ts";
import {
	type BeginningFile,
	beginningFor,
	beginningOf,
	linearBeginning,
	type RecordFile,
} from "../../templates/beginning.ts";
import { templateFor } from "../../templates/for-columns.ts";
import { templates } from "../../templates/list.ts";
import type { Template } from "../../templates/template.ts";
import { Asker, canAsk } from "../ask.ts";
import { exitCodes } from "../failure.ts";
import { writeNew } from "../files/new-files.ts";
import { labelled } from "../terminal/model-lines.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export interface InitOptions extends CommonOptions {
	readonly template?: string;
	readonly columns?: string;
	readonly time?: string;
	readonly rate?: string;
	readonly dates?: string;
	readonly sheet?: string;
}

/** What is chosen where no template is. */
const linear = "linear";

export async function init(file: string | undefined, options: InitOptions): Promise<number> {
	const terminal = new Terminal(options);
	const folder = options.out ?? ".";
	const asker = canAsk() ? new Asker() : undefined;
	try {
		const table = file === undefined ? undefined : await tableOf(file, options, asker);
		const name = options.template ?? (await chosenName(table, asker));
		const made =
			table === undefined
				? beginningOf(templateNamed(name))
				: await forFile(file!, folder, table, name, options, asker);
		writeNew(folder, made);
		const study = join(folder, "study.yaml");
		terminal.say(
			labelled(
				"Written",
				made.map((each) => join(folder, each.name)),
			).join("\n"),
		);
		terminal.say(labelled("Next", [`odentify check ${study}`, `odentify run ${study}`]).join("\n"));
		terminal.answer({ study, template: name, files: made.map((each) => join(folder, each.name)) });
		return exitCodes.answer;
	} finally {
		asker?.close();
	}
}

async function tableOf(file: string, options: InitOptions, asker: Asker | undefined): Promise<Table> {
	const table = refuseWords(await readTableFile(file, readingOf(options)));
	const open = table.reading?.dates.find(({ isOpen }) => isOpen);
	if (!open || !asker) return table;
	const dates = (await asker.choose(`The dates of ${open.column} can be read in two ways:`, [
		{ name: "day-first", says: `${open.example} is ${open.dayFirst}` },
		{ name: "month-first", says: `${open.example} is ${open.monthFirst}` },
	])) as DateOrder;
	return readTableFile(file, { ...readingOf(options), dates });
}

function readingOf({ dates, sheet }: InitOptions): TableChoices {
	if (dates !== undefined && !DATE_ORDERS.includes(dates as DateOrder))
		throw new InputError(
			`--dates ${dates}`,
			"is no order of dates",
			`It is one of ${DATE_ORDERS.join(", ")}.`,
		);
	return {
		...(dates === undefined ? {} : { dates: dates as DateOrder }),
		...(sheet === undefined ? {} : { sheet }),
	};
}

async function chosenName(table: Table | undefined, asker: Asker | undefined): Promise<string> {
	const list = templates.map(({ name, sentence }) => ({ name, says: sentence }));
	if (asker) {
		const generic = { name: linear, says: "a linear model of all columns, for a first look." };
		return asker.choose("What is it?", table ? [generic, ...list] : list);
	}
	if (table) return linear;
	throw new InputError(
		"init",
		"says neither a file nor a template",
		[
			"odentify init record.csv  makes a study of a file,  odentify init --template NAME  one with a record of its own. Templates are",
			...list.map(({ name, says }) => `    ${name.padEnd(18)}${says}`),
		].join("\n"),
	);
}

function templateNamed(name: string): Template {
	const found = templates.find((template) => template.name === name);
	if (found) return found;
	const names = templates.map((template) => template.name);
	const near = nearestName(name, names);
	throw new InputError(
		`--template ${name}`,
		name === linear ? "is made from the columns of a file" : "is not known",
		near
			? `Did you mean ${near}?`
			: `Templates are ${names.join(", ")}${name === linear ? "" : `, and ${linear} for a file`}.`,
	);
}

async function forFile(
	file: string,
	folder: string,
	table: Table,
	name: string,
	options: InitOptions,
	asker: Asker | undefined,
): Promise<BeginningFile[]> {
	assertClock(table, options);
	const time = options.time === undefined ? undefined : clockNamed(options.time, table);
	const base: RecordFile = {
		fileName: relative(resolve(folder), resolve(file)).replaceAll("\\", "/") || basename(file),
		table,
		reading: { ...readingOf(options), ...datesOf(table) },
		...(time === undefined ? {} : { time }),
		...(options.rate === undefined ? {} : { rate: rateOf(options.rate, table) }),
		columns: columnsOf(options.columns, table),
	};
	if (name === linear) return linearBeginning({ ...base, table: { ...table, source: file } });
	const template = templateNamed(name);
	const columns = await allColumns(template, base, file, asker);
	return beginningFor(template, { ...base, columns });
}

/** The column that --time names, which has to rise: of one that goes back no length and no rate can be told. */
function clockNamed(name: string, table: Table): string {
	const { name: column, values } = findColumn(table, name);
	const wrong = values.findIndex(
		(value, i) => !Number.isFinite(value) || (i > 0 && !(value > values[i - 1])),
	);
	if (wrong < 0) return column;
	const [before, at] = [values[wrong - 1], values[wrong]];
	const what = !Number.isFinite(at)
		? `it is ${at} in row ${wrong}`
		: `it ${at < before ? "goes back" : "stands still"} at row ${wrong}, from ${before} to ${at}`;
	throw new InputError(
		`--time ${name}`,
		`${table.source}, column ${column} is no clock: ${what} (counted from 0)`,
		"Name the column of times, or give the rate:  --rate 100  Where the file holds several records below one another, write  time: and group:  into the study.",
	);
}

/** Dates that can be read in two ways, where nobody is there to be asked. */
function assertClock(table: Table, { time, rate }: InitOptions): void {
	const name = rate === undefined ? (time ?? timeColumnOf(table)) : undefined;
	const open = table.columns.find((column) => column.name === name)?.open;
	if (open === undefined) return;
	const { subject, problem } = openDates(table.source, open);
	throw new InputError(subject, problem, "Say which:  --dates day-first  or  --dates month-first");
}

/** The order that was chosen by an answer. */
function datesOf(table: Table): TableChoices {
	const chosen = table.reading?.dates.find(({ order, isOpen, dayFirst, monthFirst }) => {
		return order !== undefined && !isOpen && dayFirst !== undefined && monthFirst !== undefined;
	});
	return chosen?.order === undefined ? {} : { dates: chosen.order };
}

/** Columns for every name of the template: as they are called, as --columns says, or as somebody answers. */
async function allColumns(
	template: Template,
	{ table, columns = {}, time }: RecordFile,
	file: string,
	asker: Asker | undefined,
): Promise<Record<string, string>> {
	const chosen: Record<string, string> = { ...columns };
	for (;;) {
		const { open, left } = templateFor(template, table, chosen, time);
		if (open.length === 0) return chosen;
		const [{ name, means }] = open;
		if (left.length === 0)
			throw new InputError(
				file,
				`has no column left for ${name} (${means})`,
				`The template ${template.name} needs ${[...template.inputs, ...template.outputs].map((each) => each.name).join(", ")} beside the time.`,
			);
		// One name and one column: nothing is left to be chosen.
		if (open.length === 1 && left.length === 1) chosen[name] = left[0];
		else if (asker)
			chosen[name] = await asker.choose(
				`Which column is ${name}, the ${means}?`,
				left.map((column) => ({ name: column, says: "" })),
			);
		else
			throw new InputError(
				file,
				`has no column that is called like ${open.map((each) => `${each.name} (${each.means})`).join(", ")}`,
				`Say which they are:  --columns ${open.map((each) => `${each.name}=…`).join(",")}  Columns are ${left.join(", ")}.`,
			);
	}
}

/** `u=Force,y=Position`. */
function columnsOf(text: string | undefined, table: Table): Record<string, string> {
	const columns: Record<string, string> = {};
	for (const part of text === undefined ? [] : text.split(",")) {
		const at = part.indexOf("=");
		const [name, column] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
		if (at < 1 || column === "")
			throw new InputError(
				`--columns ${text}`,
				"is no list of names",
				"Write it as  --columns u=Force,y=Position",
			);
		const names = table.columns.map((each) => each.name);
		if (!names.includes(column)) {
			const near = nearestName(column, names);
			throw new InputError(
				`--columns ${text}`,
				`${table.source} has no column ${column}${near ? `; did you mean ${near}?` : ""}`,
				`Its columns are ${names.join(", ")}.`,
			);
		}
		if (Object.hasOwn(columns, name))
			throw new InputError(
				`--columns ${text}`,
				`names two columns for ${name}: ${columns[name]} and ${column}`,
				"Give each name of the model one.",
			);
		columns[name] = column;
	}
	return columns;
}

function rateOf(text: string, { columns }: Table): number {
	const rate = Number(text);
	const remedy = "Give samples a second:  --rate 100";
	if (!(rate > 0 && Number.isFinite(rate)))
		throw new InputError(`--rate ${text}`, "is not a number above 0", remedy);
	const length = (columns[0]?.values.length ?? 1) / rate;
	if (!Number.isFinite(length))
		throw new InputError(`--rate ${text}`, "makes the record longer than any number", remedy);
	return rate;
}
