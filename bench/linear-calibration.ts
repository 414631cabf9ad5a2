/** Simulation-based calibration on a linear oscillator, whose replications are quick. */
import { inline } from "../src/compute/inline.ts";
import { Likelihood } from "../src/methods/bayes/likelihood/likelihood.ts";
import { drawPriors, posteriorUnknowns } from "../src/methods/bayes/likelihood/unknowns.ts";
import { Ibis } from "../src/methods/bayes/smc/ibis.ts";
import type { Moves } from "../src/methods/bayes/smc/moves.ts";
import { targetOf } from "../src/methods/bayes/smc/target.ts";
import { Tempering } from "../src/methods/bayes/smc/tempering.ts";
import { foldFormulaInputs } from "../src/model/formula-inputs.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { experimentOf, gridTimes, noisy, simulate } from "../test/methods/bayes/helpers.ts";
import { Calibration, type CalibrationReport } from "./simulation-based-calibration.ts";

const model = foldFormulaInputs(
	parseModel(
		`input u = cos(1.7*t) + sin(0.6*t)
param c ~ lognormal(log(0.3), 0.5)
param k ~ lognormal(log(2), 0.4)
state x = 1, x' = 0
x'' + c*x' + k*x = u
measure y ~ normal(x, 0.1)`,
		"linear.ode",
	),
);
export const unknowns = posteriorUnknowns(model, ["record"]);
const times = gridTimes(40, 0.25);
const n = 200;
const settings = {
	layout: "native",
	q: 3,
	linearisation: "ekf0",
	diffusion: "running",
	equationEvidence: false,
	substeps: 3,
} as const;

export async function linearCalibration(
	sampler: "tempering" | "ibis",
	replications: number,
	moves?: Moves,
): Promise<CalibrationReport> {
	const truths = drawPriors(unknowns, replications, 99, "truth");
	const calibration = new Calibration(unknowns.length);
	for (let seed = 0; seed < replications; seed++) {
		const truth = [truths[seed], truths[replications + seed]];
		const [c, k] = truth.map(Math.exp);
		const states = simulate(
			(t, [x, v]) => [v, Math.cos(1.7 * t) + Math.sin(0.6 * t) - c * v - k * x],
			[1, 0],
			times,
			10,
		);
		const y = noisy(
			states.map(([x]) => x),
			0.1,
			seed,
		);
		const likelihood = new Likelihood(model, unknowns, [experimentOf(times, { y })], settings, inline);
		const common = { seed, name: "run", moves, threshold: 0.5 };
		const run =
			sampler === "ibis"
				? new Ibis(likelihood, n, { ...common, maxRejuvenations: 500 })
				: new Tempering(targetOf(likelihood, seed, undefined), n, { ...common, maxStages: 500 });
		while (run.outcome === "running") await run.advance();
		calibration.add(truth, run.cloud!.z);
	}
	return calibration.report();
}
