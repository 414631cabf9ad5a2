/** A misspelt option must not be passed over: its default would answer another question. */
import { InputError, nearestName } from "../errors.ts";

export function checkNames(kind: string, given: object, known: readonly string[]): void {
	for (const name of Object.keys(given)) {
		if (known.includes(name)) continue;
		const near = nearestName(name, known);
		throw new InputError(
			`${kind} ${name}`,
			"is not known",
			near ? `Did you mean ${near}?` : `Known are ${known.join(", ")}.`,
		);
	}
}
