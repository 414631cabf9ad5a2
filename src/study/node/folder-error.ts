/** What keeps a run from writing to its folder. The run itself is sound, and can be gone on with when that is mended. */
import { isFull, systemReason } from "../../data/node/system-words.ts";
import { InputError } from "../../errors.ts";

export class FolderError extends InputError {
	constructor(
		subject: string,
		problem: string,
		remedy: string,
		/** There was no room. */
		readonly full = false,
	) {
		super(subject, problem, remedy);
	}

	/** The same with the remedy for a run whose study and checkpoints are there. */
	goingOn(folder: string): FolderError {
		const first = this.full ? "Make room" : "Put that right";
		return new FolderError(
			this.subject,
			this.problem,
			`${first}, then go on:  odentify resume ${folder}`,
			this.full,
		);
	}
}

/** The folder is another's by now, or gone: there is nothing to go on with. */
export class FolderLost extends FolderError {
	override goingOn(): FolderError {
		return this;
	}
}

/** An error of the file system in words, without the names that files have while they are written; others as they are. */
export function cannotWrite(
	path: string,
	error: unknown,
	remedy = "Choose another place with  --out DIR",
): unknown {
	const why = systemReason(error, "written");
	if (why === undefined) return error;
	const full = isFull(error);
	return new FolderError(
		path,
		`cannot be written: ${why}`,
		full ? `Make room. Or: ${remedy[0].toLowerCase()}${remedy.slice(1)}` : remedy,
		full,
	);
}
