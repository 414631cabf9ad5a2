/**
 * How large each term that was left out could be: put back by itself beside the chosen ones, to first order at the answer, it would
 * have a weight and a standard error, in each record where they differ. A term whose effect is below what the noise hides is not shown to be absent, only to be small.
 */

import { solveTriangleInto, triangulateInto } from "../../../num/linear/householder.ts";
import { studentQuantile975 } from "../../../num/statistics/quantile.ts";
import { linearProblem } from "../descent/fitted-model.ts";
import type { InversionRun } from "../inversion-run.ts";

export interface LeftOut {
	readonly unknown: number;
	/** 95 % interval; without ends where the chosen terms could stand for it wholly. */
	readonly lo: number;
	readonly hi: number;
}

/** Share of a column beside the chosen ones below which rounding is all that is left of it. */
const nothingLeft = 1e-10;

/** None among very many terms, whose exchanges are told instead. */
export async function leftOut(run: InversionRun): Promise<LeftOut[]> {
	const { work, starts, final, variance, degrees } = run;
	const { active, point } = final!;
	const out = work.selectable.filter((u) => !active.includes(u));
	if (work.isLarge || out.length === 0) return [];
	const [here] = await starts.problem.forward.evaluate([point], true);
	const unknowns = [...active, ...out.flatMap((term) => work.sets.membersOf(term))];
	const n = unknowns.length;
	const { triangle, qtb } = linearProblem(starts.problem, here, point, unknowns);
	const quantile = studentQuantile975(degrees);
	const k = active.length;
	return out.flatMap((term) => {
		const members = work.sets.membersOf(term);
		// Each of its weights last once, so that what is left of its column is its own.
		return members.map((unknown) => limitsOf([...members.filter((u) => u !== unknown), unknown]));
	});

	/** Of the last of some unknowns that are put back. */
	function limitsOf(back: readonly number[]): LeftOut {
		// Columns of the chosen ones and of these, as a problem of its own.
		const m = k + back.length;
		const places = [...active.keys(), ...back.map((u) => unknowns.indexOf(u, k))];
		const columns = new Float64Array(n * m);
		places.forEach((column, j) => {
			for (let row = 0; row <= column; row++) columns[j * n + row] = triangle[row * n + column];
		});
		const unknown = back[back.length - 1];
		const whole = columns.subarray((m - 1) * n).reduce((sum, value) => sum + value * value, 0);
		const values = qtb.slice();
		triangulateInto(columns, n, values, n, m);
		const left = columns[(m - 1) * n + m - 1];
		if (!(left * left > nothingLeft * whole))
			return { unknown, lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };
		solveTriangleInto(values, columns, n, m);
		const half = (quantile * Math.sqrt(variance)) / Math.abs(left);
		return { unknown, lo: values[m - 1] - half, hi: values[m - 1] + half };
	}
}
