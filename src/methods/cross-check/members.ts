/** Who is asked what: each method with the model as it is, or with what it needs derived from it. */
import type { Model } from "../../model/model.ts";
import type { Method } from "../method.ts";
import type { Problem } from "../problem.ts";
import { type Derived, withDistributions, withSets } from "./derived-knowledge.ts";
import { Member } from "./member.ts";
import { thinned } from "./thinned.ts";
import { withUnknownField } from "./unknown-field.ts";

/** Less work where a method is asked by the way, with sets that nobody declared; a study may ask for more. */
const modest: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
	guaranteed: { models: 4, rounds: 1, boxes: 1000 },
	// What is compared are derivatives: the field need not be fitted to whole trajectories.
	kriging: { errors: "joint" },
};
/** Samples of a record that a field is learned from by the way. */
const mostSamples = 150;

export function membersFor(methods: readonly Method[], problem: Problem, sigmas: number): Member[] {
	return methods.map((method) => {
		const own = memberOf(method, problem, { model: problem.model, assumptions: [] });
		const verdict = method.appliesTo(problem.model);
		if (verdict.applies) return own;
		const other = derivedFor(method.name, problem.model, sigmas);
		if (typeof other === "object" && method.appliesTo(other.model).applies)
			return method.name === "kriging" ? byTheWay(method, problem, other) : memberOf(method, problem, other);
		const why = typeof other === "object" ? method.appliesTo(other.model).why : (other ?? verdict.why);
		own.refuse(why);
		return own;
	});
}

/** A field that is learned by the way: from a part of a long record, and without tests. */
function byTheWay(method: Method, problem: Problem, { model, assumptions }: Derived): Member {
	const part = thinned({ ...problem, test: [] }, mostSamples);
	return memberOf(method, part.problem, { model, assumptions: [...assumptions, ...part.assumptions] });
}

/** A model that the method can use; a sentence where there is a reason for none. */
function derivedFor(method: string, model: Model, sigmas: number): Derived | string | undefined {
	if (model.unknowns.length > 0) return undefined;
	if (method === "guaranteed") return withSets(model, sigmas);
	if (method === "bayes") return withDistributions(model);
	return method === "kriging" ? withUnknownField(model) : undefined;
}

function memberOf(method: Method, problem: Problem, { model, assumptions }: Derived): Member {
	const known = new Set(model.params.map(({ name }) => name));
	const isNumber = (name: string): boolean =>
		known.has(name) || !problem.model.params.some((param) => param.name === name);
	return new Member({
		method,
		problem: {
			...problem,
			model,
			// A model without its equations has not their parameters.
			start: Object.fromEntries(Object.entries(problem.start).filter(([name]) => isNumber(name))),
		},
		options: { ...(assumptions.length > 0 ? modest[method.name] : {}), ...problem.settings?.[method.name] },
		assumptions,
	});
}
