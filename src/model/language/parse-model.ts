/** The model language: text in, meaning out, or every error at once. Nothing in a text can run code. */
import type { Model } from "../model.ts";
import { elaborate } from "./elaborate.ts";
import { withProcessNoise } from "./process-noise.ts";
import { Reporter } from "./reporter.ts";
import { tokenize } from "./syntax/lexer.ts";
import { limits } from "./syntax/limits.ts";
import { parseStatements } from "./syntax/parser.ts";

/** Throws `ModelError` with all that is wrong, in the order of the text. */
export function parseModel(source: string, fileName: string): Model {
	const reporter = new Reporter(source, fileName);
	if (source.length > limits.text) {
		const message = `the model text has more than ${limits.text} characters`;
		reporter.report({ start: 0, end: 1 }, message, "Is this a model? Data belong into files of their own.");
		reporter.throwIfAny();
	}
	return elaborate(withProcessNoise(parseStatements(tokenize(source, reporter), reporter)), reporter);
}
