/** Makes a folder and those above it, level by level: Node's own way never returns where a file system refuses quietly. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

export function makeFolder(path: string, mode = 0o777): void {
	const missing: string[] = [];
	for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
	for (const folder of missing) {
		try {
			mkdirSync(folder, { mode });
		} catch (error) {
			// Another process may have been quicker.
			if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		}
	}
}
