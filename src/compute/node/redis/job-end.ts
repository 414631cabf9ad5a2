/** What a job comes to, as its worker tells it; the numbers are under `keys.output`. */
import type { ThreadFailure } from "../thread-failure.ts";

export type JobEnd =
	| { readonly kind: "done"; readonly seconds: number }
	/** Not in Redis any more: to be sent again. */
	| { readonly kind: "missing"; readonly what: readonly string[] }
	/** The one who asked was gone. */
	| { readonly kind: "abandoned" }
	/** No use to try again. */
	| { readonly kind: "failed"; readonly failure: ThreadFailure };

/** What stands in the queue as the end of a job, where it has the form of one: others may have written it. */
export function endOf(value: unknown): JobEnd | undefined {
	const end = parsed(value) as JobEnd | undefined | null;
	if (typeof end !== "object" || end === null) return undefined;
	switch (end.kind) {
		case "done":
			return Number.isFinite(end.seconds) ? end : undefined;
		case "missing":
			return isTexts(end.what) ? end : undefined;
		case "abandoned":
			return end;
		case "failed":
			return isFailure(end.failure) ? end : undefined;
		default:
			return undefined;
	}
}

/** It comes as text or as what the text says. */
function parsed(value: unknown): unknown {
	if (typeof value !== "string") return value;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}

function isFailure(failure: ThreadFailure | undefined | null): boolean {
	if (typeof failure !== "object" || failure === null) return false;
	const { kind, parts, stack } = failure;
	const least = kind === "input" ? 2 : 1;
	return (
		(kind === "input" || kind === "internal") &&
		isTexts(parts) &&
		parts.length >= least &&
		(stack === undefined || typeof stack === "string")
	);
}

function isTexts(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every((each) => typeof each === "string");
}
