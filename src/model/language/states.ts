/** States: their order, and what is known of the initial value of each component. */
import type { Knowledge, StateVariable } from "../model.ts";
import type { Declarations } from "./declarations.ts";
import type { Expressions } from "./expression.ts";
import { resolveKnowledge } from "./knowledge.ts";
import type { Orders } from "./orders.ts";
import { scopes } from "./scope.ts";
import type { Item } from "./syntax/syntax.ts";

/** Without `orders`, which could not be found then, initial values are checked all the same. */
export function resolveState(
	item: Item,
	{ initial }: Declarations,
	orders: Orders | undefined,
	expressions: Expressions,
): StateVariable | undefined {
	const { reporter } = expressions;
	const { name } = item;
	const given = initial.get(name)!;
	for (const each of given.values())
		if (each.brackets) {
			const remedy = `Give its initial value like this:  state ${name} = 1`;
			reporter.report(each.nameSpan, `state "${name}" with brackets`, remedy);
		}
	const known = new Map(
		[...given].map(([primes, each]) => [primes, resolveKnowledge(each, scopes.initial, expressions)]),
	);
	const order = orders?.orderOf.get(name);
	if (order === undefined) return undefined;
	const components = Array.from({ length: order }, (_, i) => name + "'".repeat(i));
	for (const [primes, each] of given)
		if (primes >= order) {
			const rest = components.length === 1 ? `only ${name} has` : `${components.join(", ")} have`;
			reporter.report(
				each.nameSpan,
				`${name}${"'".repeat(primes)} has no initial value: ${name} is of order ${order}`,
				`Take it out; ${rest} one.`,
			);
		}
	const none: Knowledge = { kind: "none" };
	return {
		name,
		order,
		components,
		initial: components.map((_, i) => known.get(i) ?? none),
		span: item.span,
	};
}
