/** Whether bayes can answer for a model, and if not why. */

import { processWords } from "../../estimate/obstacles.ts";
import { isWhite } from "../../model/language/process-noise.ts";
import type { Knowledge, Model } from "../../model/model.ts";
import { latentForces } from "./filter/noise/latent-force.ts";

export function appliesTo(model: Model): { applies: boolean; why: string } {
	const why = obstacle(model);
	if (why) return { applies: false, why };
	const noise = model.inputs.find(isWhite);
	const names = [
		...model.params.filter(({ knowledge }) => knowledge.kind !== "exact").map(({ name }) => name),
		...model.components.filter((_, i) => model.initial[i].kind !== "exact").map((name) => `${name}(0)`),
		...latentForces(model).map(({ name }) => `the input ${name}`),
		...(noise ? [`the path under ${processWords(noise)}`] : []),
	];
	return { applies: true, why: `Finds the posterior of ${names.join(", ")}.` };
}

function obstacle(model: Model): string | undefined {
	const [unknown] = model.unknowns;
	if (unknown) return `unknown ${unknown.name} is a function: bayes needs numbers with distributions.`;
	if (model.measures.length === 0) return "Nothing is measured: add a line like  measure y ~ normal(x, 0.1).";
	if (model.states.length === 0) return "There is no state, so there is no equation to integrate.";
	const drifting = model.params.find(({ rate }) => rate !== undefined);
	if (drifting) return `param ${drifting.name} drifts in time: bayes estimates constants only.`;
	const combination = model.params.find(({ terms }) => terms !== undefined);
	if (combination)
		return `param ${combination.name} is a combination of terms: inversion finds its weights; for bayes write them out with a prior each.`;
	const param = model.params.find(
		({ knowledge }) => knowledge.kind !== "exact" && knowledge.kind !== "distribution",
	);
	if (param) return withoutPrior(`param ${param.name}`, param.knowledge);
	const at = model.initial.findIndex(({ kind }) => kind !== "exact" && kind !== "distribution");
	if (at >= 0) return withoutPrior(`state ${model.components[at]}`, model.initial[at]);
	const measure = model.measures.find(({ kind }) => kind !== "distribution");
	if (measure)
		return `measure ${measure.name} has no distribution: write  measure ${measure.name} ~ normal(…, 0.1).`;
	const free = model.params.some(({ knowledge }) => knowledge.kind !== "exact");
	if (!free && !model.inputs.some(isRandom) && model.initial.every(({ kind }) => kind === "exact"))
		return "Everything is exactly known: nothing is left to estimate.";
	return undefined;
}

function isRandom({ knowledge }: Model["inputs"][number]): boolean {
	return knowledge.kind === "distribution";
}

function withoutPrior(what: string, { kind }: Knowledge): string {
	return kind === "set"
		? `${what} is known by a set, which is no distribution: write  ${what} ~ uniform(lo, hi).`
		: `${what} has no distribution: write  ${what} ~ normal(0, 1).`;
}
