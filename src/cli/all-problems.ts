/** What else is wrong with a study in which something is: one error does not hide those of other files. */

import { isPipe } from "../data/node/plain-file.ts";
import { readTableFile } from "../data/node/read-file.ts";
import { refuseWords } from "../data/table/missing-words.ts";
import { InputError } from "../errors.ts";
import { readModel } from "../formats/read-model.ts";
import { methods } from "../methods/registry.ts";
import { beside, besideStudy } from "../study/node/load-study.ts";
import { readText } from "../study/node/read-text.ts";
import { studyModelText } from "../study/text/inline-model.ts";
import { type NamedFiles, StudyError } from "../study/text/study-error.ts";
import { parseStudy } from "../study/text/study-file.ts";

const anyForm = { text: "library(1)", isBasis: true };

/** `first` and what else there is, each once. */
export async function allProblems(path: string, first: InputError): Promise<InputError[]> {
	const found = new Map([[first.message, first]]);
	/** Whether there is nothing wrong. */
	const look = async (see: () => unknown): Promise<boolean> => {
		try {
			await see();
			return true;
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			// What the first error tells of the same file, at its place in the study, is not told again.
			if (!first.message.includes(error.problem)) found.set(error.message, error);
			return false;
		}
	};
	const named = namedIn(path);
	let isRead = true;
	if (named.model !== undefined) {
		const file = besideStudy(path, named.model);
		// What the study gives for a function was looked at with the study.
		const library = (named.library ?? []).map((name) => ({ name, candidates: [anyForm] }));
		isRead = await look(() =>
			readModel(studyModelText({ library }, readText(file, "model")), file, beside(file)),
		);
	}
	// What comes by a pipe comes once.
	for (const { file, reading } of named.records)
		if (file !== "-" && !isPipe(besideStudy(path, file)))
			await look(async () => {
				const table = await readTableFile(besideStudy(path, file), reading);
				// Without a model nobody knows which columns are meant.
				if (!isRead) refuseWords(table);
			});
	return [...found.values()];
}

/** What the study names, as far as it can be read. */
function namedIn(path: string): NamedFiles {
	try {
		const { model, library, records, testRecords } = parseStudy(readText(path, "study"), path, methods);
		return {
			...(model.kind === "file" ? { model: model.file } : {}),
			library: library.map(({ name }) => name),
			records: [...records, ...testRecords].flatMap(({ file, reading = {} }) =>
				file === undefined ? [] : [{ file, reading }],
			),
		};
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return error instanceof StudyError ? error.named : { records: [] };
	}
}
