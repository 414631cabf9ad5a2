/** Declarations of parameters, inputs, conditions and unknown functions, one by one. */
import type { Condition, Input, Param, UnknownFunction } from "../../model.ts";
import { resolveBasis } from "../bases.ts";
import type { Declarations } from "../declarations.ts";
import type { Expressions } from "../expression.ts";
import { resolveFamily } from "../families.ts";
import { resolveKnowledge } from "../knowledge.ts";
import { scopes } from "../scope.ts";
import { functionProcesses, inputProcesses } from "../vocabulary.ts";
import { type Item, visitExpr } from "./syntax.ts";

export function resolveParam(
	item: Item,
	{ names, rates }: Declarations,
	expressions: Expressions,
): Param | undefined {
	const { name, span } = item;
	const { reporter } = expressions;
	const rateItem = rates.get(name);
	const rate = rateItem && resolveKnowledge(rateItem, scopes.exact, expressions);
	if (rateItem?.brackets || (rateItem && !rateItem.knowledge))
		reporter.report(
			rateItem.nameSpan,
			`nothing is said of how fast "${name}" drifts`,
			`Write  param ${name}' in [-0.1, 0.1]`,
		);
	if (rateItem && names.get(name)!.exact)
		reporter.report(
			rateItem.nameSpan,
			`"${name}" is exactly known, and drifts`,
			`Say where it starts as a set:  param ${name} in [0, 1]`,
		);
	if (item.byRecord && !mayDiffer(item, rateItem, expressions)) return undefined;
	if (item.brackets) {
		if (item.knowledge || rateItem)
			reporter.report(
				item.knowledge?.span ?? rateItem!.nameSpan,
				`"${name}" is an unknown combination already`,
				`Write  param ${name}(…)  alone: its weights are what is unknown.`,
			);
		const terms = resolveTerms(item, expressions);
		return terms && { name, knowledge: { kind: "none" }, terms, span };
	}
	// An exactly known one has been folded with the other definitions.
	const entry = names.get(name)!;
	const knowledge = entry.exact
		? entry.value && { kind: "exact" as const, value: entry.value }
		: resolveKnowledge(item, scopes.exact, expressions);
	return (
		knowledge && { name, knowledge, ...(rate && { rate }), ...(item.byRecord && { byRecord: true }), span }
	);
}

/**
 * A parameter that differs from record to record has a value of its own in each, or a law of all of them, which others that
 * differ have no part in.
 */
function mayDiffer(item: Item, rate: Item | undefined, { reporter, names }: Expressions): boolean {
	const { knowledge, name } = item;
	const example = `Write  param ${name}[record] ~ lognormal(mu, omega)`;
	const wrong = (place: Item["span"], problem: string, remedy: string): false => {
		reporter.report(place, problem, remedy);
		return false;
	};
	if (item.brackets)
		return wrong(
			item.nameSpan,
			`"${name}" is a combination, and differs from record to record`,
			`Write  param ${name}[record]  for a value of its own in each record, or  param ${name}(…)  for one that follows from conditions.`,
		);
	if (rate)
		return wrong(
			rate.nameSpan,
			`"${name}" differs from record to record, and drifts`,
			"Take one of them out.",
		);
	if (knowledge?.sign === "=")
		return wrong(
			knowledge.span,
			`"${name}" is exactly known, and differs from record to record`,
			`Write  condition ${name} : each record of the study gives its value.`,
		);
	if (knowledge?.sign !== "~") return true;
	if (knowledge.cut) return wrong(knowledge.cut.span, "the law of a population is not cut", example);
	let good = true;
	visitExpr(knowledge.value, (part) => {
		const other = part.kind === "name" ? names.get(part.name)?.item : undefined;
		if (!other?.byRecord) return;
		good = false;
		reporter.report(
			part.span,
			`"${other.name}" differs from record to record itself`,
			"The law of a population is one of parameters that all records share, and of conditions.",
		);
	});
	return good;
}

function resolveTerms(item: Item, expressions: Expressions): Param["terms"] | undefined {
	const { reporter, graph } = expressions;
	if (item.brackets!.length === 0) {
		reporter.report(item.nameSpan, `"${item.name}" is a combination of nothing`, "Write  param p(1, c)");
		return undefined;
	}
	const nodes = item.brackets!.map((expr) => ({ expr, node: expressions.fold(expr, scopes.term) }));
	const seen = new Set<unknown>();
	for (const { expr, node } of nodes) {
		if (!node) continue;
		if (node === graph.zero) reporter.report(expr.span, "a term that is zero", "Take it out.");
		else if (seen.has(node)) reporter.report(expr.span, "this term stands twice", "Take one out.");
		seen.add(node);
	}
	const terms = nodes.flatMap(({ node }) => node ?? []);
	return terms.length === nodes.length ? terms : undefined;
}

export function resolveInput(item: Item, expressions: Expressions): Input | undefined {
	const { name, knowledge, span } = item;
	const { reporter } = expressions;
	if (item.brackets) {
		reporter.report(
			knowledge?.span ?? item.nameSpan,
			`input "${name}" is neither data nor a formula of t`,
			`Write  input ${name}  for data, or  input ${name} = sin(t)`,
		);
		return undefined;
	}
	if (!knowledge) return { name, knowledge: { kind: "none" }, span };
	if (knowledge.sign === "in" || knowledge.sign === "+-") {
		const set = resolveKnowledge(item, scopes.exact, expressions);
		return set && { name, knowledge: set, span };
	}
	if (knowledge.sign === "=") {
		const value = expressions.fold(knowledge.value, scopes.formula);
		return value && { name, knowledge: { kind: "formula", value }, span };
	}
	const place = { noun: "random process", families: inputProcesses, scope: scopes.process };
	const distribution = resolveFamily(knowledge.value, place, expressions);
	return distribution && { name, knowledge: { kind: "distribution", distribution }, span };
}

export function resolveCondition(item: Item, { reporter }: Expressions): Condition {
	if (item.knowledge || item.brackets)
		reporter.report(
			item.knowledge?.span ?? item.nameSpan,
			`condition "${item.name}" with a value`,
			`Write  condition ${item.name}  alone: each experiment of the study has its own value.`,
		);
	return { name: item.name, span: item.span };
}

export function resolveUnknown(item: Item, expressions: Expressions): UnknownFunction | undefined {
	const { name, knowledge, brackets, span } = item;
	const { reporter } = expressions;
	const example = `Write  unknown ${name}(x) = spline(0, 1, 2)  or  unknown ${name}(x) ~ kriging(trend: 2)`;
	if (!brackets || brackets.length === 0) {
		reporter.report(item.nameSpan, `unknown function "${name}" has no arguments`, example);
		return undefined;
	}
	if (knowledge?.sign !== "=" && knowledge?.sign !== "~") {
		const place = knowledge?.span ?? item.nameSpan;
		const elsewhere = `, or give its terms in the study:  library: { ${name}: [1, x] }`;
		reporter.report(
			place,
			`nothing is said of the form of unknown function "${name}"`,
			`${example}${elsewhere}`,
		);
		return undefined;
	}
	const params: string[] = [];
	for (const expr of brackets) {
		const param = expr.kind === "name" ? expr.name + "'".repeat(expr.primes) : undefined;
		if (param === undefined) reporter.report(expr.span, "only names stand here", example);
		else if (params.includes(param)) reporter.report(expr.span, `"${param}" stands twice`, "Take one out.");
		else params.push(param);
	}
	if (knowledge.sign === "=") {
		const form = resolveBasis(knowledge.value, params, expressions);
		return form && { name, params, kind: "basis", ...form, ...(item.byRecord && { byRecord: true }), span };
	}
	if (item.byRecord)
		reporter.report(
			item.nameSpan,
			`"${name}" is a random process, and differs from record to record`,
			`Write  unknown ${name}(${params.join(", ")})[record] = polynomial(2)  for a basis with weights of each record.`,
		);
	const place = { noun: "random process", families: functionProcesses, scope: scopes.family };
	const distribution = resolveFamily(knowledge.value, place, expressions);
	return distribution && { name, params, kind: "process", distribution, span };
}
