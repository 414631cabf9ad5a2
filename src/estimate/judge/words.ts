/** Words that doubts are made of. */
import type { Doubt } from "../result.ts";

export function doubt(title: string, text: string, grave: boolean): Doubt[] {
	return [{ title, text, grave }];
}

export function percent(share: number): string {
	return `${Number((100 * share).toPrecision(2))} %`;
}

export function list(names: readonly string[]): string {
	return names.length < 2
		? (names[0] ?? "")
		: `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

export function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? "" : "s"}`;
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
