/** Models and problems of others as files of a study: what `odentify import` writes, for those who have no folder. */
import { looksLikePetab } from "../../formats/petab/looks-like.ts";
import { readPetab } from "../../formats/petab/problem.ts";
import { looksLikeXml, type OpenFile, sbmlToOde } from "../../formats/sbml/read-sbml.ts";
import { petabStudy } from "./as-study.ts";

/** Files by name: a study with model and records of a PEtab problem, a model of SBML; `undefined` for a text that is neither. */
export function foreignFiles(
	text: string,
	fileName: string,
	open: OpenFile,
): ReadonlyMap<string, string> | undefined {
	if (looksLikePetab(text)) return petabStudy(readPetab(text, fileName, open), open).files;
	if (!looksLikeXml(text)) return undefined;
	const name = `${fileName.replace(/\.(xml|sbml)$/i, "")}.ode`;
	return new Map([[name, `# From ${fileName}\n\n${sbmlToOde(text, fileName, open).text}`]]);
}
