/** The files of a run in its folder, and how the report is drawn from that again. */
import { readFileSync } from "node:fs";
import { InputError } from "../../errors.ts";
import type { Result } from "../../estimate/result.ts";
import { accentOf } from "../../methods/accent.ts";
import type { Model } from "../../model/model.ts";
import { type EndedRun, reportOf, runFiles } from "../../report/run-files.ts";
import { keptResult, type RunFacts } from "../../study/kept-result.ts";
import type { RunFolder } from "../../study/node/run-folder.ts";
import { assertFree } from "../../study/node/run-log.ts";

/** Everything but study.yaml and the log, which a run writes when it starts. */
export function writeRun(
	folder: RunFolder,
	result: Result,
	facts: RunFacts,
	model: Model,
): Record<string, unknown> {
	const { files, summary } = runFiles(endedIn(folder, result, facts, model));
	for (const { name, content } of files) folder.write(name, content);
	return summary;
}

/** Draws the report from the folder alone. */
export function redraw(folder: RunFolder, model: Model): void {
	const { result, facts } = readRun(folder);
	folder.write("report.html", reportOf(endedIn(folder, result, facts, model)));
}

export function readRun(folder: RunFolder): { result: Result; facts: RunFacts } {
	assertResult(folder);
	return keptResult(folder.read("result.json"), folder.file("result.json"));
}

/** Asked before a folder is claimed: whoever holds it is told of as a run that goes on. */
export function assertResult(folder: RunFolder): void {
	if (folder.has("result.json")) return;
	assertFree(folder.path);
	throw new InputError(
		folder.path,
		"holds no result yet",
		`Let the run end:  odentify resume ${folder.path}`,
	);
}

function endedIn(folder: RunFolder, result: Result, facts: RunFacts, model: Model): EndedRun {
	return {
		result,
		accent: accentOf(result.method),
		facts,
		model,
		study: folder.read("study.yaml"),
		bibliography: bibliography(),
		linked: true,
	};
}

/** docs/references.bib, or nothing where the docs were left out. */
export function bibliography(): string {
	try {
		return readFileSync(new URL("../../../docs/references.bib", import.meta.url), "utf8");
	} catch {
		return "";
	}
}
