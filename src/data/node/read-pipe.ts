/** What comes by a pipe, to its end. Its length is not known before, so that less is taken than from a file. */
import { closeSync, constants, openSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../errors.ts";

const MiB = 1024 * 1024;
const most = 256 * MiB;
/** A program that is to write has been started by then, or was forgotten. */
const secondsToOpen = 10;

export async function readPipe(path: string, seconds = secondsToOpen): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	let length = 0;
	const pipe = await openedPipe(path, seconds);
	for await (const part of pipe.createReadStream() as AsyncIterable<Buffer>) {
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

/** A pipe with a name can be opened only when a program has it open to write: without one, this would wait for ever. */
async function openedPipe(path: string, seconds: number): Promise<FileHandle> {
	let isLate = false;
	const clock = setTimeout(() => {
		isLate = true;
		letGo(path);
	}, 1000 * seconds);
	const pipe = await open(path, "r");
	clearTimeout(clock);
	if (!isLate) return pipe;
	await pipe.close();
	throw new InputError(
		path,
		`is a pipe, and no program opened it to write to it within ${seconds} s`,
		"Start the program that writes to it first, or name a file.",
	);
}

/** Ends the waiting of the reader, by being a writer for an instant. */
function letGo(path: string): void {
	closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
}
