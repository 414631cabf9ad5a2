import { relative, resolve } from "node:path";
import { methods } from "../methods/registry.ts";
import { besideStudy, type LoadedStudy } from "../study/node/load-study.ts";
import { studyText } from "../study/study-text.ts";

/** The resolved study as it stands in the run folder, files named from there. */
export function resolvedText({ study, modelText, path }: LoadedStudy, folder: string): string {
	const from = resolve(folder);
	return studyText(study, modelText, methods, (file) => {
		const named = relative(from, resolve(besideStudy(path, file)));
		return named.replaceAll("\\", "/");
	});
}
