/**
 * How a file is to be read, where its reader should not find out by itself: the same names in a study's record, in a
 * program and on the page. And what a reader understood, so that it can be shown and corrected.
 */
import { checkNames, InputError } from "../../errors.ts";

/** How fields are separated, and the sign itself; blanks are any run of blanks and tabs. */
export const SEPARATORS = { comma: ",", semicolon: ";", tab: "\t", pipe: "|", blanks: " " } as const;
export type Separator = keyof typeof SEPARATORS;

export const DECIMALS = ["point", "comma"] as const;
export type Decimal = (typeof DECIMALS)[number];

/** Of dates such as 05/01/2024, in which both come before the year. */
export const DATE_ORDERS = ["day-first", "month-first"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** What is left out is found out from the file. */
export interface TableChoices {
	/** The line of the names, from 1 as an editor counts; `none` where the columns have no names. */
	readonly header?: number | "none";
	readonly separator?: Separator;
	readonly decimal?: Decimal;
	readonly dates?: DateOrder;
	/** Words that stand for "no value", beside the usual ones. */
	readonly words?: readonly string[];
	/** Units by column, over those of the header. */
	readonly units?: Readonly<Record<string, string>>;
	/** The sheet of a workbook; the first with numbers by default. */
	readonly sheet?: string;
}

const known = [
	"header",
	"separator",
	"decimal",
	"dates",
	"words",
	"units",
	"sheet",
] as const satisfies readonly (keyof TableChoices)[];

/** Throws InputError where a choice cannot be meant. */
export function checkChoices(choices: TableChoices): void {
	checkNames("choice", choices, known);
	const { header, separator, decimal, dates } = choices;
	const oneOf = (name: string, value: string | undefined, all: readonly string[]): void => {
		if (value !== undefined && !all.includes(value))
			throw new InputError(name, `is ${JSON.stringify(value)}`, `It is one of ${all.join(", ")}.`);
	};
	oneOf("separator", separator, Object.keys(SEPARATORS));
	oneOf("decimal", decimal, DECIMALS);
	oneOf("dates", dates, DATE_ORDERS);
	if (header !== undefined && header !== "none" && !(Number.isInteger(header) && header >= 1))
		throw new InputError("header", `is ${header}`, "Give the number of a line, from 1, or none.");
	if (separator === "comma" && decimal === "comma")
		throw new InputError("decimal: comma", "a comma cannot separate the fields as well", "Choose another.");
}

/** What a reader understood of a file; mat and parquet files say all of it themselves. */
export interface Reading {
	readonly format: "text" | "xlsx";
	/** Lines above the names that belong to no row, without comments. */
	readonly titles: readonly string[];
	/** Lines, from 1; absent where there is none. */
	readonly header?: number;
	readonly unitLine?: number;
	/** The first line of numbers. */
	readonly firstRow?: number;
	readonly separator?: Separator;
	readonly decimal?: Decimal;
	readonly dates: readonly DateReading[];
	/** Words that were taken for "no value" and how often each came; the empty word is an empty field. */
	readonly words: Readonly<Record<string, number>>;
	/** Of a workbook: the sheets that it has, and the one that was read. */
	readonly sheets?: readonly string[];
	readonly sheet?: string;
}

/** How a column of dates was read. */
export interface DateReading {
	readonly column: string;
	/** The first date, as it stands in the file. */
	readonly example: string;
	/** Absent where the dates themselves say it: 2024-05-01, 1 May 2024. */
	readonly order?: DateOrder;
	/** Both orders fit, and give other times: somebody has to say which. `order` is then only a proposal. */
	readonly isOpen: boolean;
	/** The example in both orders, as 2024-05-01 15:00. */
	readonly dayFirst?: string;
	readonly monthFirst?: string;
}
