/** A study file with its model, from the disk. */
import { dirname, isAbsolute, join } from "node:path";
import { InputError } from "../../errors.ts";
import { parseModel } from "../../model/language/parse-model.ts";
import type { Model } from "../../model/model.ts";
import { parseStudyModel } from "../inline-model.ts";
import { problemAt, type Study, throwAny } from "../study.ts";
import { type MethodOptions, parseStudy } from "../study-file.ts";
import { readText } from "./read-text.ts";

export interface LoadedStudy {
	readonly path: string;
	readonly study: Study;
	readonly model: Model;
	readonly modelText: string;
}

export function loadStudy(path: string, methods: MethodOptions): LoadedStudy {
	const study = parseStudy(readText(path, "study"), path, methods);
	if (study.model.kind === "text") {
		const { text } = study.model;
		return { path, study, model: parseStudyModel(study, text, path, parseModel), modelText: text };
	}
	const file = besideStudy(path, study.model.file);
	const text = modelText(study, file);
	return { path, study, model: parseModel(text, file), modelText: text };
}

/** A missing model file is an error of the line that names it. */
function modelText(study: Study, file: string): string {
	try {
		return readText(file, "model");
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		throwAny(study, [problemAt(study, "model", "value", `${error.subject}: ${error.problem}`, error.remedy)]);
		throw error;
	}
}

/** Files are named relative to the study that names them. */
export function besideStudy(studyPath: string, file: string): string {
	return isAbsolute(file) ? file : join(dirname(studyPath), file);
}
