/**
 * Checkpoints as text: JSON that keeps numbers that are not finite, which plain JSON turns into null. Every method saves its
 * state by this, so that a cost that is infinite is infinite again after a resume.
 */

export function toBytes(value: unknown): Uint8Array {
	return new TextEncoder().encode(
		JSON.stringify(value, (_key, each: unknown) =>
			typeof each === "number" && !Number.isFinite(each) ? { $number: String(each) } : each,
		),
	);
}

/** What was saved; that it is of the kind `T` is for the caller to know: a run folder holds its digest. */
export function fromBytes<T>(bytes: Uint8Array): T {
	return revive(JSON.parse(new TextDecoder().decode(bytes))) as T;
}

function revive(each: unknown): unknown {
	if (typeof each !== "object" || each === null) return each;
	if (Array.isArray(each)) return each.map(revive);
	if ("$number" in each) return Number(each.$number);
	return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, revive(inner)]));
}
