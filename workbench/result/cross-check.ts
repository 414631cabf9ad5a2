/** `method: all`: every method's answer for each parameter on one axis, contradictions marked. */
import type { ParameterRow, Result } from "../../src/methods/index.ts";

export interface CrossAnswer {
	readonly method: string;
	readonly row: ParameterRow;
	/** The method came to no end: its interval says nothing yet, and squeezes no other. */
	readonly undecided: boolean;
}
export interface CrossRow {
	readonly parameter: string;
	readonly verdict: string;
	readonly why: string;
	readonly answers: readonly CrossAnswer[];
	/** What the axis spans; nothing where no method gives a number. */
	readonly axis?: { readonly from: number; readonly to: number };
}
export interface CrossCheck {
	/** The method whose numbers stand in the table below. */
	readonly shown?: string;
	readonly rows: readonly CrossRow[];
	readonly refusals: readonly { readonly method: string; readonly why: string }[];
}

/** The answers side by side, or `undefined` for the result of a single method. */
export function crossCheckOf({ comparison, parameters: table }: Result): CrossCheck | undefined {
	if (!comparison) return undefined;
	const { answers, refusals, agreement } = comparison;
	const rows = agreement.map(({ parameter, verdict, why }): CrossRow => {
		const own = answers.flatMap(({ method, parameters, outcome }): CrossAnswer[] => {
			const row = parameters.find(({ name }) => name === parameter);
			return row ? [{ method, row, undecided: outcome === "undecided" }] : [];
		});
		const decided = own.filter(({ undecided }) => !undecided);
		const ends = (decided.length > 0 ? decided : own).flatMap(({ row }) => {
			const { lo, hi } = intervalOf(row);
			return [row.estimate, lo, hi].filter(Number.isFinite);
		});
		if (ends.length === 0) return { parameter, verdict, why, answers: own };
		const least = Math.min(...ends);
		const most = Math.max(...ends);
		const margin = most > least ? 0.08 * (most - least) : Math.abs(least) * 0.1 || 1;
		return { parameter, verdict, why, answers: own, axis: { from: least - margin, to: most + margin } };
	});
	const shown = answers.find(
		({ parameters }) =>
			table?.length > 0 &&
			table.every(({ name, estimate }, i) => {
				const own = parameters[i];
				return own?.name === name && Object.is(own.estimate, estimate);
			}),
	)?.method;
	return { rows, refusals, ...(shown === undefined ? {} : { shown }) };
}

/** What is said behind the name of a parameter. */
export function verdictText({ verdict, axis }: CrossRow): string {
	if (verdict === "contradict") return axis ? "the answers contradict one another" : "contradicted";
	if (verdict === "agree") return axis ? "the answers agree" : "agreed";
	return verdict === "single" ? "one answer" : verdict;
}

/** The ends that a method gives; two standard deviations where it gives no others. */
export function intervalOf({ estimate, sd, lo, hi }: ParameterRow): { lo: number; hi: number } {
	return { lo: lo ?? estimate - 2 * (sd ?? 0), hi: hi ?? estimate + 2 * (sd ?? 0) };
}
