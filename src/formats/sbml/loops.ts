/** Rules and functions that use one another in a circle have no values: each circle is said once, at the first of its rules. */
import type { Span } from "../../model/model.ts";
import type { SbmlModel } from "./document.ts";
import { type Formula, visit } from "./formula.ts";
import type { Problems } from "./problems.ts";

interface Definition {
	readonly span: Span;
	readonly uses: readonly string[];
}

export function refuseLoops({ rules, reactions, functions, species }: SbmlModel, problems: Problems): void {
	const definitions = new Map<string, Definition>();
	for (const { id, body, params, span } of functions)
		if (body) definitions.set(id, { span, uses: valuesIn(body).filter((each) => !params.includes(each)) });
	// A concentration is an amount over the size of its compartment.
	const rated = new Set(rules.flatMap(({ kind, variable }) => (kind === "rate" ? [variable] : [])));
	for (const { id, isAmount, compartment, span } of species)
		if (!isAmount && !rated.has(id)) definitions.set(id, { span, uses: [compartment] });
	for (const { kind, variable, math, span } of rules)
		if (kind === "assignment") definitions.set(variable, { span, uses: valuesIn(math) });
	for (const { id, rate, span } of reactions) if (rate) definitions.set(id, { span, uses: valuesIn(rate) });
	const done = new Set<string>();
	for (const first of definitions.keys()) walk(first, []);

	function walk(id: string, path: readonly string[]): void {
		const at = path.indexOf(id);
		if (at >= 0) return report(path.slice(at));
		const definition = definitions.get(id);
		if (!definition || done.has(id)) return;
		for (const used of definition.uses) walk(used, [...path, id]);
		done.add(id);
	}

	function report(loop: readonly string[]): void {
		const first = loop.reduce((a, b) =>
			definitions.get(b)!.span.start < definitions.get(a)!.span.start ? b : a,
		);
		const from = loop.indexOf(first);
		const ordered = [...loop.slice(from), ...loop.slice(0, from), first];
		problems.add(
			definitions.get(first)!.span,
			loop.length === 1 ? `"${first}" is defined by itself` : "a loop of definitions",
			`Each uses the next: ${ordered.join(", ")}. Write one of them without the others.`,
		);
	}
}

/** What a formula takes the value of, and the functions it calls; the rate of something is another matter. */
function valuesIn(formula: Formula): string[] {
	const found = new Set<string>();
	visit(formula, (part) => {
		if (part.kind === "name" || part.kind === "call") found.add(part.id);
	});
	return [...found];
}
