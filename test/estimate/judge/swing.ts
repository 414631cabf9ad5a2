/** A record of van der Pol's oscillator on its cycle, six turns with µ = 1: for methods that ask for one. */
import { record } from "../../../src/data/data-record.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { run } from "../../../src/library/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { simulate } from "../../methods/periodic/oscillators.ts";

const text = (params: string, states: string, mu: string, sd = "0.02"): string =>
	`${params}\nstate ${states}\nx' = v\nv' = ${mu}*(1 - x^2)*v - x\nmeasure y ~ normal(x, ${sd})`;

export const t: readonly number[] = Array.from({ length: 400 }, (_, i) => 0.1 * i);

const { x } = simulate(
	{ text: text("param mu", "x, v", "mu"), truth: { mu: 1 }, x0: [2, 0], period: 6.663, settle: 60 },
	Float64Array.from(t),
);
export const swing: readonly number[] = t.map((_, i) => x[2 * i]);

/** `params`: how what stands for µ is declared. */
export async function askSwing(
	method: "fit" | "periodic",
	params: string,
	y: readonly number[],
	mu = "mu",
	/** The spread of each sample, where it stands in a column. */
	sd?: readonly number[],
): Promise<Result> {
	const states = method === "fit" ? "x in [-3, 3], v in [-5, 5]" : "x, v";
	const model = parseModel(
		sd ? text(`${params}\ninput sd`, states, mu, "sd") : text(params, states, mu),
		`${method}.ode`,
	);
	return run(model, record({ t, y, ...(sd && { sd }) }), { method, seed: 1 });
}
