/** A PEtab problem written as a study, in a folder of its own. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "../../errors.ts";
import { readPetab } from "../../formats/petab/problem.ts";
import { beside } from "../../study/node/load-study.ts";
import { readText } from "../../study/node/read-text.ts";
import { petabStudy } from "../../study/petab/as-study.ts";
import { writeAll } from "./new-files.ts";

export interface PetabFolder {
	readonly folder: string;
	readonly study: string;
	readonly nRecords: number;
}

/** `out` must not be there yet; without it a folder beside the runs is chosen that is not. */
export function writePetabFolder(path: string, out: string | undefined): PetabFolder {
	const open = beside(path);
	const { files, nRecords } = petabStudy(readPetab(readText(path, "problem"), path, open), open);
	const folder = out ?? freeFolder(join("runs", `${basename(path).replace(/\.ya?ml$/i, "")}-study`));
	if (existsSync(folder))
		throw new InputError(`--out ${folder}`, "is there already", "Name a folder that is to be made.");
	writeAll(folder, files);
	return { folder, study: join(folder, "study.yaml"), nRecords };
}

function freeFolder(wanted: string): string {
	let name = wanted;
	for (let i = 2; existsSync(name); i++) name = `${wanted}-${i}`;
	return name;
}
