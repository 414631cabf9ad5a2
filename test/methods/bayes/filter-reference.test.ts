/** The filter against numbers of an independent implementation in 60 digits (`reference/duffing-loglik.json`). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import { unscale } from "../../../src/estimate/state-space/integrated-wiener.ts";
import { gridBuffers, stepGrid } from "../../../src/methods/bayes/filter/filter-grid.ts";
import { type FilterSpec, filterKernel } from "../../../src/methods/bayes/filter/filter-kernel.ts";
import { layoutOf } from "../../../src/methods/bayes/filter/layout.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { compileJs } from "../../lower/support/js-kernel.ts";

interface Reference {
	h: number;
	u: number[];
	y: number[];
	R: number;
	configs: {
		layout: "stacked" | "native";
		q: number;
		gamma_mode: "fixed" | "running";
		gamma_fixed?: number[];
		results: {
			theta: number[];
			loglik: number;
			loglik_increments: number[];
			final_mean: number[];
			final_cov: number[][];
			final_gamma: number[];
		}[];
	}[];
}
const reference = JSON.parse(
	readFileSync(new URL("reference/duffing-loglik.json", import.meta.url), "utf8"),
) as Reference;

const model = parseModel(
	`input u
param m, c, k, k3
param s = 1e-4
state x = 0.01, x' = 0.2
m*x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, s)`,
	"duffing.ode",
);
const params = ["m", "c", "k", "k3"];

function close(ours: number, theirs: number, scale = Math.abs(theirs)): void {
	expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(1e-10 * scale + 1e-300);
}

describe.each(reference.configs)("$layout, q = $q, $gamma_mode Γ", (config) => {
	const times = Float64Array.from(reference.u, (_, i) => i * reference.h);
	const grid = stepGrid(0, times, 1);
	const layout = layoutOf(model, config.layout, config.q);
	const n = layout.nCoordinates;
	const signals = [signalFrom(times, Float64Array.from(reference.u), "linear")];
	const run = (output: FilterSpec["output"], uniformSteps: boolean, form?: FilterSpec["form"]) => {
		const spec: FilterSpec = {
			model,
			layout,
			form,
			linearisation: "ekf0",
			diffusion: config.gamma_mode,
			params,
			freeInitial: [],
			exactStart: false,
			uniformSteps,
			gaps: false,
			update: true,
			equationEvidence: false,
			output,
		};
		const filter = filterKernel(spec);
		const batch = config.results.length;
		const buffers: Record<string, Float64Array> = {
			...gridBuffers(spec, filter, {
				grid,
				signals,
				y: Float64Array.from(reference.y),
				present: new Float64Array(),
				gamma: config.gamma_fixed,
			}),
			params: new Float64Array(4 * batch),
			initial: new Float64Array(batch),
			mean: new Float64Array(n * batch),
			cov: new Float64Array(filter.covPairs.length * batch),
			diffusion: new Float64Array(layout.blocks.length * batch),
			logLik: new Float64Array(batch),
			increments: new Float64Array(times.length * batch),
		};
		for (const [b, { theta }] of config.results.entries())
			for (const [i, value] of theta.entries()) buffers.params[i * batch + b] = value;
		const used = filter.kernel.buffers.map(({ name }) => buffers[name]);
		compileJs(filter.kernel)(0, batch, batch, ...used, 0, times.length);
		return { filter, buffers, batch };
	};

	it("gives the log-likelihoods, increments and final moments to 1e-10", () => {
		const { filter, buffers, batch } = run("increments", true);
		const derivative = layout.blocks.flatMap(({ q }) => Array.from({ length: q + 1 }, (_, i) => i));
		for (const [b, expected] of config.results.entries()) {
			close(buffers.logLik[b], expected.loglik);
			for (const [s, increment] of expected.loglik_increments.entries())
				close(buffers.increments[s * batch + b], increment, Math.max(1, Math.abs(increment)));
			for (let i = 0; i < n; i++)
				close(buffers.mean[i * batch + b] * unscale(derivative[i], reference.h), expected.final_mean[i]);
			const known = new Map(filter.covPairs.map(([i, j], k) => [i * n + j, buffers.cov[k * batch + b]]));
			for (let i = 0; i < n; i++)
				for (let j = i; j < n; j++) {
					const natural =
						(known.get(i * n + j) ?? 0) *
						unscale(derivative[i], reference.h) *
						unscale(derivative[j], reference.h);
					const size = Math.sqrt(expected.final_cov[i][i] * expected.final_cov[j][j]);
					close(natural, expected.final_cov[i][j], size);
				}
			if (config.gamma_mode === "running")
				for (const [k, gamma] of expected.final_gamma.entries())
					close(buffers.diffusion[k * batch + b] / (times.length - 1), gamma);
		}
	});

	it("gives the same in square-root form", () => {
		for (const uniform of [true, false]) {
			const { filter, buffers, batch } = run("none", uniform, "root");
			const derivative = layout.blocks.flatMap(({ q }) => Array.from({ length: q + 1 }, (_, i) => i));
			for (const [b, expected] of config.results.entries()) {
				close(buffers.logLik[b], expected.loglik);
				const L = new Map(filter.covPairs.map(([j, i], k) => [i * n + j, buffers.cov[k * batch + b]]));
				for (let i = 0; i < n; i++)
					for (let j = i; j < n; j++) {
						let sum = 0;
						for (let k = 0; k <= i; k++) sum += (L.get(i * n + k) ?? 0) * (L.get(j * n + k) ?? 0);
						const natural = sum * unscale(derivative[i], reference.h) * unscale(derivative[j], reference.h);
						const size = Math.sqrt(expected.final_cov[i][i] * expected.final_cov[j][j]);
						close(natural, expected.final_cov[i][j], size);
					}
			}
		}
	});

	it("gives the same whole record at once, and with steps that may vary", () => {
		for (const uniform of [true, false]) {
			const { buffers } = run("none", uniform);
			for (const [b, expected] of config.results.entries()) close(buffers.logLik[b], expected.loglik);
		}
	});
});
