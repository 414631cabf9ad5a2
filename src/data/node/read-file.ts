/** Reads a table from a file of this machine. */
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { InputError } from "../../errors.ts";
import { MAX_FILE_BYTES } from "../limits.ts";
import type { Table } from "../table.ts";
import { readTable } from "./read-table.ts";

export async function readTableFile(path: string): Promise<Table> {
	return readTable(await readBytes(path), basename(path));
}

async function readBytes(path: string): Promise<Uint8Array> {
	try {
		const file = await open(path);
		try {
			const stat = await file.stat();
			if (stat.isDirectory()) throw new InputError(path, "is a folder", "Name a file in it.");
			if (stat.size >= MAX_FILE_BYTES) {
				throw new InputError(
					path,
					`has ${stat.size} bytes, ${MAX_FILE_BYTES} and more are not read`,
					"Split the file.",
				);
			}
			return await file.readFile();
		} finally {
			await file.close();
		}
	} catch (error) {
		if (error instanceof InputError) throw error;
		const code = (error as { code?: string }).code;
		if (code === "ENOENT" || code === "ENOTDIR") {
			throw new InputError(path, "is not there", "A data file is looked for beside the study that names it.");
		}
		if (code === "EISDIR") throw new InputError(path, "is a folder", "Name a file in it.");
		if (code === "EACCES" || code === "EPERM") throw new InputError(path, "may not be read by this user");
		throw new InputError(path, `cannot be read: ${error instanceof Error ? error.message : error}`);
	}
}
