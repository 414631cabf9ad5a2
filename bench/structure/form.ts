/** What an inversion says of the form, beside the true one. */
import type { Result } from "../../src/estimate/result.ts";
import type { InversionRun } from "../../src/methods/inversion/inversion-run.ts";
import { namedRivals } from "../../src/methods/inversion/selection/judged.ts";

export interface FoundForm {
	readonly missing: readonly string[];
	readonly extra: readonly string[];
	/** Named as almost as well supported: the true terms, or all of them but some that were said to be possible with their true weights. */
	readonly isRival: boolean;
	/** No term is too many, and each that is missing was said to be possible with its true weight. */
	readonly isAllowed: boolean;
}

/** `truth`: weights by the names of their terms. */
export function formOf(
	run: InversionRun,
	result: Result,
	truth: Readonly<Record<string, number>>,
): FoundForm {
	const names = Object.keys(truth);
	const found = termsOf(result);
	const notIn = (theirs: readonly string[]): string[] => names.filter((name) => !theirs.includes(name));
	const isPossible = (some: readonly string[]): boolean =>
		some.every((name) => isAllowed(result, name, truth[name]));
	const missing = notIn(found);
	const extra = found.filter((name) => truth[name] === undefined);
	return {
		missing,
		extra,
		isAllowed: extra.length === 0 && isPossible(missing),
		isRival: (run.selection ? namedRivals(run.selection) : []).some(({ active }) => {
			const theirs = run.work.terms(active).map((u) => run.work.nameOf(u));
			return theirs.every((name) => truth[name] !== undefined) && isPossible(notIn(theirs));
		}),
	};
}

function termsOf({ summary }: Result): string[] {
	return (summary.terms as { of: string; term: string }[]).map(({ of, term }) => `${of}[${term}]`);
}

/** Whether the answer says of a term that was left out that it could be there with this weight. */
function isAllowed({ summary }: Result, name: string, weight: number): boolean {
	const dropped = summary.dropped as { of: string; term: string; lo?: number; hi?: number }[];
	const own = dropped.find(({ of, term }) => `${of}[${term}]` === name);
	return own?.lo !== undefined && own.lo <= weight && weight <= own.hi!;
}
