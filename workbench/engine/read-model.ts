/** A model in the language, or in SBML, whose reader is fetched when such a text comes. */
import { type Model, parseModel } from "../../src/model/index.ts";

export async function readModel(source: string, fileName: string): Promise<Model> {
	if (!/^\uFEFF?\s*</.test(source)) return parseModel(source, fileName);
	return (await import("./read-sbml.ts")).readSbml(source, fileName);
}
