/** A study file with its model, from the disk. */
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { InputError } from "../../errors.ts";
import { looksLikePetab } from "../../formats/petab/looks-like.ts";
import { readModel } from "../../formats/read-model.ts";
import type { Model } from "../../model/model.ts";
import { problemAt, type Study, throwAny } from "../study.ts";
import { parseStudyModel, studyModelText } from "../text/inline-model.ts";
import { type MethodOptions, parseStudy } from "../text/study-file.ts";
import { withPriorOfRun } from "./prior-from-run.ts";
import { readText } from "./read-text.ts";

export interface LoadedStudy {
	readonly path: string;
	readonly study: Study;
	readonly model: Model;
	readonly modelText: string;
}

export function loadStudy(path: string, methods: MethodOptions): LoadedStudy {
	if (/\.ode$/i.test(path) && existsSync(path)) throw modelForStudy(path);
	if (/\.(csv|tsv|txt|dat|xlsx?|mat|parquet)$/i.test(path) && existsSync(path)) throw recordForStudy(path);
	const source = readText(path, "study");
	if (looksLikePetab(source))
		throw new InputError(
			path,
			"is a PEtab problem, and a study is needed here",
			`Write it as one:  odentify import ${path}`,
		);
	const study = parseStudy(source, path, methods);
	const file = study.model.kind === "text" ? path : besideStudy(path, study.model.file);
	const text = study.model.kind === "text" ? study.model.text : modelText(study, file);
	const model = parseStudyModel(study, text, file, (source, name) => readModel(source, name, beside(file)));
	const loaded = { path, study, model, modelText: studyModelText(study, text) };
	return withPriorOfRun(
		loaded,
		(other) => besideStudy(path, other),
		(other) => loadStudy(other, methods),
	);
}

/** A model alone says neither what was measured nor what to do with it. */
function modelForStudy(path: string): InputError {
	return new InputError(
		path,
		"is a model, and a study is needed here",
		[
			"A study names the model, the data and the method. Save this beside it as study.yaml, with your own names:",
			"",
			`    model: ${basename(path)}`,
			"    data: { file: record.csv, time: t }",
			"    method: fit",
			"",
			"  To simulate without data write  data: { times: { from: 0, to: 10, step: 0.01 } }",
			`  To look at the model alone:  odentify check ${path}`,
		].join("\n"),
	);
}

/** A record alone says neither the equations nor what is unknown in them. */
function recordForStudy(path: string): InputError {
	return new InputError(
		path,
		"is a record, and a study is needed here",
		[
			"A study names the model, the data and the method. Make one for this record:",
			"",
			`    odentify init ${path} --template oscillator   (odentify init  alone lists the templates)`,
			`    odentify init ${path}                         (a linear model of its columns, for a first look)`,
			"",
			"  Then:  odentify run study.yaml",
		].join("\n"),
	);
}

/** Files that a model or a problem names, from the folder in which it lies. */
export function beside(file: string): (other: string) => string | undefined {
	return (other) => {
		const path = besideStudy(file, other);
		return existsSync(path) ? readText(path, "model") : undefined;
	};
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
