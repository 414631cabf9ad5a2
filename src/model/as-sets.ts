/**
 * One unknown may be known as a distribution and as a set at once: `k ~ normal(1, 0.3) in [0, 2]` lies in [0, 2] for certain, and so
 * does whatever has a law between two ends. Methods that go by sets read the set; those that go by chances read the law.
 */
import { constantValue } from "./constant.ts";
import { decimalConstant } from "./decimal-constant.ts";
import type { Node } from "./graph.ts";
import { distributions } from "./language/vocabulary.ts";
import type { Distribution, Knowledge, Model } from "./model.ts";

/** Between which numbers its law lies, whatever is cut off. */
export function endsOf({ family, args }: Distribution): readonly [lo: number, hi: number] {
	const { interval, ends: [lo, hi] = [] } = distributions.get(family) ?? {};
	if (interval) return [constantValue(args[0]), constantValue(args[1])];
	return [lo ?? Number.NEGATIVE_INFINITY, hi ?? Number.POSITIVE_INFINITY];
}

/** The set that a declaration says, where it says one with two ends; else the declaration as it is. */
function asSet({ graph }: Model, knowledge: Knowledge): Knowledge {
	if (knowledge.kind !== "distribution") return knowledge;
	const { distribution } = knowledge;
	const { args, cut } = distribution;
	const [least, most] = endsOf(distribution);
	/** As it was written, where it was: that may lie between two numbers that we compute with. */
	const written = (value: number): Node | undefined =>
		Number.isFinite(value)
			? ([cut?.lo, cut?.hi, ...args].find((node) => node && constantValue(node) === value) ??
				decimalConstant(graph, value))
			: undefined;
	const lo = written(Math.max(cut?.lo ? constantValue(cut.lo) : least, least));
	const hi = written(Math.min(cut?.hi ? constantValue(cut.hi) : most, most));
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
