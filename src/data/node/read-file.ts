/** Reads a table from a file of this machine. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { MAX_FILE_BYTES } from "../read/limits.ts";
import type { Table } from "../table/table.ts";
import type { TableChoices } from "../table/table-choices.ts";
import { assertNameable, assertSize, readPlainFile, unreadable } from "./plain-file.ts";
import { readPipe } from "./read-pipe.ts";
import { readTable } from "./read-table.ts";

export async function readTableFile(path: string, choices?: TableChoices): Promise<Table> {
	return readTable(await readBytesOf(path), basename(path), choices);
}

export async function readBytesOf(path: string): Promise<Uint8Array> {
	assertNameable(path);
	try {
		const stats = await stat(path);
		// What another program writes comes by a pipe: <(program) in a shell.
		if (stats.isFIFO()) return await readPipe(path);
		assertSize(path, stats.size, MAX_FILE_BYTES - 1, "Split the file.");
		return readPlainFile(path, MAX_FILE_BYTES - 1);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR")
			throw new InputError(path, "is not there", "A data file is looked for beside the study that names it.");
		throw unreadable(path, error);
	}
}
