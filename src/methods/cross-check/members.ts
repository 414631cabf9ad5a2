/** Who is asked what: each method with the model as it is, or with what it needs derived from it. */
import { withNumbers } from "../../estimate/observe/declared-spreads.ts";
import { beyondMethods } from "../../model/within-reach.ts";
import type { Method } from "../method.ts";
import type { GivenOptions } from "../options.ts";
import type { Problem } from "../problem.ts";
import { type Derived, withDistributions, withSets } from "./derived-knowledge.ts";
import { Member } from "./member.ts";
import { thinned } from "./thinned.ts";
import { withUnknownField } from "./unknown-field.ts";

export function membersFor(methods: readonly Method[], problem: Problem, sigmas: number): Member[] {
	return methods.map((method) => {
		const own = memberOf(method, problem, { model: problem.model, assumptions: [] });
		const beyond = beyondMethods(problem.model, method);
		if (beyond !== undefined) {
			own.refuse(beyond);
			return own;
		}
		const verdict = method.appliesTo(problem.model);
		if (verdict.applies) return own;
		const other = derivedFor(method, problem, sigmas);
		if (typeof other === "object" && method.appliesTo(other.model).applies)
			return byTheWay(method, problem, other);
		const why = typeof other === "object" ? method.appliesTo(other.model).why : (other ?? verdict.why);
		own.refuse(why);
		return own;
	});
}

/** Asked about a model that nobody declared: less work, as far as the method says, where the study does not ask for more. */
function byTheWay(method: Method, problem: Problem, { model, assumptions }: Derived): Member {
	const { options, mostSamples } = method.byTheWay!;
	if (mostSamples === undefined) return memberOf(method, problem, { model, assumptions }, options);
	const part = thinned({ ...problem, test: [] }, mostSamples);
	const said = [...assumptions, ...part.assumptions];
	return memberOf(method, part.problem, { model, assumptions: said }, options);
}

/** A model that the method can use; a sentence where there is a reason for none. */
function derivedFor(
	{ needs, byTheWay }: Method,
	{ model: declared, train, test }: Problem,
	sigmas: number,
): Derived | string | undefined {
	// A model with doses in it is read from no text.
	if (!byTheWay || declared.unknowns.length > 0 || declared.doses) return undefined;
	const model = withNumbers(declared, [...train, ...test]);
	switch (needs) {
		case "sets":
			return withSets(model, sigmas);
		case "distributions":
			return withDistributions(model);
		case "field":
			return withUnknownField(model);
	}
	return undefined;
}

function memberOf(
	method: Method,
	problem: Problem,
	{ model, assumptions }: Derived,
	modest: GivenOptions = {},
): Member {
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
		options: { ...modest, ...problem.settings?.[method.name] },
		assumptions,
	});
}
