/** What runs in the page of a browser: a study with its files, to the files of its run. The clock stands still. */
import { inline } from "../../../src/compute/index.ts";
import { readTable } from "../../../src/data/index.ts";
import { InputError, model as readModel } from "../../../src/index.ts";
import { accentOf, methods } from "../../../src/methods/index.ts";
import { factsNow, recordLines, runFiles } from "../../../src/report/index.ts";
import {
	overlapDoubts,
	parseStudy,
	parseStudyModel,
	problemFromStudy,
	runStudy,
	tablesOf,
} from "../../../src/study/index.ts";

export interface InPage {
	/** By name: the study, its model and its data; texts, or bytes as base64 behind a mark. */
	readonly files: Readonly<Record<string, string>>;
	/** As the command line has them. */
	readonly title: string;
	readonly resolved: string;
	readonly bibliography: string;
}

/** Contents as text, bytes as base64 behind a mark. */
export async function run({ files, title, resolved, bibliography }: InPage): Promise<[string, string][]> {
	performance.now = () => 0;
	Date.now = () => 0;
	const study = parseStudy(files["study.yaml"], "study.yaml", methods);
	const { model: given } = study;
	const name = given.kind === "text" ? "study.yaml" : given.file;
	const model = parseStudyModel(study, given.kind === "text" ? given.text : files[name], name, readModel);
	const tables = await tablesOf(study, async (file, reading) =>
		readTable(bytesOf(files[file]), file, reading),
	);
	const problem = problemFromStudy(study, model, tables, inline);
	const method = methods.get(study.method)!;
	const end = await runStudy({ method, problem, options: study.options[study.method] }, {});
	if (end.kind === "stopped") throw new InputError("study.yaml", "was stopped", "Let it end.");
	const result = { ...end.result, doubts: [...end.result.doubts, ...overlapDoubts(study)] };
	const facts = {
		...factsNow(study, problem, { title, records: recordLines(study, problem), seconds: 0 }),
		finished: "1970-01-01 00:00 UTC",
	};
	const { files: made } = runFiles({
		result,
		accent: accentOf(result.method),
		facts,
		model,
		study: resolved,
		bibliography,
		linked: true,
	});
	return made.map(({ name, content }) => [name, typeof content === "string" ? content : base64(content)]);
}

function base64(bytes: Uint8Array): string {
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	return `base64:${btoa(text)}`;
}

function bytesOf(content: string): Uint8Array<ArrayBuffer> {
	if (!content.startsWith("base64:")) return new TextEncoder().encode(content);
	return Uint8Array.from(atob(content.slice("base64:".length)), (sign) => sign.charCodeAt(0));
}
