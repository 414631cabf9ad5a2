/** A table and what a study says about it, to an experiment: inputs as functions of time, outputs as samples. */
import { InputError } from "../errors.ts";
import { DETRENDS, findColumn, modelColumn, type RecordSpec, recordTimes } from "./record.ts";
import { type Signal, signalFrom } from "./signal/signal.ts";
import { type Trend, trendOf, withoutTrend } from "./table/detrend.ts";
import { type RowRange, rowsText } from "./table/rows.ts";
import type { Column, Table } from "./table/table.ts";

/** One output: only the samples that are there. */
export interface Series {
	times: Float64Array;
	values: Float64Array;
	/** Rows of the record, counted from 0. */
	rows: Int32Array;
	/** -1 where the value is only known to be below the one here, 1 where above; absent where all are known. */
	limits?: Int8Array;
}

export interface Experiment {
	name: string;
	/** Times of the chosen rows; initial values hold at the first, which may be an earlier start without a row. */
	times: Float64Array;
	/** Where doses before the record lead to a steady state: when it begins itself, and their (longest) interval. */
	begins?: number;
	lead?: number;
	/** The time after which these doses come back, all of them: absent where there is none. */
	orbit?: number;
	/** Where the record has dates: the one at t = 0; times are seconds then. */
	origin?: string;
	/** Units of the file, of `t` and of inputs and outputs by their names, where it says them. */
	units?: Readonly<Record<string, string>>;
	rows: RowRange;
	/** Made from the whole record, so that interpolation at the ends of the chosen rows knows their neighbours. */
	inputs: Map<string, Signal>;
	/** Of the chosen rows. */
	outputs: Map<string, Series>;
	/** Samples of the first rows, where those alone tell how the record starts; `outputs` then has the others. */
	warmUp?: Map<string, Series>;
	conditions: Record<string, number>;
	/** Conditions of each rest before it begins, all of them; and the state components that are set anew after the first. */
	rest?: readonly Readonly<Record<string, number>>[];
	reset?: readonly string[];
	/** Whose record it is, where several are of one. */
	unit?: string;
	/** What detrending took off each input and output, over the whole record. */
	removed: Record<string, Trend>;
}

/** Whose record it is. */
export const unitOf = ({ unit, name }: Pick<Experiment, "unit" | "name">): string => unit ?? name;

export function experimentFrom(table: Table, spec: RecordSpec): Experiment {
	if (!DETRENDS.includes(spec.detrend)) {
		throw new InputError(
			spec.name,
			`has detrend ${JSON.stringify(spec.detrend)}`,
			`Known are ${DETRENDS.join(", ")}.`,
		);
	}
	for (const [name, value] of Object.entries(spec.conditions)) {
		if (!Number.isFinite(value))
			throw new InputError(`${spec.name}, condition ${name}`, `is ${value}`, "Give a number.");
	}
	const nRows = commonLength(table, spec);
	const factors = new Factors(spec);
	if (spec.time !== undefined) {
		const column = findColumn(table, spec.time);
		refuseLimits(column, `${table.source}, column ${column.name} (times)`, "Times are numbers.");
	}
	const times = factors.applied("t", recordTimes(table, spec, nRows));
	const rows = chosenRows(table, spec, nRows);
	const inputs = new Map<string, Signal>();
	const outputs = new Map<string, Series>();
	const removed: Record<string, Trend> = {};
	const lacking: string[] = [];

	for (const name of spec.inputs) {
		const column = modelColumn(table, spec, name);
		const where = `${table.source}, column ${column.name} (input ${name})`;
		checkInput(column, spec.missing ?? [], where);
		refuseLimits(column, where, "An input is needed in every row as a number.");
		let values = factors.applied(name, column.values);
		if (spec.detrend !== "none") {
			removed[name] = trendOf(times, values, undefined, spec.detrend);
			values = withoutTrend(times, values, removed[name]);
		}
		inputs.set(
			name,
			namedIn(where, () => signalFrom(times, values, spec.input)),
		);
	}
	for (const name of spec.outputs) {
		const column = modelColumn(table, spec, name);
		const where = `${table.source}, column ${column.name} (output ${name})`;
		const used = spec.detrend === "none" ? rows : { from: 0, to: nRows };
		if (spec.detrend !== "none") refuseLimits(column, where, "Leave  detrend  out: limits have no trend.");
		const missing = checkOutput(column, spec.missing ?? [], used, where);
		let values = factors.applied(name, column.values);
		if (spec.detrend !== "none") {
			removed[name] = trendOf(times, values, missing, spec.detrend);
			values = withoutTrend(times, values, removed[name]);
		}
		const series = seriesOf(times, values, missing, factors.limits(name, column.limits), rows);
		if (series) outputs.set(name, series);
		else lacking.push(where);
	}
	// A record may lack an output that others have; one without any says nothing.
	if (outputs.size === 0 && lacking.length > 0)
		throw new InputError(
			lacking[0],
			`has no value in the rows ${rowsText(rows)}`,
			"Choose other rows, or leave the output out.",
		);
	const origin = spec.time === undefined ? undefined : findColumn(table, spec.time).origin;
	return {
		name: spec.name,
		times: withStart(times.subarray(rows.from, rows.to), spec, rows),
		...(origin === undefined ? {} : { origin }),
		...unitsOf(table, spec),
		rows,
		inputs,
		outputs,
		conditions: { ...spec.conditions },
		...(spec.rest && { rest: spec.rest.map((each) => ({ ...spec.conditions, ...each })) }),
		...(spec.reset && { reset: spec.reset }),
		...(spec.unit !== undefined && { unit: spec.unit }),
		removed,
	};
}

/** What was asked for as a unit holds after the factor; that of a header does not, where there is one. */
function unitsOf(table: Table, spec: RecordSpec): { units?: Record<string, string> } {
	const columns: [string, Column][] = [...spec.inputs, ...spec.outputs].map((name) => [
		name,
		modelColumn(table, spec, name),
	]);
	if (spec.time !== undefined) columns.push(["t", findColumn(table, spec.time)]);
	const units = columns.flatMap(([name, { unit, isUnitAsked }]) =>
		unit === undefined || (spec.factors?.[name] !== undefined && !isUnitAsked) ? [] : [[name, unit]],
	);
	if (spec.time === undefined) units.push(["t", "s"]);
	return units.length > 0 ? { units: Object.fromEntries(units) } : {};
}

/** Factors of a record, each a number that is not 0. */
class Factors {
	constructor(private readonly spec: RecordSpec) {
		for (const [name, factor] of Object.entries(spec.factors ?? {}))
			if (!(Number.isFinite(factor) && factor !== 0))
				throw new InputError(
					`${spec.name}, factor of ${name}`,
					`is ${factor}`,
					"Give a number that is not 0.",
				);
	}

	/** A negative factor turns what is above into what is below. */
	limits(name: string, limits: Int8Array | undefined): Int8Array | undefined {
		return limits && (this.spec.factors?.[name] ?? 1) < 0 ? limits.map((sign) => -sign) : limits;
	}

	applied(name: string, values: Float64Array): Float64Array {
		const factor = this.spec.factors?.[name] ?? 1;
		return factor === 1 ? values : values.map((value) => factor * value);
	}
}

/** Where initial values hold before the first row, its time stands before those of the rows. */
function withStart(
	times: Float64Array,
	{ name, time, start, inputs }: RecordSpec,
	rows: RowRange,
): Float64Array {
	if (time === undefined || start === undefined || rows.from > 0 || start === times[0]) return times;
	if (!(start < times[0]))
		throw new InputError(
			`${name}, start`,
			`is ${start}, after the first row at ${times[0]}`,
			"Initial values hold at the start of a record: give a time before its first row, or leave start out.",
		);
	if (inputs.length > 0)
		throw new InputError(
			`${name}, start`,
			`is ${start}, but input ${inputs[0]} is only known from ${times[0]} on`,
			"Add a row with its value at the start, and leave the outputs empty there.",
		);
	return Float64Array.of(start, ...times);
}

/** The length of all columns that the record uses, which has to be one. */
function commonLength(table: Table, spec: RecordSpec): number {
	const columns = [...spec.inputs, ...spec.outputs].map((name) => modelColumn(table, spec, name));
	if (spec.time !== undefined) columns.push(findColumn(table, spec.time));
	const first = columns[0];
	if (first === undefined) return table.nRows;
	for (const column of columns) {
		if (column.values.length !== first.values.length) {
			throw new InputError(
				table.source,
				`has ${first.values.length} values in ${first.name} and ${column.values.length} in ${column.name}`,
				"The columns of one record need the same length.",
			);
		}
	}
	return first.values.length;
}

function chosenRows(table: Table, spec: RecordSpec, nRows: number): RowRange {
	const rows = spec.rows ?? { from: 0, to: nRows };
	if (!(Number.isInteger(rows.from) && rows.from >= 0 && rows.from < rows.to && rows.to <= nRows)) {
		throw new InputError(
			spec.name,
			`asks for the rows ${rowsText(rows)}, ${table.source} has ${rowsText({ from: 0, to: nRows })}`,
			"Choose a range inside, the smaller row first; the last row of a range is not in it.",
		);
	}
	return rows;
}

/** An input has to be known at every row of the record. */
function checkInput({ values, missing }: Column, markers: readonly number[], where: string): void {
	for (let i = 0; i < values.length; i++) {
		if (missing?.[i] === 1 || isMarker(values[i], markers)) {
			throw new InputError(
				where,
				`has no value in row ${i} (counted from 0)`,
				"An input is needed in every row: fill the gap in the file.",
			);
		}
		if (!Number.isFinite(values[i])) {
			throw new InputError(
				where,
				`is ${values[i]} in row ${i} (counted from 0)`,
				"An input is needed in every row: correct the file.",
			);
		}
	}
}

function refuseLimits({ limits, values }: Column, where: string, remedy: string): void {
	const row = limits?.findIndex((sign) => sign !== 0) ?? -1;
	if (row >= 0)
		throw new InputError(
			where,
			`is ${limits![row] < 0 ? "<" : ">"}${values[row]} in row ${row} (counted from 0), a limit and no number`,
			remedy,
		);
}

/** The rows without a value; undefined when all `used` rows have one. */
function checkOutput(
	{ values, missing }: Column,
	markers: readonly number[],
	used: RowRange,
	where: string,
): Uint8Array | undefined {
	let flags = missing;
	for (let i = used.from; i < used.to; i++) {
		if (missing?.[i] === 1) continue;
		if (Number.isNaN(values[i]) || isMarker(values[i], markers)) {
			if (flags === missing) flags = missing?.slice() ?? new Uint8Array(values.length);
			flags![i] = 1;
		} else if (!Number.isFinite(values[i])) {
			const text = values[i] > 0 ? ".inf" : "-.inf";
			throw new InputError(
				where,
				`is ${values[i]} in row ${i} (counted from 0)`,
				`If it stands for a missing value, say  missing: [${text}]  in the data section of the study.`,
			);
		}
	}
	return flags;
}

function isMarker(value: number, markers: readonly number[]): boolean {
	for (const marker of markers)
		if (value === marker || (Number.isNaN(value) && Number.isNaN(marker))) return true;
	return false;
}

/** `undefined` where there is no sample. */
function seriesOf(
	times: Float64Array,
	values: Float64Array,
	missing: Uint8Array | undefined,
	limits: Int8Array | undefined,
	{ from, to }: RowRange,
): Series | undefined {
	let n = 0;
	for (let i = from; i < to; i++) if (missing?.[i] !== 1) n++;
	if (n === 0) return undefined;
	const rows = new Int32Array(n);
	for (let i = from, k = 0; i < to; i++) if (missing?.[i] !== 1) rows[k++] = i;
	const signs = limits && Int8Array.from(rows, (i) => limits[i]);
	const known = signs?.some((sign) => sign !== 0) ? { limits: signs } : {};
	if (n === to - from)
		return { times: times.subarray(from, to), values: values.subarray(from, to), rows, ...known };
	return {
		times: Float64Array.from(rows, (i) => times[i]),
		values: Float64Array.from(rows, (i) => values[i]),
		rows,
		...known,
	};
}

/** Runs `make`; an error of the user's is told with the place it is about. */
function namedIn<T>(where: string, make: () => T): T {
	try {
		return make();
	} catch (error) {
		if (error instanceof InputError)
			throw new InputError(where, `${error.subject} ${error.problem}`, error.remedy);
		throw error;
	}
}
