/** The answer in the model's own parameters and initial values, with covariances by the delta method. */
import { compileFunction } from "../../../lower/compile-function.ts";
import { Differentiator } from "../../../model/derivative.ts";
import type { Node } from "../../../model/graph.ts";
import { substitute } from "../../../model/walk.ts";
import type { PeriodicForm } from "../form/form.ts";
import type { Question } from "../question.ts";
import type { Adjusted } from "./adjustment.ts";

export interface NaturalValue {
	readonly name: string;
	readonly value: number;
	/** Standard deviation. */
	readonly sd: number;
	/** Degrees of freedom of the variance that it comes from; none said: so many that errors are normal. */
	readonly degrees?: number;
	/** How it was found. */
	readonly from: "search" | "closed form" | "closure" | "held" | "combination";
}

export interface Natural {
	readonly params: readonly NaturalValue[];
	/** Of the parameters, row-major. */
	readonly covariance: Float64Array;
	/** Of the state components, in the model's order, at the first sample. */
	readonly initial: readonly NaturalValue[];
	/** Products of a scale and a hidden state, where only they are determined. */
	readonly combinations: readonly NaturalValue[];
	readonly period: number;
	readonly periodSd: number;
	/** Degrees of freedom of its variance, as of a value's. */
	readonly periodDegrees?: number;
}

/** Relative error that thousands of operations leave, however exact the record. */
const rounding = 1e-13;

export function naturalOf(
	{
		form,
		model,
		constants,
		record,
	}: Pick<Question, "form" | "model" | "constants"> & { record: { variance: number; degrees?: number } },
	adjusted: Pick<Adjusted, "representation" | "quantities" | "covariance" | "omega">,
	start: Readonly<Record<string, number>>,
): Natural {
	const { graph, lambda, chain, terms, hidden } = form;
	// Names of the quantities, in the order of their covariance.
	const names = [
		...lambda,
		...hidden.flatMap(({ component, closure }) => (closure ? [`level ${component}`] : [])),
		...chain.map((_, k) => `x${k}`),
		...terms.map(({ name }) => name),
		...hidden.map(({ component, closure }) => closure?.param ?? `no closure ${component}`),
		...hidden.map(({ component }) => `start ${component}`),
		"ω",
	];
	const held = hidden.flatMap(({ closure }) => (closure?.scale === undefined ? [] : [closure.scale]));
	const params = model.params
		.filter(({ name, knowledge }) => knowledge.kind !== "exact" && isFound(form, name, held))
		.map(({ name }): { name: string; node: Node; from: NaturalValue["from"] } => ({
			name,
			node: form.recovered.get(name) ?? graph.sym(name),
			from: form.recovered.has(name)
				? "closed form"
				: hidden.some(({ closure }) => closure?.param === name)
					? "closure"
					: held.includes(name)
						? "held"
						: "search",
		}));
	const byParam = new Map(params.map(({ name, node }) => [name, node]));
	const filter = adjusted.representation.observer.filterStart;
	const initial = model.components.map((component) => {
		const k = chain.findIndex((each) => each.component === component);
		if (k >= 0) {
			// x = χ₁ + (0; m) θ, then back to the scale of the model.
			const own = terms.map(({ name }, i) =>
				graph.mul(
					graph.const(k === 0 || filter.length === 0 ? 0 : filter[(k - 1) * terms.length + i]),
					graph.sym(name),
				),
			);
			const [scale] = substitute(graph, [chain[k].scale], byParam);
			return graph.div(graph.add(graph.sym(`x${k}`), ...own), scale);
		}
		const scale = hidden.find((each) => each.component === component)?.closure?.scale;
		const value = graph.sym(`start ${component}`);
		return scale === undefined ? value : graph.div(value, graph.sym(scale));
	});
	const combinations = hidden.flatMap(({ component, closure }) =>
		closure?.scale === undefined
			? []
			: [{ name: `${closure.scale}·${component}(0)`, node: graph.sym(`start ${component}`) }],
	);
	const nodes = [...params.map(({ node }) => node), ...initial, ...combinations.map(({ node }) => node)];
	const scales = Float64Array.from(held, (name) => start[name] ?? 1);
	const args = [
		{ name: "z", symbols: names },
		{ name: "h", symbols: held },
		{ name: "c", symbols: form.constants },
	];
	const values = new Float64Array(nodes.length);
	const slopes = new Float64Array(nodes.length * names.length);
	compileFunction(nodes, args)(adjusted.quantities, scales, constants, values);
	compileFunction(new Differentiator(graph).jacobian(nodes, names), args)(
		adjusted.quantities,
		scales,
		constants,
		slopes,
	);
	const shared = (a: number, b: number): number => {
		let sum = 0;
		const size = names.length;
		for (let i = 0; i < size; i++)
			for (let j = 0; j < size; j++)
				sum += slopes[a * size + i] * adjusted.covariance[i * size + j] * slopes[b * size + j];
		return sum * record.variance;
	};
	const sd = (row: number): number =>
		Math.max(Math.sqrt(Math.max(shared(row, row), 0)), rounding * Math.abs(values[row]));
	const last = names.length - 1;
	const omegaSd = Math.sqrt(record.variance * adjusted.covariance[last * names.length + last]);
	const at = (name: string, row: number, from: NaturalValue["from"]): NaturalValue => ({
		name,
		value: values[row],
		sd: sd(row),
		degrees: record.degrees,
		from,
	});
	return {
		params: params.map(({ name, from }, i) => at(name, i, from)),
		covariance: Float64Array.from(params.flatMap((_, i) => params.map((_, j) => shared(i, j)))),
		initial: model.components.map((name, i) =>
			at(
				name,
				params.length + i,
				chain.some(({ component }) => component === name) ? "closed form" : "search",
			),
		),
		combinations: combinations.map(({ name }, i) =>
			at(name, params.length + model.components.length + i, "combination"),
		),
		period: adjusted.representation.grid.period,
		periodSd: (omegaSd / adjusted.omega) * adjusted.representation.grid.period,
		periodDegrees: record.degrees,
	};
}

function isFound(form: PeriodicForm, name: string, held: readonly string[]): boolean {
	return (
		form.lambda.includes(name) ||
		form.recovered.has(name) ||
		held.includes(name) ||
		form.hidden.some(({ closure }) => closure?.param === name)
	);
}
