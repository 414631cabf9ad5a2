/**
 * The size of a local error over the tolerance: root mean square of e_i / (atol_i + rtol max(|x_i|, |xNew_i|)) over the
 * states. When sensitivities travel with the states (after them, row-major n x nColumns), each column is a group of its
 * own and the worst group counts, so that many small columns do not hide an error of the states.
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
	) {
		this.sums = new Float64Array(nColumns);
	}

	of(error: Float64Array, x: Float64Array, xNew: Float64Array): number {
		const { nStates, rtol, atol, nColumns, sums } = this;
		let worst = 0;
		for (let i = 0; i < nStates; i++) {
			const scaled = error[i] / (atol[i] + rtol * Math.max(Math.abs(x[i]), Math.abs(xNew[i])));
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
}
