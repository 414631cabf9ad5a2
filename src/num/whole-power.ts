/** x^k for a whole k >= 0 by multiplication: the same bits on every engine, which `**` does not promise. */
export function wholePower(x: number, k: number): number {
	let value = 1;
	for (let i = 0; i < k; i++) value *= x;
	return value;
}
