/**
 * The posterior as ArviZ reads it: `arviz.from_netcdf("posterior.nc")`. Each independent run is a chain, its particles
 * are the draws. Groups: posterior, sample_stats, prior, log_likelihood and posterior_predictive (where samples are not
 * too many; the latter where the model has a solution), observed_data, and constant_data with the inputs.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { foldFormulaInputs } from "../../../model/formula-inputs.ts";
import type { Model } from "../../../model/model.ts";
import { normalisedWeights } from "../../../num/statistics/log-weights.ts";
import { systematicResample } from "../../../num/statistics/resampling.ts";
import { version } from "../../../version.ts";
import type { BayesRun } from "../bayes-run.ts";
import { measuredInputs } from "../filter/noise/latent-force.ts";
import type { Samples } from "../likelihood/samples.ts";
import { drawPriors, naturalValues } from "../likelihood/unknowns.ts";
import { Ibis } from "../smc/ibis.ts";
import type { Sampler } from "../smc/pooled.ts";
import { Tempering } from "../smc/tempering.ts";
import { type NetcdfGroup, type NetcdfVariable, netcdf } from "./netcdf.ts";
import { type PointwiseSample, pointwise } from "./pointwise.ts";

const attributes = { inference_library: "odentify", inference_library_version: version };

interface Column {
	readonly name: string;
	readonly values: Float64Array;
}

/** What is told of a posterior, whatever found it. */
export interface PosteriorFile {
	readonly model: Model;
	readonly experiments: readonly Experiment[];
	readonly samples: readonly Samples[];
	/** Draws of each chain. */
	readonly nDraws: number;
	readonly chains: readonly {
		/** Natural values, one a draw; `own`: of each record, draws × records. */
		readonly columns: readonly Column[];
		readonly own?: readonly Column[];
		/** Log density of each draw, up to a constant, and the log evidence of the run. */
		readonly lp: Float64Array;
		readonly logEvidence: number;
	}[];
	readonly prior: readonly Column[];
	/** Records that have parameters of their own. */
	readonly nOwn?: number;
	/** Each sample under each draw of a chain. */
	readonly pointwise: (chain: number) => Promise<readonly PointwiseSample[]>;
}

export async function inferenceData(run: BayesRun): Promise<Uint8Array<ArrayBuffer>> {
	const { unknowns, likelihood, problem } = run;
	// With the columns that errors are made of.
	const model = foldFormulaInputs(problem.model);
	const chains = run.furthest;
	const evidences = run.logEvidences;
	const [{ n }] = chains;
	const columnsOf = (z: Float64Array, count: number): Column[] => {
		const theta = naturalValues(unknowns, z, count);
		return unknowns.map(({ name }, i) => ({ name, values: theta.slice(i * count, (i + 1) * count) }));
	};
	const drawn = chains.map((sampler) => {
		const parents = parentsOf(sampler);
		const { cloud } = sampler;
		return {
			parents,
			z: Float64Array.from({ length: unknowns.length * n }, (_, k) => cloud!.z[k - (k % n) + parents[k % n]]),
		};
	});
	return posteriorFile({
		model,
		experiments: likelihood.experiments,
		samples: likelihood.samples,
		nDraws: n,
		chains: chains.map((sampler, c) => {
			const { logPrior, logLik: own, luggage } = sampler.cloud!;
			const logLik = sampler instanceof Tempering && sampler.bridge ? luggage[0] : own;
			return {
				columns: columnsOf(drawn[c].z, n),
				lp: Float64Array.from(drawn[c].parents, (b) => logPrior[b] + logLik[b]),
				logEvidence: evidences.get(sampler)!,
			};
		}),
		prior: columnsOf(drawPriors(unknowns, run.samplers[0].n, problem.seed, "run 0"), run.samplers[0].n),
		pointwise: (c) => pointwise(likelihood, naturalValues(unknowns, drawn[c].z, n), n, problem.seed + c),
	});
}

/** Equally weighted draws: a run that was stopped on the way may hold weights. */
function parentsOf(sampler: Sampler): Int32Array {
	return sampler instanceof Ibis
		? systematicResample(normalisedWeights(sampler.logWeights), 0.5)
		: Int32Array.from({ length: sampler.n }, (_, b) => b);
}

export async function posteriorFile(file: PosteriorFile): Promise<Uint8Array<ArrayBuffer>> {
	return netcdf([
		posteriorGroup(file),
		statsGroup(file),
		...priorGroup(file),
		...(await sampleGroups(file)),
		...dataGroups(file),
	]);
}

/** Numbers of a group beyond which it is left out: a file is to be read, not carried. */
const mostNumbers = 1_000_000;

/** Log-likelihood of each sample under each draw, and what might have been measured in its place. */
async function sampleGroups(file: PosteriorFile): Promise<NetcdfGroup[]> {
	const { model, samples, chains, nDraws: n } = file;
	const instants = samples.reduce((sum, { present }) => sum + present.length, 0);
	if (instants * n * chains.length > mostNumbers) return [];
	const dimensions = { chain: chains.length, draw: n, ...timeDimensions(file) };
	const variables = (): NetcdfVariable[] =>
		samples.flatMap(({ times }, e) =>
			model.measures.map(({ name }) => ({
				name: `${name}${suffix(file, e)}`,
				dimensions: ["chain", "draw", `time${suffix(file, e)}`],
				values: new Float64Array(chains.length * n * times.length).fill(Number.NaN),
			})),
		);
	const [logLik, replicated] = [variables(), variables()];
	for (const c of chains.keys())
		for (const sample of await file.pointwise(c)) {
			const { experiment, output, instant } = sample;
			const at = experiment * model.measures.length + output;
			const nInstants = samples[experiment].times.length;
			for (let b = 0; b < n; b++) {
				const place = (c * n + b) * nInstants + instant;
				logLik[at].values[place] = sample.logLik[b];
				if (sample.replicated) replicated[at].values[place] = sample.replicated[b];
			}
		}
	return [
		{ name: "log_likelihood", dimensions, variables: logLik, attributes },
		...(replicated.some(({ values }) => values.some((value) => !Number.isNaN(value)))
			? [{ name: "posterior_predictive", dimensions, variables: replicated, attributes }]
			: []),
	];
}

function posteriorGroup({ chains, nDraws, nOwn }: PosteriorFile): NetcdfGroup {
	const [first] = chains;
	return {
		name: "posterior",
		dimensions: { chain: chains.length, draw: nDraws, ...(nOwn === undefined ? {} : { record: nOwn }) },
		variables: [
			...first.columns.map(({ name }, i) =>
				perDraw(
					name,
					chains.map(({ columns }) => columns[i].values),
				),
			),
			...(first.own ?? []).map(({ name }, i) => ({
				...perDraw(
					name,
					chains.map(({ own }) => own![i].values),
				),
				dimensions: ["chain", "draw", "record"],
			})),
		],
		attributes,
	};
}

function statsGroup({ chains, nDraws }: PosteriorFile): NetcdfGroup {
	const lp = perDraw(
		"lp",
		chains.map((chain) => chain.lp),
	);
	const evidence = Float64Array.from(chains, ({ logEvidence }) => logEvidence);
	return {
		name: "sample_stats",
		dimensions: { chain: chains.length, draw: nDraws },
		variables: [lp, { name: "log_evidence", dimensions: ["chain"], values: evidence }],
		attributes,
	};
}

/** None where the law of a population is known, and only its records have something to find. */
function priorGroup({ prior }: PosteriorFile): NetcdfGroup[] {
	if (prior.length === 0) return [];
	return [
		{
			name: "prior",
			dimensions: { chain: 1, draw: prior[0].values.length },
			variables: prior.map(({ name, values }) => perDraw(name, [values])),
			attributes,
		},
	];
}

/** Behind names where records are several, each on times of its own. */
function suffix({ experiments }: PosteriorFile, e: number): string {
	return experiments.length > 1 ? `_${e + 1}` : "";
}

function timeDimensions(file: PosteriorFile): Record<string, Float64Array> {
	return Object.fromEntries(file.samples.map(({ times }, e) => [`time${suffix(file, e)}`, times]));
}

/** Outputs and inputs. */
function dataGroups(file: PosteriorFile): NetcdfGroup[] {
	const { model, experiments, samples } = file;
	const dimensions = timeDimensions(file);
	const nOutputs = model.measures.length;
	const observed = experiments.flatMap((experiment, e) =>
		model.measures.map(({ name }, o): NetcdfVariable => {
			const series = experiment.outputs.get(name);
			const known = new Map(Array.from(series?.times ?? [], (t, i) => [t, series!.values[i]]));
			const values = samples[e].times.map((t, s) =>
				samples[e].present[s * nOutputs + o] > 0 ? known.get(t)! : Number.NaN,
			);
			return { name: `${name}${suffix(file, e)}`, dimensions: [`time${suffix(file, e)}`], values };
		}),
	);
	const inputs = experiments.flatMap((experiment, e) =>
		measuredInputs(model).map(
			(name): NetcdfVariable => ({
				name: `${name}${suffix(file, e)}`,
				dimensions: [`time${suffix(file, e)}`],
				values: samples[e].times.map((t) => experiment.inputs.get(name)!.at(t)),
			}),
		),
	);
	return [
		{ name: "observed_data", dimensions, variables: observed, attributes },
		...(inputs.length > 0 ? [{ name: "constant_data", dimensions, variables: inputs, attributes }] : []),
	];
}

/** A variable over chains and draws. */
function perDraw(name: string, chains: readonly Float64Array[]): NetcdfVariable {
	const values = new Float64Array(chains.length * chains[0].length);
	for (const [c, column] of chains.entries()) values.set(column, c * column.length);
	return { name, dimensions: ["chain", "draw"], values };
}
