/**
 * Which names an expression refers to, directly and through lets, as written: before anything is folded or cancelled.
 * The references of a let are one node of a small graph, so that long chains of lets cost no more than their text.
 */
import { Dependence } from "../dependence.ts";
import { Graph, type Node } from "../graph.ts";
import type { Entry } from "./declarations.ts";
import { type Expr, visitExpr } from "./syntax.ts";

export class References {
	readonly #graph = new Graph();
	readonly #dependence = new Dependence();
	readonly #lets = new Map<string, Node>();

	constructor(readonly names: ReadonlyMap<string, Entry>) {}

	/** The names of definitions (lets and exactly known parameters) that stand in an expression itself. */
	definitionsIn(expr: Expr): string[] {
		return this.#directNames(expr).filter((name) => {
			const entry = this.names.get(name);
			return entry !== undefined && (entry.kind === "let" || entry.exact);
		});
	}

	/** To be called for every definition after those that it refers to. */
	define(name: string, expr: Expr): void {
		this.#lets.set(name, this.#graph.call(name, [this.#graph.sym(name), this.#node(expr)]));
	}

	/** All names below expressions: `x''`, `k`, `t`, and the lets and unknown functions themselves. */
	of(expressions: readonly Expr[]): string[] {
		const node = this.#graph.call(
			"",
			expressions.map((expr) => this.#node(expr)),
		);
		return this.#dependence.symbols(node);
	}

	#node(expr: Expr): Node {
		const names = this.#directNames(expr);
		return this.#graph.call(
			"",
			names.map((name) => this.#lets.get(name) ?? this.#graph.sym(name)),
		);
	}

	#directNames(expr: Expr): string[] {
		const found = new Set<string>();
		visitExpr(expr, (part) => {
			if (part.kind === "name") found.add(part.name + "'".repeat(part.primes));
			else if (part.kind === "call") found.add(part.name);
		});
		return [...found];
	}
}
