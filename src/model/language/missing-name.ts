/** What to say of a name that is not declared. */
import { nearestName } from "../../errors.ts";
import { type Entry, kindNames, withArticle } from "./declarations.ts";
import type { Reporter } from "./reporter.ts";
import { type Scope, scopes } from "./scope.ts";
import type { Expr } from "./syntax/syntax.ts";
import {
	bases,
	distributions,
	errorDistributions,
	functionNames,
	functionProcesses,
	habits,
} from "./vocabulary.ts";

type Names = ReadonlyMap<string, Entry>;

export function missingName(
	expr: Extract<Expr, { kind: "name" }>,
	scope: Scope,
	names: Names,
	reporter: Reporter,
): void {
	const { name, primes } = expr;
	const said = (remedy: string, key = name): void =>
		reporter.report(expr.span, `unknown name "${name}"`, remedy, `unknown ${key}`);
	const habit = habits.get(name);
	if (habit && primes === 0) return said(habit);
	// dx/dt, as in a paper.
	const derived = name.startsWith("d") ? name.slice(1) : "";
	if (names.get(derived)?.kind === "state")
		return said(`Write ${derived}' for the derivative of ${derived}.`, "dx/dt");
	if (name === "dt") return said("Write x' for the derivative of x by time.", "dx/dt");
	const declaration = primes > 0 ? "state" : scope.declare;
	// Beyond the first errors nobody reads suggestions, and finding them takes time.
	const near = reporter.count < 50 ? didYouMean(name, [...names.keys(), "t", "pi"]) : "";
	const tail = declaration === "let" ? " = …" : "";
	const other =
		scope === scopes.population ? `, or  condition ${name}  where the study gives it for each record` : "";
	said(`${near}Declare it with:  ${declaration} ${name}${tail}${other}`);
}

export function missingFunction(
	expr: Extract<Expr, { kind: "call" }>,
	entry: Entry | undefined,
	names: Names,
	reporter: Reporter,
): void {
	const { name, nameSpan } = expr;
	if (entry || name === "t" || name === "pi") {
		const what = entry ? withArticle(kindNames[entry.kind]) : "a number";
		reporter.report(nameSpan, `"${name}" is ${what}, not a function`, `Write ${name}*(…) for a product.`);
		return;
	}
	const said = (remedy: string): void =>
		reporter.report(nameSpan, `unknown function "${name}"`, remedy, `unknown ${name}`);
	const habit = habits.get(name);
	if (habit) return said(habit);
	if (distributions.has(name) || errorDistributions.has(name))
		return said("A distribution stands after ~ in a declaration.");
	if (bases.has(name) || functionProcesses.has(name))
		return said("It stands in the declaration of an unknown function:  unknown f(x) = spline(0, 1, 2)");
	const unknowns = [...names].filter(([, { kind }]) => kind === "unknown").map(([each]) => each);
	const formals = expr.args.length === 1 ? "x" : expr.args.map((_, i) => `x${i + 1}`).join(", ");
	const near = reporter.count < 50 ? didYouMean(name, [...functionNames, ...unknowns]) : "";
	said(`${near}Declare it with:  unknown ${name}(${formals}) ~ kriging(trend: 2)`);
}

/** `Did you mean "k3"? `, or nothing. Of equally near names one of the same length is the likelier slip. */
export function didYouMean(name: string, candidates: readonly string[]): string {
	const distance = (each: string): number => Math.abs(each.length - name.length);
	const near = nearestName(
		name,
		[...candidates].sort((a, b) => distance(a) - distance(b)),
	);
	return near === undefined ? "" : `Did you mean "${near}"? `;
}
