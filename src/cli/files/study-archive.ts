/** A study that comes as one file (.zip): unpacked into a folder beside it, from which it runs and can be gone on with. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeFolder } from "../../data/node/make-folder.ts";
import { readPlainFile } from "../../data/node/plain-file.ts";
import { InputError } from "../../errors.ts";
import { methods } from "../../methods/registry.ts";
import { writeAtomic } from "../../study/node/atomic-write.ts";
import { cannotWrite } from "../../study/node/folder-error.ts";
import { type UnpackedStudy, unpackStudy } from "../../study/text/study-zip.ts";

const mostBytes = 1024 * 1024 * 1024;

export function isArchive(path: string): boolean {
	return /\.zip$/i.test(path) && existsSync(path);
}

/** The study in a folder of the archive's name, which is made; one that holds the same already is used as it is. */
export function unpackedStudy(path: string): { study: string; folder: string; isNew: boolean } {
	const unpacked = open(path);
	const folder = path.replace(/\.zip$/i, "");
	const isNew = !existsSync(folder);
	if (!isNew) assertSame(folder, unpacked, path);
	else write(folder, unpacked);
	return { study: join(folder, unpacked.study), folder, isNew };
}

/** The study in a folder that is gone when `use` is done: for looking at it only. */
export async function withUnpacked<T>(
	path: string,
	use: (study: string, folder: string) => Promise<T>,
): Promise<T> {
	const unpacked = open(path);
	const folder = mkdtempSync(join(tmpdir(), "odentify-study-"));
	try {
		write(folder, unpacked);
		return await use(join(folder, unpacked.study), folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function open(path: string): UnpackedStudy {
	return unpackStudy(readPlainFile(path, mostBytes), path, methods);
}

function write(folder: string, { files }: UnpackedStudy): void {
	try {
		for (const [name, bytes] of files) {
			makeFolder(dirname(join(folder, name)));
			writeAtomic(join(folder, name), bytes);
		}
	} catch (error) {
		throw cannotWrite(folder, error, "Unpack it where there is room, and run its study.yaml");
	}
}

function assertSame(folder: string, { files }: UnpackedStudy, path: string): void {
	for (const [name, bytes] of files) {
		const file = join(folder, name);
		const stats = statSync(file, { throwIfNoEntry: false });
		if (!stats?.isFile() || stats.size !== bytes.length || !readFileSync(file).equals(bytes))
			throw new InputError(
				path,
				`would be unpacked to ${folder}, which is there and holds another ${name}`,
				`Rename or remove that folder; or run what is in it:  odentify run ${folder}`,
			);
	}
}
