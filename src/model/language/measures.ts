/** Measurements: what is measured, and how well. Highest derivatives in it are still symbols here. */
import { constantValue } from "../constant.ts";
import type { Node } from "../graph.ts";
import type { Measure, Span } from "../model.ts";
import type { Expressions } from "./expression.ts";
import { resolveFamily } from "./families.ts";
import type { Orders } from "./orders.ts";
import type { References } from "./references.ts";
import type { Reporter } from "./reporter.ts";
import { always } from "./scope.ts";
import { type Expr, type Item, placeOf } from "./syntax/syntax.ts";
import { errorDistributions, placeOfArgument, shapePlaces } from "./vocabulary.ts";

export function resolveMeasure(item: Item, expressions: Expressions): Measure | undefined {
	const { knowledge, name, span } = item;
	const { reporter } = expressions;
	if (!knowledge || knowledge.sign === "in" || item.brackets) {
		reporter.report(
			item.brackets ? item.nameSpan : (knowledge?.span ?? item.nameSpan),
			`measure "${name}" does not say what is measured`,
			`Write  measure ${name} = x  or  measure ${name} in x +- 0.1  or  measure ${name} ~ normal(x, 0.1)`,
		);
		return undefined;
	}
	if (knowledge.sign === "=") {
		const value = expressions.fold(knowledge.value, always);
		return value && { name, kind: "exact", value, written: { value: knowledge.value }, span };
	}
	if (knowledge.sign === "+-") {
		const value = expressions.fold(knowledge.value, always);
		const spread = expressions.fold(knowledge.radius, always);
		if (!value || !spread) return undefined;
		if (constantValue(spread) <= 0) {
			const remedy = `Write  measure ${name} = …  for what is measured without error.`;
			reporter.report(knowledge.radius.span, "the radius must be a positive number", remedy);
			return undefined;
		}
		const written = { value: knowledge.value, spread: knowledge.radius };
		return { name, kind: "set", value, spread, written, span };
	}
	const place = {
		noun: "distribution",
		of: " of a measurement",
		families: errorDistributions,
		scope: always,
	};
	const distribution = resolveFamily(knowledge.value, place, expressions);
	if (!distribution) return undefined;
	const { family } = distribution;
	const value = distribution.args[placeOfArgument(family, "value")];
	const spread: Node | undefined = distribution.args[placeOfArgument(family, "spread")];
	const shape = shapePlaces(family).map((place) => distribution.args[place]);
	const written = writtenArguments(knowledge.value, family);
	const open = shape.findIndex((node) => Number.isNaN(constantValue(node)));
	if (open >= 0) {
		const { name: argument } = errorDistributions.get(family)!.args[shapePlaces(family)[open]];
		reporter.report(
			written.shape[open].span,
			`${argument} must be a plain number`,
			`Write, for example,  4.`,
		);
		return undefined;
	}
	const correlated = distribution.named.get("correlated");
	const rounded = distribution.named.get("rounded");
	if (rounded && correlated) {
		reporter.report(
			written.rounded!.span,
			"errors that are correlated, of samples that were rounded, cannot be weighed",
			"Leave one of the two out.",
		);
		return undefined;
	}
	if (rounded && Number.isNaN(constantValue(rounded))) {
		reporter.report(
			written.rounded!.span,
			"rounded must be a plain number",
			"Write, for example,  rounded: 0.1.",
		);
		return undefined;
	}
	return {
		name,
		kind: "distribution",
		family,
		value,
		...(spread && { spread }),
		shape,
		...(rounded && { rounded }),
		...(correlated && { correlated }),
		written,
		span,
	};
}

/** A measurement or an event may use a highest derivative, which is put in, but nothing beyond it. */
export function checkDerivatives(
	{ orderOf }: Orders,
	subject: string,
	used: readonly Expr[],
	span: Span,
	references: References,
	reporter: Reporter,
): void {
	for (const symbol of references.of(used)) {
		const name = symbol.replace(/'+$/, "");
		const order = orderOf.get(name);
		if (order === undefined || symbol.length - name.length <= order) continue;
		reporter.report(
			placeOf(symbol, used) ?? span,
			`${symbol} is beyond the order of ${name}, which is ${order}`,
			`${subject} may use ${name} up to ${name}${"'".repeat(order)}.`,
		);
	}
}

/** The arguments, whichever way they were given. */
function writtenArguments(
	expr: Expr,
	family: string,
): { value: Expr; spread?: Expr; shape: Expr[]; rounded?: Expr; correlated?: Expr } {
	const args = expr.kind === "call" ? expr.args : [];
	const rules = errorDistributions.get(family)!.args;
	const at = (place: number): Expr =>
		(args.find((argument) => argument.name === rules[place].name) ?? args[place]).value;
	const spread = placeOfArgument(family, "spread");
	const byName = (name: string): Expr | undefined => args.find((argument) => argument.name === name)?.value;
	const [rounded, correlated] = [byName("rounded"), byName("correlated")];
	return {
		value: at(placeOfArgument(family, "value")),
		...(spread >= 0 && { spread: at(spread) }),
		shape: shapePlaces(family).map(at),
		...(rounded && { rounded }),
		...(correlated && { correlated }),
	};
}
