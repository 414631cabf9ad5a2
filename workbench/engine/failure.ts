/** An error on its way to the page. */
import { InputError } from "../../src/index.ts";
import type { Diagnostic } from "../../src/model/index.ts";
import type { Failure } from "../contract.ts";

export function failureOf(error: unknown): Failure {
	if (error instanceof InputError) {
		const { diagnostics = [], word } = error as { diagnostics?: readonly Diagnostic[]; word?: string };
		return {
			kind: "input",
			message: error.message,
			problem: `${error.subject}: ${error.problem}`,
			remedy: error.remedy,
			details: diagnostics.map(({ message, remedy }) => ({ message, remedy })),
			...(word === undefined ? {} : { word }),
		};
	}
	const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
	const problem = error instanceof Error ? error.message : message;
	return { kind: "bug", message, problem, remedy: "", details: [] };
}
