/** `odentify verify RUN`: checks the certificate of a run with guaranteed against its model and data. */
import { readFileSync } from "node:fs";
import { InputError } from "../../errors.ts";
import { parseCertificate } from "../../methods/guaranteed/proof/certificate.ts";
import { verifyCertificate } from "../../methods/guaranteed/proof/verify.ts";
import { methods } from "../../methods/registry.ts";
import { loadStudy } from "../../study/node/load-study.ts";
import { RunFolder } from "../../study/node/run-folder.ts";
import { questionOf } from "../question.ts";
import { type CommonOptions, Terminal } from "../terminal.ts";

export async function verify(path: string, options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	const folder = RunFolder.open(path);
	if (!folder.has("proof.json"))
		throw new InputError(
			path,
			"holds no certificate (proof.json)",
			"Write  guaranteed: { proof: 400 }  in the study, and run it.",
		);
	const file = folder.file("proof.json");
	const certificate = parseCertificate(readFileSync(file, "utf8"), file);
	const { problem } = await questionOf(loadStudy(folder.file("study.yaml"), methods));
	const found = verifyCertificate(certificate, problem);
	if (found.holds) {
		terminal.say(`  Confirmed: ${found.excluded} parts of the declared sets are excluded by a sample each.`);
		if (!certificate.enclosure) terminal.say("  Nothing is left: no value is consistent with the data.");
		else
			for (const [k, name] of certificate.unknowns.entries())
				terminal.say(`  ${name} in [${certificate.enclosure[2 * k]}, ${certificate.enclosure[2 * k + 1]}]`);
	} else terminal.say(`  Refused: ${found.why}.`);
	terminal.answer({ run: folder.path, ...found });
	return found.holds ? 0 : 1;
}
