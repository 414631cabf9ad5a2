/** Files of a new study in a folder. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../data/node/make-folder.ts";
import { InputError } from "../../errors.ts";
import { writeAtomic } from "../../study/node/atomic-write.ts";
import { cannotWrite } from "../../study/node/folder-error.ts";

/** All or nothing, and never over what is there. */
export function writeNew(
	folder: string,
	files: readonly { readonly name: string; readonly content: string }[],
): void {
	const there = files.map(({ name }) => join(folder, name)).filter((path) => existsSync(path));
	if (there.length > 0)
		throw new InputError(
			there.join(", "),
			there.length === 1 ? "is there already" : "are there already",
			"Nothing was written. Choose another folder with  --out DIR",
		);
	try {
		makeFolder(folder);
		for (const { name, content } of files) {
			makeFolder(dirname(join(folder, name)));
			writeAtomic(join(folder, name), content);
		}
	} catch (error) {
		throw cannotWrite(folder, error, "Choose another place with  --out DIR");
	}
}
