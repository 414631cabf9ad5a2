/** Errors of a model that stands inside a study (`model: |`) are shown where they stand: in the study's own lines. */
import { type Diagnostic, ModelError } from "../model/diagnostic.ts";
import type { Model, Span } from "../model/model.ts";
import { placeOf, type Study } from "./study.ts";
import { StudyError } from "./study-error.ts";

/** Parses a model of a study; `parse` is the model language's. */
export function parseStudyModel(
	study: Study,
	text: string,
	fileName: string,
	parse: (source: string, fileName: string) => Model,
): Model {
	try {
		return parse(text, fileName);
	} catch (error) {
		if (!(error instanceof ModelError) || study.model.kind !== "text") throw error;
		const shift = blockOffsets(study, text);
		if (!shift) throw error;
		const moved = error.diagnostics.map(
			(diagnostic): Diagnostic => ({ ...diagnostic, span: shift(diagnostic.span) }),
		);
		throw new StudyError(study.fileName, study.source, moved);
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
