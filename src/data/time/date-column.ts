/**
 * A column of dates as seconds since its first. Where day and month may be either way round, both readings are followed:
 * one ends where a date has no place in the calendar; of two that are left, one under which time goes back is none.
 */
import { InputError } from "../../errors.ts";
import { DATE_ORDERS, type DateOrder, type DateReading } from "../table/table-choices.ts";
import { type DateReadings, dateReadings, isoText, secondsBetween, type TimeStamp } from "./time-stamp.ts";

const key = { "day-first": "dayFirst", "month-first": "monthFirst" } as const;
const words = { "day-first": "the day first", "month-first": "the month first" } as const;

/** One way to read the column. */
class Candidate {
	origin: TimeStamp | undefined;
	values: Float64Array<ArrayBuffer> = new Float64Array(1024);
	isRising = true;
	/** The field that has no place in the calendar under this reading. */
	ended: { readonly line: number; readonly text: string } | undefined;
	#last = -Infinity;

	add(row: number, stamp: TimeStamp): void {
		this.origin ??= stamp;
		if (row >= this.values.length) {
			const larger = new Float64Array(2 * row);
			larger.set(this.values);
			this.values = larger;
		}
		const value = secondsBetween(this.origin, stamp);
		this.values[row] = value;
		if (value < this.#last) this.isRising = false;
		this.#last = value;
	}
}

export interface ReadDates {
	readonly values: Float64Array;
	readonly reading: DateReading;
}

export class DateColumn {
	readonly #ways: Readonly<Record<DateOrder, Candidate>> = {
		"day-first": new Candidate(),
		"month-first": new Candidate(),
	};
	#first: { readonly text: string; readonly readings: DateReadings } | undefined;
	#hasOrder = false;
	#isDotted = true;
	readonly #empty: number[] = [];

	constructor(private readonly asked: DateOrder | undefined) {}

	/** Throws InputError for what is no date, or not in the order of the others; `where` says where it stands. */
	add(row: number, text: string, line: number, where: () => string): void {
		const readings = dateReadings(text);
		if (readings === undefined)
			throw new InputError(
				where(),
				`holds ${JSON.stringify(text)}, elsewhere the column has dates`,
				"Write dates as 2024-05-01 12:30:00.25, or times as numbers.",
			);
		this.#first ??= { text, readings };
		if (readings.dayFirst !== readings.monthFirst) {
			this.#hasOrder = true;
			if (!readings.isDotted) this.#isDotted = false;
		}
		for (const order of this.#alive()) {
			const stamp = readings[key[order]];
			if (stamp) this.#ways[order].add(row, stamp);
			else this.#ways[order].ended = { line, text };
		}
		if (this.#alive().length === 0) throw this.#mixed(text, where());
	}

	/** A row without a date. */
	skip(row: number): void {
		this.#empty.push(row);
	}

	#alive(): DateOrder[] {
		return DATE_ORDERS.filter(
			(order) => (this.asked ?? order) === order && this.#ways[order].ended === undefined,
		);
	}

	#mixed(text: string, where: string): InputError {
		if (this.asked !== undefined)
			return new InputError(
				where,
				`holds ${JSON.stringify(text)}, which is no date with ${words[this.asked]}`,
				`Correct it, or say  dates: ${DATE_ORDERS.find((order) => order !== this.asked)}`,
			);
		const earlier = DATE_ORDERS.map((order) => ({ order, ...this.#ways[order].ended! })).find(
			(ended) => ended.text !== text,
		);
		if (earlier === undefined)
			return new InputError(
				where,
				`holds ${JSON.stringify(text)}, a date that no calendar has`,
				"Correct it.",
			);
		const [of, other] = earlier.order === "day-first" ? ["month", "day"] : ["day", "month"];
		return new InputError(
			where,
			`holds ${JSON.stringify(text)}, a date with the ${other} first, and line ${earlier.line} holds ${JSON.stringify(earlier.text)}, one with the ${of} first`,
			"Write all dates of the column in one order, best as 2024-05-01.",
		);
	}

	read(column: string, nRows: number): ReadDates {
		const alive = this.#alive();
		const rising = alive.filter((order) => this.#ways[order].isRising);
		const left = rising.length > 0 ? rising : alive;
		const isSame = left.length === 1 || !this.#hasOrder || this.#same(nRows);
		const { text, readings } = this.#first!;
		const { dayFirst, monthFirst } = readings;
		const values = this.#ways[left[0]].values.slice(0, nRows);
		for (const row of this.#empty) if (row < nRows) values[row] = Number.NaN;
		return {
			values,
			reading: {
				column,
				example: text,
				...(this.#hasOrder ? { order: left[0] } : {}),
				isOpen: !isSame && !this.#isDotted,
				...(this.#hasOrder && dayFirst ? { dayFirst: isoText(dayFirst) } : {}),
				...(this.#hasOrder && monthFirst ? { monthFirst: isoText(monthFirst) } : {}),
			},
		};
	}

	/** All on one day: the times between them are the same either way. */
	#same(nRows: number): boolean {
		const [a, b] = DATE_ORDERS.map((order) => this.#ways[order].values);
		for (let i = 0; i < nRows; i++) if (a[i] !== b[i]) return false;
		return true;
	}
}

/** The question that a column of dates leaves open. */
export function openDates(
	source: string,
	{ column, example, dayFirst, monthFirst }: DateReading,
): InputError {
	return new InputError(
		`${source}, column ${column}`,
		`holds dates that can be read in two ways: ${JSON.stringify(example)} is ${dayFirst} with the day first, ${monthFirst} with the month first`,
		"Say which, beside  file  in the study:  dates: day-first  or  dates: month-first",
	);
}
