/** Lets and exactly known parameters, found in the order in which they use one another. */
import type { Declarations, Entry } from "./declarations.ts";
import type { Expressions } from "./expression.ts";
import type { Reporter } from "./reporter.ts";
import { always, scopes } from "./scope.ts";
import type { Expr } from "./syntax/syntax.ts";
import { reservedNames, whyReserved } from "./vocabulary.ts";

export function resolveDefinitions(
	declarations: Declarations,
	expressions: Expressions,
	reporter: Reporter,
): void {
	const definitions = new Map<string, Expr>();
	for (const [name, entry] of declarations.names) {
		const expr = definitionOf(entry);
		if (expr) definitions.set(name, expr);
		if (entry.kind === "function" && (!expr || !entry.item.brackets?.length))
			reporter.report(
				entry.item.nameSpan,
				`function "${name}" is not whole`,
				`Write  function ${name}(x) = …`,
			);
		if (entry.kind === "function") checkFormals(entry, reporter);
		if (entry.kind === "let" && (!expr || entry.item.brackets))
			reporter.report(entry.item.nameSpan, `let "${name}" has no expression`, `Write  let ${name} = …`);
	}
	const done = new Set<string>();
	/** Names on the way from a root to where we are, each with those that it uses. */
	const path: { name: string; uses: string[] }[] = [];
	const onPath = new Set<string>();
	const enter = (name: string): void => {
		onPath.add(name);
		const formals = formalsOf(declarations.names.get(name)!);
		path.push({ name, uses: expressions.references.definitionsIn(definitions.get(name)!, formals) });
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
		expressions.references.define(name, expr, formalsOf(entry));
		// A function is put in where it is called.
		if (entry.kind === "function") return;
		entry.value = expressions.fold(expr, entry.kind === "let" ? always : scopes.exact);
	}

	function reportLoop(name: string): void {
		const loop = path.slice(path.findIndex((each) => each.name === name)).map((each) => each.name);
		const shown = loop.length > 8 ? [...loop.slice(0, 7), "…", loop[loop.length - 1]] : loop;
		for (const each of loop) declarations.names.get(each)!.looped = true;
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
	if ((kind !== "let" && kind !== "function" && !exact) || item.knowledge?.sign !== "=") return undefined;
	return item.knowledge.value;
}

/** The arguments of a function. */
export function formalsOf({ kind, item }: Entry): string[] {
	if (kind !== "function") return [];
	return (item.brackets ?? []).flatMap((expr) => (expr.kind === "name" ? [expr.name] : []));
}

function checkFormals({ item }: Entry, reporter: Reporter): void {
	const seen = new Set<string>();
	for (const expr of item.brackets ?? []) {
		const name = expr.kind === "name" && expr.primes === 0 ? expr.name : undefined;
		const example = `Write  function ${item.name}(x, y) = …`;
		if (name === undefined) reporter.report(expr.span, "only names stand here", example);
		else if (reservedNames.has(name))
			reporter.report(expr.span, `"${name}" ${whyReserved(name)}`, "Choose another name.");
		else if (seen.has(name)) reporter.report(expr.span, `"${name}" stands twice`, "Take one out.");
		else seen.add(name);
	}
}
