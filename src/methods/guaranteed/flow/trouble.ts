/** What an undefined operation means to the user. */
export function troubleText(
	trouble: { readonly op: string; readonly lo: number; readonly hi: number } | undefined,
): string | undefined {
	if (!trouble) return undefined;
	const range = `[${trouble.lo.toPrecision(4)}, ${trouble.hi.toPrecision(4)}]`;
	if (trouble.op === "recip") return `a division by ${range}, which holds 0`;
	if (trouble.op === "if" || trouble.op === "sign")
		return `a condition on ${range} that may or may not hold, where the equations jump`;
	if (trouble.op === "log" || trouble.op === "pow" || trouble.op === "asin")
		return `${trouble.op === "pow" ? "a root or power" : trouble.op} of ${range}, where it is not defined or not smooth`;
	return undefined;
}
