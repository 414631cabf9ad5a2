/** How far a cloud has moved: what acceptance does not tell, since many small steps are accepted and lead nowhere. */

/** Standard errors beyond which a cloud has not moved by chance. */
const beyondChance = 3;

/** Of n particles' places before and after, in columns: the largest correlation that a coordinate has kept. */
export function memory(before: Float64Array, after: Float64Array, n: number): number {
	let most = 0;
	for (let first = 0; first < before.length; first += n) {
		let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
		for (let k = first; k < first + n; k++) {
			const [x, y] = [before[k], after[k]];
			a += x;
			b += y;
			aa += x * x;
			bb += y * y;
			ab += x * y;
		}
		const size = (aa - (a * a) / n) * (bb - (b * b) / n);
		if (size > 0) most = Math.max(most, (ab - (a * b) / n) / Math.sqrt(size));
	}
	return most;
}

/**
 * Whether the cloud as a whole has moved along some coordinate, or widened, by more than particles of a cloud at rest do by
 * chance: those come and go in pairs of places that are as likely one way as the other.
 */
export function travels(before: Float64Array, after: Float64Array, n: number): boolean {
	for (let first = 0; first < before.length; first += n) {
		let centre = 0;
		for (let k = first; k < first + n; k++) centre += before[k] / n;
		let [moved, movedSquare, widened, widenedSquare] = [0, 0, 0, 0];
		for (let k = first; k < first + n; k++) {
			const [x, y] = [before[k] - centre, after[k] - centre];
			moved += y - x;
			movedSquare += (y - x) * (y - x);
			widened += y * y - x * x;
			widenedSquare += (y * y - x * x) * (y * y - x * x);
		}
		if (Math.abs(moved) > beyondChance * Math.sqrt(movedSquare)) return true;
		if (widened > beyondChance * Math.sqrt(widenedSquare)) return true;
	}
	return false;
}
