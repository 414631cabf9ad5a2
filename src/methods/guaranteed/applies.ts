/** Whether guaranteed estimation can answer for a model. */
import { InputError } from "../../errors.ts";
import { nothingToEstimate, randomInput, unknownsText, verdictOf } from "../../estimate/obstacles.ts";
import { asSets } from "../../model/as-sets.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Knowledge, Model } from "../../model/model.ts";
import { discontinuities } from "../../model/structure/discontinuity.ts";
import { freeInitials } from "../../model/structure/free.ts";
import { topological } from "../../model/walk.ts";
import type { Verdict } from "../../model/within-reach.ts";
import { eventObstacle } from "./flow/events/timed-events.ts";
import { opposingStates } from "./paving/opposing-states.ts";
import { systemOf } from "./system.ts";

/** Declarations that one message names. */
const mostShown = 8;

export function appliesTo(declared: Model): Verdict {
	const model = asSets(declared);
	return verdictOf(obstacle(model), () =>
		[
			model.measures.length === 0
				? `Nothing is measured: encloses ${isOneCourse(model) ? "the course of the states" : "every course of the states from the declared sets"}.`
				: `Encloses every value of ${unknownsText(model)} that is consistent with the data.`,
			...jumps(model),
			...brackets(model),
		].join(" "),
	);
}

function obstacle(model: Model): string | undefined {
	const [unknown] = model.unknowns;
	if (unknown) return `unknown ${unknown.name} is a function: guaranteed needs numbers in sets.`;
	const combination = model.params.find(({ terms }) => terms !== undefined);
	return (
		randomInput(model) ??
		(combination &&
			`param ${combination.name}(…) is an unknown combination, which guaranteed does not know.`) ??
		eventObstacle(model) ??
		withoutEnclosure(model) ??
		otherThanSets(model) ??
		// What is known exactly still leads somewhere: the course itself is enclosed.
		(hasBoundedInput(model) || model.measures.length === 0 ? undefined : nothingToEstimate(model))
	);
}

/** All is known but how it goes on. */
function isOneCourse(model: Model): boolean {
	return !hasBoundedInput(model) && nothingToEstimate(model) !== undefined;
}

/** What is known within bounds only is as good as an unknown. */
function hasBoundedInput({ inputs }: Model): boolean {
	return inputs.some(({ knowledge }) => knowledge.kind === "set");
}

function withoutEnclosure(model: Model): string | undefined {
	const { rhs, measures, initial, assumptions = [], events } = foldFormulaInputs(model);
	const roots = [
		...rhs,
		...measures.flatMap(({ value, spread }) => (spread ? [value, spread] : [value])),
		...initial.flatMap((knowledge) => (knowledge.kind === "exact" ? [knowledge.value] : [])),
		...assumptions.map(({ value }) => value),
		...events.flatMap(({ trigger, assignments }) => [trigger, ...assignments.map(({ value }) => value)]),
	];
	if (!topological(roots).some(({ op }) => op === "floor")) return undefined;
	return "The model uses floor or ceil, of which guaranteed has no enclosure. Write the steps with  if(t < 1, 0, 1).";
}

/** A declaration that is no set: what it is, what to write, and the sentence where it is the only one. */
interface Other {
	readonly is: string;
	readonly write: string;
	readonly alone: string;
}

/** All declarations that are of another kind than a set: they are mended in one go. */
function otherThanSets(model: Model): string | undefined {
	const others = [...othersOfUnknowns(model), ...othersOfMeasures(model)];
	if (others.length < 2) return others[0]?.alone;
	const shown = others.slice(0, mostShown);
	const rest = others.length > mostShown ? `, and ${others.length - mostShown} more` : "";
	return `Each unknown needs a set that surely holds it, and each measurement a largest error, but ${shown.map(({ is }) => is).join(", ")}${rest}. Write  ${shown.map(({ write }) => write).join("  and  ")}.`;
}

function othersOfUnknowns(model: Model): Other[] {
	const isOther = ({ kind }: Knowledge): boolean => kind === "distribution" || kind === "none";
	const known = ({ kind }: Knowledge): string => (kind === "none" ? "is unknown" : "has a distribution");
	const needed = "needs a set that surely holds it";
	return [
		...model.params
			.filter(({ knowledge }) => isOther(knowledge))
			.map(({ name, knowledge }): Other => {
				const is = `param ${name} ${known(knowledge)}`;
				const write = `param ${name} in [lo, hi]`;
				return { is, write, alone: `${is}, but ${needed}. Write  ${write}.` };
			}),
		...model.params
			.filter(({ rate }) => rate && isOther(rate))
			.map(({ name }): Other => {
				const write = `${name}' in [lo, hi]`;
				const alone = `The drift ${name}' of param ${name} ${needed}. Write  ${write}.`;
				return { is: `the drift of ${name} is in no set`, write, alone };
			}),
		...freeInitials(model)
			.filter(({ knowledge }) => isOther(knowledge))
			.map(({ component, knowledge }): Other => {
				const is = `initial value of ${component} ${known(knowledge)}`;
				const write = `state ${component} in [lo, hi]`;
				const alone = `The ${is}, but ${needed}. Write  ${write}  or  state ${component} = 0.`;
				return { is: `the ${is}`, write, alone };
			}),
	];
}

function othersOfMeasures({ measures }: Model): Other[] {
	return measures
		.filter(({ kind }) => kind !== "set")
		.map(({ name, kind, value }) => {
			const is = `measure ${name} has ${kind === "exact" ? "no error" : "a random error"}`;
			const write = `measure ${name} in ${value.op === "sym" ? value.name : "…"} +- 0.1`;
			return { is, write, alone: `${is}, but needs a largest error. Write  ${write}.` };
		});
}

function jumps(model: Model): string[] {
	const { rhs, graph, inputs, conditions } = foldFormulaInputs(model);
	// What the clock decides alone has a time that is known.
	const known = inputs.filter(({ knowledge }) => knowledge.kind !== "set");
	const timed = new Set(["t", ...[...known, ...conditions].map(({ name }) => name)]);
	const jump = discontinuities(rhs, graph.zero, (name) => !timed.has(name)).find(
		({ kind }) => kind === "jump",
	);
	if (!jump) return [];
	return [
		`The equations use ${jump.op}: where its argument may be on either side, both are followed, and the enclosure grows wide meanwhile.`,
	];
}

function brackets(model: Model): string[] {
	const opposed = readable(() => opposingStates(systemOf(model)));
	if (!opposed) return [];
	return [
		`Use Taylor models, the default: ${opposed[0]} and ${opposed[1]} act on one another with opposite signs, as in an oscillator, on which Müller's brackets (prediction: mueller) grow wide.`,
	];
}

/** Sets that are no numbers are complained of when the method is used, not here. */
function readable<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (error instanceof InputError) return undefined;
		throw error;
	}
}
