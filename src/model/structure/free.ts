/** What of a model is not exactly known. */
import type { Knowledge, KnowledgeKind, Model, Param } from "../model.ts";

/** Names of inputs that come from columns of the data. */
export function dataInputs(model: Model): string[] {
	return model.inputs
		.filter(({ knowledge, isDose }) => knowledge.kind === "none" && !isDose)
		.map(({ name }) => name);
}

/** Parameters to be estimated: unknown, in a set, with a distribution, or unknown combinations. */
export function freeParams(model: Model): Param[] {
	return model.params.filter(({ knowledge }) => knowledge.kind !== "exact");
}

export function paramsOfKind(model: Model, kind: KnowledgeKind): Param[] {
	return model.params.filter(({ knowledge }) => knowledge.kind === kind);
}

export interface InitialValue {
	readonly component: string;
	readonly knowledge: Knowledge;
}

/** State components whose initial value is not exactly known, with what is known of them. */
export function freeInitials(model: Model): InitialValue[] {
	return model.components
		.map((component, i) => ({ component, knowledge: model.initial[i] }))
		.filter(({ knowledge }) => knowledge.kind !== "exact");
}
