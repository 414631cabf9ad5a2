/**
 * What a user should know of a record before it runs, with the rows: times that do not increase, fields that are empty,
 * values that are not finite, values far from all others. Where the engine would refuse the record, that is said, too.
 */
import { counted } from "../../src/report/index.ts";
import type { PlanRecord, RowRange, TableColumn, TableData } from "../contract.ts";
import { columnFor, type NeededNames } from "../page/record-guess.ts";

export interface Oddity {
	readonly text: string;
	/** A run would stop at it. */
	readonly stops: boolean;
}

const mostNamed = 4;
/** Distinct values that may be far from all others, and how many there must be of those. */
const mostStrays = 4;
const leastOthers = 5;
/** How far is far: in widths of the range of all others; and how many of the values may be. */
const farWidths = 3;
/** A record may begin with a swift transient: there farther. */
const farAtStart = 100;
const strayShare = 0.2;
const atNoValue = "at “no value” under “Columns and clock”";

export function oddities(record: PlanRecord, table: TableData, needed: NeededNames): readonly Oddity[] {
	const stands = (names: readonly string[]) => new Set(names.map((name) => columnFor(record, name)));
	const inputs = stands(needed.inputs);
	const outputs = stands(needed.outputs);
	const used = usedRows(record, table.nRows);
	const isUsed = used.length > 0;
	return table.columns.flatMap((column): Oddity[] => {
		const { name } = column;
		if (name === record.time) return timeOddities(column).map((text) => ({ text, stops: isUsed }));
		const scan = scanOf(column, record.missing);
		const facts = [
			...(scan.empty.n > 0 ? [`${counted(scan.empty.n, "empty field")} (${scan.empty})`] : []),
			...(scan.odd.n > 0 ? [`${counted(scan.odd.n, "value")} not finite (${scan.odd})`] : []),
		].join(" and ");
		const say = (text: string, stops: boolean): Oddity[] =>
			facts === "" ? [] : [{ text: `${name}: ${facts}${text}`, stops }];
		if (inputs.has(name))
			return [
				...say(". It is needed in every row: fill it in the file.", isUsed),
				...strays(name, scan, false),
			];
		if (!outputs.has(name)) return say(", in a column that is not used.", false);
		const kinds = [...scan.kinds].join(", ");
		const stops = scan.odd.n > 0 && used.some((rows) => hasOdd(column, scan, rows));
		const advice =
			scan.odd.n === 0
				? ", left out."
				: stops
					? `. The run would stop there: where it stands for no value, write ${kinds} ${atNoValue}.`
					: ", outside the rows that are used.";
		return [...say(advice, stops), ...strays(name, scan, true)];
	});
}

/** Rows of which the engine needs every value: all, where a trend is taken off them. */
function usedRows({ train = { from: 0 }, test = "none", detrend }: PlanRecord, nRows: number): RowRange[] {
	const chosen = [train, test].filter((rows) => rows !== "none");
	return detrend === "none" || chosen.length === 0 ? chosen : [{ from: 0, to: nRows }];
}

const timesKnown = new WeakMap<TableColumn, readonly string[]>();

function timeOddities(column: TableColumn): readonly string[] {
	const before = timesKnown.get(column);
	if (before) return before;
	const { name, values } = column;
	const none = new Rows();
	const back = new Rows();
	const steps: string[] = [];
	for (let i = 0; i < values.length; i++) {
		if (!Number.isFinite(values[i])) none.add(i);
		else if (i > 0 && values[i] <= values[i - 1]) {
			if (back.n < mostNamed) {
				const again = values[i] === values[i - 1];
				steps.push(`row ${i} (${short(values[i])} ${again ? "again" : `after ${short(values[i - 1])}`})`);
			}
			back.add(i);
		}
	}
	const more = back.n > mostNamed ? ` and ${back.n - mostNamed} more` : "";
	const texts = [
		...(none.n > 0 ? [`${name} has no number in ${none}: every row needs a time.`] : []),
		...(back.n > 0
			? [
					`${name} does not increase in ${counted(back.n, "row")}: ${steps.join(", ")}${more}. Sort the rows by time and keep one row for each time, or choose the rate under “Columns and clock”.`,
				]
			: []),
	];
	timesKnown.set(column, texts);
	return texts;
}

/** Rows that share something: the first of them by number. */
class Rows {
	n = 0;
	last = -1;
	readonly #first: number[] = [];

	add(row: number): void {
		this.last = row;
		if (this.n++ < mostNamed) this.#first.push(row);
	}

	toString(): string {
		const first = this.#first;
		if (this.n === 1) return `row ${first[0]}`;
		if (this.n > mostNamed) return `rows ${first.join(", ")} and ${this.n - mostNamed} more`;
		return `rows ${first.slice(0, -1).join(", ")} and ${first.at(-1)}`;
	}
}

interface Scan {
	readonly empty: Rows;
	readonly odd: Rows;
	/** What is not finite, in the words of the field for no value. */
	readonly kinds: ReadonlySet<string>;
	/** Few values that lie far outside the range of all others, as loggers write -999 for none: with their rows. */
	readonly far: ReadonlyMap<number, Rows>;
	readonly isNone: (row: number) => boolean;
}

const scansKnown = new WeakMap<TableColumn, { readonly markers: string; readonly scan: Scan }>();

/** A column is looked through once for each list of numbers that stand for no value: it may be long. */
function scanOf(column: TableColumn, given: readonly number[]): Scan {
	const markers = given.join();
	const before = scansKnown.get(column);
	if (before?.markers === markers) return before.scan;
	const scan = scanned(column, given);
	scansKnown.set(column, { markers, scan });
	return scan;
}

function scanned({ values, missing }: TableColumn, markers: readonly number[]): Scan {
	// `includes` finds NaN, too.
	const isNone = (row: number): boolean =>
		missing?.[row] === 1 || (markers.length > 0 && markers.includes(values[row]));
	const empty = new Rows();
	const odd = new Rows();
	const kinds = new Set<string>();
	const lowest = new Lowest();
	const negated = new Lowest();
	let nFinite = 0;
	for (let i = 0; i < values.length; i++) {
		const value = values[i];
		if (isNone(i)) empty.add(i);
		else if (Number.isFinite(value)) {
			nFinite++;
			if (value < lowest.gate) lowest.add(value);
			if (-value < negated.gate) negated.add(-value);
		} else {
			odd.add(i);
			kinds.add(Number.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf");
		}
	}
	const highest = negated.values.map((value) => -value);
	const farOff = (widths: number): Map<number, Rows> => {
		const far = new Map(farOnes(lowest.values, highest, widths).map((value) => [value, new Rows()]));
		if (far.size > 0) for (let i = 0; i < values.length; i++) if (!isNone(i)) far.get(values[i])?.add(i);
		return far;
	};
	let far = farOff(farWidths);
	const last = Math.max(...[...far.values()].map((rows) => rows.last));
	if (last < countOf(far)) far = farOff(farAtStart);
	if (countOf(far) > strayShare * nFinite) far.clear();
	return { empty, odd, kinds, far, isNone };
}

function countOf(far: ReadonlyMap<number, Rows>): number {
	return [...far.values()].reduce((sum, { n }) => sum + n, 0);
}

function hasOdd({ values }: TableColumn, { isNone }: Scan, { from, to = values.length }: RowRange): boolean {
	for (let i = from; i < Math.min(to, values.length); i++)
		if (!Number.isFinite(values[i]) && !isNone(i)) return true;
	return false;
}

/** The lowest distinct numbers of many, rising. */
class Lowest {
	readonly values: number[] = [];
	/** Only numbers below have a place. */
	gate = Infinity;

	add(value: number): void {
		const { values } = this;
		if (values.includes(value)) return;
		// A record that only falls comes by here in every row: nothing is made anew.
		if (values.length < mostStrays + leastOthers) values.push(value);
		let at = values.length - 1;
		for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
		values[at] = value;
		if (values.length === mostStrays + leastOthers) this.gate = values[values.length - 1];
	}
}

function strays(name: string, { far }: Scan, mayBeNone: boolean): Oddity[] {
	const n = countOf(far);
	if (n === 0) return [];
	const named = [...far].map(([value, rows]) => `${short(value)} (${rows})`).join(", ");
	const advice = mayBeNone
		? ` Where ${n > 1 ? "one" : "it"} stands for no value, write it ${atNoValue}.`
		: "";
	const text = `${name}: ${counted(n, "value")} ${n > 1 ? "are" : "is"} far from all others: ${named}.${advice}`;
	return [{ text, stops: false }];
}

/** As many as can be taken off both ends while each end stands far from what is left. */
function farOnes(lowest: readonly number[], highest: readonly number[], widths: number): readonly number[] {
	for (let n = mostStrays; n > 0; n--)
		for (let low = 0; low <= n; low++) {
			const high = n - low;
			const lo = lowest[low];
			const hi = highest[high];
			if (!(lo < hi) || lowest.slice(low).filter((value) => value <= hi).length < leastOthers) continue;
			const far = widths * (hi - lo);
			if (low > 0 && !(lo - lowest[low - 1] > far)) continue;
			if (high > 0 && !(highest[high - 1] - hi > far)) continue;
			return [...lowest.slice(0, low), ...highest.slice(0, high)];
		}
	return [];
}

const short = (value: number): string => String(Number(value.toPrecision(12)));
