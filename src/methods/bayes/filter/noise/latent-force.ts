/** Inputs that nobody measured: random processes whose values are coordinates of the filter's state. */
import { constantValue } from "../../../../model/constant.ts";
import type { Node } from "../../../../model/graph.ts";
import { isWhite } from "../../../../model/language/process-noise.ts";
import type { Model } from "../../../../model/model.ts";

export interface LatentForce {
	readonly name: string;
	/** How often it can be differentiated: smoothness ν = p + 1/2. It has p + 1 coordinates, u^(i)/λ^i. */
	readonly p: number;
	readonly sd: Node;
	readonly length: Node;
	/** First coordinate in the state. */
	readonly from: number;
}

/** The forces of a model, with coordinates after the first `from`; white noise has none. */
export function latentForces({ inputs }: Model, from = 0): LatentForce[] {
	let next = from;
	return inputs.flatMap((input) => {
		const { name, knowledge } = input;
		if (knowledge.kind !== "distribution" || isWhite(input)) return [];
		const [nu, sd, length] = knowledge.distribution.args;
		const force = { name, p: Math.round(constantValue(nu) - 0.5), sd, length, from: next };
		next += force.p + 1;
		return [force];
	});
}

/** Names of the inputs that come from the data, in the order of their signals. */
export function measuredInputs({ inputs }: Model): string[] {
	return inputs.filter(({ knowledge }) => knowledge.kind !== "distribution").map(({ name }) => name);
}
