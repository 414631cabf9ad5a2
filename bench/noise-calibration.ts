/** Simulation-based calibration of noise that is no plain normal error: counts, combined errors, errors that are remembered. */
import { inline } from "../src/compute/inline.ts";
import { model } from "../src/library/model.ts";
import { simulate } from "../src/library/simulate.ts";
import { BayesRun } from "../src/methods/bayes/bayes-run.ts";
import { drawPriors, naturalValues, posteriorUnknowns } from "../src/methods/bayes/likelihood/unknowns.ts";
import { bayesOptions } from "../src/methods/bayes/options.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { experimentOf } from "../test/methods/bayes/helpers.ts";
import { Calibration, type CalibrationReport } from "./simulation-based-calibration.ts";

const replications = 200;
const epidemic = `S' = -beta*S*I/763
I' = beta*S*I/763 - gamma*I`;
const every = (n: number, step: number): number[] => Array.from({ length: n }, (_, i) => i * step);

/** Models whose priors are what the truth is drawn from, and the times of their samples. */
export const noiseProblems: Readonly<
	Record<string, { readonly text: string; readonly times: readonly number[] }>
> = {
	"Poisson SIR": {
		text: `param beta ~ lognormal(log(1.7), 0.3), gamma ~ lognormal(log(0.5), 0.3)
state S = 755, I = 8
${epidemic}
measure cases ~ poisson(I)`,
		times: every(14, 1),
	},
	"negative binomial flu": {
		text: `param beta ~ lognormal(log(1.7), 0.3), gamma ~ lognormal(log(0.5), 0.3), size ~ lognormal(log(8), 0.7)
state S = 755, I = 8
${epidemic}
measure cases ~ negbinomial(I, size)`,
		times: every(14, 1),
	},
	"combined error of a dose": {
		text: `param ka ~ lognormal(log(1.5), 0.4), ke ~ lognormal(log(0.1), 0.3), V ~ lognormal(log(30), 0.2)
param a ~ lognormal(log(0.2), 0.5), b ~ lognormal(log(0.1), 0.5)
state D = 320, C = 0
D' = -ka*D
C' = ka*D/V - ke*C
measure y ~ normal(C, a + b*C)`,
		times: [0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24],
	},
	"AR(1) noise": {
		text: `param a ~ lognormal(log(2), 0.3), k ~ lognormal(log(0.5), 0.3), s ~ lognormal(log(0.1), 0.5), tau ~ lognormal(log(0.3), 0.5)
state x = 1
x' = -k*x
measure y ~ normal(a*x, s, correlated: tau)`,
		times: every(40, 0.15),
	},
};

export async function bench(): Promise<void> {
	for (const name of Object.keys(noiseProblems)) {
		const start = performance.now();
		const { coverage, pValue, names } = await noiseCalibration(name, replications);
		const right = coverage.every((share) => share >= 0.86 && share <= 0.94);
		const seconds = ((performance.now() - start) / 1000).toFixed(0);
		console.log(`${name}, ${replications} replications, ${seconds} s: ${right ? "reached" : "MISSED"}`);
		for (const [i, own] of names.entries())
			console.log(
				`  ${own.padEnd(5)} 90 % intervals cover ${coverage[i].toFixed(3)}, ranks uniform with p = ${pValue[i].toPrecision(2)}`,
			);
	}
}

/** Truths from the prior, records by `simulate`, posteriors by `bayes`. */
export async function noiseCalibration(
	name: string,
	count: number,
): Promise<CalibrationReport & { readonly names: readonly string[] }> {
	const { text, times } = noiseProblems[name];
	const own = model(text);
	const unknowns = posteriorUnknowns(own, ["record"]);
	const z = drawPriors(unknowns, count, 2026, "truth");
	const theta = naturalValues(unknowns, z, count);
	const calibration = new Calibration(unknowns.length);
	const [{ name: output }] = own.measures;
	const options = {
		...defaultOptions(bayesOptions),
		particles: 300,
		runs: 1,
		substeps: 8,
		integrationError: "none",
	} as const;
	for (let seed = 0; seed < count; seed++) {
		const values = Object.fromEntries(unknowns.map((each, i) => [each.name, theta[i * count + seed]]));
		const { columns } = simulate(own, { times, values, noise: true, seed });
		const train = [experimentOf(Float64Array.from(times), { [output]: columns[output] })];
		const run = new BayesRun({ model: own, train, test: [], start: {}, seed, compute: inline }, options);
		while (run.phase === "steps" || run.phase === "sample") await run.advance();
		calibration.add(
			unknowns.map((_, i) => z[i * count + seed]),
			run.pooled().z,
		);
	}
	return { ...calibration.report(), names: unknowns.map((each) => each.name) };
}
