/** Whether guaranteed estimation can answer for a model. */
import { InputError } from "../../errors.ts";
import { knowledgeSuffices, type Verdict } from "../../model/applies.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Knowledge, Model } from "../../model/model.ts";
import { discontinuities } from "../../model/structure/discontinuity.ts";
import { freeInitials } from "../../model/structure/free.ts";
import { opposingStates } from "./opposing-states.ts";
import { systemOf } from "./system.ts";

/** Declarations that one message names. */
const mostShown = 8;

export function appliesTo(model: Model): Verdict {
	const { applies, why } = knowledgeSuffices("guaranteed", model);
	if (!applies) return { applies, why: withOthers(why, model) };
	return { applies, why: [why, ...jumps(model), ...brackets(model)].join(" ") };
}

/** All declarations that are of another kind than a set, where one of them is the reason: they are mended in one go. */
function withOthers(why: string, model: Model): string {
	const kinds = {
		exact: "is exactly known",
		set: "",
		distribution: "has a distribution",
		none: "is unknown",
	};
	const isOther = ({ kind }: Knowledge): boolean => kind === "distribution" || kind === "none";
	const params = model.params
		.filter(({ knowledge }) => isOther(knowledge))
		.map(({ name, knowledge }) => ({
			is: `param ${name} ${kinds[knowledge.kind]}`,
			write: `param ${name} in [0, 1]`,
		}));
	const rates = model.params
		.filter(({ rate }) => rate && isOther(rate))
		.map(({ name }) => ({ is: `the drift of ${name} is in no set`, write: `${name}' in [0, 1]` }));
	const initials = freeInitials(model)
		.filter(({ knowledge }) => isOther(knowledge))
		.map(({ component, knowledge }) => ({
			is: `the initial value of ${component} ${kinds[knowledge.kind]}`,
			write: `state ${component} in [0, 1]`,
		}));
	const measures = model.measures
		.filter(({ kind }) => kind !== "set")
		.map(({ name, kind, value }) => ({
			is: `measure ${name} has ${kind === "exact" ? "no error" : "a random error"}`,
			write: `measure ${name} in ${value.op === "sym" ? value.name : "…"} +- 0.1`,
		}));
	const others = [...params, ...rates, ...initials, ...measures];
	const hasOtherReason =
		model.unknowns.length > 0 ||
		model.measures.length === 0 ||
		model.inputs.some(({ knowledge }) => knowledge.kind === "distribution") ||
		model.params.some(({ terms }) => terms !== undefined);
	if (hasOtherReason || others.length < 2) return why;
	const shown = others.slice(0, mostShown);
	const rest = others.length > mostShown ? `, and ${others.length - mostShown} more` : "";
	return `Each unknown needs a set that surely holds it, and each measurement a largest error, but ${shown.map(({ is }) => is).join(", ")}${rest}. Write  ${shown.map(({ write }) => write).join("  and  ")}.`;
}

function jumps(model: Model): string[] {
	const { rhs, graph, inputs, conditions } = foldFormulaInputs(model);
	// What the clock decides alone has a time that is known.
	const timed = new Set(["t", ...[...inputs, ...conditions].map(({ name }) => name)]);
	const jump = discontinuities(rhs, graph.zero, (name) => !timed.has(name)).find(
		({ kind }) => kind === "jump",
	);
	if (!jump) return [];
	return [`The equations use ${jump.op}: where its argument may be on either side, the enclosure stops.`];
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
