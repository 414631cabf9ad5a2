/**
 * Doses as inputs. A bolus of the amount a into x' = g u + … lifts x by g a. With U the sum of the boluses so far and
 * z = x - g U the equations have no jump: z' = f(z + g U, …), where U is an input that is held between doses. So a
 * record with doses needs no solver of its own, and what g depends on (a bioavailability) has its exact derivatives.
 */
import { InputError } from "../errors.ts";
import { replaced } from "./combination.ts";
import { foldFormulaInputs } from "./formula-inputs.ts";
import type { Node } from "./graph.ts";
import type { Input, Knowledge, Model } from "./model.ts";
import { type SteadyPlace, steadyConditions, steadyFlag, steadyStart } from "./steady-start.ts";
import { affineIn } from "./structure/affine.ts";
import { substitute, symbolsOf } from "./walk.ts";

/** Inputs that stand for the doses into one place. No name of the language holds a #. */
export interface DoseInput {
	/** The input or the state that the study names. */
	readonly name: string;
	/** Rate of infusions; sum of boluses in the equations, and as samples see it. */
	readonly rate?: string;
	readonly given?: string;
	readonly seen?: string;
}

/** What is dosed: whether by boluses, by infusions, or both. */
export type Dosing = ReadonlyMap<string, { readonly boluses: boolean; readonly infusions: boolean }>;

/** `isSteady`: some record begins in a steady state. */
export function withDoses(source: Model, dosing: Dosing, isSteady = false): Model {
	if (dosing.size === 0) return source;
	const model = foldFormulaInputs(source);
	const { graph } = model;
	const doses: DoseInput[] = [];
	const inputs: Input[] = model.inputs.filter(({ name }) => !dosing.has(name));
	const rates = new Map<string, Node>();
	let rhs = [...model.rhs];
	/** By component: what boluses lift it by, as equations and as samples see it. */
	const lifts = new Map<string, { readonly given: Node[]; readonly seen: Node[] }>();
	for (const [name, { boluses, infusions }] of dosing) {
		checkPlace(source, name);
		const isInput = model.inputs.some((input) => input.name === name);
		if (!isInput)
			rhs = rhs.map((node, i) =>
				model.components[i] === name ? graph.add(node, graph.sym(`${name}#rate`)) : node,
			);
		const symbol = isInput ? name : `${name}#rate`;
		const dose = {
			name,
			...(infusions && { rate: `${name}#rate` }),
			...(boluses && { given: `${name}#given`, seen: `${name}#seen` }),
		};
		doses.push(dose);
		rates.set(symbol, infusions ? graph.sym(dose.rate!) : graph.zero);
		for (const own of [dose.rate, dose.given, dose.seen])
			if (own !== undefined)
				inputs.push({ name: own, knowledge: { kind: "none" }, isDose: true, span: { start: 0, end: 0 } });
		if (boluses) addLifts(model, rhs, name, symbol, lifts);
	}
	const fold = (nodes: readonly Node[], by: "given" | "seen"): Node[] => {
		const map = new Map(rates);
		for (const [component, lift] of lifts)
			map.set(component, graph.add(graph.sym(component), graph.sum(lift[by])));
		return substitute(graph, nodes, map);
	};
	const places = doses.map(({ name }) => ({
		name,
		symbol: model.inputs.some((input) => input.name === name) ? name : `${name}#rate`,
	}));
	const steady = isSteady ? steadyModel(model, rhs, places) : {};
	const inEquations = replaced({ ...model, rhs }, (node) => fold([node], "given")[0]);
	const inSamples = replaced(model, (node) => fold([node], "seen")[0]);
	return {
		...model,
		...inEquations,
		events: inEquations.events.map((event) => ({
			...event,
			assignments: event.assignments.map(({ target, value }) => ({
				target,
				value: lifts.has(target) ? graph.sub(value, graph.sum(lifts.get(target)!.given)) : value,
			})),
		})),
		// Initial values hold before the first dose.
		initial: model.initial,
		states: model.states,
		...steady,
		measures: inSamples.measures,
		...(inSamples.columns && { columns: inSamples.columns }),
		inputs,
		doses,
		lifted: fold(
			model.components.map((name) => graph.sym(name)),
			"seen",
		),
	};
}

/** Initial values in a steady state where a record begins in one, as far as they have a formula. */
function steadyModel(
	model: Model,
	rhs: readonly Node[],
	places: readonly SteadyPlace[],
): Pick<Model, "steady"> & Partial<Pick<Model, "initial" | "states" | "conditions">> {
	const { graph, events } = model;
	const isKnown = model.initial.every(({ kind }) => kind === "exact");
	const start = isKnown && events.length === 0 ? steadyStart(model, rhs, places) : undefined;
	if (!start) return { steady: isKnown && comesBack(model, rhs, places) ? "orbit" : "approached" };
	const names = [steadyFlag, ...places.flatMap(({ name }) => steadyConditions(name))];
	const isOwn = graph.compare("lt", graph.zero, graph.sym(steadyFlag));
	let next = 0;
	const chosen = model.initial.map((knowledge, i): Knowledge => {
		if (knowledge.kind !== "exact") return knowledge;
		return { kind: "exact", value: graph.if(isOwn, start[i], knowledge.value) };
	});
	return {
		steady: "exact",
		initial: chosen,
		states: model.states.map((state) => ({ ...state, initial: state.components.map(() => chosen[next++]) })),
		conditions: [
			...model.conditions,
			...names.map((name) => ({ name, isDose: true, span: { start: 0, end: 0 } })),
		],
	};
}

/** Whether nothing but doses and the state itself moves the state. */
function comesBack(
	{ events, params, conditions, components }: Model,
	rhs: readonly Node[],
	places: readonly SteadyPlace[],
): boolean {
	const known = new Set([
		...[...params, ...conditions].map(({ name }) => name),
		...components,
		...places.map(({ symbol }) => symbol),
	]);
	return events.length === 0 && [...symbolsOf(rhs)].every((name) => known.has(name));
}

function checkPlace({ inputs, components, fileName }: Model, name: string): void {
	const input = inputs.find((each) => each.name === name);
	if (input && input.knowledge.kind !== "none")
		throw new InputError(
			`doses: ${name}`,
			`are not those of the input ${name}, which the model gives a formula or a distribution`,
			`Declare it as  input ${name}`,
		);
	if (input || components.includes(name)) return;
	const known = [...inputs.map((each) => each.name), ...components];
	throw new InputError(
		`doses: ${name}`,
		`go nowhere: ${fileName} has no input or state of that name`,
		`It has ${known.join(", ")}.`,
	);
}

/** What a bolus does: each equation's factor of the input. */
function addLifts(
	model: Model,
	rhs: readonly Node[],
	name: string,
	symbol: string,
	lifts: Map<string, { readonly given: Node[]; readonly seen: Node[] }>,
): void {
	const { graph, components, states } = model;
	const constant = new Set([...model.params, ...model.conditions].map((each) => each.name));
	const isUsed = rhs.some((node) => symbolsOf([node]).has(symbol));
	if (!isUsed)
		throw new InputError(
			`doses: ${name}`,
			"go nowhere: no equation has this input",
			`Write it as a rate, like  x' = ${name} - …`,
		);
	for (const [i, node] of rhs.entries()) {
		if (!symbolsOf([node]).has(symbol)) continue;
		const factor = affineIn(graph, node, [symbol])?.coefficients.get(symbol);
		if (!factor || [...symbolsOf([factor])].some((each) => !constant.has(each)))
			throw new InputError(
				`doses: ${name}`,
				`are boluses, and the equation of ${components[i]} is not a constant times ${name} and a rest`,
				"What a bolus does has to follow from parameters and conditions alone; an infusion may do more.",
			);
		const state = states.find((each) => each.components.includes(components[i]));
		if (state && state.order > 1)
			throw new InputError(
				`doses: ${name}`,
				`are boluses into the equation of ${state.name}, which is of order ${state.order}`,
				"Write it as equations of first order, with a state for each derivative.",
			);
		const lift = lifts.get(components[i]) ?? { given: [], seen: [] };
		lift.given.push(graph.mul(factor, graph.sym(`${name}#given`)));
		lift.seen.push(graph.mul(factor, graph.sym(`${name}#seen`)));
		lifts.set(components[i], lift);
	}
	if (model.measures.some(({ value, spread }) => symbolsOf(spread ? [value, spread] : [value]).has(symbol)))
		throw new InputError(
			`doses: ${name}`,
			`are boluses, and a measurement uses ${name} itself, which has no value at their instant`,
			"Measure what they do.",
		);
}
