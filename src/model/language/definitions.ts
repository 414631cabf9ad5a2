/** Lets and exactly known parameters, found in the order in which they use one another. */
import type { Declarations, Entry } from "./declarations.ts";
import type { Expressions } from "./expression.ts";
import type { Reporter } from "./reporter.ts";
import { always, scopes } from "./scope.ts";
import type { Expr } from "./syntax.ts";

export function resolveDefinitions(
	declarations: Declarations,
	expressions: Expressions,
	reporter: Reporter,
): void {
	const definitions = new Map<string, Expr>();
	for (const [name, entry] of declarations.names) {
		const expr = definitionOf(entry);
		if (expr) definitions.set(name, expr);
		if (entry.kind === "let" && (!expr || entry.item.brackets))
			reporter.report(entry.item.nameSpan, `let "${name}" has no expression`, `Write  let ${name} = …`);
	}
	const done = new Set<string>();
	/** Names on the way from a root to where we are, each with those that it uses. */
	const path: { name: string; uses: string[] }[] = [];
	const onPath = new Set<string>();
	const enter = (name: string): void => {
		onPath.add(name);
		path.push({ name, uses: expressions.references.definitionsIn(definitions.get(name)!) });
	};
	for (const root of definitions.keys()) {
		if (!done.has(root)) enter(root);
		while (path.length > 0) {
			const { name, uses } = path[path.length - 1];
			const next = uses.pop();
			if (next === undefined) {
				finish(name);
				path.pop();
				onPath.delete(name);
			} else if (onPath.has(next)) reportLoop(next);
			else if (!done.has(next) && definitions.has(next)) enter(next);
		}
	}

	function finish(name: string): void {
		done.add(name);
		const entry = declarations.names.get(name)!;
		const expr = definitions.get(name)!;
		expressions.references.define(name, expr);
		entry.value = expressions.fold(expr, entry.kind === "let" ? always : scopes.exact);
	}

	function reportLoop(name: string): void {
		const loop = path.slice(path.findIndex((each) => each.name === name)).map((each) => each.name);
		const shown = loop.length > 8 ? [...loop.slice(0, 7), "…", loop[loop.length - 1]] : loop;
		const { item } = declarations.names.get(name)!;
		reporter.report(
			item.nameSpan,
			loop.length === 1 ? `"${name}" is defined by itself` : "a loop of definitions",
			loop.length === 1
				? "Take it out of its own definition. What changes in time is a state with an equation."
				: `Each uses the next: ${[...shown, name].join(", ")}. Write one of them without the others.`,
		);
	}
}

/** The expression that a name stands for, where it is a definition. */
function definitionOf({ kind, exact, item }: Entry): Expr | undefined {
	if ((kind !== "let" && !exact) || item.knowledge?.sign !== "=") return undefined;
	return item.knowledge.value;
}
