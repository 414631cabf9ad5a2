/** What can still be said of a statement that could not be read as a whole: names that nobody declares, wrong calls. */
import { hasItsArguments } from "./arity.ts";
import type { Declarations } from "./declarations.ts";
import { missingFunction, missingName } from "./missing-name.ts";
import type { Reporter } from "./reporter.ts";
import { always } from "./scope.ts";
import type { ModelSyntax } from "./syntax/syntax.ts";
import { arityOf, isFamily } from "./vocabulary.ts";

export function checkSalvaged(
	{ salvaged, spoiled }: ModelSyntax,
	{ names }: Declarations,
	reporter: Reporter,
): void {
	for (const expr of salvaged) {
		if (expr.kind === "name") {
			const { name } = expr;
			const isKnown =
				["t", "pi", "true", "false"].includes(name) || arityOf(name) !== undefined || names.has(name);
			if (!isKnown && !spoiled.has(name)) missingName(expr, always, names, reporter);
		} else if (expr.kind === "call") {
			const { name } = expr;
			const entry = names.get(name);
			if (arityOf(name) || entry?.kind === "unknown" || entry?.kind === "function")
				hasItsArguments(expr, entry, reporter);
			else if (!spoiled.has(name) && !isFamily(name)) missingFunction(expr, entry, names, reporter);
		}
	}
}
