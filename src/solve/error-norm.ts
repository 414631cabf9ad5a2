/**
 * The size of a local error over the tolerance: root mean square of e_i / (atol_i + rtol max(|x_i|, |xNew_i|)) over the
 * states, from where they are counted (Ivp.origin). When sensitivities travel with the states (after them, row-major
 * n x nColumns), each column is a group of its own and the worst group counts, so that many small columns do not hide an
 * error of the states.
 */
export class ErrorNorm {
	private readonly sums: Float64Array;

	constructor(
		private readonly nStates: number,
		readonly rtol: number,
		/** One for each component that is controlled. */
		readonly atol: Float64Array,
		/** Columns that are controlled beside the states; 0: the states alone. */
		private readonly nColumns = 0,
		readonly origin: Float64Array = new Float64Array(nStates),
	) {
		this.sums = new Float64Array(nColumns);
	}

	of(error: Float64Array, x: Float64Array, xNew: Float64Array): number {
		const { nStates, rtol, atol, nColumns, sums, origin } = this;
		let worst = 0;
		for (let i = 0; i < nStates; i++) {
			const size = Math.max(Math.abs(x[i] - origin[i]), Math.abs(xNew[i] - origin[i]));
			const scaled = error[i] / (atol[i] + rtol * size);
			worst += scaled * scaled;
		}
		if (nColumns > 0) {
			sums.fill(0);
			for (let i = 0, k = nStates; i < nStates; i++) {
				for (let c = 0; c < nColumns; c++, k++) {
					const scaled = error[k] / (atol[k] + rtol * Math.max(Math.abs(x[k]), Math.abs(xNew[k])));
					sums[c] += scaled * scaled;
				}
			}
			// Written so that NaN wins.
			for (let c = 0; c < nColumns; c++) if (!(sums[c] <= worst)) worst = sums[c];
		}
		return Math.sqrt(worst / nStates);
	}

	/** The size of a state. */
	ofState(x: Float64Array): number {
		return this.of(
			x.map((xi, i) => xi - (this.origin[i] ?? 0)),
			x,
			x,
		);
	}

	/** Whether something that was at rest, within the tolerance over `length`, is moved on: of its steps nothing was learned. */
	isStirred(before: Float64Array, after: Float64Array, x: Float64Array, length: number): boolean {
		const { nStates, nColumns, rtol, atol, origin } = this;
		for (let i = 0; i < nStates * (1 + nColumns); i++) {
			const tolerance = atol[i] + rtol * Math.abs(x[i] - (origin[i] ?? 0));
			if (Math.abs(before[i]) * length <= tolerance && Math.abs(after[i]) * length > tolerance) return true;
		}
		return false;
	}
}
