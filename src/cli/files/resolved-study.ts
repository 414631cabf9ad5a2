import { relative, resolve } from "node:path";
import { methods } from "../../methods/registry.ts";
import { besideStudy, type LoadedStudy } from "../../study/node/load-study.ts";
import { runName } from "../../study/node/run-folder.ts";
import type { Study } from "../../study/study.ts";
import { studyText } from "../../study/text/study-text.ts";

/** The resolved study as it stands in the run folder, files named from there. */
export function resolvedText({ study, modelText, path }: LoadedStudy, folder: string): string {
	const from = resolve(folder);
	const named = { ...study, name: titleOf(study, path) };
	return studyText(named, modelText, methods, (file) => {
		const there = relative(from, resolve(besideStudy(path, file)));
		return there.replaceAll("\\", "/");
	});
}

/** What a run is called; a resolved study keeps it, in whatever folder it lies. */
export function titleOf(study: Study, path: string): string {
	return study.name ?? runName(path);
}
