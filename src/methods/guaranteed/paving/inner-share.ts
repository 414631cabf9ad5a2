/** How much of what a paving leaves is proved to be consistent. */

/** More than all roundings of sums and products of sides could make, beside the volumes themselves. */
const slack = 1e-9;

/**
 * The volume of inner boxes beside that of all boxes, at least: the consistent set fills no less of them. Sides are taken beside those of the declared sets; unknowns that are not open do
 * not count. Nothing where there are no boxes.
 */
export function innerShare(
	inner: readonly Float64Array[],
	edge: readonly Float64Array[],
	prior: Float64Array,
): number | undefined {
	if (inner.length + edge.length === 0) return undefined;
	const inside = volumeOf(inner, prior);
	const all = inside + volumeOf(edge, prior);
	if (!(inside > 0 && all < Number.POSITIVE_INFINITY)) return 0;
	return edge.length === 0 ? 1 : Math.max(0, (inside / all) * (1 - slack));
}

function volumeOf(boxes: readonly Float64Array[], prior: Float64Array): number {
	let sum = 0;
	for (const box of boxes) {
		let volume = 1;
		for (let k = 0; k < box.length; k += 2) {
			const whole = prior[k + 1] - prior[k];
			if (whole > 0) volume *= (box[k + 1] - box[k]) / whole;
		}
		sum += volume;
	}
	return sum;
}
