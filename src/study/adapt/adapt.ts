/**
 * The change that a method asks for where it does not apply to a model as it is: declarations written anew in their places.
 * Bounds come from priors or from what an earlier answer found in the data, never from nowhere; and all of it is said.
 */
import { list } from "../../estimate/judge/words.ts";
import { spreadParams } from "../../estimate/observe/spread.ts";
import { withUnknownField } from "../../methods/cross-check/unknown-field.ts";
import type { Method } from "../../methods/method.ts";
import { ModelError } from "../../model/diagnostic.ts";
import { parseModel } from "../../model/language/parse-model.ts";
import { type Rewriting, rewritten } from "../../model/language/rewrite.ts";
import type { Model } from "../../model/model.ts";
import { printModel } from "../../model/print/model.ts";
import { verdictWithinReach } from "../../model/within-reach.ts";
import type { Evidence } from "./evidence.ts";
import { measureChange } from "./measures.ts";
import { numberChanges } from "./numbers.ts";

export type Adaptation =
	/** The text of the changed model, what was changed, and where a search begins. */
	| {
			readonly kind: "change";
			readonly model: string;
			readonly says: readonly string[];
			readonly set: Readonly<Record<string, number>>;
	  }
	/** What has to be found first, by `fit`: nothing else says how large these are. */
	| { readonly kind: "answer-first"; readonly names: readonly string[] }
	/** No change of the declarations makes the method apply. */
	| { readonly kind: "none" };

/** One part of a change; `lacks` names what an answer has to tell first. */
export interface Change {
	readonly edits: readonly Rewriting[];
	readonly says: readonly string[];
	readonly lacks: readonly string[];
}

type Asked = Pick<Method, "name" | "appliesTo" | "honoursAssumptions" | "needs">;

export function adaptedFor(method: Asked, model: Model, evidence: Evidence): Adaptation {
	const applies = (other: Model): boolean => verdictWithinReach(other, method).applies;
	if (method.needs === "field") return learned(model, applies);
	if (method.needs === "one-output") return withOneOutput(model, applies);
	const { edits, says, lacks } = joined([inTheWay(method, model), declarations(method, model, evidence)]);
	if (lacks.length > 0) return { kind: "answer-first", names: [...new Set(lacks)] };
	const changed = reread(model, edits);
	if (!changed || !applies(changed)) return { kind: "none" };
	const set = method.needs === "terms" ? startsOf(model, evidence) : {};
	return { kind: "change", model: changed.source, says, set };
}

/** What only some methods hold to: the others can go on without it. */
function inTheWay({ honoursAssumptions, needs }: Asked, model: Model): Change {
	const edits: Rewriting[] = [];
	const says: string[] = [];
	if ((model.assumptions ?? []).length > 0 && !honoursAssumptions) {
		edits.push({ assumptions: "remove" });
		says.push("Without what the model assumes (assume …).");
	}
	for (const { name, rate } of model.params) {
		if (!rate || needs === "sets") continue;
		edits.push({ keyword: "param", name: `${name}'`, remove: true });
		says.push(`param ${name} is constant: it does not drift.`);
	}
	for (const { name, knowledge } of model.inputs) {
		if (knowledge.kind !== "distribution" || needs === "distributions") continue;
		edits.push({ keyword: "input", name, after: "" });
		says.push(`input ${name} comes from a column of the data.`);
	}
	return { edits, says, lacks: [] };
}

function declarations({ needs }: Asked, model: Model, evidence: Evidence): Change {
	if (needs === undefined) return { edits: [], says: [], lacks: [] };
	const spreads = spreadParams(model);
	return joined([
		numberChanges(needs, model, evidence, spreads),
		...model.measures.map((measure) => measureChange(needs, model, measure, evidence, spreads)),
	]);
}

function joined(parts: readonly Change[]): Change {
	return {
		edits: parts.flatMap(({ edits }) => edits),
		says: parts.flatMap(({ says }) => says),
		lacks: parts.flatMap(({ lacks }) => lacks),
	};
}

function reread(model: Model, edits: readonly Rewriting[]): Model | undefined {
	if (edits.length === 0) return undefined;
	try {
		return parseModel(rewritten(model.source, edits), model.fileName);
	} catch (error) {
		if (error instanceof ModelError) return undefined;
		throw error;
	}
}

function learned(model: Model, applies: (model: Model) => boolean): Adaptation {
	if (model.unknowns.length > 0) return { kind: "none" };
	const field = withUnknownField(model);
	if (typeof field === "string" || !applies(field.model)) return { kind: "none" };
	const says = [
		`The equations of ${list(model.states.map(({ name }) => name))} become unknown functions of all states and inputs.`,
		...field.assumptions.slice(1),
	];
	return { kind: "change", model: printModel(field.model), says, set: {} };
}

function withOneOutput(model: Model, applies: (model: Model) => boolean): Adaptation {
	for (const { name } of model.measures.length > 1 ? model.measures : []) {
		const others = model.measures.filter((each) => each.name !== name);
		const edits = others.map((each) => ({ keyword: "measure", name: each.name, remove: true }) as const);
		const changed = reread(model, edits);
		if (changed && applies(changed))
			return {
				kind: "change",
				model: changed.source,
				says: [`${name} alone is measured: ${list(others.map((each) => each.name))} is left out.`],
				set: {},
			};
	}
	return { kind: "none" };
}

function startsOf({ params }: Model, { values }: Evidence): Record<string, number> {
	const names = new Set(params.map(({ name }) => name));
	return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}
