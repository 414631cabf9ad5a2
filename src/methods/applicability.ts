/** For each method, whether it applies to a model and why; and why the model looks made for it. */
import type { Model } from "../model/model.ts";
import { type Verdict, verdictWithinReach } from "../model/within-reach.ts";
import type { Method } from "./method.ts";
import { singleMethods } from "./registry.ts";

export interface Applicability extends Verdict {
	readonly method: string;
	/** Where what the model declares is what this method asks for. */
	readonly suits?: string;
}

export function applicability(
	model: Model,
	among: readonly Pick<
		Method,
		| "name"
		| "appliesTo"
		| "suits"
		| "honoursAssumptions"
		| "honoursEvents"
		| "honoursDoses"
		| "honoursPopulations"
		| "takesOwnValues"
		| "takesBoundedInputs"
	>[] = singleMethods,
): Applicability[] {
	return among.map((method) => {
		const { name, suits } = method;
		const { applies, why } = verdictWithinReach(model, method);
		const reason = applies ? suits(model) : undefined;
		return { method: name, applies, why, ...(reason === undefined ? {} : { suits: reason }) };
	});
}
