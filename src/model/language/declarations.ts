/** Who is who: all declared names, each with its one declaration. */
import type { Node } from "../graph.ts";
import type { Reporter } from "./reporter.ts";
import type { Item, Keyword, ModelSyntax } from "./syntax/syntax.ts";

export interface Entry {
	readonly kind: Keyword;
	readonly item: Item;
	/** A parameter with a value: it is folded. */
	readonly exact: boolean;
	/** What a let or an exactly known parameter stands for; `undefined` until found, or when it is wrong. */
	value?: Node;
	/** Of a function that calls itself, by others or at once: it is not put in. */
	looped?: boolean;
}

export interface Declarations {
	readonly names: ReadonlyMap<string, Entry>;
	/** For each state: what is said of x, x', …, by number of primes. */
	readonly initial: ReadonlyMap<string, ReadonlyMap<number, Item>>;
	/** Names of which nothing is said elsewhere: declared as two things, or in a statement that could not be read. */
	readonly excused: ReadonlySet<string>;
	/** `p' in [lo, hi]` by the name of the parameter. */
	readonly rates: ReadonlyMap<string, Item>;
}

export const kindNames: Record<Keyword, string> = {
	param: "parameter",
	state: "state",
	input: "input",
	condition: "condition",
	unknown: "unknown function",
	let: "let",
	function: "function",
	measure: "measurement",
};

export function declare(syntax: ModelSyntax, reporter: Reporter): Declarations {
	const names = new Map<string, Entry>();
	const initial = new Map<string, Map<number, Item>>();
	const rates = new Map<string, Item>();
	const excused = new Set(syntax.excused);
	const twice = (item: Item, first: Item): void => {
		const line = reporter.lineOf(first.nameSpan.start);
		const name = item.name + "'".repeat(item.primes);
		const what =
			item.primes > 0
				? `"${name}" is declared twice`
				: first.keyword === item.keyword
					? `${kindNames[item.keyword]} "${name}" is declared twice`
					: `"${name}" is declared already, as ${withArticle(kindNames[first.keyword])}`;
		const remedy =
			item.keyword === "measure" && first.keyword !== "measure"
				? `Give the measurement a name of its own:  measure ${name}m`
				: `The first stands in line ${line}. Take one out, or choose another name.`;
		reporter.report(item.nameSpan, what, remedy);
	};

	// Measurements come last: of two equal names the one of a state is the one that is meant elsewhere.
	const isMeasure = ({ keyword }: Item): boolean => keyword === "measure";
	for (const item of [
		...syntax.items.filter((each) => !isMeasure(each)),
		...syntax.items.filter(isMeasure),
	]) {
		const first = names.get(item.name);
		if (item.primes === 0) {
			if (first) {
				twice(item, first.item);
				if (first.kind !== item.keyword && item.keyword !== "measure") excused.add(item.name);
			} else names.set(item.name, { kind: item.keyword, item, exact: isExact(item) });
		}
		if (item.keyword === "state") {
			const known = initial.get(item.name) ?? new Map<number, Item>();
			initial.set(item.name, known);
			if (item.primes > 0 && known.has(item.primes)) twice(item, known.get(item.primes)!);
			else if (!known.has(item.primes)) known.set(item.primes, item);
		} else if (item.primes > 0) declareRate(item);
	}
	for (const item of syntax.items) if (item.primes > 0) checkOwner(item);
	// What is declared as two things is neither.
	for (const name of excused) if (!syntax.excused.has(name)) names.delete(name);
	return { names, initial, rates, excused };

	function declareRate(item: Item): void {
		if (item.keyword !== "param" || item.primes > 1) {
			const what = withArticle(kindNames[item.keyword]);
			reporter.report(
				item.nameSpan,
				`${what} is declared without primes`,
				item.keyword === "param"
					? "A drifting parameter has one prime:  param p in [0, 1], p' in [-0.1, 0.1]"
					: `Write  ${item.keyword} ${item.name}`,
			);
		} else if (rates.has(item.name)) twice(item, rates.get(item.name)!);
		else rates.set(item.name, item);
	}

	/** `x' = 0` says something of x, which must be declared too. */
	function checkOwner(item: Item): void {
		if (item.keyword !== "state" && item.keyword !== "param") return;
		if (names.get(item.name)?.kind === item.keyword || syntax.excused.has(item.name)) return;
		const name = item.name + "'".repeat(item.primes);
		reporter.report(
			item.nameSpan,
			`"${name}" is declared, but ${item.keyword} "${item.name}" is not`,
			`Declare it with:  ${item.keyword} ${item.name}`,
		);
	}
}

export function withArticle(noun: string): string {
	return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function isExact(item: Item): boolean {
	return item.keyword === "param" && item.knowledge?.sign === "=";
}
