/**
 * Syntax to graph. `fold` replaces lets and exactly known parameters by what they stand for and reports what is
 * wrong, all of it; `write` leaves them as symbols, for display.
 */
import { constantValue } from "../constant.ts";
import { type Graph, GraphLimitError, isWhole, type Node, type UnaryFunction } from "../graph.ts";
import { hasItsArguments } from "./arity.ts";
import { type Entry, kindNames, withArticle } from "./declarations.ts";
import { missingFunction, missingName } from "./missing-name.ts";
import type { References } from "./references.ts";
import type { Reporter } from "./reporter.ts";
import { always, type Scope, useOf } from "./scope.ts";
import { limits } from "./syntax/limits.ts";
import type { ComparisonSign, Expr } from "./syntax/syntax.ts";
import { arityOf } from "./vocabulary.ts";

type CallExpr = Extract<Expr, { kind: "call" }>;
type NameExpr = Extract<Expr, { kind: "name" }>;

/** Where an expression stands: what may be used there, and in the body of a function what its arguments are. */
interface Place {
	/** Without a scope: as written. */
	readonly scope: Scope | undefined;
	readonly bound?: ReadonlyMap<string, Bound>;
	/** How many functions deep. */
	readonly depth?: number;
}

/** An argument of a function at one call, built when it is first asked for. */
interface Bound {
	readonly expr: Expr;
	readonly place: Place;
	node?: { readonly value: Node | undefined };
}

export class Expressions {
	/** How deep the parts stand that are being built, bodies of functions and what their arguments stand for among them. */
	#level = 0;

	constructor(
		readonly graph: Graph,
		readonly names: ReadonlyMap<string, Entry>,
		readonly references: References,
		readonly reporter: Reporter,
		readonly excused: ReadonlySet<string>,
	) {}

	/** `undefined` when something is wrong; it has been reported then. */
	fold(expr: Expr, scope: Scope): Node | undefined {
		return this.guarded(expr.span, () => this.#build(expr, { scope }));
	}

	/** The same where some names are arguments of a function that stay as they are. */
	foldWith(expr: Expr, scope: Scope, formals: readonly string[]): Node | undefined {
		const place: Place = { scope };
		const bound = new Map(
			formals.map((name): [string, Bound] => [name, { expr, place, node: { value: this.graph.sym(name) } }]),
		);
		return this.guarded(expr.span, () => this.#build(expr, { scope, bound }));
	}

	/** A condition as a number: 1 where it holds, else 0. */
	foldCondition(expr: Expr, scope: Scope): Node | undefined {
		const { one, zero } = this.graph;
		return this.guarded(expr.span, () => this.#choose(expr, { scope }, one, zero));
	}

	/** Only for what `fold` found to be right. */
	write(expr: Expr): Node {
		return this.#build(expr, { scope: undefined })!;
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

	#build(expr: Expr, place: Place): Node | undefined {
		this.#descend();
		try {
			return this.#built(expr, place);
		} finally {
			this.#level--;
		}
	}

	/** Functions of functions stand in one another as deep as all of them together: a short text could overflow the stack. */
	#descend(): void {
		if (this.#level >= limits.written)
			throw new GraphLimitError(
				`nests more than ${limits.written} deep when its functions are written out`,
				"Name some of its parts:  let part = …",
			);
		this.#level++;
	}

	#built(expr: Expr, place: Place): Node | undefined {
		switch (expr.kind) {
			case "number":
				return this.graph.const(expr.value);
			case "name":
				return this.#name(expr, place);
			case "call":
				return this.#call(expr, place);
			case "negative":
				return this.#apply(expr, [expr.value], place, ([value]) => this.graph.neg(value));
			case "sum":
				return this.#apply(
					expr,
					expr.terms.map(({ value }) => value),
					place,
					(nodes) =>
						this.graph.sum(nodes.map((node, i) => (expr.terms[i].negative ? this.graph.neg(node) : node))),
				);
			case "product":
				return this.#apply(
					expr,
					expr.factors.map(({ value }) => value),
					place,
					(nodes) => this.#product(expr, nodes),
				);
			case "power":
				return this.#apply(expr, [expr.base, expr.exponent], place, ([base, exponent]) =>
					this.#power(expr, base, exponent),
				);
			case "comparison":
			case "logic":
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
		place: Place,
		build: (nodes: Node[]) => Node | undefined,
	): Node | undefined {
		// No closure between one level and the next: it would be a frame more on the stack.
		const nodes: (Node | undefined)[] = [];
		for (const part of parts) nodes.push(this.#build(part, place));
		if (nodes.includes(undefined)) return undefined;
		const whole = build(nodes as Node[]);
		if (!whole || !place.scope) return whole;
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

	#name(expr: NameExpr, { scope, bound }: Place): Node | undefined {
		const { name, primes, span } = expr;
		const argument = bound?.get(name + "'".repeat(primes));
		if (argument) {
			argument.node ??= { value: this.#build(argument.expr, argument.place) };
			return argument.node.value;
		}
		if (!scope) return this.#symbol(expr);
		if (name === "pi" && primes === 0) return this.graph.pi;
		if (arityOf(name)) {
			this.reporter.report(span, `"${name}" is a function`, `Write ${name}(…) with what it is applied to.`);
			return undefined;
		}
		const builtin = ["t", "pi", "true", "false"].includes(name);
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
		if (entry?.kind === "function" || name === "true" || name === "false") {
			const what = entry ? "a function" : "a condition";
			const remedy = entry
				? `Write ${name}(…) with its arguments.`
				: "It chooses between two expressions in if.";
			this.reporter.report(span, `"${name}" is ${what}`, remedy);
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

	#call(expr: CallExpr, place: Place): Node | undefined {
		const { name, args } = expr;
		const entry = this.names.get(name);
		if (!this.#callable(expr, place)) return undefined;
		if (entry?.kind === "function") {
			const body = this.#body(expr, entry, place);
			return body && this.#build(body.expr, body.place);
		}
		if (name === "if" || name === "piecewise") return this.#cases(expr, place);
		const values = args.map(({ value }) => value);
		return this.#apply(expr, values, place, (nodes) => this.#function(name, nodes));
	}

	/** Whether there is such a function and it is called as it should be; what is wrong is reported, also inside. */
	#callable(expr: CallExpr, place: Place): boolean {
		const { name, args } = expr;
		const { scope } = place;
		const arity = arityOf(name);
		const entry = this.names.get(name);
		const named = args.find((arg) => arg.name !== undefined);
		if (named) {
			this.reporter.report(named.nameSpan!, "an argument with a name", "Leave the name out here.");
			return false;
		}
		const isFunction = arity || entry?.kind === "unknown" || entry?.kind === "function";
		if (!isFunction && !this.excused.has(name)) missingFunction(expr, entry, this.names, this.reporter);
		if (!isFunction || !hasItsArguments(expr, entry, this.reporter)) {
			for (const { value } of args) if (!isCondition(value)) this.#build(value, place);
			return false;
		}
		if (entry?.kind === "unknown" && scope && !scope.allow.has("unknown")) {
			this.reporter.report(
				expr.span,
				`${scope.where} cannot use the unknown function "${name}"`,
				scope.remedy,
			);
			return false;
		}
		return true;
	}

	/** What a function of the text stands for, with its arguments put in place. */
	#body(expr: CallExpr, { item, looped }: Entry, place: Place): { expr: Expr; place: Place } | undefined {
		if (item.knowledge?.sign !== "=" || !item.brackets || looped) return undefined;
		const depth = (place.depth ?? 0) + 1;
		if (depth > limits.nesting) {
			const remedy = "Write some of them out.";
			this.reporter.report(expr.span, `functions call one another more than ${limits.nesting} deep`, remedy);
			return undefined;
		}
		const bound = new Map<string, Bound>();
		item.brackets.forEach((param, i) => {
			if (param.kind === "name") bound.set(param.name, { expr: expr.args[i].value, place });
		});
		return { expr: item.knowledge.value, place: { scope: place.scope, bound, depth } };
	}

	#function(name: string, args: readonly Node[]): Node {
		const { graph } = this;
		if (!arityOf(name)) return graph.call(name, args);
		if (name === "sqrt") return graph.sqrt(args[0]);
		if (name === "min" || name === "max") return args.reduce((a, b) => graph.binary(name, a, b));
		if (name === "log10" || name === "log2") {
			const base = graph.unary("log", graph.const(name === "log2" ? 2 : 10));
			return graph.div(graph.unary("log", args[0]), base);
		}
		if (name === "ceil") return graph.neg(graph.unary("floor", graph.neg(args[0])));
		return graph.unary(name as UnaryFunction, args[0]);
	}

	/** `if(c, p, q)`, and `piecewise(p, c, q, d, r)`: p where c holds, else q where d holds, else r. */
	#cases({ name, args }: CallExpr, place: Place): Node | undefined {
		const values = args.map(({ value }) => value);
		const [pairs, last] = casesOf(name, values);
		let otherwise = this.#build(last, place);
		for (const { value, condition } of pairs.reverse()) {
			const node = this.#build(value, place);
			const { zero } = this.graph;
			const chosen = this.#choose(condition, place, node ?? zero, otherwise ?? zero);
			otherwise = node && otherwise && chosen;
		}
		return otherwise;
	}

	/** `yes` where a condition holds, else `no`: every condition becomes a nest of ifs, each with one comparison. */
	#choose(condition: Expr, place: Place, yes: Node, no: Node): Node | undefined {
		this.#descend();
		try {
			return this.#chosen(condition, place, yes, no);
		} finally {
			this.#level--;
		}
	}

	#chosen(condition: Expr, place: Place, yes: Node, no: Node): Node | undefined {
		switch (condition.kind) {
			case "comparison": {
				const left = this.#build(condition.left, place);
				const right = this.#build(condition.right, place);
				return left && right && this.#compared(condition.sign, left, right, yes, no);
			}
			case "logic": {
				if (condition.word === "not") return this.#choose(condition.parts[0], place, no, yes);
				const all = condition.word === "and";
				let chosen: Node | undefined = all ? yes : no;
				for (const part of condition.parts.toReversed()) {
					const here: Node = chosen ?? yes;
					const next = all ? this.#choose(part, place, here, no) : this.#choose(part, place, yes, here);
					chosen = chosen && next;
				}
				return chosen;
			}
			case "name": {
				const argument = condition.primes === 0 ? place.bound?.get(condition.name) : undefined;
				if (argument) return this.#choose(argument.expr, argument.place, yes, no);
				if (condition.name === "true") return yes;
				if (condition.name === "false") return no;
				break;
			}
			case "call": {
				const { name, args } = condition;
				const entry = this.names.get(name);
				if (entry?.kind !== "function" && name !== "if" && name !== "piecewise") break;
				if (!this.#callable(condition, place)) return undefined;
				if (entry?.kind === "function") {
					const body = this.#body(condition, entry, place);
					return body && this.#choose(body.expr, body.place, yes, no);
				}
				const [pairs, last] = casesOf(
					name,
					args.map(({ value }) => value),
				);
				let otherwise = this.#choose(last, place, yes, no);
				for (const pair of pairs.reverse()) {
					const held = this.#choose(pair.value, place, yes, no);
					otherwise = held && otherwise && this.#choose(pair.condition, place, held, otherwise);
				}
				return otherwise;
			}
		}
		const remedy = "The first of its three arguments compares:  if(x < 0, -1, 1)";
		this.reporter.report(condition.span, "if needs a comparison here", remedy);
		this.#build(condition, place);
		return undefined;
	}

	#compared(sign: ComparisonSign, a: Node, b: Node, yes: Node, no: Node): Node {
		const { graph } = this;
		const test = (op: "lt" | "le", left: Node, right: Node, then: Node, otherwise: Node): Node =>
			graph.if(graph.compare(op, left, right), then, otherwise);
		switch (sign) {
			case "<":
				return test("lt", a, b, yes, no);
			case "<=":
				return test("le", a, b, yes, no);
			case ">":
				return test("lt", b, a, yes, no);
			case ">=":
				return test("le", b, a, yes, no);
			case "==":
				return test("le", a, b, test("le", b, a, yes, no), no);
			case "!=":
				return test("lt", a, b, yes, test("lt", b, a, yes, no));
		}
	}
}

function isCondition({ kind }: Expr): boolean {
	return kind === "comparison" || kind === "logic";
}

/** The cases of an `if` or a `piecewise`, and what holds otherwise. */
function casesOf(name: string, args: readonly Expr[]): [{ value: Expr; condition: Expr }[], Expr] {
	if (name === "if") return [[{ condition: args[0], value: args[1] }], args[2]];
	const pairs: { value: Expr; condition: Expr }[] = [];
	for (let i = 0; i + 1 < args.length; i += 2) pairs.push({ value: args[i], condition: args[i + 1] });
	return [pairs, args[args.length - 1]];
}
