/**
 * Checkpoints as text: JSON whose numbers are those that were saved, to the last bit. Every method saves its state by this, so
 * that a cost that is infinite is infinite again after a resume.
 */
import { keptNumber, revived } from "../../num/json-numbers.ts";

export function toBytes(value: unknown): Uint8Array {
	return new TextEncoder().encode(JSON.stringify(value, (_key, each: unknown) => keptNumber(each)));
}

/** What was saved; that it is of the kind `T` is for the caller to know: a run folder holds its digest. */
export function fromBytes<T>(bytes: Uint8Array): T {
	return revived(JSON.parse(new TextDecoder().decode(bytes))) as T;
}
