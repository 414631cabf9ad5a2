/** Runs of the method to their end, and what tests ask of their answers. */
import type { Result } from "../../../src/estimate/result.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import type { Problem } from "../../../src/methods/problem.ts";

type Options = Partial<ReturnType<typeof defaultOptions<typeof periodic.options>>>;

export async function answerTo(problem: Problem, options: Options = {}): Promise<Result> {
	const run = await periodic.prepare(problem, { ...defaultOptions(periodic.options), ...options });
	while (!(await periodic.advance(run)).done);
	return periodic.result(run);
}

export function estimates({ parameters }: Result): Record<string, number> {
	return Object.fromEntries(parameters.map(({ name, estimate }) => [name, estimate]));
}

/** Of the parameters, in units of their standard deviations. */
export function deviations({ parameters }: Result, truth: Readonly<Record<string, number>>): number[] {
	return Object.entries(truth).map(([name, value]) => {
		const { estimate, sd } = parameters.find((each) => each.name === name)!;
		return (estimate - value) / sd!;
	});
}
