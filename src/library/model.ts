/** A model from its text. Throws `ModelError` with every error at its place. */
import { parseModel } from "../model/language/parse-model.ts";
import type { Model } from "../model/model.ts";

export function model(text: string, name = "model"): Model {
	return parseModel(text, name);
}
