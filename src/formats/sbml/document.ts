/** What an SBML model says, Level 2 or 3, with the defaults of its level filled in. */
import type { Span } from "../../model/model.ts";
import { decimalNumber } from "../numbers.ts";
import { childOf, listOf, type XmlElement } from "../xml.ts";
import { type Formula, replace } from "./formula.ts";
import { formulaOf, lambdaOf } from "./mathml.ts";
import type { Problems } from "./problems.ts";
import { flagOf } from "./schema.ts";

/** Where something stands in the file: what packages add to it is read there. */
interface Placed {
	readonly span: Span;
	readonly element: XmlElement;
}
interface Item extends Placed {
	readonly id: string;
}
export interface SbmlFunction extends Item {
	readonly params: readonly string[];
	readonly body?: Formula;
}
export interface Compartment extends Item {
	readonly size?: number;
	readonly dimensions: number;
	readonly constant: boolean;
}
export interface Species extends Item {
	readonly compartment: string;
	readonly initialAmount?: number;
	readonly initialConcentration?: number;
	/** In formulas it stands for its amount, not for its concentration. */
	readonly isAmount: boolean;
	readonly boundary: boolean;
	readonly constant: boolean;
	readonly conversionFactor?: string;
}
export interface Parameter extends Item {
	/** It may be infinite or no number, as long as nothing is computed with it. */
	readonly value?: number;
	readonly constant: boolean;
}
/** A reactant or a product: how much of a species a reaction takes or makes. */
export interface Participant extends Placed {
	readonly species: string;
	readonly id?: string;
	readonly stoichiometry?: number;
	readonly math?: Formula;
	/** What it is multiplied by where it is counted in other units. */
	readonly factor?: Formula;
}
export interface Reaction extends Item {
	readonly reactants: readonly Participant[];
	readonly products: readonly Participant[];
	readonly rate?: Formula;
	readonly fast: boolean;
}
export interface Rule extends Placed {
	readonly kind: "assignment" | "rate" | "algebraic";
	readonly variable: string;
	readonly math: Formula;
}
export interface InitialAssignment extends Placed {
	readonly symbol: string;
	readonly math: Formula;
}
export interface SbmlEvent extends Placed {
	readonly id?: string;
	readonly trigger: Formula;
	readonly delay?: Formula;
	readonly priority?: Formula;
	readonly initially: boolean;
	readonly persistent: boolean;
	readonly late: boolean;
	readonly assignments: readonly { readonly variable: string; readonly math: Formula; readonly span: Span }[];
}
export interface SbmlModel {
	readonly id: string;
	readonly functions: readonly SbmlFunction[];
	readonly compartments: readonly Compartment[];
	readonly species: readonly Species[];
	readonly parameters: readonly Parameter[];
	readonly initial: readonly InitialAssignment[];
	readonly rules: readonly Rule[];
	readonly reactions: readonly Reaction[];
	readonly events: readonly SbmlEvent[];
	readonly conversionFactor?: string;
}

/** What SBML writes for what has no digits. */
const words = new Map([
	["INF", Number.POSITIVE_INFINITY],
	["-INF", Number.NEGATIVE_INFINITY],
	["NaN", Number.NaN],
]);

export function readModelElement(model: XmlElement, level: number, problems: Problems): SbmlModel {
	const math = (element: XmlElement | undefined): Formula | undefined =>
		formulaOf(childOf(element, "math"), problems);
	const number = (element: XmlElement, name: string): number | undefined => {
		const text = element.attributes[name]?.trim();
		if (text === undefined) return undefined;
		const value = words.get(text) ?? decimalNumber(text);
		if (value === undefined)
			problems.add(
				element.span,
				`${name}="${text}" is no number that can be read`,
				"Write it in digits, such as 0.5 or 1e-3, or take the attribute out.",
			);
		else if (Math.abs(value) === Infinity && name !== "value")
			problems.add(element.span, `${name}="${text}" is infinite`, "Write a finite number.");
		return Number.isNaN(value) && name !== "value" ? undefined : value;
	};
	const flag = (element: XmlElement, name: string, usual: boolean): boolean =>
		flagOf(element, name, problems) ?? usual;
	const item = (element: XmlElement): Item => {
		const { id } = element.attributes;
		if (id === undefined) problems.add(element.span, `<${element.name}> has no id`, "Give it one.");
		return { id: id ?? "", span: element.span, element };
	};
	const parameters: Parameter[] = listOf(model, "listOfParameters", "parameter").map((element) => ({
		...item(element),
		...given("value", number(element, "value")),
		constant: flag(element, "constant", true),
	}));
	const taken = new Set(
		[
			"listOfCompartments",
			"listOfSpecies",
			"listOfParameters",
			"listOfReactions",
			"listOfFunctionDefinitions",
		].flatMap((list) => listOf(model, list).map(({ attributes }) => attributes.id)),
	);

	const participant = (element: XmlElement): Participant => {
		const { species, id } = element.attributes;
		const written = math(childOf(element, "stoichiometryMath"));
		const value = number(element, "stoichiometry") ?? (level < 3 ? 1 : undefined);
		return {
			species: species ?? "",
			span: element.span,
			element,
			...given("id", id),
			...(written ? { math: written } : given("stoichiometry", value)),
		};
	};
	const reactions = listOf(model, "listOfReactions", "reaction").map((element): Reaction => {
		const own = item(element);
		const law = childOf(element, "kineticLaw");
		let rate = math(law);
		const renamed = new Map<string, string>();
		for (const local of [
			...listOf(law, "listOfParameters", "parameter"),
			...listOf(law, "listOfLocalParameters", "localParameter"),
		]) {
			const { id = "" } = local.attributes;
			let name = `${own.id}_${id}`;
			while (taken.has(name)) name += "_";
			taken.add(name);
			renamed.set(id, name);
			parameters.push({
				...item(local),
				id: name,
				...given("value", number(local, "value")),
				constant: true,
			});
		}
		if (rate && renamed.size > 0)
			rate = replace(rate, (part) =>
				(part.kind === "name" || part.kind === "rate") && renamed.has(part.id)
					? { ...part, id: renamed.get(part.id)! }
					: undefined,
			);
		return {
			...own,
			reactants: listOf(element, "listOfReactants", "speciesReference").map(participant),
			products: listOf(element, "listOfProducts", "speciesReference").map(participant),
			...given("rate", rate),
			fast: flag(element, "fast", false),
		};
	});

	const rules = listOf(model, "listOfRules").flatMap((element): Rule[] => {
		const kind = element.name.replace("Rule", "");
		const formula = math(element);
		if (kind !== "assignment" && kind !== "rate" && kind !== "algebraic") return [];
		const { variable = "" } = element.attributes;
		return formula ? [{ kind, variable, math: formula, span: element.span, element }] : [];
	});
	const initial = listOf(model, "listOfInitialAssignments", "initialAssignment").flatMap((element) => {
		const formula = math(element);
		const { symbol = "" } = element.attributes;
		return formula ? [{ symbol, math: formula, span: element.span, element }] : [];
	});
	const events = listOf(model, "listOfEvents", "event").flatMap((element): SbmlEvent[] => {
		const trigger = childOf(element, "trigger");
		const condition = math(trigger);
		if (!trigger || !condition) return [];
		return [
			{
				...given("id", element.attributes.id),
				trigger: condition,
				...given("delay", math(childOf(element, "delay"))),
				...given("priority", math(childOf(element, "priority"))),
				initially: flag(trigger, "initialValue", true),
				persistent: flag(trigger, "persistent", true),
				late: !flag(element, "useValuesFromTriggerTime", true),
				assignments: listOf(element, "listOfEventAssignments", "eventAssignment").flatMap((assignment) => {
					const formula = math(assignment);
					const { variable = "" } = assignment.attributes;
					return formula ? [{ variable, math: formula, span: assignment.span }] : [];
				}),
				span: element.span,
				element,
			},
		];
	});

	return {
		id: model.attributes.id ?? "",
		functions: listOf(model, "listOfFunctionDefinitions", "functionDefinition").map((element) => {
			const lambda = lambdaOf(childOf(element, "math"), problems);
			return { ...item(element), params: lambda?.params ?? [], ...given("body", lambda?.body) };
		}),
		compartments: listOf(model, "listOfCompartments", "compartment").map((element) => ({
			...item(element),
			...given("size", number(element, "size")),
			dimensions: number(element, "spatialDimensions") ?? 3,
			constant: flag(element, "constant", true),
		})),
		species: listOf(model, "listOfSpecies", "species").map((element) => ({
			...item(element),
			compartment: element.attributes.compartment ?? "",
			...given("initialAmount", number(element, "initialAmount")),
			...given("initialConcentration", number(element, "initialConcentration")),
			isAmount: flag(element, "hasOnlySubstanceUnits", false),
			boundary: flag(element, "boundaryCondition", false),
			constant: flag(element, "constant", false),
			...given("conversionFactor", element.attributes.conversionFactor),
		})),
		parameters,
		initial,
		rules,
		reactions,
		events,
		...given("conversionFactor", model.attributes.conversionFactor),
	};
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [k in K]?: V } {
	return (value === undefined ? {} : { [key]: value }) as { readonly [k in K]?: V };
}
