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

/** Words that titles begin with; a name of the user's may be the same, but is followed by what is said of names. */
const ours =
	/^(The|A|An|Only|Nothing|Another|Other|Much|How|What|No|Every|Direct|Simulated|Something|Noise) (?!(and|cannot|can|has|have|is|are|ended|ran|came|alone|holds?|swings?|would|could|gave|failed)\b)/;

/** A title as part of a sentence: only a first word that is ours gets a small letter. F is not f. */
export function inSentence(title: string): string {
	return title.replace(ours, (word) => word.toLowerCase());
}

/** The end of a headline whose first grave doubt is this one; undefined where there is none. */
export function distrust(doubts: readonly Doubt[]): string | undefined {
	const grave = doubts.find((each) => each.grave);
	return grave && `but do not trust it yet: ${inSentence(grave.title)}`;
}

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
