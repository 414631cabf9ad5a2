/**
 * Hidden states in a loop over a period, q' = A q + w with A and w known at the nodes: the general form of [tyukin2016]
 * eq. (2.1), in which no state can be found before the others. Steps are those of Gauss collocation, which are joined as a
 * scan of affine maps, and the start is the one that the period gives back. Derivatives are solutions of the same steps:
 * dq' = A dq + (dA q + dw).
 */
import { type LinearSteps, linearSteps, periodicSolution } from "../../../num/linear-collocation.ts";
import type { Grid } from "./grid.ts";

/** A hidden state at the nodes, and at the starts of the intervals and the end of the last. */
export interface Course {
	readonly q: Float64Array;
	readonly starts: Float64Array;
}

/** How far the end of the period may be from its start: a loop that grows by more than rounding allows has lost its digits. */
const closes = 1e-8;

export class LoopScan {
	readonly courses: readonly Course[];
	readonly #grid: Grid;
	#steps: LinearSteps | undefined;

	constructor(grid: Grid, size: number) {
		this.#grid = grid;
		this.courses = Array.from({ length: size }, () => courseOn(grid));
	}

	/** `rows`: for each member its row of A at the nodes, one after the other. False where no periodic solution is found. */
	solve(rows: readonly Float64Array[], w: readonly Float64Array[]): boolean {
		const { count, rule, h } = this.#grid;
		const m = rows.length;
		const matrices = new Float64Array(count * m * m);
		rows.forEach((row, a) => {
			for (let j = 0; j < count; j++) matrices.set(row.subarray(j * m, (j + 1) * m), j * m * m + a * m);
		});
		this.#steps = linearSteps(matrices, m, rule, h, true);
		return this.#solutionInto(this.courses, w);
	}

	/** Into `out`, for changes of the rows and of w (undefined: none). */
	differentiateInto(
		out: readonly Course[],
		dRows: readonly (Float64Array | undefined)[],
		dW: readonly (Float64Array | undefined)[],
	): void {
		const { count } = this.#grid;
		const m = this.courses.length;
		const sources = dRows.map((row, a) => {
			const source = dW[a]?.slice() ?? new Float64Array(count);
			if (row)
				for (let j = 0; j < count; j++)
					for (let b = 0; b < m; b++) source[j] += row[j * m + b] * this.courses[b].q[j];
			return source;
		});
		this.#solutionInto(out, sources);
	}

	#solutionInto(out: readonly Course[], w: readonly Float64Array[]): boolean {
		const { count, intervals } = this.#grid;
		const m = out.length;
		const d = new Float64Array(count * m);
		w.forEach((values, a) => {
			for (let j = 0; j < count; j++) d[j * m + a] = values[j];
		});
		const { nodes, starts, end } = periodicSolution(this.#steps!, d);
		let isClosed = true;
		out.forEach((course, a) => {
			let size = 0;
			for (let j = 0; j < count; j++) {
				course.q[j] = nodes[j * m + a];
				size = Math.max(size, Math.abs(course.q[j]));
			}
			for (let k = 0; k < intervals; k++) course.starts[k] = starts[k * m + a];
			course.starts[intervals] = end[a];
			if (!(Math.abs(end[a] - starts[a]) <= closes * size)) isClosed = false;
		});
		return isClosed;
	}
}

export function courseOn(grid: Grid): Course {
	return { q: new Float64Array(grid.count), starts: new Float64Array(grid.intervals + 1) };
}
