/** A running Γ that stays near that of a simulation. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { type FilterSettings, Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { posteriorUnknowns } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { experimentOf, gridTimes, noisy, simulate } from "./helpers.ts";

const model = parseModel(
	`input u
param k ~ lognormal(0, 1)
state x = 0, x' = 0
x'' + 0.2*x' + k*x = u
measure y ~ normal(x, 0.01)`,
	"oscillator.ode",
);
const times = gridTimes(150, 0.1);
/** At rest for the first 50 samples. */
const force = (t: number): number => (t < 5 ? 0 : 2 * Math.sin(1.4 * (t - 5)));
const states = simulate((t, [x, v]) => [v, force(t) - 0.2 * v - 4 * x], [0, 0], times);
const y = noisy(
	states.map(([x]) => x),
	0.01,
	1,
);

async function logLik(
	k: number,
	diffusion: FilterSettings["diffusion"],
	gammaRange?: number,
): Promise<number> {
	const settings: FilterSettings = {
		layout: "native",
		q: 3,
		linearisation: "ekf0",
		diffusion,
		gammaRange,
		equationEvidence: false,
		substeps: 1,
	};
	const record = experimentOf(times, { y }, { u: times.map(force) });
	const likelihood = new Likelihood(model, posteriorUnknowns(model, ["record"]), [record], settings, inline);
	return (await likelihood.logLikelihoods(Float64Array.of(k), 1))[0];
}

describe("bounds of a running Γ", () => {
	it.each([3, 4, 8])("are those of a simulation: within a factor of 1 it is that one (k = %i)", async (k) => {
		const simulated = await logLik(k, "simulated");
		expect(Math.abs((await logLik(k, "running", 1)) - simulated)).toBeLessThan(1e-9 * Math.abs(simulated));
		const free = await logLik(k, "running");
		const apart = async (range: number): Promise<number> =>
			Math.abs((await logLik(k, "running", range)) - free);
		// The wider, the nearer to none.
		expect(await apart(1)).toBeGreaterThan(await apart(30));
		expect(await apart(30)).toBeGreaterThan(await apart(1000));
	});

	it("give numbers for a system at rest", async () => {
		for (const range of [1, 100, undefined]) expect(await logLik(4, "running", range)).toBeGreaterThan(0);
	});
});
