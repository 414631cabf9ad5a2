/** JSON that keeps numbers that are not finite. */

export function toBytes(value: unknown): Uint8Array {
	return new TextEncoder().encode(
		JSON.stringify(value, (_key, each: unknown) =>
			typeof each === "number" && !Number.isFinite(each) ? { $number: String(each) } : each,
		),
	);
}

export function fromBytes(bytes: Uint8Array): unknown {
	return revive(JSON.parse(new TextDecoder().decode(bytes)));
}

function revive(each: unknown): unknown {
	if (typeof each !== "object" || each === null) return each;
	if (Array.isArray(each)) return each.map(revive);
	if ("$number" in each) return Number(each.$number);
	return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, revive(inner)]));
}
