/** How many arguments a call must have. */
import type { Entry } from "./declarations.ts";
import type { Reporter } from "./reporter.ts";
import type { Expr } from "./syntax/syntax.ts";
import { arityOf } from "./vocabulary.ts";

/** Of a function of the language or an unknown function; what is wrong is reported. */
export function hasItsArguments(
	{ name, args, span }: Extract<Expr, { kind: "call" }>,
	entry: Entry | undefined,
	reporter: Reporter,
): boolean {
	const arity = arityOf(name);
	const least = arity?.least ?? entry?.item.brackets?.length ?? args.length;
	if (name === "piecewise" && args.length >= least && args.length % 2 === 0) {
		const problem = "piecewise has no value for where no condition holds";
		reporter.report(span, problem, usage(name, entry));
		return false;
	}
	if (args.length === least || (args.length > least && arity?.more)) return true;
	const wanted = `${least}${arity?.more ? " or more" : ""} argument${least === 1 ? "" : "s"}`;
	reporter.report(span, `${name} takes ${wanted}, not ${args.length}`, usage(name, entry));
	return false;
}

function usage(name: string, entry: Entry | undefined): string {
	if (entry) return `It is declared as ${name}(${(entry.item.brackets ?? []).map(() => "…").join(", ")}).`;
	if (name === "piecewise") return "Like this:  piecewise(-1, x < 0, 1, x > 0, 0)";
	if (name === "if") return "Like this:  if(x < 0, -1, 1)";
	return name === "min" || name === "max" ? `Like this:  ${name}(x, 1)` : `Like this:  ${name}(x)`;
}
