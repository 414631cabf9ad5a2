/** A model file, in the language or as SBML: told apart by how it begins. */
import { parseModel } from "../model/language/parse-model.ts";
import type { Model } from "../model/model.ts";
import { looksLikeXml, type OpenFile, readSbml } from "./sbml/read-sbml.ts";

/** `open` gives files that the model names, beside it. */
export function readModel(text: string, fileName: string, open?: OpenFile): Model {
	return looksLikeXml(text) ? readSbml(text, fileName, open) : parseModel(text, fileName);
}
