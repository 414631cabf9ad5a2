/** `odentify pack STUDY`: study, model and records in one file, which `odentify run` and the page take. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readBytesOf } from "../../data/node/read-file.ts";
import { InputError } from "../../errors.ts";
import { methods } from "../../methods/registry.ts";
import { writeAtomic } from "../../study/node/atomic-write.ts";
import { cannotWrite } from "../../study/node/folder-error.ts";
import { besideStudy, loadStudy } from "../../study/node/load-study.ts";
import { filesOf, packStudy } from "../../study/text/study-zip.ts";
import { exitCodes } from "../failure.ts";
import { type CommonOptions, Terminal } from "../terminal/terminal.ts";

export async function pack(path: string, options: CommonOptions): Promise<number> {
	const terminal = new Terminal(options);
	const { study } = loadStudy(path, methods);
	const out = options.out ?? join(dirname(path), `${basename(path).replace(/\.ya?ml$/i, "")}.zip`);
	if (existsSync(out))
		throw new InputError(out, "is there already", "Choose another name with  --out FILE.zip");
	const bytes = new Map<string, Uint8Array>();
	for (const file of filesOf(study)) bytes.set(file, await readBytesOf(besideStudy(path, file)));
	const packed = packStudy(study, (file) => bytes.get(file)!);
	try {
		writeAtomic(out, packed);
	} catch (error) {
		throw cannotWrite(out, error, "Choose another place with  --out FILE.zip");
	}
	terminal.say(
		`  ${bytes.size + 1} files, ${packed.length} bytes, written to ${out}. Run it with  odentify run ${out}`,
	);
	terminal.answer({ file: out, files: ["study.yaml", ...bytes.keys()], bytes: packed.length });
	return exitCodes.answer;
}
