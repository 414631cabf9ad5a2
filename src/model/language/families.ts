/** `normal(0, 1)`, `spline(0, 1, 2)`, `kriging(trend: 2)`: what stands after `=` and `~`, with its arguments checked. */
import { constantValue } from "../constant.ts";
import type { Node } from "../graph.ts";
import type { Distribution } from "../model.ts";
import type { Expressions } from "./expression.ts";
import { didYouMean } from "./missing-name.ts";
import { type Scope, scopes } from "./scope.ts";
import type { Argument, Expr } from "./syntax/syntax.ts";
import type { ArgumentRule, Family } from "./vocabulary.ts";

export interface FamilyPlace {
	/** `distribution`, `basis`, `random process`: what an unknown family is called. */
	readonly noun: string;
	readonly of?: string;
	readonly families: ReadonlyMap<string, Family>;
	readonly scope: Scope;
}

export function resolveFamily(
	expr: Expr,
	{ noun, of = "", families, scope }: FamilyPlace,
	expressions: Expressions,
): Distribution | undefined {
	const { reporter } = expressions;
	const examples = [...families.values()].map(({ example }) => example).join(", ");
	const name = expr.kind === "call" || (expr.kind === "name" && expr.primes === 0) ? expr.name : undefined;
	const family = name === undefined ? undefined : families.get(name);
	if (name === undefined || !family) {
		const near = name === undefined ? "" : didYouMean(name, [...families.keys()]);
		const what = name === undefined ? `this is no ${noun}${of}` : `unknown ${noun} "${name}"${of}`;
		const { span } = expr.kind === "call" ? { span: expr.nameSpan } : expr;
		reporter.report(span, what, `${near}Write one of:  ${examples}`);
		return undefined;
	}
	const given = matchArguments(expr, name, family, expressions);
	if (!given) return undefined;
	const nodes = new Map<Argument, Node>();
	for (const { rule, argument } of given) {
		const node = expressions.fold(argument.value, rule?.lasting ? scopes.lasting : scope);
		if (node) nodes.set(argument, node);
	}
	if (nodes.size < given.length) return undefined;
	const checked = given.map(({ rule, argument }) =>
		check(rule, constantValue(nodes.get(argument)!), argument.value, expressions),
	);
	if (checked.includes(false)) return undefined;
	if (family.interval || family.rising)
		for (let i = 1; i < given.length; i++)
			if (!rises(given[i - 1].argument, given[i].argument, family)) return undefined;
	const isOptional = ({ rule }: Matched): boolean => rule?.optional === true || family.onlyNamed === true;
	return {
		family: name,
		args: given.filter((each) => !isOptional(each)).map(({ argument }) => nodes.get(argument)!),
		named: new Map(given.filter(isOptional).map(({ rule, argument }) => [rule!.name, nodes.get(argument)!])),
	};

	function rises(before: Argument, after: Argument, { interval }: Family): boolean {
		const [lo, hi] = [constantValue(nodes.get(before)!), constantValue(nodes.get(after)!)];
		if (!(lo >= hi)) return true;
		reporter.report(
			after.value.span,
			interval ? "the bounds stand the wrong way round" : "the knots do not rise",
			interval ? "The lower one comes first." : "Each knot is larger than the one before it.",
		);
		return false;
	}
}

interface Matched {
	readonly rule?: ArgumentRule;
	readonly argument: Argument;
}

/** Arguments beside the rules that hold for them, by position or by name, in the order of the rules. */
function matchArguments(
	expr: Expr,
	name: string,
	family: Family,
	{ reporter }: Expressions,
): Matched[] | undefined {
	if (expr.kind !== "call") {
		reporter.report(expr.span, `"${name}" stands without brackets`, `Write it like this:  ${family.example}`);
		return undefined;
	}
	if (family.rising) {
		const named = expr.args.find((argument) => argument.name !== undefined);
		if (!named && expr.args.length >= family.rising.least)
			return expr.args.map((argument): Matched => ({ argument }));
		const message = named
			? "an argument with a name"
			: `${name} takes ${family.rising.least} or more arguments`;
		reporter.report(named?.nameSpan ?? expr.span, message, `Write it like this:  ${family.example}`);
		return undefined;
	}
	const matched = new Map<ArgumentRule, Argument>();
	const placed = family.args.filter(({ byName }) => !byName);
	let position = 0;
	for (const argument of expr.args) {
		const byPosition = family.onlyNamed ? undefined : placed[position++];
		const rule =
			argument.name === undefined ? byPosition : family.args.find((each) => each.name === argument.name);
		if (!rule && argument.name !== undefined) {
			const near = didYouMean(
				argument.name,
				family.args.map((each) => each.name),
			);
			const remedy = `${near}Write it like this:  ${family.example}`;
			reporter.report(argument.nameSpan!, `${name} has no argument "${argument.name}"`, remedy);
			return undefined;
		}
		if (rule && matched.has(rule)) {
			reporter.report(
				argument.nameSpan ?? argument.value.span,
				`"${rule.name}" is given twice`,
				"Take one out.",
			);
			return undefined;
		}
		if (!rule) return wrongCount(expr, name, family, reporter);
		matched.set(rule, argument);
	}
	if (family.args.some((rule) => !rule.optional && !matched.has(rule)))
		return wrongCount(expr, name, family, reporter);
	return family.args
		.filter((rule) => matched.has(rule))
		.map((rule) => ({ rule, argument: matched.get(rule)! }));
}

function wrongCount(
	expr: Extract<Expr, { kind: "call" }>,
	name: string,
	family: Family,
	reporter: Expressions["reporter"],
): undefined {
	const count = family.args.filter(({ optional }) => !optional).length;
	const wanted = family.onlyNamed ? "named arguments" : `${count} argument${count === 1 ? "" : "s"}`;
	reporter.report(
		expr.span,
		`${name} takes ${wanted}, not ${expr.args.length}`,
		`Write it like this:  ${family.example}`,
	);
	return undefined;
}

/** Domain of an argument, where it is constant: only then is its value a number. */
function check(
	rule: ArgumentRule | undefined,
	value: number,
	{ span }: Expr,
	{ reporter }: Expressions,
): boolean {
	if (rule?.among && !rule.among.includes(value)) {
		const here = Number.isNaN(value) ? "Here it is not a constant." : `Here it is ${value}.`;
		reporter.report(span, `${rule.name} must be ${listed(rule.among)}`, here);
		return false;
	}
	if (!rule?.must || Number.isNaN(value)) return true;
	const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = rule;
	if (rule.must === "positive" ? value > 0 : Number.isInteger(value) && value >= least && value <= most)
		return true;
	const wanted = rule.must === "positive" ? "a positive number" : `a whole number from ${least} to ${most}`;
	// Who writes a spread of 0 means that there is no error.
	const exact = value === 0 && rule.name === "spread" ? " For exact samples write  measure y = x." : "";
	reporter.report(span, `${rule.name} must be ${wanted}`, `Here it is ${value}.${exact}`);
	return false;
}

function listed(values: readonly number[]): string {
	return `${values.slice(0, -1).join(", ")} or ${values[values.length - 1]}`;
}
