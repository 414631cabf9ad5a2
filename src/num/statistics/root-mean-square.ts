/** Root mean square of all numbers in some lists; NaN where there is none. */
export function rootMeanSquare(lists: Iterable<ArrayLike<number>>): number {
	let sum = 0;
	let count = 0;
	for (const values of lists) for (let i = 0; i < values.length; i++, count++) sum += values[i] * values[i];
	return Math.sqrt(sum / count);
}
