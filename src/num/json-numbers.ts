/**
 * Numbers in JSON to their last bit: plain JSON turns those that are not finite into null, and the zero below 0 into 0. Columns
 * of doubles are for who writes them; see `packed-json.ts`.
 */

const texts: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity", "-0"]);

/** What stands for a value of JSON.stringify: itself, or where that is a number that would be lost, its text. */
export function keptNumber(each: unknown): unknown {
	if (typeof each !== "number" || (Number.isFinite(each) && !Object.is(each, -0))) return each;
	return { $number: Object.is(each, -0) ? "-0" : String(each) };
}

/** What was parsed, with its numbers; `other`: what stands for an object of another kind, undefined for a plain one. */
export function revived(each: unknown, other: (each: object) => unknown = () => undefined): unknown {
	if (typeof each !== "object" || each === null) return each;
	if (Array.isArray(each)) return each.map((inner) => revived(inner, other));
	if ("$number" in each && texts.has(each.$number as string)) return Number(each.$number);
	return (
		other(each) ??
		Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, revived(inner, other)]))
	);
}
