/** Whether guaranteed estimation can answer for a model. */
import { InputError } from "../../errors.ts";
import { knowledgeSuffices, type Verdict } from "../../model/applies.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Node } from "../../model/graph.ts";
import type { Model } from "../../model/model.ts";
import { topological } from "../../model/walk.ts";
import { opposingStates } from "./opposing-states.ts";
import { systemOf } from "./system.ts";

const cornered: Partial<Record<Node["op"], string>> = {
	sign: "sign",
	if: "if",
};

export function appliesTo(model: Model): Verdict {
	const { applies, why } = knowledgeSuffices("guaranteed", model);
	if (!applies) return { applies, why };
	return { applies, why: [why, ...jumps(model), ...brackets(model)].join(" ") };
}

function jumps(model: Model): string[] {
	const jump = topological(foldFormulaInputs(model).rhs).find(({ op }) => cornered[op] !== undefined);
	if (!jump) return [];
	return [
		`The equations use ${cornered[jump.op]}: where its argument may be on either side, the enclosure stops.`,
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
