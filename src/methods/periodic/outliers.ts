/** Single samples that lie far beside their neighbours: what the series leaves there is many times what it leaves elsewhere. */
export interface Outlier {
	readonly t: number;
	/** In standard deviations of the others. */
	readonly distance: number;
}

/** Normal noise comes so far once in 10¹⁴ samples. */
const far = 7.7;
/** A median of absolute values is so much of a standard deviation, for normal noise. */
const normal = 0.6745;

export function outliersOf(t: Float64Array, rest: Float64Array): Outlier[] {
	const size = rest.map(Math.abs);
	const typical = Float64Array.from(size).sort()[Math.floor(size.length / 2)] / normal;
	if (!(typical > 0)) return [];
	return Array.from(size).flatMap((value, i) => {
		// A series too short for the record leaves large values too, but not one at a time.
		const beside = Math.max(size[i - 1] ?? 0, size[i + 1] ?? 0);
		return value > far * typical && value > 3 * beside ? [{ t: t[i], distance: value / typical }] : [];
	});
}
