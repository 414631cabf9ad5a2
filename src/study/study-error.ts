/** What is wrong with a study file, each error with its place: file, line, column, the line itself and a caret. */
import { InputError } from "../errors.ts";
import { type Diagnostic, renderDiagnostics } from "../model/diagnostic.ts";

export class StudyError extends InputError {
	constructor(
		readonly fileName: string,
		readonly source: string,
		readonly diagnostics: readonly Diagnostic[],
	) {
		super(fileName, `${diagnostics.length} error${diagnostics.length === 1 ? "" : "s"} in the study`);
		const inOrder = [...diagnostics].sort((a, b) => a.span.start - b.span.start);
		this.message = renderDiagnostics(fileName, source, inOrder);
	}
}
