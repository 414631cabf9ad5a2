/** What is known of a number: parameters, their rates, initial values. */
import { constantValue } from "../constant.ts";
import type { Distribution, Knowledge } from "../model.ts";
import type { Expressions } from "./expression.ts";
import { resolveFamily } from "./families.ts";
import { type Scope, scopes } from "./scope.ts";
import { limits } from "./syntax/limits.ts";
import type { CutSyntax, Item, KnowledgeSyntax } from "./syntax/syntax.ts";
import { distributions, populations } from "./vocabulary.ts";

/** `exactScope`: what may stand after `=`. `undefined` when something is wrong. */
export function resolveKnowledge(
	item: Item,
	exactScope: Scope,
	expressions: Expressions,
): Knowledge | undefined {
	const { knowledge } = item;
	if (!knowledge) return { kind: "none" };
	if (knowledge.sign === "~") {
		const place = item.byRecord
			? { noun: "law of a population", families: populations, scope: scopes.population }
			: { noun: "distribution", families: distributions, scope: scopes.prior };
		const distribution = resolveFamily(knowledge.value, place, expressions);
		const cut = knowledge.cut && resolveCut(knowledge.cut, expressions);
		if (!distribution || (knowledge.cut && !cut)) return undefined;
		return { kind: "distribution", distribution: { ...distribution, ...(cut && { cut }) } };
	}
	if (knowledge.sign === "=") {
		const value = expressions.fold(knowledge.value, exactScope);
		if (value && value.size > limits.constantSize) {
			expressions.reporter.report(knowledge.span, "this expression is too large", "Simplify it.");
			return undefined;
		}
		return value && { kind: "exact", value };
	}
	return resolveSet(knowledge, expressions);
}

function resolveCut(
	{ lo: below, hi: above, span }: CutSyntax,
	expressions: Expressions,
): Distribution["cut"] | undefined {
	const lo = below && expressions.fold(below, scopes.prior);
	const hi = above && expressions.fold(above, scopes.prior);
	if ((below && !lo) || (above && !hi)) return undefined;
	if (lo && hi && !(constantValue(lo) < constantValue(hi))) {
		expressions.reporter.report(span, "the bounds stand the wrong way round", "The lower one comes first.");
		return undefined;
	}
	return { ...(lo && { lo }), ...(hi && { hi }) };
}

function resolveSet(
	knowledge: Extract<KnowledgeSyntax, { sign: "in" | "+-" }>,
	expressions: Expressions,
): Knowledge | undefined {
	const { graph, reporter } = expressions;
	const between = knowledge.sign === "in";
	const a = expressions.fold(between ? knowledge.lo : knowledge.value, scopes.bound);
	const b = expressions.fold(between ? knowledge.hi : knowledge.radius, scopes.bound);
	if (!a || !b) return undefined;
	const [lo, hi] = between ? [a, b] : [graph.sub(a, b), graph.add(a, b)];
	const [low, high] = [constantValue(lo), constantValue(hi)];
	if (low < high) return { kind: "set", lo, hi };
	if (!between) reporter.report(knowledge.radius.span, "the radius must be a positive number");
	else if (low > high)
		reporter.report(knowledge.span, "the bounds stand the wrong way round", `Write  in [${high}, ${low}]`);
	else reporter.report(knowledge.span, "the bounds are equal", `Write  = ${low}  for what is exactly known.`);
	return undefined;
}
