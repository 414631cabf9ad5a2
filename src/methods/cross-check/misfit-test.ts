/** Does a fit explain the data within the errors that the model declares? What it was judged by, and the verdict, are the fit's own. */
import { noiseLarger } from "../../estimate/judge/size.ts";
import type { Result } from "../../estimate/result.ts";

export interface Explained {
	/** Sum of squared residuals in units of what is declared, and how many there are. */
	readonly squares: number;
	readonly count: number;
	/** Outputs whose residuals are larger than declared, the worst first. */
	readonly strange: readonly string[];
}

export function explainedBy({ judged = [], doubts }: Pick<Result, "judged" | "doubts">): Explained {
	const series = judged.filter(({ noise }) => noise !== "found");
	const sum = (of: (residual: Float64Array) => number): number =>
		series.reduce((total, { residual }) => total + of(residual), 0);
	return {
		squares: sum((residual) => residual.reduce((own, r) => own + r * r, 0)),
		count: sum(({ length }) => length),
		strange: doubts.find(({ code }) => code === noiseLarger)?.outputs ?? [],
	};
}
