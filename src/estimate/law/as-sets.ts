/**
 * One unknown may be known as a distribution and as a set at once: `k ~ normal(1, 0.3) in [0, 2]` lies in [0, 2] for certain, and so
 * does whatever has a law between two ends. Methods that go by sets read the set; those that go by chances read the law.
 */
import { constantValue } from "../../model/constant.ts";
import { decimalConstant } from "../../model/decimal-constant.ts";
import type { Node } from "../../model/graph.ts";
import type { Knowledge, Model } from "../../model/model.ts";
import { wholeLaw } from "./declared.ts";

/** The set that a declaration says, where it says one with two ends; else the declaration as it is. */
function asSet({ graph }: Model, knowledge: Knowledge): Knowledge {
	if (knowledge.kind !== "distribution") return knowledge;
	const { distribution } = knowledge;
	const { args, cut } = distribution;
	const law = wholeLaw(distribution);
	/** As it was written, where it was: that may lie between two numbers that we compute with. */
	const written = (value: number): Node | undefined =>
		Number.isFinite(value)
			? ([cut?.lo, cut?.hi, ...args].find((node) => node && constantValue(node) === value) ??
				decimalConstant(graph, value))
			: undefined;
	const open = Number.POSITIVE_INFINITY;
	const lo = written(Math.max(cut?.lo ? constantValue(cut.lo) : -open, law?.lo ?? -open));
	const hi = written(Math.min(cut?.hi ? constantValue(cut.hi) : open, law?.hi ?? open));
	return lo && hi ? { kind: "set", lo, hi } : knowledge;
}

export function asSets(model: Model): Model {
	return {
		...model,
		params: model.params.map((param) => ({
			...param,
			knowledge: asSet(model, param.knowledge),
			...(param.rate ? { rate: asSet(model, param.rate) } : {}),
		})),
		initial: model.initial.map((knowledge) => asSet(model, knowledge)),
	};
}
