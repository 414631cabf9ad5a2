/** `odentify report RUN`: draws the report again from what the run folder holds. */
import { methods } from "../../methods/registry.ts";
import { loadStudy } from "../../study/node/load-study.ts";
import { RunFolder } from "../../study/node/run-folder.ts";
import { assertResult, redraw } from "../files/run-files.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export async function report(path: string, options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	const run = RunFolder.open(path);
	assertResult(run);
	const folder = run.claim();
	try {
		redraw(folder, loadStudy(folder.file("study.yaml"), methods).model);
	} finally {
		folder.close();
	}
	terminal.say(`  Report   ${folder.file("report.html")}`);
	terminal.answer({ run: folder.path, report: folder.file("report.html") });
	return 0;
}
