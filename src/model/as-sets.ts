/**
 * One unknown may be known as a distribution and as a set at once: `k ~ normal(1, 0.3) in [0, 2]` lies in [0, 2] for certain, and so
 * does `uniform(0, 2)`. Methods that go by sets read the set; those that go by chances read the law.
 */
import type { Knowledge, Model } from "./model.ts";

/** The set that a declaration says, where it says one with two ends; else the declaration as it is. */
function asSet(knowledge: Knowledge): Knowledge {
	if (knowledge.kind !== "distribution") return knowledge;
	const { family, args, cut } = knowledge.distribution;
	const [from, to] = family === "uniform" ? args : [];
	const lo = cut?.lo ?? from;
	const hi = cut?.hi ?? to;
	return lo && hi ? { kind: "set", lo, hi } : knowledge;
}

export function asSets(model: Model): Model {
	return {
		...model,
		params: model.params.map((param) => ({
			...param,
			knowledge: asSet(param.knowledge),
			...(param.rate ? { rate: asSet(param.rate) } : {}),
		})),
		initial: model.initial.map(asSet),
	};
}
