/** PEtab and SBML: fetched when such a file comes. */
import { foreignFiles } from "../../src/study/index.ts";
import type { Questions, RunFile } from "../contract.ts";
import { baseName } from "./studies.ts";

export function foreign({ name, text, beside }: Questions["foreign"]["ask"]): readonly RunFile[] | undefined {
	// The page sees no folders.
	const files = foreignFiles(text, name, (file) => beside[baseName(file)]);
	return files && [...files].map(([each, content]) => ({ name: each, content }));
}
