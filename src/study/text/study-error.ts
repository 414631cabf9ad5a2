/** What is wrong with a study file, each error with its place: file, line, column, the line itself and a caret. */
import type { TableChoices } from "../../data/table/table-choices.ts";
import { InputError } from "../../errors.ts";
import { counted } from "../../estimate/judge/words.ts";
import { type Diagnostic, renderDiagnostics } from "../../model/diagnostic.ts";

/** Files that a study names, as far as it can be read: they may have errors of their own. */
export interface NamedFiles {
	readonly model?: string;
	/** Functions whose form the study says. */
	readonly library?: readonly string[];
	readonly records: readonly { readonly file: string; readonly reading: TableChoices }[];
}

export class StudyError extends InputError {
	constructor(
		readonly fileName: string,
		readonly source: string,
		readonly diagnostics: readonly Diagnostic[],
		readonly named: NamedFiles = { records: [] },
	) {
		super(fileName, `${counted(diagnostics.length, "error")} in the study`);
		const inOrder = [...diagnostics].sort((a, b) => a.span.start - b.span.start);
		this.message = renderDiagnostics(fileName, source, inOrder);
	}
}
