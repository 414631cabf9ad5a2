/** Events: what happens at the instant at which a condition becomes true. Highest derivatives in them are still symbols here. */
import type { ModelEvent } from "../model.ts";
import type { Declarations } from "./declarations.ts";
import type { Expressions } from "./expression.ts";
import { didYouMean } from "./missing-name.ts";
import type { Orders } from "./orders.ts";
import { always } from "./scope.ts";
import type { Argument, EventSyntax } from "./syntax/syntax.ts";

const numbers = ["delay", "priority"] as const;
const switches = ["persistent", "initially", "late"] as const;
export const eventOptions: readonly string[] = [...numbers, ...switches];

/** `undefined` when something is wrong; it has been reported then. */
export function resolveEvent(
	syntax: EventSyntax,
	{ names }: Declarations,
	orders: Orders | undefined,
	expressions: Expressions,
): ModelEvent | undefined {
	const { reporter } = expressions;
	const before = reporter.count;
	const trigger = expressions.foldCondition(syntax.trigger, always);
	const given = new Map<string, Argument>();
	for (const option of syntax.options) {
		const name = option.name!;
		if (!eventOptions.includes(name)) {
			const near = didYouMean(name, eventOptions);
			const remedy = `${near}There are delay, priority, persistent, initially and late.`;
			reporter.report(option.nameSpan!, `an event has no option "${name}"`, remedy);
		} else if (given.has(name)) reporter.report(option.nameSpan!, `"${name}" stands twice`, "Take one out.");
		else given.set(name, option);
	}
	const [delay, priority] = numbers.map((name) => {
		const option = given.get(name);
		return option && expressions.fold(option.value, always);
	});
	const flag = (name: (typeof switches)[number], usual: boolean): boolean => {
		const value = given.get(name)?.value;
		if (!value) return usual;
		const word = value.kind === "name" && value.primes === 0 ? value.name : "";
		if (word !== "true" && word !== "false")
			reporter.report(value.span, `${name} is true or false`, `Write  ${name}: ${!usual}`);
		return word === "true";
	};
	const targets = new Set<string>();
	const assignments = syntax.assignments.flatMap(({ name, primes, nameSpan, value }) => {
		const target = name + "'".repeat(primes);
		const node = expressions.fold(value, always);
		const order = orders?.orderOf.get(name);
		if (names.get(name)?.kind !== "state" || (order !== undefined && primes >= order)) {
			const remedy = `Only states are set. What stays as it is until then is one too:  state ${name} = 1  and  ${name}' = 0`;
			reporter.report(nameSpan, `an event cannot set "${target}"`, remedy);
		} else if (targets.has(target)) reporter.report(nameSpan, `"${target}" is set twice`, "Take one out.");
		targets.add(target);
		return node ? [{ target, value: node }] : [];
	});
	const event = {
		persistent: flag("persistent", true),
		initially: flag("initially", true),
		late: flag("late", false),
	};
	if (!trigger || reporter.count > before) return undefined;
	return {
		trigger,
		...(delay && { delay }),
		...(priority && { priority }),
		...event,
		assignments,
		written: syntax,
		span: syntax.span,
	};
}
