/** `odentify run STUDY`: estimate, predict, report. */
import { methods } from "../../methods/registry.ts";
import { loadStudy } from "../../study/node/load-study.ts";
import { assertUsable, RunFolder, runName } from "../../study/node/run-folder.ts";
import { checkCompute, seedOf } from "../common-options.ts";
import { execute } from "../execute.ts";
import { questionLines, questionOf } from "../question.ts";
import { type CommonOptions, Terminal } from "../terminal.ts";

export async function run(path: string, options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	checkCompute(options);
	if (options.out !== undefined) assertUsable(options.out);
	const loaded = loadStudy(path, methods);
	const study = { ...loaded.study, seed: seedOf(options, loaded.study.seed) };
	const question = await questionOf({ ...loaded, study });
	terminal.say(["", ...questionLines(question, path), ""].join("\n"));
	const title = runName(path);
	return execute({ question, title, folder: () => RunFolder.create(title, options.out) }, terminal);
}
