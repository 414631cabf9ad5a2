/** Words that doubts are made of. */
import type { Doubt, Note, Remark } from "../result.ts";

export function doubt(code: string, title: string, text: string, grave: boolean): Doubt[] {
	return [{ code, title, text, grave }];
}

export function note(code: string, title: string, text: string): Note[] {
	return [{ code, title, text }];
}

/** What questions the answer, and what only stands beside it. */
export function sorted(remarks: readonly Remark[]): { doubts: Doubt[]; notes: Note[] } {
	const isDoubt = (each: Remark): each is Doubt => each.grave !== undefined;
	return { doubts: remarks.filter(isDoubt), notes: remarks.filter((each) => !isDoubt(each)) };
}

/** What stands behind the names that a title begins with: what they do, or what they are of. */
const afterNames =
	"and|of|is|are|was|were|has|have|had|does|do|did|can|cannot|could|would|may|might|alone|ended|ran|came|holds?|swings?|gave|failed";
/** A first word with nothing but its first letter large, and another behind it that does not follow names: it is no name. */
const noName = new RegExp(
	`^[A-Z][a-z]* (?=[a-z])(?!(${afterNames})\\b)|^There (is|are|was|were) (?=(no|an?|only)\\b)`,
);

/** A title as part of a sentence: its first word gets a small letter unless it is a name. F is not f. */
export function inSentence(title: string): string {
	return title.replace(noName, ([first, ...rest]) => first.toLowerCase() + rest.join(""));
}

/** The end of a headline whose first grave doubt is this one; undefined where there is none. */
export function distrust(doubts: readonly Doubt[]): string | undefined {
	const grave = doubts.find((each) => each.grave);
	return grave && `but do not trust it yet: ${inSentence(grave.title)}`;
}

/** Advice beside what is missing; who reads the answer of `all` has it done already. */
export const triedByAll = " (method: all  tries single terms)";

export function percent(share: number): string {
	return `${Number((100 * share).toPrecision(2))} %`;
}

export function list(names: readonly string[]): string {
	return names.length < 2
		? (names[0] ?? "")
		: `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** The first of many names. */
export function listSome(names: readonly string[], most = 8): string {
	return names.length > most
		? `${names.slice(0, most).join(", ")} and ${names.length - most} more`
		: list(names);
}

/** `1 box`, `2 boxes`. */
export function counted(n: number, one: string, many = `${one}s`, written = `${n}`): string {
	return `${written} ${n === 1 ? one : many}`;
}

/** Two numbers with as many digits, three at least, as show that they differ. */
export function toldApart(a: number, b: number): [string, string] {
	for (let digits = 3; digits < 17; digits++)
		if (a.toPrecision(digits) !== b.toPrecision(digits)) {
			const shown = digits === 3 ? 3 : digits + 1;
			return [a.toPrecision(shown), b.toPrecision(shown)];
		}
	return [String(a), String(b)];
}
