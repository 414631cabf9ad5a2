/** Finds the sample before an instant: at once where sampling is nearly uniform, else by halving. */
export class SampleTimes {
	private readonly first: number;
	private readonly perSecond: number;

	constructor(readonly times: Float64Array) {
		const n = times.length;
		this.first = times[0];
		this.perSecond = n > 1 ? (n - 1) / (times[n - 1] - times[0]) : 0;
	}

	/** The last `i` with `times[i] <= t`, for `t` from the first time on. */
	before(t: number): number {
		const { times } = this;
		const n = times.length;
		const guess = Math.min(n - 1, Math.floor((t - this.first) * this.perSecond));
		// Rounding, or slightly uneven sampling, puts the guess off by one.
		for (let i = guess > 0 ? guess - 1 : 0; i <= guess + 1 && i < n; i++) {
			if (times[i] <= t && (i + 1 === n || t < times[i + 1])) return i;
		}
		let lo = 0;
		let hi = n;
		while (hi - lo > 1) {
			const middle = (lo + hi) >> 1;
			if (times[middle] <= t) lo = middle;
			else hi = middle;
		}
		return lo;
	}
}
