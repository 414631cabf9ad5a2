/** What was typed into a field: a value, or why it is none. Nothing takes the place of what cannot be read. */
export type Typed<T> = { readonly value: T } | { readonly why: string };

/** Bounds that a number must keep, in words. */
function boundsText(what: string, min: number | undefined, max: number | undefined): string {
	if (min !== undefined && max !== undefined) return `${what} from ${min} to ${max}`;
	if (min !== undefined) return `${what} from ${min}`;
	return max === undefined ? what : `${what} up to ${max}`;
}

export function numberOf(
	text: string,
	{ whole = false, min, max }: { whole?: boolean; min?: number; max?: number } = {},
): Typed<number> {
	const value = text.trim() === "" ? Number.NaN : Number(text);
	const isRead = Number.isFinite(value) && (!whole || Number.isSafeInteger(value));
	if (isRead && !(value < (min ?? -Infinity)) && !(value > (max ?? Infinity))) return { value };
	return { why: `is not ${boundsText(whole ? "a whole number" : "a number", min, max)}` };
}
