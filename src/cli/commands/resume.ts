/** `odentify resume RUN`: goes on from the last whole checkpoint. */
import type { Compute } from "../../compute/compute.ts";
import { InputError } from "../../errors.ts";
import { methods } from "../../methods/registry.ts";
import { formatSeconds } from "../../report/format.ts";
import { type Checkpoint, hasCheckpoint, readCheckpoint } from "../../study/node/checkpoint.ts";
import { loadStudy } from "../../study/node/load-study.ts";
import { RunFolder } from "../../study/node/run-folder.ts";
import { checkpointEveryOf, computeLines, withCompute } from "../common-options.ts";
import { assertFits, execute } from "../execute.ts";
import { titleOf } from "../files/resolved-study.ts";
import { type Question, questionLines, questionOf } from "../question.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export function resume(path: string, options: CommonOptions): Promise<number> {
	return withCompute(options, (compute) => resumeOn(compute, path, options));
}

async function resumeOn(compute: Compute, path: string, options: CommonOptions): Promise<number> {
	const folder = RunFolder.open(path).claim();
	try {
		return await resumeIn(folder, compute, options);
	} finally {
		folder.close();
	}
}

async function resumeIn(folder: RunFolder, compute: Compute, options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	const { path } = folder;
	if (folder.has("summary.json") && !hasCheckpoint(path))
		throw new InputError(path, "has come to its end", `Its answer is in ${folder.file("report.html")}`);
	const study = folder.file("study.yaml");
	const loaded = loadStudy(study, methods);
	if (hasCheckpoint(path)) {
		const { checkpoint } = readCheckpoint(path);
		const { follow, isFollowed } = await import("../follow.ts");
		if (isFollowed(checkpoint)) return follow(compute, loaded, options, { folder, checkpoint });
	}
	const question = await questionOf(loaded, compute);
	const from = hasCheckpoint(path) ? checkpointOf(folder, question, terminal) : undefined;
	terminal.say(["", ...questionLines(question, study), "", ...computeLines(options)].join("\n"));
	if (from)
		terminal.say(`  goes on at ${Math.floor(100 * from.fraction)} %, after ${formatSeconds(from.seconds)}`);
	else terminal.say("  has no checkpoint yet: starts from the beginning");
	const checkpointEvery = checkpointEveryOf(options);
	return execute(
		{ question, title: titleOf(loaded.study, study), folder: () => folder, from, checkpointEvery },
		terminal,
	);
}

function checkpointOf(folder: RunFolder, question: Question, terminal: Terminal): Checkpoint {
	const { checkpoint, refused } = readCheckpoint(folder.path);
	for (const reason of refused) terminal.say(`  passed over ${reason}`);
	assertFits(checkpoint, question, folder);
	return checkpoint;
}
