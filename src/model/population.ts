/**
 * Parameters that differ from record to record, written out: ka ~ lognormal(mu, omega) is ka = exp(mu + omega eta), with an
 * eta of each record that is standard normal. What is left has plain parameters alone, and every derivative is exact.
 */
import { InputError } from "../errors.ts";
import { replaced } from "./combination.ts";
import type { Node } from "./graph.ts";
import { populations } from "./language/vocabulary.ts";
import type { Model, Param } from "./model.ts";
import { substitute, symbolsOf } from "./walk.ts";

export interface PopulationParam {
	readonly name: string;
	/** The parameter that stands for it: its distance from the middle, in units of the spread. */
	readonly eta: string;
	/** The parameter itself, of eta and of what its law has. */
	readonly value: Node;
	/** Middle and spread, of the logarithm where the law is lognormal. */
	readonly isLog: boolean;
	readonly location: Node;
	readonly spread: Node;
}

export interface IndividualModel {
	/** Parameters that all records share, then the etas. */
	readonly model: Model;
	readonly population: readonly PopulationParam[];
}

/** Whether it differs from record to record by a law of all of them. */
const hasLaw = ({ byRecord, knowledge }: Param): boolean =>
	byRecord === true && knowledge.kind === "distribution";

export const isPopulation = ({ params }: Model): boolean => params.some(hasLaw);

/** What has a value of its own in each record, without a law: parameters, and functions by their weights. */
export function ownInEachRecord({
	params,
	unknowns,
}: Model): { keyword: "param" | "unknown"; name: string }[] {
	return [
		...params
			.filter((each) => each.byRecord && !hasLaw(each))
			.map(({ name }) => ({ keyword: "param" as const, name })),
		...unknowns.filter(({ byRecord }) => byRecord).map(({ name }) => ({ keyword: "unknown" as const, name })),
	];
}

/** `except`: those that have one value for all. */
export function individualModel(model: Model, except: ReadonlySet<string> = new Set()): IndividualModel {
	const { graph } = model;
	const own = model.params.filter((each) => hasLaw(each) && !except.has(each.name));
	if (own.length === 0) return { model, population: [] };
	const names = new Set(own.map(({ name }) => name));
	const population = own.map(({ name, knowledge }): PopulationParam => {
		if (knowledge.kind !== "distribution") throw new InputError(`param ${name}`, "has no law");
		const { family, args } = knowledge.distribution;
		const other = [...symbolsOf(args)].find((symbol) => names.has(symbol));
		if (other !== undefined)
			throw new InputError(
				`param ${name}`,
				`has a law that uses ${other}, which differs from record to record itself`,
				"Laws of populations use parameters that all records share, and conditions.",
			);
		const eta = `${name}#eta`;
		const [location, spread] = args;
		const isLog = populations.get(family)?.ofLogarithm === true;
		const sum = graph.add(location, graph.mul(spread, graph.sym(eta)));
		return { name, eta, value: isLog ? graph.unary("exp", sum) : sum, isLog, location, spread };
	});
	const values = new Map(population.map(({ name, value }) => [name, value]));
	const standard = { family: "normal", args: [graph.zero, graph.one], named: new Map() };
	const etas = own.map(
		({ name, span }): Param => ({
			name: `${name}#eta`,
			knowledge: { kind: "distribution", distribution: standard },
			span,
		}),
	);
	return {
		model: {
			...model,
			...replaced(model, (node) => substitute(graph, [node], values)[0]),
			params: [...model.params.filter(({ name }) => !names.has(name)), ...etas],
		},
		population,
	};
}
