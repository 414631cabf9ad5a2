/** Makes a folder and those above it, level by level: Node's own way never returns where a file system refuses quietly. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Gives the folders that were made, outermost first. */
export function makeFolder(path: string, mode = 0o777): string[] {
	const missing: string[] = [];
	for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
	return missing.filter((folder) => {
		try {
			mkdirSync(folder, { mode });
			return true;
		} catch (error) {
			// Another process may have been quicker.
			if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
			return false;
		}
	});
}
