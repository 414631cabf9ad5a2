/** Algebraic rules, 0 = …, solved for what nothing else determines. */
import type { Rule, SbmlFunction } from "./document.ts";
import { apply, type Formula, isAffine, namesIn, numeral, one, replace, zero } from "./formula.ts";
import type { Problems } from "./problems.ts";

/** What stands for a name by an assignment rule or as a rate, and the functions of the model. */
interface Known {
	readonly definitions: ReadonlyMap<string, Formula>;
	readonly functions: ReadonlyMap<string, SbmlFunction>;
}

/** What each variable is equal to. `free`: those that nothing else determines, the likeliest first. */
export function solveAlgebraic(
	rules: readonly Rule[],
	free: readonly string[],
	{ definitions, functions }: Known,
	problems: Problems,
): Map<string, Formula> {
	const solved = new Map<string, Formula>();
	const expanded = (formula: Formula, depth = 0): Formula =>
		replace(formula, (part) => {
			// Definitions that go round in a circle are found elsewhere.
			if (depth > 50) return undefined;
			if (part.kind === "name") {
				const known = solved.get(part.id) ?? definitions.get(part.id);
				return known && expanded(known, depth + 1);
			}
			if (part.kind !== "call") return undefined;
			const { params = [], body } = functions.get(part.id) ?? {};
			const { args } = part;
			const bound = (id: string): Formula | undefined => args[params.indexOf(id)];
			return (
				body &&
				expanded(
					replace(body, (each) => (each.kind === "name" ? bound(each.id) : undefined)),
					depth + 1,
				)
			);
		});
	const left = [...rules];
	while (left.length > 0) {
		// The rule with the fewest variables to choose from first.
		const choices = left.map((rule) => {
			const math = expanded(rule.math);
			const names = namesIn(math);
			const open = free.filter((id) => names.has(id) && !solved.has(id));
			return { rule, math, open };
		});
		choices.sort((a, b) => a.open.length - b.open.length);
		const { rule, math, open } = choices[0];
		left.splice(left.indexOf(rule), 1);
		if (open.length === 0) {
			problems.add(
				rule.span,
				"this algebraic rule determines nothing",
				"Everything in it is determined already. Take it out.",
			);
			continue;
		}
		const variable = open.find((id) => isAffine(math, id));
		if (variable === undefined) {
			problems.add(
				rule.span,
				`this algebraic rule is not linear in ${open.join(" or ")}`,
				"Solve it by hand, and write an assignment rule.",
			);
			continue;
		}
		const at = (value: Formula): Formula =>
			replace(math, (part) => (part.kind === "name" && part.id === variable ? value : undefined));
		const offset = at(zero);
		solved.set(
			variable,
			apply("divide", apply("times", numeral(-1), offset), apply("minus", at(one), offset)),
		);
	}
	return solved;
}
