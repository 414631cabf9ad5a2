/**
 * Questions about the form of a model, answered with bounded work. A short text can stand for an expression that has
 * more terms than any machine can write out; whoever multiplies out to look closer is stopped, and the answer is no.
 */
import { GraphLimitError } from "./graph.ts";
import type { Model } from "./model.ts";
import { ownInEachRecord } from "./population.ts";

/** Whether what a model declares suffices for a method, and why or why not. */
export interface Verdict {
	readonly applies: boolean;
	readonly why: string;
}

/** Why no method that estimates takes a model as it is, whatever else it declares; `undefined` where nothing is against it. */
export function beyondMethods(model: Model, honours: Honours): string | undefined {
	if (model.events.length > 0 && !honours.honoursEvents)
		return "The model has events (when …), and only  odentify simulate  and the methods fit and guaranteed follow them.";
	if ((model.assumptions ?? []).length > 0 && !honours.honoursAssumptions)
		return "The model assumes something (assume …), and only  method: guaranteed  holds to it.";
	if (model.doses && !honours.honoursDoses)
		return "The records have doses, and only  odentify simulate  and the methods fit and bayes give them.";
	const bounded = model.inputs.find(({ knowledge }) => knowledge.kind === "set");
	if (bounded && !honours.takesBoundedInputs)
		return `input ${bounded.name} is known within bounds only, at all times: only  method: guaranteed  takes that. Elsewhere write  input ${bounded.name}  and take it from the data, or  input ${bounded.name} ~ matern(1.5, 1, 1).`;
	const [own] = ownInEachRecord(model);
	if (own && !honours.takesOwnValues)
		return own.keyword === "param"
			? `param ${own.name} differs from record to record without a law, and only the methods inversion and fit find such values: leave  [record]  out for one that all share, or write  ~ lognormal(mu, omega)  for a population.`
			: `unknown ${own.name} has weights that differ from record to record, which only inversion finds: leave  [record]  out for some that all share.`;
	const population = model.params.find(
		({ byRecord, knowledge }) => byRecord && knowledge.kind === "distribution",
	);
	if (population && !honours.honoursPopulations)
		return `param ${population.name} differs from record to record, and only the methods fit and bayes know populations: write  param ${population.name} ~ …  for one that all share.`;
	return undefined;
}

/** What a method takes into account beside the equations. */
interface Honours {
	readonly honoursEvents?: boolean;
	readonly honoursAssumptions?: boolean;
	readonly honoursDoses?: boolean;
	readonly takesBoundedInputs?: boolean;
	readonly honoursPopulations?: boolean;
	readonly takesOwnValues?: boolean;
}

/** Nodes and arguments touched: a thousand times what a model of a paper needs, and less than a second. */
const mostWork = 1_000_000;

/** The verdict of a method; `beyond` when the equations are too large to be looked at. */
export function verdictWithinReach(
	model: Model,
	{ appliesTo, ...honours }: Honours & { readonly appliesTo: (model: Model) => Verdict },
): Verdict & { readonly beyond?: true } {
	const why = beyondMethods(model, honours);
	if (why !== undefined) return { applies: false, why };
	model.graph.limitWork(mostWork);
	try {
		return appliesTo(model);
	} catch (error) {
		if (!(error instanceof GraphLimitError)) throw error;
		return {
			applies: false,
			beyond: true,
			why: "Its equations grow too large when they are multiplied out to see their form: write them with fewer nested definitions, or use  method: fit.",
		};
	} finally {
		model.graph.limitWork(Number.POSITIVE_INFINITY);
	}
}
