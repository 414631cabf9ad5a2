/** The law that a method found, on a terminal: its equations, the intervals of their numbers, and its rivals. */
import { ofRecord, type Result } from "../../estimate/result.ts";
import { labelled } from "./model-lines.ts";
import { cut } from "./wrap.ts";

/** Terms that were left out: lines for them. */
const mostLeftOut = 6;
/** Equations, of all records together. */
const mostEquations = 24;

export function lawLines({ law, intervalName }: Result): string[] {
	if (!law) return [];
	const rivals = law.rivals.flatMap(({ words, equations }) => [
		...few(equations.map(ofRecord)).map((each) => cut(each)),
		`  ${words}`,
	]);
	const all = law.leftOut ?? [];
	const more = all.length > mostLeftOut ? `; ${all.length - mostLeftOut} more in the report` : "";
	const leftOut =
		all.length > 0 ? [...all.slice(0, mostLeftOut), `  no more than this of each of them${more}`] : [];
	return [
		...labelled(
			"The law",
			few(law.equations.map(ofRecord)).map((each) => cut(each)),
		),
		...labelled("Intervals", [...few(law.intervals).map((each) => cut(each)), `  each a ${intervalName}`]),
		...labelled("Rivals", rivals),
		...labelled("Left out", leftOut),
		"",
	];
}

function few(equations: readonly string[]): string[] {
	if (equations.length <= mostEquations) return [...equations];
	return [...equations.slice(0, mostEquations), `  ${equations.length - mostEquations} more in the report`];
}
