/**
 * Models made of submodels (the package comp, version 1) as one: each submodel is read, what is deleted is taken out, what is replaced
 * is called by the name of what replaces it, everything else gets the submodel's id before its own (`sub__x`).
 */
import type { Span } from "../../model/model.ts";
import { childOf, listOf, type XmlElement } from "../xml.ts";
import { readModelElement, type SbmlModel } from "./document.ts";
import { type Formula, named, over, replace, times } from "./formula.ts";
import type { Problems } from "./problems.ts";

/** A document with the model definitions that its submodels may name, and how files beside it are read. */
export interface Library {
	readonly root: XmlElement;
	readonly level: number;
	/** The folder of the document, as the model that was asked for names it: empty, or with a stroke behind it. */
	readonly folder: string;
	/** `undefined` where there is no such file. */
	readonly open: (file: string) => Pick<Library, "root" | "problems"> | undefined;
	readonly problems: Problems;
	/** How much was made of submodels until now, in all files. */
	readonly made: { submodels: number; parts: number };
}

type Lists =
	| "functions"
	| "compartments"
	| "species"
	| "parameters"
	| "initial"
	| "rules"
	| "reactions"
	| "events";
type Thing = { id?: string; readonly element: XmlElement; readonly span: Span };
/** The same as `SbmlModel`, while it is put together. */
type Draft = { -readonly [K in Lists]: Mutable<SbmlModel[K][number]>[] };
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Instance {
	readonly element: XmlElement;
	readonly draft: Draft;
	readonly submodels: ReadonlyMap<string, Instance>;
	/** Things by id and by metaid, as they were in the model itself. */
	readonly byId: ReadonlyMap<string, Thing>;
	readonly byMetaId: ReadonlyMap<string, Thing>;
	/** What replaces a thing that is gone. */
	readonly replacedWith: Map<Thing, Thing>;
	/** How ids are called in the model around it, with the factor between the two. */
	readonly renamed: Map<string, { readonly id: string; readonly factor?: Formula }>;
}

const mostDepth = 50;
/** A file of a few lines can mean more than any computer holds: submodels of two submodels each, level upon level. */
const mostSubmodels = 10_000;
const mostParts = 100_000;
const isTooMuch = ({ made }: Library): boolean => made.submodels > mostSubmodels || made.parts > mostParts;

export function flatten(model: XmlElement, document: Omit<Library, "made">): SbmlModel {
	const library = { ...document, made: { submodels: 0, parts: 0 } };
	const { draft } = instantiate(model, library, 0);
	if (isTooMuch(library)) {
		const { submodels } = library.made;
		const much = submodels > mostSubmodels ? `${mostSubmodels} submodels` : `${mostParts} parts of submodels`;
		library.problems.add(
			model.span,
			`the model is made of more than ${much}, those within submodels counted`,
			"Where each level holds several of the next, they multiply: write it with fewer of them, or take one submodel by itself.",
		);
	}
	return { id: model.attributes.id ?? "", ...draft };
}

function instantiate(element: XmlElement, library: Library, depth: number): Instance {
	const { problems, level } = library;
	const read = readModelElement(element, level, problems);
	const { conversionFactor } = read;
	const draft: Draft = {
		functions: read.functions.map((each) => ({ ...each })),
		compartments: read.compartments.map((each) => ({ ...each })),
		species: read.species.map((each) => ({
			...each,
			// What the model says for all its species is said of each, before they meet those of others.
			...(each.conversionFactor === undefined && conversionFactor !== undefined && { conversionFactor }),
		})),
		parameters: read.parameters.map((each) => ({ ...each })),
		initial: read.initial.map((each) => ({ ...each })),
		rules: read.rules.map((each) => ({ ...each })),
		reactions: read.reactions.map((each) => ({
			...each,
			reactants: each.reactants.map((part) => ({ ...part })),
			products: each.products.map((part) => ({ ...part })),
		})),
		events: read.events.map((each) => ({ ...each })),
	};
	const things = thingsOf(draft);
	if (depth > 0) {
		library.made.submodels++;
		library.made.parts += things.length;
	}
	const submodels = new Map<string, Instance>();
	const own: Instance = {
		element,
		draft,
		submodels,
		byId: new Map(things.flatMap((thing) => (thing.id === undefined ? [] : [[thing.id, thing]]))),
		byMetaId: new Map(
			things.flatMap((thing) => {
				const { metaid } = thing.element.attributes;
				return metaid === undefined ? [] : [[metaid, thing]];
			}),
		),
		replacedWith: new Map(),
		renamed: new Map(),
	};
	const subElements = listOf(element, "listOfSubmodels", "submodel");
	for (const sub of subElements) {
		const whole = definitionOf(sub, library, depth);
		if (!whole) continue;
		const deletions = listOf(sub, "listOfDeletions", "deletion");
		// A delay, an assignment, a law, what is local in it: what is part of something is taken out before the rest is read.
		const parts = deletions.filter((deletion) => {
			const target = resolve(whole, deletion);
			return !target || target.element.name === "localParameter";
		});
		const inner =
			parts.length === 0
				? whole
				: definitionOf(sub, library, depth, (model) => withoutParts(model, parts, library));
		if (!inner) continue;
		submodels.set(attribute(sub, "id") ?? "", inner);
		for (const deletion of deletions) {
			const target = resolve(inner, deletion);
			if (target) remove(inner.draft, target);
		}
	}
	for (const thing of things) {
		for (const each of listOf(thing.element, "listOfReplacedElements", "replacedElement")) {
			const inner = submodels.get(attribute(each, "submodelRef") ?? "");
			const target = inner && resolve(inner, each);
			if (!inner || !target || target === thing) continue;
			const factor = attribute(each, "conversionFactor");
			if (target.id !== undefined && thing.id !== undefined)
				inner.renamed.set(target.id, {
					id: thing.id,
					...(factor !== undefined && { factor: named(factor) }),
				});
			remove(inner.draft, target);
			inner.replacedWith.set(target, thing);
		}
		const by = childOf(thing.element, "replacedBy");
		const inner = by && submodels.get(attribute(by, "submodelRef") ?? "");
		const target = inner && resolve(inner, by);
		if (!inner || !target) continue;
		if (target.id !== undefined && thing.id !== undefined) inner.renamed.set(target.id, { id: thing.id });
		remove(draft, thing);
		own.replacedWith.set(thing, target);
	}
	for (const sub of subElements) {
		const id = attribute(sub, "id") ?? "";
		const inner = submodels.get(id);
		if (inner) merge(draft, inner, id, sub);
	}
	return own;
}

/** The model that a submodel names: beside it in the file, or in another file. */
function definitionOf(
	sub: XmlElement,
	library: Library,
	depth: number,
	changed: (model: XmlElement) => XmlElement = (model) => model,
): Instance | undefined {
	const { root, problems } = library;
	const wanted = attribute(sub, "modelRef") ?? "";
	// It is said once, at the end.
	if (isTooMuch(library)) return undefined;
	if (depth > mostDepth) {
		problems.add(sub.span, `submodels more than ${mostDepth} deep`, "Does one stand within itself?");
		return undefined;
	}
	const found = findModel(library, wanted, 0);
	if (!found) {
		const isExternal = listOf(root, "listOfExternalModelDefinitions").some(
			({ attributes }) => idOf(attributes) === wanted,
		);
		problems.add(
			sub.span,
			`the submodel "${attribute(sub, "id")}" is "${wanted}", ${isExternal ? "whose file cannot be read" : "which is not there"}`,
			isExternal ? "Put the file beside this one." : "Give a modelDefinition of that id.",
		);
		return undefined;
	}
	return instantiate(changed(found.model), found.library, depth + 1);
}

/** The model without the elements that these references name by id or meta id, themselves or through a port. */
function withoutParts(
	model: XmlElement,
	references: readonly XmlElement[],
	{ problems }: Library,
): XmlElement {
	let left = model;
	for (const reference of references) {
		const port = attribute(reference, "portRef");
		const direct =
			port === undefined
				? reference
				: listOf(model, "listOfPorts", "port").find((each) => attribute(each, "id") === port);
		const [id, metaId] = [direct && attribute(direct, "idRef"), direct && attribute(direct, "metaIdRef")];
		const isMeant = ({ attributes }: XmlElement): boolean =>
			(id !== undefined && idOf(attributes) === id) || (metaId !== undefined && attributes.metaid === metaId);
		const before = left;
		left = withoutElements(left, isMeant);
		if (left === before)
			problems.add(
				reference.span,
				"deletes something that is not there, or lies in a submodel of the submodel",
				"Name it by idRef, metaIdRef or portRef.",
			);
	}
	return left;
}

/** The same element where nothing was to go. */
function withoutElements(element: XmlElement, isMeant: (child: XmlElement) => boolean): XmlElement {
	const children = element.children
		.filter((child) => !isMeant(child))
		.map((child) => withoutElements(child, isMeant));
	const isSame =
		children.length === element.children.length &&
		children.every((child, i) => child === element.children[i]);
	return isSame ? element : { ...element, children };
}

function findModel(
	library: Library,
	wanted: string | undefined,
	depth: number,
): { model: XmlElement; library: Library } | undefined {
	const { root } = library;
	const main = childOf(root, "model");
	if (main && (wanted === undefined || idOf(main.attributes) === wanted)) return { model: main, library };
	const own = listOf(root, "listOfModelDefinitions").find(({ attributes }) => idOf(attributes) === wanted);
	if (own) return { model: own, library };
	const external = listOf(root, "listOfExternalModelDefinitions").find(
		({ attributes }) => idOf(attributes) === wanted,
	);
	const source = external && attribute(external, "source");
	if (!external || source === undefined || depth > mostDepth) return undefined;
	const path = library.folder + source;
	const other = library.open(path);
	const folder = path.replace(/[^/]*$/, "");
	return other && findModel({ ...library, ...other, folder }, attribute(external, "modelRef"), depth + 1);
}

/** What a port, a deletion, a replacement or a reference points at. */
function resolve(instance: Instance, reference: XmlElement): Thing | undefined {
	const port = attribute(reference, "portRef");
	if (port !== undefined) {
		const found = listOf(instance.element, "listOfPorts", "port").find(
			(each) => attribute(each, "id") === port,
		);
		if (!found) return undefined;
		// A port may be a submodel, of which the reference then names a part.
		const inside = childOf(reference, "sBaseRef");
		const through = inside && submodelOf(instance, found);
		return through && inside ? resolve(through, inside) : resolve(instance, found);
	}
	const inside = childOf(reference, "sBaseRef");
	if (inside) {
		const inner = submodelOf(instance, reference);
		return inner && resolve(inner, inside);
	}
	const id = attribute(reference, "idRef");
	const metaId = attribute(reference, "metaIdRef");
	let thing =
		id !== undefined
			? instance.byId.get(id)
			: metaId !== undefined
				? instance.byMetaId.get(metaId)
				: undefined;
	while (thing && instance.replacedWith.has(thing)) thing = instance.replacedWith.get(thing);
	return thing;
}

function submodelOf(instance: Instance, reference: XmlElement): Instance | undefined {
	const id = attribute(reference, "idRef");
	if (id !== undefined) return instance.submodels.get(id);
	const metaId = attribute(reference, "metaIdRef");
	const sub = listOf(instance.element, "listOfSubmodels", "submodel").find(
		({ attributes }) => attributes.metaid === metaId,
	);
	return sub && instance.submodels.get(attribute(sub, "id") ?? "");
}

function thingsOf(draft: Draft): Thing[] {
	const { functions, compartments, species, parameters, initial, rules, reactions, events } = draft;
	const parts = reactions.flatMap(({ reactants, products }) => [...reactants, ...products]);
	return [
		...functions,
		...compartments,
		...species,
		...parameters,
		...initial,
		...rules,
		...reactions,
		...events,
		...parts,
	];
}

function remove(draft: Draft, thing: Thing): void {
	const without = <T>(list: readonly T[]): T[] => list.filter((each) => (each as unknown) !== thing);
	draft.functions = without(draft.functions);
	draft.compartments = without(draft.compartments);
	draft.species = without(draft.species);
	draft.parameters = without(draft.parameters);
	draft.initial = without(draft.initial);
	draft.rules = without(draft.rules);
	draft.events = without(draft.events);
	draft.reactions = without(draft.reactions);
	for (const reaction of draft.reactions) {
		reaction.reactants = without(reaction.reactants);
		reaction.products = without(reaction.products);
	}
}

/** Puts a submodel into the model around it, in its names and units. */
function merge(outer: Draft, { draft, renamed }: Instance, prefix: string, sub: XmlElement): void {
	const nameOf = (id: string): string => renamed.get(id)?.id ?? `${prefix}__${id}`;
	const factorOf = (id: string): Formula | undefined => renamed.get(id)?.factor;
	const timeFactor = attribute(sub, "timeConversionFactor");
	const extentFactor = attribute(sub, "extentConversionFactor");
	const clock = timeFactor === undefined ? undefined : named(timeFactor);
	const extent = extentFactor === undefined ? undefined : named(extentFactor);
	const slower = (formula: Formula): Formula => (clock ? over(formula, clock) : formula);
	const reactions = new Set(draft.reactions.map(({ id }) => id));
	const formula = (math: Formula, bound: readonly string[] = []): Formula =>
		replace(math, (part) => {
			if (part.kind === "time") return clock && over(part, clock);
			if (part.kind === "call") return { ...part, id: nameOf(part.id) };
			if ((part.kind !== "name" && part.kind !== "rate") || bound.includes(part.id)) return undefined;
			const factor = factorOf(part.id);
			let whole: Formula = { ...part, id: nameOf(part.id) };
			if (factor) whole = over(whole, factor);
			if (part.kind === "rate" && clock) whole = times(whole, clock);
			if (reactions.has(part.id)) {
				if (clock) whole = times(whole, clock);
				if (extent) whole = over(whole, extent);
			}
			return whole;
		});
	/** What is assigned to an id, in the units of what it is called outside. */
	const assigned = (id: string, math: Formula): Formula => {
		const factor = factorOf(id);
		return factor ? times(factor, formula(math)) : formula(math);
	};
	for (const each of draft.functions) if (each.body) each.body = formula(each.body, each.params);
	for (const each of draft.species) {
		each.compartment = nameOf(each.compartment);
		if (each.conversionFactor !== undefined) each.conversionFactor = nameOf(each.conversionFactor);
	}
	for (const each of draft.initial) {
		each.math = assigned(each.symbol, each.math);
		each.symbol = nameOf(each.symbol);
	}
	for (const each of draft.rules) {
		const math = each.kind === "algebraic" ? formula(each.math) : assigned(each.variable, each.math);
		each.math = each.kind === "rate" ? slower(math) : math;
		each.variable = nameOf(each.variable);
	}
	for (const each of draft.reactions) {
		if (each.rate) {
			const rate = slower(formula(each.rate));
			each.rate = extent ? times(rate, extent) : rate;
		}
		for (const part of [...each.reactants, ...each.products] as Mutable<(typeof each.reactants)[number]>[]) {
			const factor = factorOf(part.species);
			if (factor) part.factor = part.factor ? times(part.factor, factor) : factor;
			if (part.math) part.math = formula(part.math);
			part.species = nameOf(part.species);
			if (part.id !== undefined) part.id = nameOf(part.id);
		}
	}
	for (const each of draft.events) {
		each.trigger = formula(each.trigger);
		if (each.delay) each.delay = clock ? times(formula(each.delay), clock) : formula(each.delay);
		if (each.priority) each.priority = formula(each.priority);
		each.assignments = each.assignments.map((one) => ({
			...one,
			math: assigned(one.variable, one.math),
			variable: nameOf(one.variable),
		}));
		if (each.id !== undefined) each.id = nameOf(each.id);
	}
	for (const each of [
		...draft.functions,
		...draft.compartments,
		...draft.species,
		...draft.parameters,
		...draft.reactions,
	])
		each.id = nameOf(each.id);
	outer.functions = outer.functions.concat(draft.functions);
	outer.compartments = outer.compartments.concat(draft.compartments);
	outer.species = outer.species.concat(draft.species);
	outer.parameters = outer.parameters.concat(draft.parameters);
	outer.initial = outer.initial.concat(draft.initial);
	outer.rules = outer.rules.concat(draft.rules);
	outer.reactions = outer.reactions.concat(draft.reactions);
	outer.events = outer.events.concat(draft.events);
}

/** An attribute of the package, whatever its prefix is. */
function attribute({ attributes }: XmlElement, name: string): string | undefined {
	const own = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
	return own === undefined ? attributes[name] : attributes[own];
}
function idOf(attributes: XmlElement["attributes"]): string | undefined {
	const own = Object.keys(attributes).find((key) => key.endsWith(":id"));
	return attributes.id ?? (own === undefined ? undefined : attributes[own]);
}
