/**
 * The slope f_x S + f_p of sensitivities, with what it needs of the problem.
 */
import type { SensitiveIvp } from "./sensitivity.ts";

/** f, f_x and f_p at (t, x). */
export function derivativesInto(
	slope: Float64Array,
	J: Float64Array,
	fp: Float64Array,
	ivp: SensitiveIvp,
	t: number,
	x: Float64Array,
): void {
	if (ivp.all) {
		ivp.all(t, x, slope, J, fp);
		return;
	}
	ivp.rhs(t, x, slope);
	ivp.jacobian(t, x, J);
	ivp.paramJacobian(t, x, fp);
}

/** out = J S + fp; S and out, row-major n x nColumns, begin at `offset`. Columns past nParams have no fp. */
export function sensitivitySlopesInto(
	out: Float64Array,
	J: Float64Array,
	fp: Float64Array,
	S: Float64Array,
	n: number,
	nParams: number,
	nColumns: number,
	offset = 0,
): void {
	for (let i = 0; i < n; i++) {
		const row = offset + i * nColumns;
		for (let c = 0; c < nColumns; c++) out[row + c] = c < nParams ? fp[i * nParams + c] : 0;
		for (let k = 0; k < n; k++) {
			const factor = J[i * n + k];
			if (factor === 0) continue;
			const from = offset + k * nColumns;
			for (let c = 0; c < nColumns; c++) out[row + c] += factor * S[from + c];
		}
	}
}
