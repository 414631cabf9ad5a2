/** Filters as one launch: of a Duffing oscillator, and of a chain of states; state in registers over the whole record, one number out. */
import { signalFrom } from "../src/data/signal/signal.ts";
import type { Kernel } from "../src/lower/ir.ts";
import { gridBuffers, stepGrid } from "../src/methods/bayes/filter/filter-grid.ts";
import { type FilterSpec, filterKernel } from "../src/methods/bayes/filter/filter-kernel.ts";
import { layoutOf } from "../src/methods/bayes/filter/layout.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import type { Model } from "../src/model/model.ts";

const model = parseModel(
	`input u
param m, c, k, k3
param s = 0.02
state x = 0.01, x' = 0.2
m*x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, s)`,
	"duffing.ode",
);
const values = [1, 0.2, 3, 0.8];

export interface FilterLaunch {
	readonly kernel: Kernel;
	readonly batch: number;
	readonly buffers: Record<string, Float64Array>;
	readonly scalars: Record<string, number>;
}

/** `q`: derivatives that the filter carries. */
export function duffingFilter(batch: number, nSamples: number, q = 3): FilterLaunch {
	return filterLaunch(model, values, batch, nSamples, q, { diffusion: "running", exactStart: false });
}

/** n states, each driven by the one before it; the integration taken as exact, one step a sample. */
export function chainFilter(n: number, batch: number, nSamples: number, q: number): FilterLaunch {
	const states = Array.from({ length: n }, (_, i) => i);
	const rates = states.map((i) => {
		const from = i === 0 ? "u" : `k${i - 1}*x${i - 1}`;
		const back = i + 1 < n ? ` + 0.1*k${i}*x${i + 1}` : "";
		return `x${i}' = ${from} - k${i}*x${i}${back} - 0.1*x${i}^3`;
	});
	const chain = parseModel(
		`input u
param ${states.map((i) => `k${i}`).join(", ")}
param s = 0.02
state ${states.map((i) => `x${i} = 0.01`).join(", ")}
${rates.join("\n")}
measure y ~ normal(x${n - 1}, s)`,
		"chain.ode",
	);
	const ones = states.map(() => 1);
	return filterLaunch(chain, ones, batch, nSamples, q, { diffusion: "off", exactStart: true, oneStep: true });
}

function filterLaunch(
	model: Model,
	values: readonly number[],
	batch: number,
	nSamples: number,
	q: number,
	settings: Pick<FilterSpec, "diffusion" | "exactStart" | "oneStep">,
): FilterLaunch {
	const times = Float64Array.from({ length: nSamples }, (_, i) => 0.05 * i);
	const layout = layoutOf(model, "native", q);
	const spec: FilterSpec = {
		model,
		layout,
		linearisation: "ekf0",
		params: model.params.map(({ name }) => name).filter((name) => name !== "s"),
		freeInitial: [],
		uniformSteps: true,
		gaps: false,
		update: true,
		equationEvidence: false,
		output: "none",
		...settings,
	};
	const filter = filterKernel(spec);
	const force = times.map((t) => 2 * Math.sin(1.1 * t) + Math.sin(2.9 * t + 1));
	const shared = gridBuffers(spec, filter, {
		grid: stepGrid(0, times, 1),
		signals: [signalFrom(times, force, "linear")],
		y: times.map((t) => 0.5 * Math.sin(1.1 * t)),
		present: new Float64Array(),
	});
	const lanes = (rows: number): Float64Array => new Float64Array(rows * batch);
	const params = lanes(values.length).map(
		(_, i) => values[Math.floor(i / batch)] * (1 + (i % batch) / (10 * batch)),
	);
	return {
		kernel: filter.kernel,
		batch,
		buffers: {
			...shared,
			params,
			initial: lanes(1),
			mean: lanes(layout.nCoordinates),
			cov: lanes(Math.max(filter.covPairs.length, 1)),
			diffusion: lanes(layout.blocks.length),
			logLik: lanes(1),
		},
		scalars: { from: 0, to: nSamples },
	};
}
