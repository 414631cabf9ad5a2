/**
 * The linear systems of a Newton iteration for a collocation method. In the coordinates of radau-table.ts they fall apart
 * into lambda / h I - df/dx, one for each eigenvalue lambda: a real one and complex ones, of the size of the states.
 * Sensitivities have the same matrix, column by column.
 */

import type { SolveStats } from "../ivp.ts";
import { complexLuFactorInto, complexLuSolveInto } from "./complex-lu.ts";
import type { Linearization } from "./linearization.ts";
import type { RadauTable } from "./radau-table.ts";

export class RadauSystems {
	/**
	 * Right-hand sides, then solutions, in rows: that of the real eigenvalue, then real and imaginary part of each complex
	 * one. A row holds the states, then the sensitivities, row-major nStates x nColumns.
	 */
	readonly all: Float64Array;
	private readonly states: readonly Float64Array[];
	private readonly columns: readonly Float64Array[];
	private readonly complex: { re: Float64Array; im: Float64Array; pivots: Int32Array }[];

	constructor(
		private readonly table: RadauTable,
		private readonly linearization: Linearization,
		private readonly nColumns: number,
		private readonly stats: SolveStats,
	) {
		const { nStates } = linearization;
		const n = nStates * (1 + nColumns);
		this.all = new Float64Array(table.nStages * n);
		const rows = table.c.map((_, i) => this.all.subarray(i * n, (i + 1) * n));
		this.states = rows.map((row) => row.subarray(0, nStates));
		this.columns = rows.map((row) => row.subarray(nStates));
		const matrix = () => new Float64Array(nStates * nStates);
		this.complex = table.complex.map(() => ({
			re: matrix(),
			im: matrix(),
			pivots: new Int32Array(nStates),
		}));
	}

	/** Factors all, that of the real eigenvalue within the linearisation. False when one is singular or not finite. */
	factor(h: number): boolean {
		const { table, linearization, stats } = this;
		const { nStates: n, jacobian } = linearization;
		if (!linearization.factor(table.real / h)) return false;
		for (let k = 0; k < this.complex.length; k++) {
			const { re, im, pivots } = this.complex[k];
			const [lambdaRe, lambdaIm] = table.complex[k];
			for (let i = 0; i < n * n; i++) re[i] = -jacobian[i];
			im.fill(0);
			for (let i = 0; i < n; i++) {
				re[i * n + i] += lambdaRe / h;
				im[i * n + i] = lambdaIm / h;
			}
			stats.factorizations++;
			if (!complexLuFactorInto(re, im, pivots, n)) return false;
		}
		return true;
	}

	/** Solves all for the states, in place. */
	solveStates(): void {
		const { states, linearization } = this;
		linearization.solveColumnsInto(states[0], 1);
		this.solveComplex(states, 1);
	}

	/** Solves all for the sensitivities, in place; what couples them to the states is part of the right-hand sides. */
	solveColumns(): void {
		const { columns, linearization, nColumns } = this;
		linearization.solveColumnsInto(columns[0], nColumns);
		this.solveComplex(columns, nColumns);
	}

	private solveComplex(rows: readonly Float64Array[], nColumns: number): void {
		const { nStates } = this.linearization;
		for (let k = 0; k < this.complex.length; k++) {
			const { re, im, pivots } = this.complex[k];
			complexLuSolveInto(rows[1 + 2 * k], rows[2 + 2 * k], nColumns, re, im, pivots, nStates);
		}
	}
}
