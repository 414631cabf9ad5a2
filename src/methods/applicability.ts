/** For each method, built or not, whether it applies to a model and why. */
import { type Applicability, methodsFor } from "../model/applies.ts";
import type { Model } from "../model/model.ts";
import { methods } from "./registry.ts";

export function applicability(model: Model): Applicability[] {
	return methodsFor(model, new Map([...methods].map(([name, method]) => [name, method.appliesTo])));
}
