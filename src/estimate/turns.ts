/** How often a curve comes back by more than `limit` from a height or a depth. */
export function turnsOf(values: ArrayLike<number>, limit: number): number {
	let [lo, hi] = [values[0], values[0]];
	let way = 0;
	let count = 0;
	for (let i = 0; i < values.length; i++) {
		const y = values[i];
		lo = Math.min(lo, y);
		hi = Math.max(hi, y);
		if (way >= 0 && hi - y > limit) {
			if (way > 0) count++;
			[way, lo] = [-1, y];
		} else if (way <= 0 && y - lo > limit) {
			if (way < 0) count++;
			[way, hi] = [1, y];
		}
	}
	return count;
}
