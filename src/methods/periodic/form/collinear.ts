/** Regressors that are combinations of one another: only a combination of their parameters can be found. */
import { nullSpace, roundingError } from "../../../estimate/least-squares/null-space.ts";
import { evaluate } from "../../../model/evaluate.ts";
import { toPlain } from "../../../model/print/expression.ts";
import { vanishes } from "../../../model/structure/identity.ts";
import type { PeriodicForm, Refusal } from "./form.ts";

/** Points at which regressors are compared; none is special to any function. */
const points = Array.from({ length: 60 }, (_, i) => 0.173 * (i + 1) * (i % 2 === 0 ? 1 : -0.611));

/** Decided from the expressions alone, whatever the record. */
export function collinear(form: PeriodicForm): Refusal | undefined {
	const { terms, output, drives } = form;
	if (terms.length < 2) return undefined;
	const rows = points.flatMap((y, i) => {
		// Drives go their own ways, so that none looks like a function of y or of another.
		const at = (name: string): number =>
			name === output
				? Math.abs(y)
				: drives.includes(name)
					? points[(7 * i + 11 * (1 + drives.indexOf(name))) % points.length]
					: 1.37;
		const row = terms.flatMap(({ regressors }) => regressors.map((node) => evaluate(node, at)));
		return row.every(Number.isFinite) ? [row] : [];
	});
	const n = form.chain.length;
	const stacked = rows.flatMap((row) =>
		Array.from({ length: n }, (_, k) => terms.map((_, j) => row[j * n + k])),
	);
	return dependent(stacked, form);
}

/** `rows`: values of the regressors, one column each. */
export function dependent(
	rows: readonly (readonly number[])[],
	{ terms, output }: Pick<PeriodicForm, "terms" | "output">,
): Refusal | undefined {
	const names = terms.map(({ name }) => name);
	const r = names.length;
	const { open, norms } = nullSpace(Float64Array.from(rows.flat()), r, { error: roundingError });
	const last = open.at(-1);
	if (!last) return undefined;
	const direction = names.map((_, j) => last[j] / norms[j]);
	const involved = names.filter((_, j) => Math.abs(last[j]) > 1e-6);
	const factors = terms.flatMap(({ name, regressors }) =>
		involved.includes(name) ? [toPlain(regressors.find((node) => !vanishes(node)) ?? regressors[0])] : [],
	);
	return {
		subject: `param ${involved.join(", ")}`,
		problem: `multiply regressors of state ${output} that are collinear (the terms ${factors.join(", ")}): only ${combination(names, direction)} can be found`,
		remedy: `Fix one of them in the model, such as  param ${involved[0]} = 0, or give them distributions and use  method: bayes.`,
	};
}

/** What stays the same along `direction`: each other parameter plus its share of the first. */
function combination(names: readonly string[], direction: readonly number[]): string {
	const involved = names.map((name, j) => ({ name, d: direction[j] })).filter(({ d }) => Math.abs(d) > 1e-9);
	const [first, ...others] = involved;
	return others
		.map(({ name, d }) => {
			const share = Number((-d / first.d).toPrecision(6));
			const factor = Math.abs(share) === 1 ? "" : `${Math.abs(share)}·`;
			return `${name} ${share < 0 ? "-" : "+"} ${factor}${first.name}`;
		})
		.join(" and ");
}
