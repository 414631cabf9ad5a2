/** `odentify run STUDY`: estimate, predict, report. */
import type { Compute } from "../../compute/compute.ts";
import { looksLikePetab } from "../../formats/petab/looks-like.ts";
import { methods } from "../../methods/registry.ts";
import { loadStudy } from "../../study/node/load-study.ts";
import { readText } from "../../study/node/read-text.ts";
import { assertUsable, RunFolder, runName } from "../../study/node/run-folder.ts";
import { checkpointEveryOf, computeLines, methodOf, seedOf, withCompute } from "../common-options.ts";
import { execute } from "../execute.ts";
import { writePetabFolder } from "../files/petab-folder.ts";
import { titleOf } from "../files/resolved-study.ts";
import { isArchive, unpackedStudy } from "../files/study-archive.ts";
import { assertWithinReach, questionLines, questionOf } from "../question.ts";
import { withDesign } from "../terminal/design.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

/** A PEtab problem is written as a study first, a packed one unpacked, which is then run. */
function studyOf(asked: string, terminal: Terminal): string {
	let path = asked;
	if (isArchive(asked)) {
		const { study, folder, isNew } = unpackedStudy(asked);
		terminal.say(`  The study ${isNew ? "was unpacked to" : "stands in"} ${folder}`);
		path = study;
	}
	if (!/\.ya?ml$/i.test(path) || !looksLikePetab(readText(path, "study"))) return path;
	const { folder, study } = writePetabFolder(path, undefined);
	terminal.say(`  The PEtab problem stands as a study in ${folder}`);
	return study;
}

export function run(path: string, options: CommonOptions): Promise<number> {
	return withCompute(options, (compute) => runOn(compute, path, options));
}

async function runOn(compute: Compute, asked: string, options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	if (options.out !== undefined) assertUsable(options.out);
	const path = studyOf(asked, terminal);
	const loaded = loadStudy(path, methods);
	const method = methodOf(options, loaded.study.method);
	const study = withDesign({ ...loaded.study, method, seed: seedOf(options, loaded.study.seed) }, options);
	if (options.follow) {
		const { follow } = await import("../follow.ts");
		return follow(compute, { ...loaded, study }, options);
	}
	const question = await questionOf({ ...loaded, study }, compute);
	assertWithinReach(question);
	terminal.say(["", ...questionLines(question, path), "", ...computeLines(options)].join("\n"));
	const folder = (): RunFolder => RunFolder.create(runName(path), options.out);
	const checkpointEvery = checkpointEveryOf(options);
	return execute({ question, title: titleOf(study, path), folder, checkpointEvery }, terminal);
}
