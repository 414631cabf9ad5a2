/**
 * Records of some states only: Lotka and Volterra's from the prey, an epidemic from the infected, a driven Duffing oscillator
 * from its position, Lorenz' from x. Found: the true terms, and every weight that does not depend on the unit of what is hidden
 * within four of its errors.
 */
import { recordsOf } from "../../papers/inversion/examples.ts";
import { inline } from "../../src/compute/inline.ts";
import { emptyRecord, regularTimes } from "../../src/methods/inversion/answer/simulated-records.ts";
import { inversion } from "../../src/methods/inversion/inversion.ts";
import { defaultOptions } from "../../src/methods/options.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";

interface Partial {
	readonly name: string;
	readonly text: string;
	readonly truth: Readonly<Record<string, number>>;
	/** Weights that no unit of a hidden state changes. */
	readonly told: readonly string[];
	readonly initial: readonly number[];
	readonly output: string;
	readonly until: number;
	readonly step: number;
	readonly sd: number;
}

const cases: readonly Partial[] = [
	{
		name: "Lotka–Volterra from x",
		text: "param a, b, c, d, s\nstate x, y\nx' = a*x + b*x*y\ny' = c*y + d*x*y\nmeasure xm ~ normal(x, s)",
		truth: { a: 1.5, b: -1, c: -3, d: 1 },
		told: ["a", "c", "d"],
		initial: [1, 1],
		output: "xm",
		until: 10,
		step: 0.1,
		sd: 0.05,
	},
	{
		name: "SIR from I",
		text: "param b, c, g, s\nstate S, I\nS' = b*S*I\nI' = c*S*I + g*I\nmeasure im ~ normal(I, s)",
		truth: { b: -0.5, c: 0.5, g: -0.1 },
		told: ["b", "g"],
		initial: [4, 0.01],
		output: "im",
		until: 40,
		step: 0.5,
		sd: 0.01,
	},
	{
		name: "driven Duffing from x",
		text: "param a, b, d, k, s\nstate x, v\nx' = v\nv' = a*x + b*x^3 + d*v + k*cos(1.2*t)\nmeasure xm ~ normal(x, s)",
		truth: { a: 1, b: -1, d: -0.3, k: 0.5 },
		told: ["a", "b", "d", "k"],
		initial: [1, 0],
		output: "xm",
		until: 40,
		step: 0.1,
		sd: 0.02,
	},
	{
		name: "Lorenz from x",
		text: "param a, b, r, c, d, e, f, s\nstate x, y, z\nx' = a*x + b*y\ny' = r*x + c*y + d*x*z\nz' = e*z + f*x*y\nmeasure xm ~ normal(x, s)",
		truth: { a: -10, b: 10, r: 28, c: -1, d: -1, e: -8 / 3, f: 1 },
		told: ["a", "c", "e"],
		initial: [-8, 7, 27],
		output: "xm",
		until: 4,
		step: 0.02,
		sd: 0.08,
	},
];

export const partialNames: readonly string[] = cases.map(({ name }) => name);

export interface PartialSpec {
	readonly partial: string;
	readonly seed: number;
}

export interface PartialOutcome extends PartialSpec {
	readonly found: boolean;
	/** An answer without a grave doubt that is not the truth. */
	readonly sure: boolean;
	readonly doubts: readonly string[];
	readonly outcome: string;
	readonly seconds: number;
}

export async function partialCase({ partial, seed }: PartialSpec): Promise<PartialOutcome> {
	const each = cases.find(({ name }) => name === partial)!;
	const model = parseModel(each.text, "partial.ode");
	const design = [emptyRecord("record", regularTimes(each.until, each.step), [each.output], {})];
	const example = { model, truth: each.truth, design, initial: each.initial, substeps: 64 };
	const train = await recordsOf(example, { sd: each.sd }, seed, inline);
	const before = process.cpuUsage();
	const problem = { model, train, test: [], start: {}, seed, compute: inline };
	const run = await inversion.prepare(problem, defaultOptions(inversion.options));
	while (!(await inversion.advance(run)).done);
	const { parameters, answered, doubts, outcome } = await inversion.result(run);
	const { user, system } = process.cpuUsage(before);
	const value = (name: string) => parameters.find((row) => row.name === name);
	const found =
		Object.keys(each.truth).every((name) => value(name)) &&
		each.told.every((name) => {
			const { estimate, sd = Number.NaN } = value(name)!;
			return Math.abs(estimate - each.truth[name]) <= 4 * sd;
		});
	return {
		partial,
		seed,
		found,
		sure: !found && answered && !doubts.some(({ grave }) => grave),
		doubts: doubts.map(({ code, grave }) => (grave ? `${code}!` : code)),
		outcome,
		seconds: (user + system) / 1e6,
	};
}
