/** The law that a method found, on a terminal: its equations, the intervals of their numbers, and its rivals. */
import type { Result } from "../estimate/result.ts";
import { labelled } from "./model-lines.ts";
import { cut } from "./wrap.ts";

/** Terms that were left out: lines for them. */
const mostLeftOut = 6;

export function lawLines({ law, intervalName }: Result): string[] {
	if (!law) return [];
	const rivals = law.rivals.flatMap(({ words, equations }) => [
		...equations.map(({ plain }) => cut(plain)),
		`  ${words}`,
	]);
	const all = law.leftOut ?? [];
	const leftOut = [
		...all.slice(0, mostLeftOut),
		...(all.length > mostLeftOut ? [`  and ${all.length - mostLeftOut} more in the report`] : []),
	];
	return [
		...labelled(
			"The law",
			law.equations.map(({ plain }) => cut(plain)),
		),
		...labelled("Intervals", [...law.intervals.map((each) => cut(each)), `  each a ${intervalName}`]),
		...labelled("Rivals", rivals),
		...labelled("Left out, at most", leftOut),
		"",
	];
}
