/** The first steps of every method that applies to a random study, and its simulation: what they ended with. */
import type { Compute } from "../../src/compute/compute.ts";
import { InputError } from "../../src/errors.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { Session } from "../../src/methods/session.ts";
import { type Asked, questionsOf, type RandomStudy, simulationOf } from "./studies.ts";

export interface FirstSteps {
	/** Or `simulate`. */
	readonly method: string;
	/** `begun`: it went on; `refused`: the data or the options do not fit the method, which it said; `bug`: anything else. */
	readonly ended: "begun" | "refused" | "bug";
	readonly why: string;
}

export async function firstSteps(random: RandomStudy, compute: Compute): Promise<FirstSteps[]> {
	const names = applicability(random.model).flatMap(({ method, applies }) => (applies ? [method] : []));
	const all: FirstSteps[] = [];
	all.push(await ended("simulate", () => simulationOf(random)));
	for (const name of names)
		all.push(
			await ended(name, async () => {
				const [asked] = await questionsOf(random, [name], compute);
				await begin(asked);
			}),
		);
	return all;
}

async function begin(asked: Asked): Promise<void> {
	const session = await Session.begin(asked);
	const { done } = await session.advance();
	if (done) await session.result();
}

async function ended(method: string, work: () => Promise<unknown>): Promise<FirstSteps> {
	try {
		await work();
		return { method, ended: "begun", why: "" };
	} catch (error) {
		const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
		return { method, ended: error instanceof InputError ? "refused" : "bug", why };
	}
}
