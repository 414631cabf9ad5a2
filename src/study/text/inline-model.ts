/**
 * The model of a study, with the candidates that the study itself gives for unknown functions. Errors are shown where they stand:
 * those of a model inside the study (`model: |`), and those of candidates, in the study's own lines.
 */
import { type Diagnostic, ModelError } from "../../model/diagnostic.ts";
import { withForms } from "../../model/language/forms.ts";
import type { Model, Span } from "../../model/model.ts";
import { candidatePath, checkLibrary } from "../library.ts";
import { placeOf, type Study } from "../study.ts";
import { StudyError } from "./study-error.ts";

/** The text as it is read: the study's candidates stand in it. */
export function studyModelText({ library }: Pick<Study, "library">, text: string): string {
	return withForms(text, library).text;
}

/** Parses a model of a study; `parse` is the model language's. */
export function parseStudyModel(
	study: Study,
	text: string,
	fileName: string,
	parse: (source: string, fileName: string) => Model,
): Model {
	const { text: written, origin } = withForms(text, study.library);
	try {
		const model = parse(written, fileName);
		checkLibrary(study, model);
		return model;
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		const shift = study.model.kind === "text" ? blockOffsets(study, text) : undefined;
		if (study.library.length === 0 && !shift) throw error;
		const inStudy: Diagnostic[] = [];
		const inModel: Diagnostic[] = [];
		for (const diagnostic of error.diagnostics) {
			const from = origin(diagnostic.span);
			if ("name" in from) {
				const span = placeOf(study, candidatePath(study, from.name, from.index), "value");
				inStudy.push({ ...diagnostic, span });
			} else if (shift) inStudy.push({ ...diagnostic, span: shift(from) });
			else inModel.push({ ...diagnostic, span: from });
		}
		if (inStudy.length > 0) throw new StudyError(study.fileName, study.source, inStudy);
		throw new ModelError(fileName, text, inModel);
	}
}

/** How places in the text of a block move to places in the study; `undefined` for text in quotes. */
function blockOffsets(study: Study, text: string): ((span: Span) => Span) | undefined {
	const { start } = placeOf(study, "model", "value");
	const { source } = study;
	const header = /^\|[^\n]*\n/.exec(source.slice(start));
	if (!header) return undefined;
	const lines = text.split("\n");
	const inText: number[] = [];
	const inStudy: number[] = [];
	let textOffset = 0;
	let studyOffset = start + header[0].length;
	for (const line of lines) {
		const end = source.indexOf("\n", studyOffset);
		const whole = source.slice(studyOffset, end < 0 ? undefined : end).replace(/\r$/, "");
		// Each line of the block is the line of the study without its indentation.
		if (line !== "" && !whole.endsWith(line)) return undefined;
		inText.push(textOffset);
		inStudy.push(studyOffset + whole.length - line.length);
		textOffset += line.length + 1;
		studyOffset = end < 0 ? source.length : end + 1;
	}
	const move = (offset: number): number => {
		let line = inText.length - 1;
		while (line > 0 && inText[line] > offset) line--;
		return inStudy[line] + offset - inText[line];
	};
	return (span) => ({ start: move(span.start), end: move(span.start) + (span.end - span.start) });
}
