/**
 * Which names an expression refers to, directly and through lets, as written: before anything is folded or cancelled.
 * The references of a let are one node of a small graph, so that long chains of lets cost no more than their text.
 */
import { Dependence } from "../dependence.ts";
import { Graph, type Node } from "../graph.ts";
import type { Entry } from "./declarations.ts";
import { type Expr, visitExpr } from "./syntax/syntax.ts";

export class References {
	readonly #graph = new Graph();
	readonly #dependence = new Dependence();
	readonly #lets = new Map<string, Node>();

	constructor(readonly names: ReadonlyMap<string, Entry>) {}

	/** The names of definitions (lets, functions and exactly known parameters) that stand in an expression itself. */
	definitionsIn(expr: Expr, formals: readonly string[] = []): string[] {
		return this.#directNames(expr, formals).filter((name) => {
			const entry = this.names.get(name);
			return entry !== undefined && (entry.kind === "let" || entry.kind === "function" || entry.exact);
		});
	}

	/** To be called for every definition after those that it refers to. */
	define(name: string, expr: Expr, formals: readonly string[] = []): void {
		this.#lets.set(name, this.#graph.call(name, [this.#graph.sym(name), this.#node(expr, formals)]));
	}

	/** All names below expressions: `x''`, `k`, `t`, and the lets and unknown functions themselves. */
	of(expressions: readonly Expr[]): string[] {
		const node = this.#graph.call(
			"",
			expressions.map((expr) => this.#node(expr)),
		);
		return this.#dependence.symbols(node);
	}

	#node(expr: Expr, formals: readonly string[] = []): Node {
		const names = this.#directNames(expr, formals);
		return this.#graph.call(
			"",
			names.map((name) => this.#lets.get(name) ?? this.#graph.sym(name)),
		);
	}

	/** `formals`: the arguments of a function, which are no names beyond it. */
	#directNames(expr: Expr, formals: readonly string[]): string[] {
		const found = new Set<string>();
		visitExpr(expr, (part) => {
			if (part.kind === "name") found.add(part.name + "'".repeat(part.primes));
			else if (part.kind === "call") found.add(part.name);
		});
		for (const name of formals) found.delete(name);
		return [...found];
	}
}
