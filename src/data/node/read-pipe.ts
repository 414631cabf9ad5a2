/** What comes by a pipe, to its end. Its length is not known before, so that less is taken than from a file. */
import { createReadStream } from "node:fs";
import { InputError } from "../../errors.ts";

const MiB = 1024 * 1024;
const most = 256 * MiB;

export async function readPipe(path: string): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	let length = 0;
	for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
		length += part.length;
		if (length > most)
			throw new InputError(
				path,
				`gives more than ${most / MiB} MiB, and is a pipe`,
				"Write them to a file first.",
			);
		parts.push(part);
	}
	return Buffer.concat(parts);
}
