/** The table of parameters in a terminal: aligned at the decimal point, digits as the uncertainty allows. */
import type { MethodAnswer, ParameterRow } from "../../estimate/result.ts";
import { intervalParts, uncertainParts } from "../../report/format.ts";

/** Lines of the table, without indentation. */
export function parameterTable(
	rows: readonly ParameterRow[],
	method: string,
	intervalName: string,
): string[] {
	if (rows.length === 0) return [];
	const estimates = estimateCells(rows);
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
	return lines(columns);
}

/** Every method's answers side by side, a row a parameter; what is proved as an interval, the rest with its error. */
export function comparisonTable(answers: readonly MethodAnswer[]): string[] {
	const names = [...new Set(answers.flatMap(({ parameters }) => parameters.map(({ name }) => name)))];
	if (names.length === 0) return [];
	return lines([
		column("", names),
		...answers
			.filter(({ answered, parameters }) => answered && parameters.length > 0)
			.map(({ method, parameters }) => {
				const cells = parameters.every(({ proved }) => proved)
					? intervalCells(parameters).map((cell) => `[${cell.replace(" …", ",")}]`)
					: estimateCells(parameters);
				const of = new Map(parameters.map(({ name }, i) => [name, cells[i]]));
				return column(
					method,
					names.map((name) => of.get(name) ?? ""),
				);
			}),
	]);
}

function lines(columns: readonly (readonly string[])[]): string[] {
	return columns[0].map((_, line) =>
		columns
			.map((cells) => cells[line])
			.join("   ")
			.trimEnd(),
	);
}

/** `1.002 ± 0.004`, points aligned. */
function estimateCells(rows: readonly ParameterRow[]): string[] {
	const parts = rows.map((row) => uncertainParts(row.estimate, row.sd));
	const values = alignPoints(parts.map(({ value }) => value));
	const sds = alignPoints(parts.map(({ sd }) => sd));
	return rows.map((_, i) => {
		const { sd, exponent } = parts[i];
		const body = sd
			? `${values[i]} ± ${sds[i]}`
			: `${values[i]}${" ".repeat(sds[i].length > 0 ? 3 + sds[i].length : 0)}`;
		return exponent === 0 ? body : `${body} e${exponent}`;
	});
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
