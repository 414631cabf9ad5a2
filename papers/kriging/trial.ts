/** One noise seed of the paper's example: learned, simulated on by a solver or by the paper's integrator, and judged. */
import type { Compute } from "../../src/compute/compute.ts";
import { endOf } from "../../src/methods/kriging/answer/predictions.ts";
import { BoundDynamics } from "../../src/methods/kriging/dynamics.ts";
import { after } from "../../src/methods/kriging/field/learning.ts";
import { type KrigingOptions, KrigingRun } from "../../src/methods/kriging/run.ts";
import { simulate } from "../../src/methods/kriging/simulate/simulation.ts";
import { withConditions } from "../../src/methods/kriging/time/smoothed-record.ts";
import { trackRadial } from "../../src/methods/kriging/time/step1.ts";
import { integrateByKriging } from "./integrator.ts";
import { nSamples, type PaperExample, spacing } from "./paper-example.ts";

/** Starts of the windows, ten units of time each, in which errors are given. */
export const windows = [20, 30, 40, 50];

/** The paper's weighs derivatives by the error of the field, or not. */
export type Integrator = "solver" | "paper" | "paper with errors";

/** What one seed gives. */
export interface Trial {
	readonly run: KrigingRun;
	/** Simulated states from the last sample on, row by row, and their standard deviations. */
	readonly x: Float64Array;
	readonly sd: Float64Array;
	/** Root mean square errors in the windows, and of the derivatives at the samples. */
	readonly windows: readonly number[];
	readonly derivatives: readonly number[];
	/** Share of the simulated states within 1.96 standard deviations. */
	readonly coverage: number;
}

export async function trial(
	example: PaperExample,
	options: KrigingOptions,
	integrator: Integrator,
	seed: number,
	compute: Compute,
): Promise<Trial> {
	const problem = { model: example.model, train: [example.record(seed)], test: [], start: {}, seed, compute };
	const run = new KrigingRun(problem, options);
	while (!(await run.advance()).done);
	const { dynamics, pass, smoothed, layout, fits, smoothers } = run;
	const { record, tracks } = smoothed[0];
	const { functions, params } = after(pass, dynamics);
	const times = example.t.slice(nSamples - 1);
	const solved = simulate({
		dynamics,
		error: run.fieldError,
		functions,
		params,
		record,
		start: endOf(run, 0),
		times,
	});
	const x =
		integrator === "solver"
			? solved.x
			: integrateByKriging({
					bound: new BoundDynamics(dynamics, functions, withConditions(params, record), []),
					radials: layout.tracks.map((_, track) => trackRadial(layout, track, options)),
					hypers: fits,
					history: 3,
					errors: integrator === "paper with errors" ? pass.field : undefined,
					spacing,
					t0: times[0],
					before: (t) =>
						Float64Array.from(
							layout.places,
							({ track, order }) => smoothers[0][track].posterior([{ t, order }], false).mean[0],
						),
					times,
				});
	const truth = example.x.subarray(2 * (nSamples - 1));
	const error = (i: number): number => (i < x.length ? x[i] - truth[i] : Number.POSITIVE_INFINITY);
	let inside = 0;
	for (let i = 2; i < truth.length; i++) if (Math.abs(error(i)) <= 1.96 * solved.sd[i]) inside++;
	return {
		run,
		x,
		sd: solved.sd,
		windows: windows.map((from) => {
			const within = Array.from(times.keys()).filter(
				(i) => times[i] >= from && times[i] <= from + 10 && i > 0,
			);
			const sum = within.reduce((all, i) => all + error(2 * i) ** 2 + error(2 * i + 1) ** 2, 0);
			return Math.sqrt(sum / (2 * within.length));
		}),
		derivatives: [0, 1].map((c) => {
			const at = tracks[c].mean.subarray(nSamples, 2 * nSamples);
			return Math.sqrt(at.reduce((sum, d, i) => sum + (d - example.slope[2 * i + c]) ** 2, 0) / nSamples);
		}),
		coverage: inside / (truth.length - 2),
	};
}
