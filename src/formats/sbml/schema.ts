/** What the core of SBML has in it, of any level that is read: elements and attributes that are misspelt would be passed over in silence. */
import { nearestName } from "../../errors.ts";
import type { XmlElement } from "../xml.ts";
import type { Problems } from "./problems.ts";

interface Kind {
	readonly children: readonly string[];
	readonly attributes: readonly string[];
}

const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");
const kind = (attributes: string, children = ""): Kind => ({
	attributes: words(`id name metaid sboTerm ${attributes}`),
	children: words(`notes annotation ${children}`),
});
/** A list, and what stands in it. */
const list = (name: string, ...items: readonly string[]): [string, Kind] => [
	`listOf${name}`,
	kind("", items.join(" ")),
];

const kinds = new Map<string, Kind>([
	["sbml", kind("level version", "model")],
	[
		"model",
		kind(
			"substanceUnits timeUnits volumeUnits areaUnits lengthUnits extentUnits conversionFactor",
			"listOfFunctionDefinitions listOfUnitDefinitions listOfCompartmentTypes listOfSpeciesTypes listOfCompartments listOfSpecies listOfParameters listOfInitialAssignments listOfRules listOfConstraints listOfReactions listOfEvents",
		),
	],
	list("FunctionDefinitions", "functionDefinition"),
	list("Compartments", "compartment"),
	list("Species", "species"),
	list("Parameters", "parameter"),
	list("LocalParameters", "localParameter"),
	list("InitialAssignments", "initialAssignment"),
	list("Rules", "assignmentRule", "rateRule", "algebraicRule"),
	list("Reactions", "reaction"),
	list("Reactants", "speciesReference"),
	list("Products", "speciesReference"),
	list("Modifiers", "modifierSpeciesReference"),
	list("Events", "event"),
	list("EventAssignments", "eventAssignment"),
	["functionDefinition", kind("", "math")],
	["compartment", kind("spatialDimensions size units outside constant compartmentType")],
	[
		"species",
		kind(
			"speciesType compartment initialAmount initialConcentration substanceUnits spatialSizeUnits hasOnlySubstanceUnits boundaryCondition charge constant conversionFactor",
		),
	],
	["parameter", kind("value units constant")],
	["localParameter", kind("value units constant")],
	["initialAssignment", kind("symbol", "math")],
	["assignmentRule", kind("variable", "math")],
	["rateRule", kind("variable", "math")],
	["algebraicRule", kind("", "math")],
	[
		"reaction",
		kind("reversible fast compartment", "listOfReactants listOfProducts listOfModifiers kineticLaw"),
	],
	["speciesReference", kind("species stoichiometry constant", "stoichiometryMath")],
	["stoichiometryMath", kind("", "math")],
	["kineticLaw", kind("timeUnits substanceUnits", "math listOfParameters listOfLocalParameters")],
	["event", kind("useValuesFromTriggerTime timeUnits", "trigger delay priority listOfEventAssignments")],
	["trigger", kind("initialValue persistent", "math")],
	["delay", kind("", "math")],
	["priority", kind("", "math")],
	["eventAssignment", kind("variable", "math")],
]);

/** Attributes that are true or false, also those that a simulation does not need. */
const flags = words(
	"constant reversible fast hasOnlySubstanceUnits boundaryCondition initialValue persistent useValuesFromTriggerTime",
);

/** `undefined` where it is not there, or is neither, which is noted. */
export function flagOf(
	{ attributes, span }: XmlElement,
	name: string,
	problems: Problems,
): boolean | undefined {
	const text = attributes[name]?.trim();
	if (text === undefined) return undefined;
	if (text === "true" || text === "1") return true;
	if (text === "false" || text === "0") return false;
	problems.add(span, `${name}="${text}" is neither true nor false`, "Write one of the two.");
	return undefined;
}

/** Packages have names and name spaces of their own, and may add what they like. */
export function refuseUnknown(element: XmlElement, problems: Problems, name = element.name): void {
	const own = kinds.get(name);
	if (!own) return;
	for (const attribute of Object.keys(element.attributes)) {
		if (attribute.includes(":")) continue;
		if (own.attributes.includes(attribute)) {
			if (flags.includes(attribute)) flagOf(element, attribute, problems);
			continue;
		}
		// One that is like no other is passed over: it belongs to a tool.
		const near = nearestName(attribute, own.attributes);
		if (near) problems.add(element.span, `<${name}> has no ${attribute}`, `Did you mean ${near}?`);
	}
	for (const child of element.children) {
		if (child.uri !== element.uri && child.name !== "math") continue;
		if (own.children.includes(child.name)) refuseUnknown(child, problems);
		else {
			const near = nearestName(child.name, own.children);
			problems.add(
				child.span,
				`<${child.name}> is no element of <${name}>`,
				near
					? `Did you mean <${near}>?`
					: "Is it misspelt? Otherwise take it out, or put it into <annotation>.",
			);
		}
	}
}
