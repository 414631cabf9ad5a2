/** How large signals are and how fast they change: by that a template is fitted to a record in whatever units. */

export interface SignalScale {
	/** Of the swing: the root mean square about the mean. */
	readonly spread: number;
	readonly mean: number;
	readonly largest: number;
	/** The first value that is there. */
	readonly first: number;
}

export interface Scales {
	/** How long a swing takes; the length of the record where there is none. */
	readonly time: number;
	readonly signals: ReadonlyMap<string, SignalScale>;
}

/** So many swings at least make a period. */
const leastSwings = 2;
/** Swings count when they go so far, in spreads to either side: less is noise. */
const far = 0.5;

export function scaleOf(values: ArrayLike<number>): SignalScale {
	let [n, sum, largest, first] = [0, 0, 0, Number.NaN];
	for (let i = 0; i < values.length; i++) {
		if (!Number.isFinite(values[i])) continue;
		if (n++ === 0) first = values[i];
		sum += values[i];
		largest = Math.max(largest, Math.abs(values[i]));
	}
	const mean = n > 0 ? sum / n : 0;
	let squares = 0;
	for (let i = 0; i < values.length; i++)
		if (Number.isFinite(values[i])) squares += (values[i] - mean) * (values[i] - mean);
	return { spread: n > 0 ? Math.sqrt(squares / n) : 0, mean, largest, first: n > 0 ? first : 0 };
}

/** Time of one swing up and down of the signal that swings most often. */
export function timeScale(times: ArrayLike<number>, signals: readonly ArrayLike<number>[]): number {
	// Of times that go back, as in records below one another, the whole stretch; where there is none, any length will do.
	let [from, to] = [Infinity, -Infinity];
	for (let i = 0; i < times.length; i++) {
		if (!Number.isFinite(times[i])) continue;
		from = Math.min(from, times[i]);
		to = Math.max(to, times[i]);
	}
	const length = to > from ? to - from : 1;
	const swings = Math.max(0, ...signals.map(swingsOf));
	return swings >= leastSwings ? length / swings : length;
}

/** How often a signal goes from well below its mean to well above it. */
function swingsOf(values: ArrayLike<number>): number {
	const { mean, spread } = scaleOf(values);
	let isLow = false;
	let count = 0;
	for (let i = 0; i < values.length; i++) {
		const from = values[i] - mean;
		if (from < -far * spread) isLow = true;
		else if (from > far * spread && isLow) {
			isLow = false;
			count++;
		}
	}
	return count;
}
