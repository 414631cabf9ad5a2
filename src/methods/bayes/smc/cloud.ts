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

/** Copies single particles from one cloud to another of the same shape. */
export function particleCopier(to: Cloud, from: Cloud): (b: number) => void {
	const targets = columnsOf(to);
	const sources = columnsOf(from);
	return (b) => {
		for (let k = 0; k < targets.length; k++)
			for (let row = b; row < targets[k].length; row += to.n) targets[k][row] = sources[k][row];
	};
}
