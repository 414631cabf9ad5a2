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
	const more = all.length > mostLeftOut ? `; ${all.length - mostLeftOut} more in the report` : "";
	const leftOut =
		all.length > 0 ? [...all.slice(0, mostLeftOut), `  no more than this of each of them${more}`] : [];
	return [
		...labelled(
			"The law",
			law.equations.map(({ plain }) => cut(plain)),
		),
		...labelled("Intervals", [...law.intervals.map((each) => cut(each)), `  each a ${intervalName}`]),
		...labelled("Rivals", rivals),
		...labelled("Left out", leftOut),
		"",
	];
}
