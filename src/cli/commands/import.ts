/** `odentify import FILE`: a model in SBML, written in the model language; a PEtab problem, written as a study. */
import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { looksLikePetab } from "../../formats/petab/looks-like.ts";
import { looksLikeXml, sbmlToOde } from "../../formats/sbml/read-sbml.ts";
import { parseModel } from "../../model/language/parse-model.ts";
import { counted } from "../../report/format.ts";
import { beside } from "../../study/node/load-study.ts";
import { readText } from "../../study/node/read-text.ts";
import { exitCodes } from "../failure.ts";
import { assertCsvUsable, writeCsv } from "../files/csv-file.ts";
import { writePetabFolder } from "../files/petab-folder.ts";
import { isArchive, unpackedStudy } from "../files/study-archive.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export async function importModel(
	asked: string,
	options: CommonOptions & { out?: string; force?: boolean },
): Promise<number> {
	const terminal = new Terminal(options);
	const file = isArchive(asked) ? unpackedStudy(asked).study : asked;
	const source = readText(file, "model");
	if (looksLikePetab(source)) {
		const { folder, study, nRecords } = writePetabFolder(
			file,
			options.out ?? `${basename(file).replace(/\.ya?ml$/i, "")}-study`,
		);
		terminal.say(
			`  ${counted(nRecords, "record")} and a model written to ${folder}. Go on with  odentify run ${study}`,
		);
		terminal.answer({ folder, study, records: nRecords });
		return exitCodes.answer;
	}
	if (!looksLikeXml(source))
		throw new InputError(
			file,
			"is neither SBML nor a PEtab problem",
			"Name a model file (.xml) or a problem (.yaml).",
		);
	const { text } = sbmlToOde(source, file, beside(file));
	const whole = `# From ${basename(file)}\n\n${text}`;
	const out = options.out ?? `${basename(file).replace(/\.(xml|sbml)$/i, "")}.ode`;
	// What is written can be read: if not, that is said here.
	const { states, params, events } = parseModel(whole, out);
	assertCsvUsable(out, options.force === true, { option: "--out", example: "model.ode" });
	writeCsv(out, whole, "--out");
	terminal.say(
		`  ${states.length} states, ${params.length} parameters, ${events.length} events written to ${out}`,
	);
	terminal.answer({ file: out, states: states.length, parameters: params.length, events: events.length });
	return exitCodes.answer;
}
