/** The table of parameters in a terminal: aligned at the decimal point, digits as the uncertainty allows. */
import type { ParameterRow } from "../methods/result.ts";
import { intervalParts, uncertainParts } from "../report/format.ts";

/** Lines of the table, without indentation. */
export function parameterTable(
	rows: readonly ParameterRow[],
	method: string,
	intervalName: string,
): string[] {
	if (rows.length === 0) return [];
	const parts = rows.map((row) => uncertainParts(row.estimate, row.sd));
	const values = alignPoints(parts.map(({ value }) => value));
	const sds = alignPoints(parts.map(({ sd }) => sd));
	const estimates = rows.map((_, i) => {
		const { sd, exponent } = parts[i];
		const body = sd
			? `${values[i]} ± ${sds[i]}`
			: `${values[i]}${" ".repeat(sds[i].length > 0 ? 3 + sds[i].length : 0)}`;
		return exponent === 0 ? body : `${body} e${exponent}`;
	});
	const intervals = intervalCells(rows);
	const verdicts = rows.map(({ verdict }) => verdict ?? "");
	const columns = [
		column(
			"",
			rows.map(({ name }) => name),
		),
		column(method, estimates),
		...(intervals.some((each) => each) ? [column(intervalName, intervals)] : []),
		...(verdicts.some((each) => each) ? [column("", verdicts)] : []),
	];
	return [0, ...rows.map((_, i) => i + 1)].map((line) =>
		columns
			.map((cells) => cells[line])
			.join("   ")
			.trimEnd(),
	);
}

/** `0.996 … 1.008`, both ends aligned. */
function intervalCells(rows: readonly ParameterRow[]): string[] {
	const parts = rows.map(({ lo, hi, sd, proved }) =>
		lo === undefined || hi === undefined ? undefined : intervalParts(lo, hi, sd, proved),
	);
	const los = alignPoints(parts.map((part) => part?.lo ?? ""));
	const his = alignPoints(parts.map((part) => part?.hi ?? ""));
	return parts.map((part, i) => {
		if (!part) return "";
		return `${los[i]} … ${his[i]}${part.exponent === 0 ? "" : ` e${part.exponent}`}`;
	});
}

function column(head: string, cells: readonly string[]): string[] {
	const width = Math.max(...[head, ...cells].map(length));
	return [head, ...cells].map((cell) => cell + " ".repeat(width - length(cell)));
}

/** Pads numbers so that their decimal points stand below one another. */
export function alignPoints(numbers: readonly string[]): string[] {
	const whole = numbers.map((text) => (text.includes(".") ? text.indexOf(".") : length(text)));
	const fraction = numbers.map((text, i) => length(text) - whole[i]);
	const left = Math.max(0, ...whole);
	const right = Math.max(0, ...fraction);
	return numbers.map((text, i) => " ".repeat(left - whole[i]) + text + " ".repeat(right - fraction[i]));
}

function length(text: string): number {
	return [...text].length;
}
