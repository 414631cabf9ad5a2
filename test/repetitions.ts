/**
 * How often a test draws anew. Statistics and soundness want many; `npm test` makes the first few of them, with bounds for
 * so few, and  npm run bench -- repetitions  makes all.
 */
export const allRepetitions = process.env.ODENTIFY_REPETITIONS === "all";

export const repetitions = (few: number, all: number): number => (allRepetitions ? all : few);

/** The cases of  npm test,  or all of them. */
export const repeated = <T>(few: readonly T[], all: readonly T[]): readonly T[] =>
	allRepetitions ? all : few;

/** 0.1 % and 99.9 % of the root mean square of `n` standard normal values: the laws of 2 and 6 squares. */
export function rootMeanSquareBounds(n: 2 | 6): readonly [least: number, most: number] {
	const [lo, hi] = { 2: [0.002, 13.82], 6: [0.381, 22.46] }[n];
	return [Math.sqrt(lo / n), Math.sqrt(hi / n)];
}
