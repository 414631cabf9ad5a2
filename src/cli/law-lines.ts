/** The law that a method found, on a terminal: its equations, the intervals of their numbers, and its rivals. */
import type { Result } from "../estimate/result.ts";
import { labelled } from "./model-lines.ts";
import { cut } from "./wrap.ts";

export function lawLines({ law, intervalName }: Result): string[] {
	if (!law) return [];
	const rivals = law.rivals.flatMap(({ words, equations }) => [
		...equations.map(({ plain }) => cut(plain)),
		`  ${words}`,
	]);
	return [
		...labelled(
			"The law",
			law.equations.map(({ plain }) => cut(plain)),
		),
		...labelled("Intervals", [...law.intervals.map((each) => cut(each)), `  each a ${intervalName}`]),
		...labelled("Rivals", rivals),
		"",
	];
}
