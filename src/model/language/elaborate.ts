/** Syntax to meaning: every declaration and equation checked, the equations solved, a `Model` made. */
import { InternalError } from "../../errors.ts";
import { Graph, type Node } from "../graph.ts";
import type { Assumption, Model } from "../model.ts";
import { substitute } from "../walk.ts";
import { declare } from "./declarations.ts";
import { formalsOf, resolveDefinitions } from "./definitions.ts";
import { resolveEvent } from "./events.ts";
import { Expressions } from "./expression.ts";
import { checkDerivatives, resolveMeasure } from "./measures.ts";
import { findOrders } from "./orders.ts";
import { References } from "./references.ts";
import type { Reporter } from "./reporter.ts";
import { checkSalvaged } from "./salvaged.ts";
import { always, leftSide } from "./scope.ts";
import { type FoldedEquation, solveEquations } from "./solve-equations.ts";
import { resolveState } from "./states.ts";
import { resolveCondition, resolveInput, resolveParam, resolveUnknown } from "./syntax/items.ts";
import { limits } from "./syntax/limits.ts";
import {
	type Expr,
	expressionsOf,
	expressionsOfEvent,
	type Item,
	type ModelSyntax,
} from "./syntax/syntax.ts";
import { checkUse } from "./use.ts";

/** What is declared, before the equations are solved: highest derivatives in measurements are still symbols. */
type Declared = Pick<
	Model,
	| "params"
	| "inputs"
	| "conditions"
	| "unknowns"
	| "states"
	| "measures"
	| "functions"
	| "events"
	| "assumptions"
	| "warnings"
>;

export function elaborate(syntax: ModelSyntax, reporter: Reporter): Model {
	const graph = new Graph();
	graph.limitWork(limits.work);
	const declarations = declare(syntax, reporter);
	const { names } = declarations;
	const references = new References(names);
	const expressions = new Expressions(graph, names, references, reporter, declarations.excused);
	const itemsOf = (keyword: Item["keyword"]): Item[] =>
		syntax.items.filter((item) => item.keyword === keyword && names.get(item.name)?.item === item);
	const resolveAll = <T>(keyword: Item["keyword"], resolve: (item: Item) => T | undefined): T[] =>
		itemsOf(keyword)
			.map(resolve)
			.filter((each): each is T & {} => each !== undefined);

	checkSalvaged(syntax, declarations, reporter);
	resolveDefinitions(declarations, expressions, reporter);
	const found = findOrders(syntax, declarations, references, reporter);
	const orders = found?.whole ? found : undefined;
	const declared: Declared = {
		params: resolveAll("param", (item) => resolveParam(item, declarations, expressions)),
		inputs: resolveAll("input", (item) => resolveInput(item, expressions)),
		conditions: resolveAll("condition", (item) => resolveCondition(item, expressions)),
		unknowns: resolveAll("unknown", (item) => resolveUnknown(item, expressions)),
		states: resolveAll("state", (item) => resolveState(item, declarations, orders, expressions)),
		measures: resolveAll("measure", (item) => resolveMeasure(item, expressions)),
		functions: resolveAll("function", (item) => {
			const { knowledge } = item;
			if (knowledge?.sign !== "=") return undefined;
			return { name: item.name, params: formalsOf(names.get(item.name)!), written: knowledge.value };
		}),
		events: syntax.events.flatMap((event) => resolveEvent(event, declarations, orders, expressions) ?? []),
		assumptions: syntax.assumptions.flatMap((written): Assumption[] => {
			const left = expressions.fold(written.left, always);
			const right = expressions.fold(written.right, always);
			if (!left || !right) return [];
			const value = written.sign[0] === ">" ? graph.sub(left, right) : graph.sub(right, left);
			return [{ value, isStrict: written.sign.length === 1, written, span: written.span }];
		}),
		warnings: checkUse(syntax, declarations, references, reporter),
	};
	const equations = syntax.equations.map((equation): FoldedEquation | undefined => {
		const left = expressions.fold(equation.left, equation.left.kind === "name" ? leftSide : always);
		const right = expressions.fold(equation.right, always);
		return left && right && { left, right, syntax: equation };
	});
	if (orders) {
		const measured = itemsOf("measure").flatMap(({ knowledge }) => (knowledge ? [knowledge] : []));
		for (const each of measured)
			checkDerivatives(orders, "A measurement", expressionsOf(each), each.span, references, reporter);
		for (const event of syntax.events)
			checkDerivatives(orders, "An event", expressionsOfEvent(event), event.span, references, reporter);
		for (const { left, right, span } of syntax.assumptions)
			checkDerivatives(orders, "An assumption", [left, right], span, references, reporter);
	}
	if (reporter.count === 0 && declared.states.length === 0)
		reporter.report(
			{ start: 0, end: 1 },
			"the model has no state",
			"Declare one and write its equation:  state x = 1  and  x' = -x",
		);

	const varies = (symbol: string): boolean => {
		const kind = names.get(symbol.replace(/'+$/, ""))?.kind;
		return symbol === "t" || kind === "state" || kind === "input";
	};
	const solved = found && solveEquations(graph, equations, found, varies, reporter);
	reporter.throwIfAny();
	if (!solved) throw new InternalError("a model that is not whole must have an error", reporter.source);
	const model = expressions.guarded({ start: 0, end: 1 }, () =>
		assemble(syntax, declared, itemsOf("let"), solved, expressions),
	);
	reporter.throwIfAny();
	graph.limitWork(Number.POSITIVE_INFINITY);
	return model!;
}

/** The whole, with highest derivatives put in where they are used. */
function assemble(
	syntax: ModelSyntax,
	declared: Declared,
	lets: readonly Item[],
	solved: ReadonlyMap<string, Node>,
	expressions: Expressions,
): Model {
	const { graph, reporter } = expressions;
	const put = (node: Node): Node => substitute(graph, [node], solved)[0];
	const components = declared.states.flatMap((state) => state.components);
	return {
		graph,
		source: reporter.source,
		fileName: reporter.fileName,
		...declared,
		measures: declared.measures.map((measure) => ({
			...measure,
			value: put(measure.value),
			...(measure.spread && { spread: put(measure.spread) }),
		})),
		events: declared.events.map((event) => ({
			...event,
			trigger: put(event.trigger),
			...(event.delay && { delay: put(event.delay) }),
			...(event.priority && { priority: put(event.priority) }),
			assignments: event.assignments.map(({ target, value }) => ({ target, value: put(value) })),
		})),
		assumptions: (declared.assumptions ?? []).map((each) => ({ ...each, value: put(each.value) })),
		lets: lets.map((item) => {
			const { value } = item.knowledge as { value: Expr };
			return { name: item.name, value: expressions.write(value), written: value };
		}),
		components,
		// The derivative of a component is the next one, or what the equations say of the highest.
		rhs: components.map((component) => solved.get(`${component}'`) ?? graph.sym(`${component}'`)),
		initial: declared.states.flatMap((state) => state.initial),
		equations: syntax.equations.map(({ left, right, span }) => ({
			left: expressions.write(left),
			right: expressions.write(right),
			written: { left, right },
			span,
		})),
	};
}
