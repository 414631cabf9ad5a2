/**
 * What kriging learned without the equations, held against the equations with their fitted parameters. Along the record it
 * has each state and its highest derivative, with errors: where in the state space does the derivative differ from the
 * right-hand side by more than both errors?
 */
import type { Experiment } from "../../data/experiment.ts";
import type { Agreement, ParameterRow } from "../../estimate/result.ts";
import { Differentiator } from "../../model/derivative.ts";
import { evaluate } from "../../model/evaluate.ts";
import type { Model } from "../../model/model.ts";
import { squared } from "../../num/whole-power.ts";
import { columnsOf } from "./csv-columns.ts";

/** Standard deviations beyond which an instant counts as different, and the share of such instants that chance may give. */
const apart = 3;
const byChance = 0.1;

export interface FieldDifference extends Agreement {
	readonly state: string;
}

/** `derivatives`: kriging's table of states and derivatives along one record. */
export function fieldDifferences(
	model: Model,
	parameters: readonly ParameterRow[],
	derivatives: string,
	experiment: Experiment,
): FieldDifference[] {
	const columns = new Map(columnsOf(derivatives).map(({ name, values }) => [name, values]));
	const times = columns.get("t") ?? [];
	const estimate = new Map(parameters.map((row) => [row.name, row.estimate]));
	const differentiator = new Differentiator(model.graph);
	const valueAt =
		(i: number) =>
		(symbol: string): number =>
			symbol === "t"
				? times[i]
				: (columns.get(symbol)?.[i] ??
					experiment.inputs.get(symbol)?.at(times[i]) ??
					estimate.get(symbol) ??
					Number.NaN);
	return model.states.flatMap(({ name, order, components }): FieldDifference[] => {
		const top = name + "'".repeat(order);
		const learned = columns.get(top);
		const sd = columns.get(`${top}.sd`);
		if (!learned || !sd) return [];
		const rhs = model.rhs[model.components.indexOf(components[order - 1])];
		const gradient = differentiator.jacobian([rhs], model.components);
		const strange = times.flatMap((_, i) => {
			const at = valueAt(i);
			const variance = model.components.reduce(
				(sum, component, j) =>
					sum + squared(evaluate(gradient[j], at) * (columns.get(`${component}.sd`)?.[i] ?? 0)),
				squared(sd[i]),
			);
			return Math.abs(learned[i] - evaluate(rhs, at)) > apart * Math.sqrt(variance) ? [i] : [];
		});
		const said = { state: name, parameter: top, methods: ["kriging", "fit"] };
		if (!(strange.length > byChance * times.length))
			return [
				{
					...said,
					verdict: "agree",
					why: `The equation of ${top} is what kriging learned without it, within its error.`,
				},
			];
		const where = model.components.map((component) =>
			range(
				component,
				strange.map((i) => columns.get(component)![i]),
			),
		);
		return [
			{
				...said,
				verdict: "contradict",
				why: `What kriging learned of ${top} without the equations differs from them by more than ${apart} standard deviations at ${strange.length} of ${times.length} instants, with ${where.join(" and ")}. A term may be missing in the equation of ${top}.`,
			},
		];
	});
}

function range(name: string, values: readonly number[]): string {
	const lo = values.reduce((a, b) => Math.min(a, b));
	const hi = values.reduce((a, b) => Math.max(a, b));
	return `${name} from ${Number(lo.toPrecision(3))} to ${Number(hi.toPrecision(3))}`;
}
