/** `odentify verify RUN`: checks the certificate of a run against its model and data. What rests on the solver that wrote it has an exit code of its own. */
import { InputError } from "../../errors.ts";
import { methods } from "../../methods/registry.ts";
import { loadStudy } from "../../study/node/load-study.ts";
import { RunFolder } from "../../study/node/run-folder.ts";
import { exitCodes } from "../failure.ts";
import { questionOf } from "../question.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export async function verify(path: string, options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	const folder = RunFolder.open(path);
	const { problem, method } = await questionOf(loadStudy(folder.file("study.yaml"), methods));
	const { certificate } = method;
	if (!certificate)
		throw new InputError(
			path,
			`is a run of ${method.name}, whose answers have no certificate`,
			`Those of ${[...methods.values()].flatMap((each) => (each.certificate ? [each.name] : [])).join(", ")} have.`,
		);
	if (!folder.has(certificate.file))
		throw new InputError(path, `holds no certificate (${certificate.file})`, certificate.remedy);
	const file = folder.file(certificate.file);
	const beside = certificate.beside
		.filter((name) => folder.has(name))
		.map((name) => [name, folder.read(name)]);
	const { holds, isIndependent, lines, found } = certificate.check(
		folder.read(certificate.file),
		file,
		problem,
		Object.fromEntries(beside),
	);
	for (const line of lines) terminal.say(`  ${line}`);
	terminal.answer({ run: folder.path, ...found });
	if (!holds) return exitCodes.noAnswer;
	return isIndependent ? exitCodes.answer : exitCodes.inPart;
}
