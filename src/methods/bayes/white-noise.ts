/**
 * White noise in the equations, x' = … + w with `input w ~ white(q)`: over a time h it adds a normal error of variance q² h to
 * x. For the filter it is a force whose memory is short beside the samples, as strong as makes this variance right over
 * the usual interval between two of them.
 */
import type { Graph } from "../../model/graph.ts";
import type { Distribution, Model } from "../../model/model.ts";
import { exp } from "../../num/elementary/number.ts";

/** Memories in one interval between samples: neighbouring intervals then share a twentieth. */
const memories = 10;

export function withWhiteNoise(model: Model, interval: number): Model {
	const isWhite = ({ knowledge }: Model["inputs"][number]): boolean =>
		knowledge.kind === "distribution" && knowledge.distribution.family === "white";
	if (!model.inputs.some(isWhite)) return model;
	return {
		...model,
		inputs: model.inputs.map((input) =>
			input.knowledge.kind === "distribution" && isWhite(input)
				? {
						...input,
						knowledge: {
							kind: "distribution",
							distribution: shortForce(model.graph, input.knowledge.distribution, interval),
						},
					}
				: input,
		),
	};
}

/** A force of covariance s² exp(-|t|/l), whose integral over h has the variance 2 s² l (h - l (1 - exp(-h/l))). */
function shortForce(graph: Graph, { args: [q] }: Distribution, h: number): Distribution {
	const length = h / memories;
	const factor = Math.sqrt(h / (2 * length * (h - length * (1 - exp(-memories)))));
	return {
		family: "matern",
		args: [graph.const(0.5), graph.mul(graph.const(factor), q), graph.const(length)],
		named: new Map(),
	};
}
