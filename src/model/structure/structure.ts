/** What kind of system a model is: what methods, integrators and reports ask before they begin. */
import { Dependence } from "../dependence.ts";
import type { Model } from "../model.ts";
import { symbolsOf } from "../walk.ts";
import { affineIn } from "./affine.ts";
import { type Discontinuity, discontinuities } from "./discontinuity.ts";
import { freeInitials, freeParams } from "./free.ts";
import { degreeIn } from "./polynomial.ts";
import { strongComponents } from "./strong-components.ts";

export interface Structure {
	/** Highest order of a state. */
	readonly order: number;
	/** All states are of order 2: a mechanical system. */
	readonly secondOrder: boolean;
	/** Neither the time nor an input stands in the equations. */
	readonly autonomous: boolean;
	/** Inputs and `t` that stand in the equations. */
	readonly drivenBy: readonly string[];
	/**
	 * State components in groups that depend on one another; each group depends only on itself and on groups before
	 * it. One component a group: the system is triangular.
	 */
	readonly blocks: readonly (readonly string[])[];
	/** The equations are affine in all state components together. */
	readonly linearInStates: boolean;
	/** The equations are affine in all free parameters together. */
	readonly linearInParams: boolean;
	/** Total degree as a polynomial of the state components; `undefined` when it is none. */
	readonly degreeInStates: number | undefined;
	/** Non-smooth places in the equations that are met during a run. */
	readonly discontinuities: readonly Discontinuity[];
	readonly freeParams: readonly string[];
	/** Components whose initial value is not exactly known. */
	readonly freeInitials: readonly string[];
}

export function structureOf(model: Model): Structure {
	const { graph, rhs, components } = model;
	const used = symbolsOf(rhs);
	const inputs = new Set(model.inputs.map(({ name }) => name));
	const states = new Set(components);
	const drivenBy = [...used].filter((name) => name === "t" || inputs.has(name)).sort();
	const params = freeParams(model).map(({ name }) => name);
	const varies = (name: string): boolean => name === "t" || inputs.has(name) || states.has(name);
	const degrees = rhs.map((node) => degreeIn(node, components));
	return {
		order: model.states.reduce((most, { order }) => Math.max(most, order), 0),
		secondOrder: model.states.length > 0 && model.states.every(({ order }) => order === 2),
		autonomous: drivenBy.length === 0,
		drivenBy,
		blocks: dependencyBlocks(model),
		linearInStates: rhs.every((node) => affineIn(graph, node, components) !== undefined),
		linearInParams: rhs.every((node) => affineIn(graph, node, params) !== undefined),
		degreeInStates: degrees.every((degree) => degree !== undefined)
			? degrees.reduce((most, degree) => Math.max(most, degree), 0)
			: undefined,
		discontinuities: discontinuities(rhs, graph.zero, varies),
		freeParams: params,
		freeInitials: freeInitials(model).map(({ component }) => component),
	};
}

/** Groups of components that depend on one another, those that others depend on first. */
export function dependencyBlocks({ rhs, components }: Model): string[][] {
	const dependence = new Dependence();
	const index = new Map(components.map((name, i) => [name, i]));
	const blocks = strongComponents(components.length, (i) =>
		dependence.symbols(rhs[i]).flatMap((name) => index.get(name) ?? []),
	);
	return blocks.map((block) => block.map((i) => components[i]));
}
