/** The square-root form: its noise factor, and what it is for. */
import { describe, expect, it } from "vitest";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import { noiseFactor, scaledNoise } from "../../../src/estimate/state-space/integrated-wiener.ts";
import { gridBuffers, stepGrid } from "../../../src/methods/bayes/filter/filter-grid.ts";
import { type FilterSpec, filterKernel } from "../../../src/methods/bayes/filter/filter-kernel.ts";
import { layoutOf } from "../../../src/methods/bayes/filter/layout.ts";
import { chooseForm } from "../../../src/methods/bayes/likelihood/step-choice.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { compileJs } from "../../lower/support/js-kernel.ts";
import { gridTimes, simulate } from "./helpers.ts";

describe("the factor of the noise", () => {
	it.each([1, 2, 3, 5, 8])("times its transpose is the noise (q = %i)", (q) => {
		const [F, c] = [noiseFactor(q), scaledNoise(q)];
		const n = q + 1;
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++) {
				let sum = 0;
				for (let k = 0; k < n; k++) sum += F[i * n + k] * F[j * n + k];
				expect(Math.abs(sum / c[i * n + j] - 1)).toBeLessThan(1e-13);
			}
	});
});

describe("precise data", () => {
	const model = parseModel(
		`input u
param c
param s = 1e-13
state x = 0.01, x' = 0.2
x'' + c*x' + 3*x + 0.8*x^3 = u
measure y ~ normal(x + 0.5*x', s)`,
		"duffing.ode",
	);
	const times = gridTimes(600, 0.01);
	const u = times.map((t) => Math.sin(1.3 * t));
	const states = simulate(
		(t, [x, v]) => [v, Math.sin(1.3 * t) - 0.2 * v - 3 * x - 0.8 * x ** 3],
		[0.01, 0.2],
		times,
	);
	const logLik = (q: number, form: "covariance" | "root"): number => {
		const layout = layoutOf(model, "native", q);
		const spec: FilterSpec = {
			model,
			layout,
			form,
			linearisation: "ekf1",
			diffusion: "running",
			params: ["c"],
			freeInitial: [],
			exactStart: true,
			uniformSteps: true,
			oneStep: true,
			gaps: false,
			update: true,
			equationEvidence: false,
			output: "none",
		};
		const filter = filterKernel(spec);
		const buffers: Record<string, Float64Array> = {
			...gridBuffers(spec, filter, {
				grid: stepGrid(0, times, 1),
				signals: [signalFrom(times, u, "cubic")],
				y: Float64Array.from(states, ([x, v]) => x + 0.5 * v),
				present: new Float64Array(),
			}),
			params: Float64Array.of(0.2),
			initial: new Float64Array(1),
			mean: new Float64Array(layout.nCoordinates),
			cov: new Float64Array(filter.covPairs.length),
			diffusion: new Float64Array(1),
			logLik: new Float64Array(1),
		};
		const used = filter.kernel.buffers.map(({ name }) => buffers[name]);
		compileJs(filter.kernel)(0, 1, 1, ...used, 0, times.length);
		return buffers.logLik[0];
	};

	it("makes the forms differ at high q only, and there the root is chosen", () => {
		const difference = (q: number): number => Math.abs(logLik(q, "covariance") - logLik(q, "root"));
		expect(difference(3)).toBeLessThan(1e-6);
		expect(difference(6)).toBeGreaterThan(1e-4);
		expect(chooseForm(3, "ekf1")).toBe("covariance");
		expect(chooseForm(6, "ekf1")).toBe("root");
	});
});
