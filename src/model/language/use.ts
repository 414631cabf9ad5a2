/** What is declared should be used: an input that is not is an error, anything else is worth a word. */
import type { Diagnostic } from "../diagnostic.ts";
import { type Declarations, kindNames } from "./declarations.ts";
import type { References } from "./references.ts";
import type { Reporter } from "./reporter.ts";
import { type Expr, expressionsOf, expressionsOfEvent, type ModelSyntax } from "./syntax/syntax.ts";

/** Warnings; errors are reported. */
export function checkUse(
	syntax: ModelSyntax,
	{ names, excused }: Declarations,
	references: References,
	reporter: Reporter,
): Diagnostic[] {
	const roots: Expr[] = syntax.equations.flatMap(({ left, right }) => [left, right]);
	roots.push(...syntax.events.flatMap(expressionsOfEvent));
	roots.push(...syntax.assumptions.flatMap(({ left, right }) => [left, right]));
	for (const item of syntax.items)
		if (item.keyword !== "let" && item.keyword !== "unknown" && item.keyword !== "function")
			roots.push(...expressionsOf(item.knowledge), ...(item.brackets ?? []));
	const used = new Set(references.of(roots));
	const warnings: Diagnostic[] = [];
	for (const [name, { kind, item }] of names) {
		if (kind === "state" || kind === "measure" || used.has(name) || excused.has(name)) continue;
		const span = item.nameSpan;
		if (kind === "input")
			reporter.report(
				span,
				`input "${name}" is not used`,
				"Use it in an equation or a measurement, or take the declaration out.",
			);
		else
			warnings.push({
				span,
				message: `${kindNames[kind]} "${name}" is not used`,
				remedy: "Use it, or take it out.",
			});
	}
	return warnings;
}
