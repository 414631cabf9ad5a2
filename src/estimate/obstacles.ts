/**
 * What of a model stands in the way of a method, each in a sentence that names the declaration and what to write; and what
 * is left to estimate, in words. Methods that mind the same say the same.
 */
import { isProcessNoise, isWhite } from "../model/language/process-noise.ts";
import type { Model } from "../model/model.ts";
import { ownInEachRecord } from "../model/population.ts";
import { freeInitials, freeParams } from "../model/structure/free.ts";
import type { Verdict } from "../model/within-reach.ts";
import { counted, list } from "./judge/words.ts";
import { noiseParams } from "./observe/spread.ts";

/** The first reason against a method, if there is one; else what it would do. */
export function verdictOf(obstacle: string | undefined, would: () => string): Verdict {
	return obstacle === undefined ? { applies: true, why: would() } : { applies: false, why: obstacle };
}

export function noMeasure(model: Model): string | undefined {
	if (model.measures.length > 0) return undefined;
	return `Nothing is measured: write  measure y ~ normal(${model.components[0] ?? "x"}, 0.1).`;
}

export function drifting(model: Model): string | undefined {
	const param = model.params.find(({ rate }) => rate !== undefined);
	return (
		param && `param ${param.name} drifts: take the declaration of ${param.name}' out to hold it constant.`
	);
}

/** A random process as it was written. */
export function processWords(input: Model["inputs"][number]): string {
	return isWhite(input) && isProcessNoise(input.name) ? "noise(…) in the equations" : `input ${input.name}`;
}

export function randomInput(model: Model): string | undefined {
	const input = model.inputs.find(({ knowledge }) => knowledge.kind === "distribution");
	if (!input) return undefined;
	const { name } = input;
	const remedy = isWhite(input) ? "leave it out" : `write  input ${name}  and take it from the data`;
	return `${processWords(input)} is a random process: bayes finds it. Elsewhere ${remedy}.`;
}

/** The noise is one for all records, whatever else differs. */
export function ownNoise(model: Model): string | undefined {
	const noise = noiseParams(model);
	const own = ownInEachRecord(model).find(({ keyword, name }) => keyword === "param" && noise.has(name));
	return own && `param ${own.name} is of the noise, and differs from record to record: leave  [record]  out.`;
}

export function nothingToEstimate(model: Model): string | undefined {
	if (freeParams(model).length + freeInitials(model).length > 0) return undefined;
	return "Every parameter and initial value is exactly known: there is nothing to estimate. Write  param k  for one that is not.";
}

export function unknownsText(model: Model): string {
	const free = freeParams(model);
	const counts = [
		[free.filter(({ terms }) => terms === undefined).length, "parameter"],
		[free.reduce((sum, { terms }) => sum + (terms?.length ?? 0), 0), "weight"],
		[freeInitials(model).length, "initial value"],
	] as const;
	return list(counts.filter(([n]) => n > 0).map(([n, what]) => counted(n, what)));
}
