/** The share of integration in a prediction is the size of the error that the integration really makes. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { type FilterSettings, Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { posteriorUnknowns } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import { halvedSteps, Predictive } from "../../../src/methods/bayes/predict/predictive.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { experimentOf, gridTimes, type Rhs, simulate } from "./helpers.ts";

/** Open-loop prediction with one step a sample, beside a very accurate one: rms by thirds of the record. */
async function errorAndBand(
	text: string,
	exactly: { f: Rhs; x0: number[]; end: number },
	settings: Partial<FilterSettings>,
	interval: number,
) {
	const times = gridTimes(Math.round(exactly.end / interval), interval);
	const exact = simulate(exactly.f, exactly.x0, times, 200).map(([x]) => x);
	const model = parseModel(text, "model.ode");
	const likelihood = new Likelihood(
		model,
		posteriorUnknowns(model, ["record"]),
		[experimentOf(times, { y: Float64Array.from(exact) })],
		{
			layout: "native",
			q: 3,
			linearisation: "ekf0",
			diffusion: "simulated",
			equationEvidence: false,
			substeps: 1,
			...settings,
		},
		inline,
	);
	// Two particles of the same parameters: nothing but the integration spreads.
	const predictive = new Predictive(likelihood, Float64Array.of(3, 3), 2, halvedSteps(likelihood));
	while (!predictive.done) await predictive.advance();
	const [{ mean, integration }] = predictive.predictions;
	const n = times.length;
	const rms = (of: (s: number) => number, part: number): number => {
		const from = Math.floor((part * n) / 3);
		const to = Math.floor(((part + 1) * n) / 3);
		let sum = 0;
		for (let s = from; s < to; s++) sum += of(s);
		return Math.sqrt(sum / (to - from));
	};
	const errors = Float64Array.from(exact, (x, s) => mean[s] - x);
	return {
		error: [0, 1, 2].map((part) => rms((s) => errors[s] ** 2, part)),
		sd: [0, 1, 2].map((part) => rms((s) => integration[s], part)),
		inside: errors.filter((error, s) => error ** 2 <= 1.645 ** 2 * integration[s]).length / n,
	};
}

function oscillator(k3: number, settings: Partial<FilterSettings>, interval: number) {
	return errorAndBand(
		`param k ~ lognormal(log(3), 1)
state x = 0, x' = 0
x'' + 0.2*x' + k*x + ${k3}*x^3 = sin(1.3*t) + 0.5*cos(3.1*t)
measure y ~ normal(x, 0.01)`,
		{
			f: (t, [x, v]) => [v, Math.sin(1.3 * t) + 0.5 * Math.cos(3.1 * t) - 0.2 * v - 3 * x - k3 * x ** 3],
			x0: [0, 0],
			end: 60,
		},
		settings,
		interval,
	);
}

describe.each([
	{ name: "damped oscillator", k3: 0 },
	{ name: "Duffing", k3: 0.8 },
])("$name", ({ k3 }) => {
	it.each([
		{ interval: 0.2, q: 3 },
		{ interval: 0.1, q: 3 },
		{ interval: 0.2, q: 2 },
	])("rate × step of $interval × 1.7, q = $q", async ({ interval, q }) => {
		const { error, sd, inside } = await oscillator(k3, { q }, interval);
		expect(inside).toBeGreaterThan(0.9);
		for (const [part, own] of sd.entries()) {
			expect(own).toBeLessThan(10 * error[part]);
			expect(own).toBeGreaterThan(0.5 * error[part]);
		}
		// Damping forgets old errors: the band does not go on growing.
		expect(sd[2]).toBeLessThan(1.1 * sd[1]);
	});

	it("is the same as a square root", async () => {
		const [plain, root] = await Promise.all([oscillator(k3, {}, 0.2), oscillator(k3, { form: "root" }, 0.2)]);
		for (const [part, own] of plain.sd.entries()) expect(root.sd[part] / own).toBeCloseTo(1, 9);
	});

	it("knows of damping with ekf1 too", async () => {
		const { error, sd, inside } = await oscillator(k3, { linearisation: "ekf1" }, 0.2);
		expect(inside).toBeGreaterThan(0.9);
		// It follows a smooth solution far better than its own covariance says.
		expect(sd[2]).toBeLessThan(100 * error[2]);
		expect(sd[2]).toBeLessThan(1.1 * sd[1]);
	});
});

describe("where errors of all steps add up, and a random process would make too little of them", () => {
	it.each([
		{ name: "stacked", run: () => oscillator(0.8, { layout: "stacked", q: 2 }, 0.1) },
		{
			name: "a decay",
			run: () =>
				errorAndBand(
					"param k ~ lognormal(0, 1)\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.01)",
					{ f: (_, [x]) => [-3 * x], x0: [1], end: 2 },
					{ q: 2 },
					0.05,
				),
		},
		{
			name: "a predator and its prey",
			run: () =>
				errorAndBand(
					`param k ~ lognormal(0, 1)
state x = 4, z = 1
x' = k*x - k*x*z
z' = 0.3*x*z - z
measure y ~ normal(x, 0.01)`,
					{ f: (_, [x, z]) => [3 * x * (1 - z), 0.3 * x * z - z], x0: [4, 1], end: 20 },
					{ q: 2 },
					0.05,
				),
		},
	])("$name", async ({ run }) => {
		const { error, sd, inside } = await run();
		expect(inside).toBeGreaterThan(0.9);
		for (const [part, own] of sd.entries()) {
			expect(own).toBeLessThan(10 * error[part]);
			expect(own).toBeGreaterThan(0.5 * error[part]);
		}
	});
});
