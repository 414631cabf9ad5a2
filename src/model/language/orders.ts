/** The order of each state, and which equation is whose: what can be said before anything is solved. */
import type { Declarations } from "./declarations.ts";
import { matchEquations } from "./matching.ts";
import type { References } from "./references.ts";
import type { Reporter } from "./reporter.ts";
import type { EquationSyntax, ModelSyntax } from "./syntax/syntax.ts";
import { reservedNames } from "./vocabulary.ts";

export interface Orders {
	readonly orderOf: ReadonlyMap<string, number>;
	/** The state that each equation determines; undefined for one that determines none, which is an error. */
	readonly stateOf: readonly (string | undefined)[];
	/** For each equation the states whose highest derivative stands in it. */
	readonly highestIn: readonly (readonly string[])[];
	/** Whether every state has its equation, and every equation its state; if not, that has been reported. */
	readonly whole: boolean;
}

/** `undefined` when declarations are wrong on which the orders may depend; that has been reported then. */
export function findOrders(
	syntax: ModelSyntax,
	{ names, excused }: Declarations,
	references: References,
	reporter: Reporter,
): Orders | undefined {
	const states = [...names].filter(([, entry]) => entry.kind === "state").map(([name]) => name);
	const index = new Map(states.map((name, i) => [name, i]));
	const orders = new Int32Array(states.length);
	/** In each equation: the highest derivative of each state, by number of primes. */
	const used = syntax.equations.map(({ left, right }) => {
		const primes = new Map<number, number>();
		let whole = true;
		const symbols = new Set<string>();
		for (const symbol of references.of([left, right])) {
			const name = symbol.replace(/'+$/, "");
			const state = index.get(name);
			symbols.add(name);
			if (state === undefined) whole &&= names.has(name) || reservedNames.has(name);
			else primes.set(state, Math.max(primes.get(state) ?? 0, symbol.length - name.length));
		}
		return { primes, whole, symbols };
	});
	for (const { primes } of used)
		for (const [state, count] of primes) orders[state] = Math.max(orders[state], count);

	let right = true;
	/** States of whose equation something has been said already. */
	const blamed = new Set<string>();
	const report = (equation: EquationSyntax, message: string, remedy: string): void => {
		reporter.report(equation.span, message, remedy);
		right = false;
	};
	const lineOf = (equation: EquationSyntax): number => reporter.lineOf(equation.span.start);
	const highest = used.map(({ primes }, e) => {
		const found = [...primes].filter(([state, count]) => count > 0 && count === orders[state]);
		const explicit = leftState(syntax.equations[e]);
		return found
			.map(([state]) => state)
			.sort((a, b) => Number(b === explicit) - Number(a === explicit) || a - b);
	});

	syntax.equations.forEach((equation, e) => {
		if (highest[e].length > 0) return;
		if (!used[e].whole) {
			right = false;
			return;
		}
		const lower = [...used[e].primes].find(([, count]) => count > 0);
		if (!lower) reportAlgebraic(equation);
		else {
			const [state, count] = lower;
			blamed.add(states[state]);
			const top = states[state] + "'".repeat(orders[state]);
			const at = used.findIndex(({ primes }) => primes.get(state) === orders[state]);
			report(
				equation,
				`${top} makes ${states[state]} a state of order ${orders[state]}, but this is an equation of order ${count}`,
				`${top} stands in line ${lineOf(syntax.equations[at])}. Write what it is there, or differentiate this equation.`,
			);
		}
	});

	const stateOf = matchEquations(highest, states.length);
	const owner = new Map<number, number>();
	stateOf.forEach((state, e) => {
		if (state >= 0) owner.set(state, e);
	});
	syntax.equations.forEach((equation, e) => {
		if (stateOf[e] >= 0 || highest[e].length === 0) return;
		const list = highest[e].map((state) => `"${states[state]}"`).join(", ");
		const first = owner.get(highest[e][0]);
		const where = first === undefined ? "" : `Another stands in line ${lineOf(syntax.equations[first])}. `;
		const message =
			highest[e].length === 1
				? `state ${list} has two equations`
				: `one equation too many for the states ${list}`;
		report(equation, message, `${where}Take one out, or declare the state that it is for.`);
	});
	states.forEach((name, state) => {
		if (owner.has(state) || excused.has(name) || blamed.has(name)) return;
		right = false;
		// An equation with an undeclared name in it may well be the missing one.
		if (used.some(({ symbols, whole }) => !whole && (symbols.has(name) || symbols.has(`d${name}`)))) return;
		reporter.report(
			names.get(name)!.item.nameSpan,
			`state "${name}" has no equation`,
			`Write one:  ${name}' = …  , or declare it as  input ${name}`,
		);
	});
	if (excused.size > 0) return undefined;
	return {
		whole: right,
		orderOf: new Map(states.map((name, i) => [name, orders[i]])),
		stateOf: Array.from(stateOf, (state) => states[state]),
		highestIn: highest.map((list) => list.map((state) => states[state])),
	};

	/** The state whose derivative alone is the left side, if so. */
	function leftState({ left }: EquationSyntax): number | undefined {
		return left.kind === "name" && left.primes > 0 ? index.get(left.name) : undefined;
	}

	function reportAlgebraic(equation: EquationSyntax): void {
		const { left } = equation;
		const name = left.kind === "name" && left.primes === 0 ? left.name : undefined;
		const kind = name === undefined ? undefined : names.get(name)?.kind;
		if (kind === "state") blamed.add(name!);
		const remedy =
			kind === "state"
				? `Write ${name}' for its derivative; or, to name an expression:  let ${name} = …  in place of  state ${name}`
				: kind === "param"
					? `To give a parameter a value, write  param ${name} = …`
					: "To name an expression, write  let name = expression.";
		report(equation, "this equation has no derivative of a state", remedy);
	}
}
