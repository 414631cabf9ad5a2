/** Public records that may not be passed on: a bench reads them from the folder that --data names. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The path of a record, such as `silverbox/SNLS80mV.csv`; undefined, with a word, where it is not at hand. */
export function publicRecord(folder: string | undefined, file: string): string | undefined {
	const path = folder === undefined ? undefined : join(folder, file);
	if (path !== undefined && existsSync(path)) return path;
	console.log(`passed over: ${file} is not at hand (npm run bench -- NAME --data DIR)`);
	return undefined;
}
