/** One record, asked of every method that has residuals: what they say of it can be held side by side. */
import { record } from "../../../src/data/data-record.ts";
import type { Doubt, Result } from "../../../src/estimate/result.ts";
import { run } from "../../../src/library/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

/** A relaxation towards 1, from 3. `law`: what is known of the noise of y. */
const texts: Readonly<Record<string, (law: string) => string>> = {
	fit: (law) => `param k in [0.01, 10], x1 in [0, 5]\nstate x in [0, 10]\nx' = -k*(x - x1)\nmeasure y ${law}`,
	bayes: (law) =>
		`param k ~ lognormal(log(0.5), 1), x1 ~ lognormal(0, 1)\nstate x ~ normal(3, 1)\nx' = -k*(x - x1)\nmeasure y ${law}`,
	inversion: (law) => `unknown f(x) = polynomial(2)\nstate x\nx' = f(x)\nmeasure y ${law}`,
	kriging: (law) => `unknown f(x) ~ kriging(trend: 1)\nstate x\nx' = f(x)\nmeasure y ${law}`,
};

const options: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>> = {
	bayes: { particles: 300, runs: 1, netcdf: false },
	inversion: { stability: 0, starts: 0, profile: false },
};

export const textOf = (method: Asked, law: string): string => texts[method](law);
export const optionsOf = (method: Asked): Readonly<Record<string, string | number | boolean>> =>
	options[method] ?? {};

export const truth = (t: number): number => 1 + 2 * Math.exp(-0.4 * t);

export type Asked = "fit" | "bayes" | "inversion" | "kriging";
export const asked: readonly Asked[] = ["fit", "bayes", "inversion", "kriging"];

export async function ask(
	method: Asked,
	law: string,
	t: readonly number[],
	y: readonly number[],
	text = textOf(method, law),
	others: Readonly<Record<string, readonly number[]>> = {},
): Promise<Result> {
	const model = parseModel(text, `${method}.ode`);
	return run(model, record({ t, y, ...others }), { method, options: optionsOf(method), seed: 1 });
}

export function doubtOf({ doubts }: Result, code: string): Doubt | undefined {
	return doubts.find((each) => each.code === code);
}
