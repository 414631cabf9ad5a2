/** What a model can be exported to, and the files that this makes. */
import { cProgram } from "./c.ts";
import type { Identified } from "./identified.ts";
import { javascriptProgram } from "./javascript.ts";
import { juliaProgram } from "./julia.ts";
import { matlabProgram } from "./matlab.ts";
import { type Estimated, type MeasuredRecord, petabFiles } from "./petab.ts";
import { pythonProgram } from "./python.ts";
import { sbmlText } from "./sbml.ts";

export interface ExportSource {
	readonly identified: Identified;
	readonly records: readonly MeasuredRecord[];
	readonly estimated: readonly Estimated[];
}

type Files = ReadonlyMap<string, string>;
const one =
	(file: string, write: (identified: Identified) => string) =>
	({ identified }: ExportSource): Files =>
		new Map([[file, write(identified)]]);

export const exportTargets: Readonly<Record<string, (source: ExportSource) => Files>> = {
	sbml: one("model.xml", (identified) => sbmlText(identified).text),
	petab: ({ identified, records, estimated }) => petabFiles(identified, records, estimated),
	c: one("model.c", cProgram),
	python: one("model.py", pythonProgram),
	// The function in it is called so.
	matlab: one("odentify_model.m", matlabProgram),
	julia: one("model.jl", juliaProgram),
	js: one("model.mjs", javascriptProgram),
};
