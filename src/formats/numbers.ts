/**
 * Numbers of formats that are not ours, as xs:double and tables write them: sign, digits, point, exponent. JavaScript's own
 * reading takes more for a number than they do: nothing at all for 0, and 0x10, 0b11, 0o7.
 */

// Each digit has one place to go: a long text is told from a number in one pass.
const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** `undefined` where the text is no number, or one that is too large to be held; blanks around it are none of it. */
export function decimalNumber(text: string): number | undefined {
	const bare = text.trim();
	if (!decimal.test(bare)) return undefined;
	const value = Number(bare);
	return Number.isFinite(value) ? value : undefined;
}

/** The same, of whole numbers. */
export function wholeNumber(text: string): number | undefined {
	const value = decimalNumber(text);
	return Number.isInteger(value) ? value : undefined;
}
