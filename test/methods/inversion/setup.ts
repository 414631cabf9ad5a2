/** Shared by the tests of inversion. */

import { type Example, recordsOf } from "../../../papers/inversion/examples.ts";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { emptyRecord, regularTimes } from "../../../src/methods/inversion/answer/simulated-records.ts";
import { inversion } from "../../../src/methods/inversion/inversion.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import type { Model } from "../../../src/model/model.ts";

export type Options = ReturnType<typeof defaultOptions<typeof inversion.options>>;
/** Only fit and selection. */
export const selectionOnly = { profile: false, stability: 0, starts: 0 } as const;

export function problemOf(model: Model, train: readonly Experiment[], start = {}): Problem {
	return { model, train, test: [], start, seed: 1, compute: inline };
}

export async function invert(problem: Problem, options: Partial<Options> = {}): Promise<Result> {
	const run = await inversion.prepare(problem, { ...defaultOptions(inversion.options), ...options });
	while (!(await inversion.advance(run)).done);
	return inversion.result(run);
}

export async function invertExample(
	example: Example,
	noise: { sd: number; relative?: boolean },
	seed: number,
	options: Partial<Options> = selectionOnly,
): Promise<Result> {
	const train = await recordsOf(example, noise, seed, inline);
	return invert(problemOf(example.model, train), options);
}

/** Names of the chosen terms, in order. */
export function chosenNames({ summary }: Result): string[] {
	const terms = summary.terms as { of: string; term: string }[];
	return terms.map(({ of, term }) => (term === "1" && !/^[pfg]/.test(of) ? of : `${of}[${term}]`)).sort();
}

export const trueNames = ({ truth }: Example): string[] => Object.keys(truth).sort();

/** A record of one experiment, simulated. */
export interface Source {
	readonly text: string;
	readonly truth: Readonly<Record<string, number>>;
	readonly initial?: readonly number[];
	readonly outputs: readonly string[];
	readonly until: number;
	readonly step: number;
	readonly sd: number;
}

export async function record(source: Source, seed = 1): Promise<Experiment[]> {
	const { text, truth, initial = [], outputs, until, step, sd } = source;
	const model = parseModel(text, "truth.ode");
	const design = [emptyRecord("record", regularTimes(until, step), [...outputs], {})];
	return recordsOf({ model, truth, design, initial, substeps: 16 }, { sd }, seed, inline);
}

export const graveTitles = ({ doubts }: Result): string[] =>
	doubts.filter(({ grave }) => grave).map(({ title }) => title);
