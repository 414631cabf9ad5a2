/** A model from its text, in the language or in SBML. Throws `ModelError` with every error at its place. */
import { readModel } from "../formats/read-model.ts";
import type { Model } from "../model/model.ts";

export function model(text: string, name = "model"): Model {
	return readModel(text, name);
}
