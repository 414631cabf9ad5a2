/**
 * Syntax to graph. `fold` replaces lets and exactly known parameters by what they stand for and reports what is
 * wrong, all of it; `write` leaves them as symbols, for display.
 */
import { constantValue } from "../constant.ts";
import { type Graph, GraphLimitError, isWhole, type Node, type UnaryFunction } from "../graph.ts";
import { hasItsArguments } from "./arity.ts";
import { type Entry, kindNames, withArticle } from "./declarations.ts";
import { limits } from "./limits.ts";
import { missingFunction, missingName } from "./missing-name.ts";
import type { References } from "./references.ts";
import type { Reporter } from "./reporter.ts";
import { always, type Scope, useOf } from "./scope.ts";
import type { Expr } from "./syntax.ts";
import { arityOf } from "./vocabulary.ts";

type CallExpr = Extract<Expr, { kind: "call" }>;
type NameExpr = Extract<Expr, { kind: "name" }>;

export class Expressions {
	constructor(
		readonly graph: Graph,
		readonly names: ReadonlyMap<string, Entry>,
		readonly references: References,
		readonly reporter: Reporter,
		readonly excused: ReadonlySet<string>,
	) {}

	/** `undefined` when something is wrong; it has been reported then. */
	fold(expr: Expr, scope: Scope): Node | undefined {
		return this.guarded(expr.span, () => this.#build(expr, scope));
	}

	/** Only for what `fold` found to be right. */
	write(expr: Expr): Node {
		return this.#build(expr, undefined)!;
	}

	/** What passes a limit of the graph is an error of the text at `span`. */
	guarded<T>(span: Expr["span"], build: () => T): T | undefined {
		try {
			return build();
		} catch (error) {
			if (!(error instanceof GraphLimitError)) throw error;
			this.reporter.report(span, `the expression ${error.problem}`, error.remedy, error.problem);
			return undefined;
		}
	}

	/** Without a scope: as written. */
	#build(expr: Expr, scope: Scope | undefined): Node | undefined {
		switch (expr.kind) {
			case "number":
				return this.graph.const(expr.value);
			case "name":
				return scope ? this.#name(expr, scope) : this.#symbol(expr);
			case "call":
				return this.#call(expr, scope);
			case "negative":
				return this.#apply(expr, [expr.value], scope, ([value]) => this.graph.neg(value));
			case "sum":
				return this.#apply(
					expr,
					expr.terms.map(({ value }) => value),
					scope,
					(nodes) =>
						this.graph.sum(nodes.map((node, i) => (expr.terms[i].negative ? this.graph.neg(node) : node))),
				);
			case "product":
				return this.#apply(
					expr,
					expr.factors.map(({ value }) => value),
					scope,
					(nodes) => this.#product(expr, nodes),
				);
			case "power":
				return this.#apply(expr, [expr.base, expr.exponent], scope, ([base, exponent]) =>
					this.#power(expr, base, exponent),
				);
			case "comparison":
				this.reporter.report(
					expr.span,
					"a comparison outside if",
					"A comparison chooses between two expressions:  if(a < b, p, q)",
				);
				return undefined;
		}
	}

	/** Builds all parts, so that every error is found, and then the whole. */
	#apply(
		expr: Expr,
		parts: readonly Expr[],
		scope: Scope | undefined,
		build: (nodes: Node[]) => Node | undefined,
	): Node | undefined {
		const nodes = parts.map((part) => this.#build(part, scope));
		if (nodes.includes(undefined)) return undefined;
		const whole = build(nodes as Node[]);
		if (!whole || !scope) return whole;
		const defined = (nodes as Node[]).every((node) => Number.isFinite(constantValue(node)));
		if (!defined || Number.isFinite(constantValue(whole))) return whole;
		this.reporter.report(expr.span, "this has no finite value", "Check the numbers in it.");
		return undefined;
	}

	#product(expr: Extract<Expr, { kind: "product" }>, nodes: readonly Node[]): Node | undefined {
		const { graph } = this;
		const zero = expr.factors.findIndex(({ inverse }, i) => inverse && nodes[i] === graph.zero);
		if (zero >= 0) {
			const { span } = expr.factors[zero].value;
			this.reporter.report(span, "a division by zero", "What is exactly known here comes to 0.");
			return undefined;
		}
		return graph.product(
			nodes.map((node, i) => (expr.factors[i].inverse ? graph.pow(node, graph.minusOne) : node)),
		);
	}

	#power(expr: Extract<Expr, { kind: "power" }>, base: Node, exponent: Node): Node | undefined {
		const size = isWhole(exponent) ? exponent.value!.num : 0n;
		if (size > BigInt(limits.exponent) || size < -BigInt(limits.exponent)) {
			const remedy = `Whole exponents lie between -${limits.exponent} and ${limits.exponent}.`;
			this.reporter.report(expr.exponent.span, "an exponent that is too large", remedy);
			return undefined;
		}
		if (base === this.graph.zero && constantValue(exponent) < 0) {
			this.reporter.report(expr.span, "a division by zero", "What is exactly known here comes to 0.");
			return undefined;
		}
		return this.graph.pow(base, exponent);
	}

	#symbol(expr: NameExpr): Node {
		return expr.name === "pi" ? this.graph.pi : this.graph.sym(expr.name + "'".repeat(expr.primes));
	}

	#name(expr: NameExpr, scope: Scope): Node | undefined {
		const { name, primes, span } = expr;
		if (name === "pi" && primes === 0) return this.graph.pi;
		if (arityOf(name)) {
			this.reporter.report(span, `"${name}" is a function`, `Write ${name}(…) with what it is applied to.`);
			return undefined;
		}
		const builtin = name === "t" || name === "pi";
		const entry = this.names.get(name);
		if (!builtin && !entry) {
			if (!this.excused.has(name)) missingName(expr, scope, this.names, this.reporter);
			return undefined;
		}
		if (primes > 0 && entry?.kind !== "state") return this.#notDifferentiable(expr, entry);
		if (entry?.kind === "measure") {
			this.reporter.report(
				span,
				`"${name}" is a measurement`,
				"Write the expression that it measures instead.",
			);
			return undefined;
		}
		if (entry?.kind === "unknown") {
			this.reporter.report(span, `"${name}" is an unknown function`, `Write ${name}(…) with its arguments.`);
			return undefined;
		}
		if (!this.#allowed(expr, scope)) return undefined;
		return entry && (entry.kind === "let" || entry.exact) ? entry.value : this.#symbol(expr);
	}

	/** Whether a name may stand in this scope; for a let, everything that it uses. */
	#allowed(expr: NameExpr, scope: Scope): boolean {
		const isLet = this.names.get(expr.name)?.kind === "let";
		if (isLet && scope === always) return true;
		for (const used of isLet ? this.references.of([expr]) : [expr.name]) {
			const name = used.replace(/'+$/, "");
			const use = useOf(name, this.names.get(name));
			if (use === undefined || scope.allow.has(use)) continue;
			const through = isLet ? `"${expr.name}", which uses ` : "";
			const what = use === "t" ? "the time t" : `the ${kindNames[use]} "${name}"`;
			this.reporter.report(expr.span, `${scope.where} cannot use ${through}${what}`, scope.remedy);
			return false;
		}
		return true;
	}

	#notDifferentiable(expr: NameExpr, entry: Entry | undefined): undefined {
		const what = entry
			? `"${expr.name}" is ${withArticle(kindNames[entry.kind])}`
			: `"${expr.name}" is not a state`;
		const remedy =
			entry?.kind === "input"
				? `Declare its derivative as an input of its own:  input d${expr.name}`
				: "Primes stand for time derivatives of states.";
		this.reporter.report(expr.span, `${what}: it has no derivative here`, remedy);
		return undefined;
	}

	#call(expr: CallExpr, scope: Scope | undefined): Node | undefined {
		const { name, args } = expr;
		const arity = arityOf(name);
		const entry = this.names.get(name);
		const named = args.find((arg) => arg.name !== undefined);
		if (named) {
			this.reporter.report(named.nameSpan!, "an argument with a name", "Leave the name out here.");
			return undefined;
		}
		if (!arity && entry?.kind !== "unknown") {
			if (!this.excused.has(name)) missingFunction(expr, entry, this.names, this.reporter);
			for (const { value } of args) this.#build(value, scope);
			return undefined;
		}
		if (!hasItsArguments(expr, entry, this.reporter)) {
			for (const { value } of args) if (value.kind !== "comparison") this.#build(value, scope);
			return undefined;
		}
		if (name === "if") return this.#if(expr, scope);
		const values = args.map(({ value }) => value);
		if (!arity && scope && !scope.allow.has("unknown")) {
			this.reporter.report(
				expr.span,
				`${scope.where} cannot use the unknown function "${name}"`,
				scope.remedy,
			);
			return undefined;
		}
		return this.#apply(expr, values, scope, (nodes) => this.#function(name, nodes));
	}

	#function(name: string, args: readonly Node[]): Node {
		if (!arityOf(name)) return this.graph.call(name, args);
		if (name === "sqrt") return this.graph.sqrt(args[0]);
		if (name === "min" || name === "max") return args.reduce((a, b) => this.graph.binary(name, a, b));
		return this.graph.unary(name as UnaryFunction, args[0]);
	}

	#if(expr: CallExpr, scope: Scope | undefined): Node | undefined {
		const [condition, yes, no] = expr.args.map(({ value }) => value);
		if (condition.kind !== "comparison") {
			const remedy = "The first of its three arguments compares:  if(x < 0, -1, 1)";
			this.reporter.report(condition.span, "if needs a comparison here", remedy);
		}
		const sides = condition.kind === "comparison" ? [condition.left, condition.right] : [condition];
		const parts = [...sides, yes, no].map((part) => this.#build(part, scope));
		if (condition.kind !== "comparison" || parts.includes(undefined)) return undefined;
		const [left, right, whenTrue, whenFalse] = parts as Node[];
		const op = condition.sign.endsWith("=") ? "le" : "lt";
		const swap = condition.sign.startsWith(">");
		const test = swap ? this.graph.compare(op, right, left) : this.graph.compare(op, left, right);
		return this.graph.if(test, whenTrue, whenFalse);
	}
}
