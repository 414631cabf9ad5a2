/** A posterior from the training record, then open-loop simulations of a test record with its particles. */
import type { Experiment } from "../../src/data/experiment.ts";
import { findColumn } from "../../src/data/record.ts";
import { type Interpolation, signalFrom } from "../../src/data/signal/signal.ts";
import type { Table } from "../../src/data/table/table.ts";
import { type BayesOptions, BayesRun } from "../../src/methods/bayes/bayes-run.ts";
import { Likelihood } from "../../src/methods/bayes/likelihood/likelihood.ts";
import { naturalValues } from "../../src/methods/bayes/likelihood/unknowns.ts";
import { bayesOptions } from "../../src/methods/bayes/options.ts";
import { Predictive } from "../../src/methods/bayes/predict/predictive.ts";
import { defaultOptions } from "../../src/methods/options.ts";
import type { Model } from "../../src/model/model.ts";
import type { ReproductionContext } from "../../src/report/reproduction.ts";

export interface RecordPart {
	readonly name: string;
	readonly times: Float64Array;
	readonly inputs: Readonly<Record<string, Float64Array>>;
	readonly outputs: Readonly<Record<string, Float64Array>>;
	readonly interpolation: Interpolation;
	/** Rows that count; inputs know their neighbours beyond. */
	readonly from?: number;
	readonly to?: number;
}

export function experimentOf(part: RecordPart): Experiment {
	const { name, times, inputs, outputs, interpolation, from = 0, to = times.length } = part;
	const own = times.subarray(from, to);
	return {
		name,
		times: own,
		rows: { from, to },
		inputs: new Map(
			Object.entries(inputs).map(([key, values]) => [key, signalFrom(times, values, interpolation)]),
		),
		outputs: new Map(
			Object.entries(outputs).map(([key, values]) => [
				key,
				{ times: own, values: values.subarray(from, to), rows: Int32Array.from(own, (_, i) => from + i) },
			]),
		),
		conditions: {},
		removed: {},
	};
}

export function columnOf(table: Table, name: string): Float64Array {
	return findColumn(table, name).values;
}

export async function posteriorOf(
	context: ReproductionContext,
	model: Model,
	train: Experiment,
	options: Partial<BayesOptions>,
	progress: (fraction: number) => void,
): Promise<BayesRun> {
	const problem = {
		model,
		train: [train],
		test: [],
		start: {},
		seed: context.seed,
		compute: context.compute,
	};
	const run = new BayesRun(problem, { ...defaultOptions(bayesOptions), ...options });
	for (;;) {
		const { fraction } = await run.advance();
		progress(fraction);
		// The posterior is there, and its runs are weighed: what would follow is for a report.
		if (!["steps", "sample", "check", "weigh"].includes(run.phase)) return run;
	}
}

export interface TestError {
	readonly min: number;
	readonly mean: number;
	readonly max: number;
}

/** Root mean square error of every particle's simulation; `skip` leaves out a transient at the start. */
export async function testError(
	context: ReproductionContext,
	run: BayesRun,
	model: Model,
	test: Experiment,
	settings: {
		readonly substeps: number;
		readonly q?: number;
		readonly skip?: number;
		readonly particles: number;
	},
	progress: (fraction: number) => void,
): Promise<TestError> {
	const { z, n } = run.thinned(settings.particles);
	const filter = {
		...run.settings,
		diffusion: "off" as const,
		linearisation: "ekf0" as const,
		substeps: settings.substeps,
		q: settings.q ?? run.settings.q,
	};
	const likelihood = new Likelihood(model, run.unknowns, [test], filter, context.compute);
	const [{ present }] = likelihood.samples;
	present.fill(0, 0, settings.skip ?? 0);
	const predictive = new Predictive(likelihood, naturalValues(run.unknowns, z, n), n);
	while (!predictive.done) {
		await predictive.advance();
		progress(predictive.fraction);
	}
	const [{ rmse }] = predictive.predictions;
	return {
		min: Math.min(...rmse),
		mean: rmse.reduce((sum, value) => sum + value, 0) / rmse.length,
		max: Math.max(...rmse),
	};
}
