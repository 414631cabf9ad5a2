/**
 * A spread that is to be found, and ended on an end of its range: do the errors say that it lies outside? In units of the spread
 * there their squares sum up to χ², of as many degrees as there are samples or, where the unknowns were fitted to them, fewer: the
 * one is taken that speaks less.
 */
import { chiSquareBelow, chiSquareTail } from "../../num/statistics/incomplete-gamma.ts";
import type { Doubt } from "../result.ts";
import { level, shared } from "./series.ts";
import { doubt, list } from "./words.ts";

export interface HeldSpread {
	readonly name: string;
	readonly end: "least" | "largest";
	/** Squares of the errors, in units of the spread, and how many they are. */
	readonly squares: number;
	readonly count: number;
}

export function spreadBoundDoubt(held: readonly HeldSpread[], nUnknowns: number): Doubt[] {
	const beyond = held.filter(({ end, squares, count }) => {
		const chance =
			end === "largest"
				? chiSquareTail(squares, count)
				: chiSquareBelow(squares, Math.max(count - nUnknowns, 1));
		return shared(chance, held.length) < level;
	});
	if (beyond.length === 0) return [];
	const sizes = beyond.map(
		({ name, end, squares, count }) =>
			`${name} ended on the ${end} value that it may have, and the residuals are ${Math.sqrt(squares / count).toFixed(2)} times that`,
	);
	return doubt(
		"beyond-bound",
		`The data pull ${list(beyond.map(({ name }) => name))} beyond ${beyond.length === 1 ? "its bound" : "their bounds"}`,
		`${sizes.join("; ")}. Widen the range, or look for what the model lacks.`,
		true,
	);
}
