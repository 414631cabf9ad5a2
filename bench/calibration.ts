/**
 * Simulation-based calibration where it takes longer: every kind of noise (`noise-calibration.ts`, also by itself), a linear oscillator, and a Duffing oscillator with unknown noise, both
 * samplers, and the acceptance rule as printed in the paper, which must fail.
 */
import { movesAsPrinted } from "../papers/bayes/printed-acceptance.ts";
import { inline } from "../src/compute/inline.ts";
import { BayesRun } from "../src/methods/bayes/bayes-run.ts";
import { drawPriors, naturalValues, posteriorUnknowns } from "../src/methods/bayes/likelihood/unknowns.ts";
import { bayesOptions } from "../src/methods/bayes/options.ts";
import { type Moves, rejuvenate } from "../src/methods/bayes/smc/moves.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { experimentOf, gridTimes, noisy, simulate } from "../test/methods/bayes/helpers.ts";
import { linearCalibration, unknowns as ofLinear } from "./linear-calibration.ts";
import { bench as ofNoise } from "./noise-calibration.ts";
import { Calibration, type CalibrationReport } from "./simulation-based-calibration.ts";
import { cheapOnes, cloudSizes, wideBounds, wideCalibration } from "./wide-calibration.ts";

/**
 * With 400 the standard error of a coverage is 0.015, and bounds of 0.90 ± 0.02 on four unknowns would be missed by a
 * sampler that is right about every other time; with 1600 it is 0.0075.
 */
const replications = 1600;
const model = parseModel(
	`input u
param c  ~ lognormal(log(0.3), 0.4)
param k  ~ lognormal(log(2), 0.3)
param k3 ~ lognormal(log(1), 0.5)
param s  ~ lognormal(log(0.1), 0.5)
state x = 0.5, x' = 0
x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, s)`,
	"duffing.ode",
);
const unknowns = posteriorUnknowns(model, ["record"]);
const force = (t: number): number => Math.sin(1.3 * t) + 0.5 * Math.cos(3.1 * t);
const times = gridTimes(80, 0.2);

export async function bench(): Promise<void> {
	await ofNoise();
	for (const [sampler, moves] of [
		["tempering", rejuvenate],
		["ibis", rejuvenate],
		["tempering", movesAsPrinted],
		["ibis", movesAsPrinted],
	] as const)
		for (const [name, own, calibrated] of [
			["linear", ofLinear, () => linearCalibration(sampler, replications, moves)],
			["Duffing", unknowns, () => calibrate(sampler, moves)],
		] as const)
			await tell(`${name}, ${sampler}`, own, moves, calibrated);
	await tellWide();
}

/** Clouds that come from a cheap likelihood of another width. */
async function tellWide(): Promise<void> {
	const most = wideBounds(replications);
	for (const [name, r, off] of cheapOnes)
		for (const n of cloudSizes) {
			const { coverage, pValue, ratios } = await wideCalibration(n, r, off, replications);
			const right =
				coverage.every((share) => Math.abs(share - 0.9) < most.coverage) &&
				pValue.every((p) => p > most.pValue) &&
				ratios.every((ratio) => Math.abs(ratio - 1) < most.ratio);
			console.log(
				`from a cheap likelihood ${name}, ${n} particles, ${replications} replications: ${right ? "reached" : "MISSED"}\n  90 % intervals cover ${coverage.map((share) => share.toFixed(3)).join(", ")}; widths ${Array.from(ratios, (ratio) => ratio.toFixed(3)).join(", ")} of the posterior's`,
			);
		}
}

async function tell(
	name: string,
	own: readonly { readonly name: string }[],
	moves: Moves,
	calibrated: () => Promise<CalibrationReport>,
): Promise<void> {
	const start = performance.now();
	const { coverage, pValue } = await calibrated();
	const right = coverage.every((share) => share >= 0.88 && share <= 0.92) && pValue.every((p) => p > 0.01);
	const verdict =
		moves === rejuvenate
			? right
				? "reached"
				: "MISSED"
			: right
				? "MISSED: it should fail"
				: "fails, as it must";
	console.log(
		`${name}, acceptance ${moves === rejuvenate ? "as ours" : "as printed"}, ${replications} replications, ${((performance.now() - start) / 1000).toFixed(0)} s: ${verdict}`,
	);
	for (const [i, { name }] of own.entries())
		console.log(
			`  ${name.padEnd(4)} 90 % intervals cover ${coverage[i].toFixed(3)}, ranks uniform with p = ${pValue[i].toPrecision(2)}`,
		);
}

async function calibrate(sampler: "tempering" | "ibis", moves: Moves) {
	const z = drawPriors(unknowns, replications, 2024, "truth");
	const theta = naturalValues(unknowns, z, replications);
	const calibration = new Calibration(unknowns.length);
	for (let seed = 0; seed < replications; seed++) {
		const [c, k, k3, s] = unknowns.map((_, i) => theta[i * replications + seed]);
		const states = simulate((t, [x, v]) => [v, force(t) - c * v - k * x - k3 * x ** 3], [0.5, 0], times);
		const y = noisy(
			states.map(([x]) => x),
			s,
			seed,
		);
		const problem = {
			model,
			train: [experimentOf(times, { y }, { u: times.map(force) })],
			test: [],
			start: {},
			seed,
			compute: inline,
		};
		const options = {
			...defaultOptions(bayesOptions),
			particles: 400,
			runs: 1,
			substeps: 3,
			sampler,
		};
		const run = new BayesRun(problem, options, moves);
		while (run.phase === "steps" || run.phase === "sample") await run.advance();
		calibration.add(
			unknowns.map((_, i) => z[i * replications + seed]),
			run.pooled().z,
		);
	}
	return calibration.report();
}
