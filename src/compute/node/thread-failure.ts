/** An error on its way from a worker thread: what a user is told stays what it is. */
import { InputError, InternalError } from "../../errors.ts";

export interface ThreadFailure {
	readonly kind: "input" | "internal";
	/** Subject, problem and remedy; or the message. */
	readonly parts: readonly string[];
	readonly stack?: string;
}

export function failureOf(error: unknown): ThreadFailure {
	if (error instanceof InputError)
		return { kind: "input", parts: [error.subject, error.problem, error.remedy] };
	if (error instanceof Error) return { kind: "internal", parts: [error.message], stack: error.stack };
	return { kind: "internal", parts: [String(error)] };
}

export function errorOf({ kind, parts, stack }: ThreadFailure): Error {
	const [first, problem, remedy] = parts;
	return kind === "input"
		? new InputError(first, problem, remedy)
		: new InternalError(`in a worker thread: ${first}`, { stack });
}
