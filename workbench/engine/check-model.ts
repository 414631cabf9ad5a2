/** A model text as the page shows it: typeset, described, or with its errors at their places. */
import { describeModel, equationTex, letTex, ModelError } from "../../src/model/index.ts";
import type { ModelCheck } from "../contract.ts";
import { readModel } from "./read-model.ts";

export async function checkModel(source: string, fileName: string): Promise<ModelCheck> {
	try {
		const model = await readModel(source, fileName);
		return {
			errors: [],
			warnings: model.warnings ?? [],
			description: describeModel(model),
			tex: [...model.equations.map(equationTex), ...model.lets.map(letTex)],
		};
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		return { errors: error.diagnostics, warnings: [], tex: [] };
	}
}
