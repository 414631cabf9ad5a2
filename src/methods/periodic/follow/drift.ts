/**
 * A parameter that drifts slowly, as a smooth function of time: a sum of cubic B-splines on equal intervals, whose
 * coefficients take the place of the parameter.
 */
import type { Graph, Node } from "../../../model/graph.ts";
import type { Model, Param } from "../../../model/model.ts";
import { substitute } from "../../../model/walk.ts";
import { wholePower } from "../../../num/whole-power.ts";

export interface DriftBasis {
	/** Where the first interval begins, and how long each is. */
	readonly from: number;
	readonly step: number;
	/** Number of splines: that of the intervals and three. */
	readonly count: number;
}

export function driftBasis(from: number, to: number, intervals: number): DriftBasis {
	return { from, step: (to - from) / intervals, count: intervals + 3 };
}

/** Each spline at a time. */
export function splinesAt({ from, step, count }: DriftBasis, t: number): Float64Array {
	return Float64Array.from({ length: count }, (_, j) => {
		const u = Math.abs((t - from) / step - (j - 1));
		return (wholePower(Math.max(2 - u, 0), 3) - 4 * wholePower(Math.max(1 - u, 0), 3)) / 6;
	});
}

export function driftingParam(model: Model): Param | undefined {
	return model.params.find(({ rate }) => rate !== undefined);
}

/** The model with every parameter constant. */
export function withoutDrift(model: Model): Model {
	return { ...model, params: model.params.map(({ rate: _, ...param }) => param) };
}

export function coefficientName(name: string, j: number): string {
	return `${name}#${j + 1}`;
}

/** The model with the coefficients of the splines as parameters. */
export function withSplines(model: Model, name: string, basis: DriftBasis): Model {
	const { graph } = model;
	const course = graph.sum(
		Array.from({ length: basis.count }, (_, j) =>
			graph.mul(graph.sym(coefficientName(name, j)), splineNode(graph, basis, j)),
		),
	);
	const rhs = substitute(graph, model.rhs, new Map([[name, course]]));
	const params = model.params.flatMap((param): Param[] =>
		param.name === name
			? Array.from({ length: basis.count }, (_, j) => ({
					...param,
					name: coefficientName(name, j),
					knowledge: { kind: "none" },
				}))
			: [param],
	);
	return { ...model, params, rhs };
}

function splineNode(graph: Graph, { from, step }: DriftBasis, j: number): Node {
	const at = graph.div(graph.sub(graph.t, graph.const(from + (j - 1) * step)), graph.const(step));
	const u = graph.unary("abs", at);
	const cube = (reach: number): Node =>
		graph.pow(graph.binary("max", graph.sub(graph.const(reach), u), graph.zero), graph.const(3));
	return graph.div(graph.sub(cube(2), graph.mul(graph.const(4), cube(1))), graph.const(6));
}
