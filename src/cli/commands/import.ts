/** `odentify import FILE`: a model in SBML, written in the model language. */
import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { looksLikeXml, sbmlToOde } from "../../formats/sbml/read-sbml.ts";
import { parseModel } from "../../model/language/parse-model.ts";
import { beside } from "../../study/node/load-study.ts";
import { readText } from "../../study/node/read-text.ts";
import { assertCsvUsable, writeCsv } from "../csv-file.ts";
import { exitCodes } from "../failure.ts";
import { type CommonOptions, Terminal } from "../terminal.ts";

export async function importModel(
	file: string,
	options: CommonOptions & { out?: string; force?: boolean },
): Promise<number> {
	const terminal = new Terminal(options);
	const source = readText(file, "model");
	if (!looksLikeXml(source))
		throw new InputError(file, "is no SBML: it does not begin with <", "Name a model file in SBML (.xml).");
	const { text } = sbmlToOde(source, file, beside(file));
	const whole = `# From ${basename(file)}\n\n${text}`;
	const out = options.out ?? `${basename(file).replace(/\.(xml|sbml)$/i, "")}.ode`;
	// What is written can be read: if not, that is said here.
	const { states, params, events } = parseModel(whole, out);
	assertCsvUsable(out, options.force === true, "--out");
	writeCsv(out, whole, "--out");
	terminal.say(
		`  ${states.length} states, ${params.length} parameters, ${events.length} events written to ${out}`,
	);
	terminal.answer({ file: out, states: states.length, parameters: params.length, events: events.length });
	return exitCodes.answer;
}
