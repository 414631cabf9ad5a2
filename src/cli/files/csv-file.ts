/** A file that an option names, such as `simulate --csv`: looked at before anything is computed, and written whole. */
import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { InputError } from "../../errors.ts";
import { writeAtomic } from "../../study/node/atomic-write.ts";
import { cannotWrite } from "../../study/node/folder-error.ts";

interface FileOption {
	readonly option: string;
	/** A name that such a file may have. */
	readonly example: string;
}

/** Throws when the file cannot be written, or when it would be written over and `force` does not say so. */
export function assertCsvUsable(
	csv: string,
	force: boolean,
	{ option, example }: FileOption = { option: "--csv", example: "trajectory.csv" },
): void {
	const subject = `${option} ${csv}`;
	const folder = dirname(csv);
	if (!existsSync(folder))
		throw new InputError(subject, `there is no folder ${folder}`, `Make it first:  mkdir -p ${folder}`);
	if (!statSync(folder).isDirectory())
		throw new InputError(subject, `${folder} is a file, not a folder`, "Name a file in a folder.");
	const there = statSync(csv, { throwIfNoEntry: false });
	if (!there) return;
	if (there.isDirectory()) throw new InputError(subject, "is a folder", `Name a file:  ${csv}/${example}`);
	if (!there.isFile())
		throw new InputError(subject, "is not a plain file", "Name a file that is to be made.");
	if (!force)
		throw new InputError(
			subject,
			"is there already",
			"Name another file, or write over this one with  --force",
		);
}

export function writeCsv(csv: string, content: string, option = "--csv"): void {
	try {
		writeAtomic(resolve(csv), content);
	} catch (error) {
		throw cannotWrite(csv, error, `Choose another place with  ${option} FILE`);
	}
}
