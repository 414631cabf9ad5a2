/** A cloud of n particles in columns, with all that must travel with a particle when it is copied. */
export interface Cloud {
	readonly n: number;
	/** Sampled coordinates: coordinate i of particle b stands at i * n + b. */
	readonly z: Float64Array;
	readonly logPrior: Float64Array;
	readonly logLik: Float64Array;
	/** Other columns that belong to the particles, such as the moments of their filters. */
	readonly luggage: readonly Float64Array[];
}

export function columnsOf({ z, logPrior, logLik, luggage }: Cloud): Float64Array[] {
	return [z, logPrior, logLik, ...luggage];
}

/** Particle b becomes a copy of particle `parents[b]`, for all b at once. */
export function takeParents(cloud: Cloud, parents: Int32Array): void {
	const { n } = cloud;
	for (const column of columnsOf(cloud)) {
		const before = column.slice();
		for (let row = 0; row < column.length; row += n)
			for (let b = 0; b < n; b++) column[row + b] = before[row + parents[b]];
	}
}

/** Copies particle b from one cloud to another of the same shape. */
export function copyParticle(to: Cloud, from: Cloud, b: number): void {
	const sources = columnsOf(from);
	for (const [k, column] of columnsOf(to).entries())
		for (let row = b; row < column.length; row += to.n) column[row] = sources[k][row];
}
