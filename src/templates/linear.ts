/** A model for columns of which nothing else is known: each output moves with all of them and with the inputs, linearly. */
import type { Column, Table } from "../data/table/table.ts";
import { timeColumnOf } from "../data/time/time-column.ts";
import { InputError } from "../errors.ts";
import { parseModel } from "../model/language/parse-model.ts";
import { scaleOf, timeScale } from "./scales.ts";

/** So many columns at most: each output has a number for every one of them. */
const mostColumns = 4;
/** Names that inputs have. */
const inputNames =
	/^(u\d*|in(put)?\d*|force|load|voltage|power|flow|inflow|heat|dose|control|command|drive)$/i;

export interface LinearForColumns {
	readonly model: string;
	readonly time?: string;
	/** Name in the model: column, where they differ. */
	readonly columns: Readonly<Record<string, string>>;
}

export interface LinearChoice {
	readonly time?: string;
	readonly inputs?: readonly string[];
	readonly outputs?: readonly string[];
}

/** Inputs are the columns that are called so, outputs all others, unless somebody says which. */
export function linearFor(
	table: Pick<Table, "columns" | "source">,
	choice: LinearChoice = {},
): LinearForColumns {
	const time = choice.time ?? timeColumnOf(table);
	const free = table.columns.filter(({ name }) => name !== time);
	const pick = (names: readonly string[]): Column[] => free.filter(({ name }) => names.includes(name));
	const inputs = choice.inputs ? pick(choice.inputs) : free.filter(({ name }) => inputNames.test(name));
	const outputs = choice.outputs ? pick(choice.outputs) : free.filter((column) => !inputs.includes(column));
	if (outputs.length === 0)
		throw new InputError(
			table.source,
			"has no column that could be an output",
			"Name one:  --columns y=NAME",
		);
	if (outputs.length > mostColumns || inputs.length > mostColumns)
		throw new InputError(
			table.source,
			`has ${free.length} columns beside the time, too many for a model of all of them`,
			"Choose a template with  --template NAME, or keep the columns that belong together.",
		);
	const names = new Names();
	const u = inputs.map((column) => ({ name: names.of(column.name), column }));
	const y = outputs.map((column) => ({ name: names.of(column.name), column }));
	const used = [...u, ...y];
	return {
		model: textOf(u, y, timeOf(table, time, outputs)),
		...(time === undefined ? {} : { time }),
		columns: Object.fromEntries(
			used.filter(({ name, column }) => name !== column.name).map(({ name, column }) => [name, column.name]),
		),
	};
}

interface Named {
	readonly name: string;
	readonly column: Column;
}

function timeOf({ columns }: Pick<Table, "columns">, time: string | undefined, outputs: readonly Column[]) {
	const times = columns.find(({ name }) => name === time)?.values;
	return times
		? timeScale(
				times,
				outputs.map(({ values }) => values),
			)
		: 1;
}

function textOf(inputs: readonly Named[], outputs: readonly Named[], time: number): string {
	const sizeOf = ({ column }: Named): number => scaleOf(column.values).spread || 1;
	const weight = (name: string, size: number): string => `param   ${name} ~ normal(0, ${digits(size)})`;
	const rate = 6 / time;
	const params = outputs.flatMap((to) => [
		...outputs.map((from) => weight(`a_${to.name}_${from.name}`, (rate * sizeOf(to)) / sizeOf(from))),
		...inputs.map((from) => weight(`b_${to.name}_${from.name}`, (rate * sizeOf(to)) / sizeOf(from))),
		weight(`c_${to.name}`, rate * sizeOf(to)),
		`param   s_${to.name} ~ lognormal(log(${digits(0.05 * sizeOf(to))}), 1)`,
	]);
	const equations = outputs.map((to) => {
		const terms = [
			...outputs.map((from) => `a_${to.name}_${from.name}*x_${from.name}`),
			...inputs.map((from) => `b_${to.name}_${from.name}*${from.name}`),
			`c_${to.name}`,
		];
		return `x_${to.name}' = ${terms.join(" + ")}`;
	});
	return [
		"# A linear model of all columns: a first look. Put in what you know of the system instead.",
		"",
		...inputs.map(({ name }) => `input   ${name}`),
		...params,
		...outputs.map((output) => {
			const { first } = scaleOf(output.column.values);
			return `state   x_${output.name} ~ normal(${digits(first)}, ${digits(sizeOf(output))})`;
		}),
		"",
		...equations,
		"",
		...outputs.map(({ name }) => `measure ${name} ~ normal(x_${name}, s_${name})`),
		"",
	].join("\n");
}

/** Names of columns as names of a model. */
class Names {
	readonly #taken = new Set<string>();

	of(column: string): string {
		const plain = column.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
		const base = /^[A-Za-z]/.test(plain) && isFree(plain) ? plain : `y_${plain}`.replace(/_+$/, "");
		let name = base;
		for (let i = 2; this.#taken.has(name); i++) name = `${base}_${i}`;
		this.#taken.add(name);
		return name;
	}
}

/** Not every word may be a name: `t`, `pi`, `sin` mean something. */
function isFree(name: string): boolean {
	try {
		parseModel(`input ${name}\nstate x_0 = 0\nx_0' = ${name}\nmeasure y_0 = x_0\n`, "name");
		return true;
	} catch {
		return false;
	}
}

function digits(value: number): string {
	return String(Number(value.toPrecision(2)));
}
