/** What Redis itself refuses, or holds where our things should be: the user's to mend, and said in words. */
import { InputError, InternalError } from "../../../errors.ts";
import { PlaceError } from "../../place-error.ts";
import { sharedPrefix } from "./protocol.ts";

/** First words of answers that pass by themselves. */
const passing = /^(LOADING|BUSY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN)\b/;
/** Such an answer as a worker met it, in the text of its job's failure. */
const refused = /^(OOM|NOPERM|READONLY|MISCONF|NOREPLICAS|EXECABORT)\b/;

/** An answer that another try would get again. */
export function isRefusal(error: unknown): boolean {
	return error instanceof Error && error.name === "ReplyError" && !passing.test(error.message);
}

/** What the user is told of an error that came from a queue; `name` is the queue as it is shown. */
export function refusalOf(error: unknown, name: string): Error {
	if (error instanceof InputError) return error;
	if (!(error instanceof Error)) return new InternalError(String(error));
	if (error instanceof SyntaxError)
		return foreign(`has something under our keys that cannot be read (${error.message})`, name);
	if (error.name !== "ReplyError") return error;
	// A transaction that was thrown away has the reason in its parts.
	const { previousErrors } = error as { previousErrors?: readonly Error[] };
	const { message } = previousErrors?.[0] ?? error;
	return message.startsWith("WRONGTYPE")
		? foreign(`has something of another kind under our keys (${message})`, name)
		: refuses(message, name);
}

/** The same for a job that failed at its worker, where it was Redis that refused. */
export function refusalIn(reason: string, name: string): PlaceError | undefined {
	return refused.test(reason) ? refuses(reason, name) : undefined;
}

function refuses(message: string, name: string): PlaceError {
	return new PlaceError(name, `refuses (${message})`, "Has it enough memory, and may we write?");
}

function foreign(problem: string, name: string): PlaceError {
	const remedy = `Remove the keys that begin with ${sharedPrefix}, or take a database of its own:  redis://HOST:PORT/1`;
	return new PlaceError(name, problem, remedy);
}
