/** `odentify cite RUN`: the references that a run used, and Odentify itself, as BibTeX. */
import { bibtexOf, readBibliography } from "../../report/bibliography.ts";
import { RunFolder } from "../../study/node/run-folder.ts";
import { bibliography, readRun } from "../files/run-files.ts";
import { toOut } from "../terminal/screen.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export async function cite(path: string, options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	const { result, facts } = readRun(RunFolder.open(path));
	const [year] = facts.finished.split("-");
	const own = `@software{odentify,
  title   = {Odentify: from measured data to ODE models that can be trusted},
  version = {${facts.version}},
  year    = {${year}}
}`;
	const text = bibliography();
	const sentences = readBibliography(text);
	const entries = result.references.flatMap((key) => bibtexOf(text, key) ?? []);
	if (options.json)
		terminal.answer({
			method: result.method,
			references: result.references.map((key) => ({
				key,
				text: sentences.get(key) ?? key,
				bibtex: bibtexOf(text, key) ?? null,
			})),
			software: own,
		});
	else toOut(`${[own, ...entries].join("\n\n")}\n`);
	return 0;
}
