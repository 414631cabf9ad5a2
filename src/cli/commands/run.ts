/** `odentify run STUDY`: estimate, predict, report. */
import { methods } from "../../methods/registry.ts";
import { loadStudy } from "../../study/node/load-study.ts";
import { assertUsable, RunFolder, runName } from "../../study/node/run-folder.ts";
import { computeLines, computeOf, seedOf } from "../common-options.ts";
import { execute } from "../execute.ts";
import { questionLines, questionOf } from "../question.ts";
import { type CommonOptions, Terminal } from "../terminal.ts";

export async function run(path: string, options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	const compute = await computeOf(options);
	if (options.out !== undefined) assertUsable(options.out);
	const loaded = loadStudy(path, methods);
	const study = { ...loaded.study, seed: seedOf(options, loaded.study.seed) };
	const question = await questionOf({ ...loaded, study }, compute);
	terminal.say(["", ...questionLines(question, path), "", ...computeLines(options)].join("\n"));
	const title = runName(path);
	return execute({ question, title, folder: () => RunFolder.create(title, options.out) }, terminal);
}
