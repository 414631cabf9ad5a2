/** A model as plain data, for `odentify check --json` and for anyone who wants to show it. */
import { constantValue } from "./constant.ts";
import { position } from "./diagnostic.ts";
import type { Node } from "./graph.ts";
import type { Distribution, Input, Knowledge, KnowledgeKind, Model } from "./model.ts";
import { equationToPlain, printEquation, printExpression } from "./print/expression.ts";
import { eventText, formText, inputText, knowledgeText, measureText } from "./print/model.ts";
import { structureOf } from "./structure/structure.ts";

/** A number where it is one, otherwise the expression. */
export type ValueDescription = number | string;

export interface KnowledgeDescription {
	readonly kind: KnowledgeKind;
	/** As it stands in the model: `~ lognormal(log(2), 0.3)`. Empty when nothing is known. */
	readonly text: string;
	readonly value?: ValueDescription;
	readonly lo?: ValueDescription;
	readonly hi?: ValueDescription;
	readonly distribution?: DistributionDescription;
}

export interface DistributionDescription {
	readonly family: string;
	readonly args: readonly ValueDescription[];
	readonly named: Readonly<Record<string, ValueDescription>>;
	/** What it is cut to. */
	readonly lo?: ValueDescription;
	readonly hi?: ValueDescription;
}

export interface ModelDescription {
	readonly file: string;
	readonly states: readonly {
		readonly name: string;
		readonly order: number;
		readonly initial: readonly ({ readonly component: string } & KnowledgeDescription)[];
	}[];
	readonly inputs: readonly {
		readonly name: string;
		readonly from: "data" | "formula" | "process" | "set";
		readonly text: string;
	}[];
	readonly conditions: readonly string[];
	readonly parameters: readonly ({
		readonly name: string;
		readonly rate?: KnowledgeDescription;
		/** It differs from record to record. */
		readonly byRecord?: true;
		/** Of an unknown combination. */
		readonly terms?: readonly string[];
	} & KnowledgeDescription)[];
	readonly unknownFunctions: readonly ({
		readonly name: string;
		readonly arguments: readonly string[];
		readonly kind: "basis" | "process";
		/** Its weights differ from record to record. */
		readonly byRecord?: true;
		readonly text: string;
	} & DistributionDescription)[];
	readonly measurements: readonly {
		readonly name: string;
		readonly kind: "exact" | "set" | "distribution";
		readonly family?: string;
		readonly text: string;
	}[];
	readonly functions: readonly { readonly name: string; readonly arguments: readonly string[] }[];
	readonly events: readonly { readonly text: string }[];
	readonly equations: readonly { readonly text: string; readonly plain: string }[];
	/** First-order form: each component with its derivative, all that is known folded in. */
	readonly system: readonly { readonly component: string; readonly derivative: string }[];
	readonly structure: {
		readonly order: number;
		readonly secondOrder: boolean;
		readonly autonomous: boolean;
		readonly drivenBy: readonly string[];
		readonly blocks: readonly (readonly string[])[];
		readonly linearInStates: boolean;
		readonly linearInParams: boolean;
		readonly degreeInStates?: number;
		readonly discontinuities: readonly { readonly kind: "jump" | "kink"; readonly text: string }[];
	};
	readonly warnings: readonly { readonly line: number; readonly message: string; readonly remedy: string }[];
}

export function describeModel(model: Model): ModelDescription {
	const structure = structureOf(model);
	return {
		file: model.fileName,
		states: model.states.map(({ name, order, components, initial }) => ({
			name,
			order,
			initial: components.map((component, i) => ({ component, ...describeKnowledge(initial[i]) })),
		})),
		inputs: model.inputs.map((input) => ({
			name: input.name,
			from: originOf(input),
			text: inputText(input).trim(),
		})),
		conditions: model.conditions.map(({ name }) => name),
		parameters: model.params.map(({ name, knowledge, rate, terms, byRecord }) => ({
			name,
			...(byRecord && { byRecord }),
			...describeKnowledge(knowledge),
			...(rate && { rate: describeKnowledge(rate) }),
			...(terms && { terms: terms.map(printExpression) }),
		})),
		unknownFunctions: model.unknowns.map((each) => ({
			name: each.name,
			arguments: each.params,
			kind: each.kind,
			...(each.byRecord && { byRecord: each.byRecord }),
			text: formText(each),
			...describeDistribution(each.distribution),
		})),
		measurements: model.measures.map((measure) => ({
			name: measure.name,
			kind: measure.kind,
			...(measure.family !== undefined && { family: measure.family }),
			text: measureText(measure),
		})),
		functions: model.functions.map(({ name, params }) => ({ name, arguments: params })),
		events: model.events.map((event) => ({ text: eventText(event) })),
		equations: model.equations.map((equation) => ({
			text: printEquation(equation),
			plain: equationToPlain(equation),
		})),
		system: model.components.map((component, i) => ({
			component,
			derivative: printExpression(model.rhs[i]),
		})),
		structure: {
			order: structure.order,
			secondOrder: structure.secondOrder,
			autonomous: structure.autonomous,
			drivenBy: structure.drivenBy,
			blocks: structure.blocks,
			linearInStates: structure.linearInStates,
			linearInParams: structure.linearInParams,
			...(structure.degreeInStates !== undefined && { degreeInStates: structure.degreeInStates }),
			discontinuities: structure.discontinuities.map(({ kind, node }) => ({
				kind,
				text: printExpression(node),
			})),
		},
		warnings: (model.warnings ?? []).map(({ span, message, remedy }) => ({
			line: position(model.source, span.start).line,
			message,
			remedy,
		})),
	};
}

function describeKnowledge(knowledge: Knowledge): KnowledgeDescription {
	const text = knowledgeText(knowledge).trim();
	const { kind } = knowledge;
	switch (kind) {
		case "exact":
			return { kind, text, value: describeValue(knowledge.value) };
		case "set":
			return { kind, text, lo: describeValue(knowledge.lo), hi: describeValue(knowledge.hi) };
		case "distribution":
			return { kind, text, distribution: describeDistribution(knowledge.distribution) };
		case "none":
			return { kind, text };
	}
}

function describeDistribution({ family, args, named, cut }: Distribution): DistributionDescription {
	return {
		family,
		args: args.map(describeValue),
		named: Object.fromEntries([...named].map(([name, node]) => [name, describeValue(node)])),
		...(cut?.lo && { lo: describeValue(cut.lo) }),
		...(cut?.hi && { hi: describeValue(cut.hi) }),
	};
}

function describeValue(node: Node): ValueDescription {
	const value = constantValue(node);
	return Number.isNaN(value) ? printExpression(node) : value;
}

function originOf({ knowledge: { kind } }: Input): "data" | "formula" | "process" | "set" {
	if (kind === "formula" || kind === "set") return kind;
	return kind === "none" ? "data" : "process";
}
