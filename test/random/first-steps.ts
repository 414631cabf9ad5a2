/** The first steps of every method that applies to a random study: what they ended with. */
import type { Compute } from "../../src/compute/compute.ts";
import { InputError } from "../../src/errors.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { type Asked, questionsOf, type RandomStudy } from "./studies.ts";

export interface FirstSteps {
	readonly method: string;
	/** `begun`: it went on; `refused`: the data or the options do not fit the method, which it said; `bug`: anything else. */
	readonly ended: "begun" | "refused" | "bug";
	readonly why: string;
}

export async function firstSteps(random: RandomStudy, compute: Compute): Promise<FirstSteps[]> {
	const names = applicability(random.model).flatMap(({ method, applies }) => (applies ? [method] : []));
	const all: FirstSteps[] = [];
	for (const asked of await questionsOf(random, names, compute)) all.push(await begin(asked));
	return all;
}

async function begin({ method, problem, options }: Asked): Promise<FirstSteps> {
	try {
		const state = await method.prepare(problem, options);
		const { done } = await method.advance(state);
		if (done) await method.result(state);
		return { method: method.name, ended: "begun", why: "" };
	} catch (error) {
		const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
		return { method: method.name, ended: error instanceof InputError ? "refused" : "bug", why };
	}
}
