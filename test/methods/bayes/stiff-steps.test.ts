/** Stiff steps of the solver: they follow models whose fast rates make explicit steps blow up. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { posteriorUnknowns } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import { foldFormulaInputs } from "../../../src/model/formula-inputs.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { experimentOf, gridTimes } from "./helpers.ts";

/** What is seen of each output, sample by sample, with parameters theta. */
async function seen(
	text: string,
	record: Experiment,
	theta: number[],
	substeps: number,
	stiff: boolean,
): Promise<Float64Array> {
	const model = foldFormulaInputs(parseModel(text, "test.ode"));
	const order = Math.max(...model.states.map((state) => state.order));
	const settings = {
		layout: "native",
		q: stiff ? order : order + 2,
		linearisation: "ekf0",
		diffusion: "off",
		equationEvidence: false,
		substeps,
		stiff,
	} as const;
	const unknowns = posteriorUnknowns(model, [record.name]);
	const likelihood = new Likelihood(model, unknowns, [record], settings, inline);
	const [filter] = likelihood.filters;
	const particles = likelihood.particles(Float64Array.from(theta), 1, 0);
	const state = filter.newState(1, false);
	return (await filter.moments(inline, particles, state, 0, filter.nSamples)).value;
}

const worst = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
	Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

describe("stiff steps", () => {
	it("follow an oscillator with an input, of order 5", async () => {
		const times = gridTimes(21, 0.5);
		const u = Float64Array.from(times, (_, i) => (i % 7 < 3 ? 1 : -0.5));
		const record = experimentOf(times, { y: times }, { u }, "record", "zoh");
		const text = `input u
param k ~ lognormal(log(2), 1)
state x = 1, x' = 0
x'' + 0.3*x' + k*x + 0.1*x^3 = u*cos(t)
measure y ~ normal(x + 0.1*x', 0.1)`;
		const reference = await seen(text, record, [2], 60, false);
		const coarse = worst(await seen(text, record, [2], 1, true), reference);
		const fine = worst(await seen(text, record, [2], 2, true), reference);
		expect(coarse).toBeLessThan(1e-4);
		expect(Math.log2(coarse / fine)).toBeGreaterThan(4);
	});

	it("follow fast rates with steps that are thousands of times longer", async () => {
		const times = Float64Array.from([0, 0.5, 1, 2, 4, 8, 16, 40]);
		const record = experimentOf(times, { y: times, z: times });
		const text = `param k1 ~ lognormal(log(0.04), 0.3), k2 ~ lognormal(log(1000), 0.3), k3 ~ lognormal(log(30), 0.3)
state a = 1, b = 0, c = 0
a' = -k1*a + k2*b*c
b' = k1*a - k2*b*c - k3*1000*b^2
c' = k3*1000*b^2
measure y ~ normal(a, 0.1)
measure z ~ normal(c, 0.1)`;
		const theta = [0.04, 1e4, 3e4];
		const [few, many] = [await seen(text, record, theta, 4, true), await seen(text, record, theta, 64, true)];
		expect(worst(few, many)).toBeLessThan(1e-5);
		expect((await seen(text, record, theta, 64, false)).every(Number.isFinite)).toBe(false);
		// Hairer, Wanner: Robertson's problem at t = 40.
		expect(many[14]).toBeCloseTo(0.7158, 4);
	});
});
