/**
 * The posterior as ArviZ reads it: `arviz.from_netcdf("posterior.nc")`. Each independent run is a chain, its particles
 * are the draws. Groups: posterior, sample_stats, prior, log_likelihood and posterior_predictive (where samples have
 * densities of their own, and are not too many), observed_data, and constant_data with the inputs.
 */
import { normalisedWeights } from "../../../num/log-weights.ts";
import { systematicResample } from "../../../num/resampling.ts";
import { version } from "../../../version.ts";
import type { BayesRun } from "../bayes-run.ts";
import { measuredInputs } from "../filter/latent-force.ts";
import { drawPriors, naturalValues } from "../likelihood/unknowns.ts";
import { Ibis } from "../smc/ibis.ts";
import type { Sampler } from "../smc/pooled.ts";
import { Tempering } from "../smc/tempering.ts";
import { type NetcdfGroup, type NetcdfVariable, netcdf } from "./netcdf.ts";
import { isPointwise, pointwise } from "./pointwise.ts";

const attributes = { inference_library: "odentify", inference_library_version: version };

export async function inferenceData(run: BayesRun): Promise<Uint8Array<ArrayBuffer>> {
	const chains = run.samplers.filter(({ outcome, cloud }) => outcome !== "diverged" && cloud);
	return netcdf([
		posteriorGroup(run, chains),
		statsGroup(run, chains),
		priorGroup(run),
		...(await sampleGroups(run, chains)),
		...dataGroups(run),
	]);
}

/** Numbers of a group beyond which it is left out: a file is to be read, not carried. */
const mostNumbers = 1_000_000;

/** Log-likelihood of each sample under each draw, and what might have been measured in its place. */
async function sampleGroups(run: BayesRun, chains: readonly Sampler[]): Promise<NetcdfGroup[]> {
	const { likelihood, unknowns, model, problem } = run;
	const [{ n }] = chains;
	const instants = likelihood.samples.reduce((sum, { present }) => sum + present.length, 0);
	if (!isPointwise(run) || instants * n * chains.length > mostNumbers) return [];
	const several = likelihood.experiments.length > 1;
	const suffix = (e: number): string => (several ? `_${e + 1}` : "");
	const dimensions = {
		chain: chains.length,
		draw: n,
		...Object.fromEntries(likelihood.samples.map(({ times }, e) => [`time${suffix(e)}`, times])),
	};
	const variables = (): NetcdfVariable[] =>
		likelihood.samples.flatMap(({ times }, e) =>
			model.measures.map(({ name }) => ({
				name: `${name}${suffix(e)}`,
				dimensions: ["chain", "draw", `time${suffix(e)}`],
				values: new Float64Array(chains.length * n * times.length).fill(Number.NaN),
			})),
		);
	const [logLik, replicated] = [variables(), variables()];
	for (const [c, sampler] of chains.entries()) {
		const parents = parentsOf(sampler);
		const z = Float64Array.from(
			{ length: unknowns.length * n },
			(_, k) => sampler.cloud!.z[k - (k % n) + parents[k % n]],
		);
		const seed = problem.seed + c;
		for (const sample of await pointwise(likelihood, naturalValues(unknowns, z, n), n, seed)) {
			const { experiment, output, instant } = sample;
			const at = experiment * model.measures.length + output;
			const nInstants = likelihood.samples[experiment].times.length;
			for (let b = 0; b < n; b++) {
				const place = (c * n + b) * nInstants + instant;
				logLik[at].values[place] = sample.logLik[b];
				replicated[at].values[place] = sample.replicated[b];
			}
		}
	}
	return [
		{ name: "log_likelihood", dimensions, variables: logLik, attributes },
		{ name: "posterior_predictive", dimensions, variables: replicated, attributes },
	];
}

function posteriorGroup({ unknowns }: BayesRun, chains: readonly Sampler[]): NetcdfGroup {
	const [{ n }] = chains;
	const columns = chains.map((sampler) => {
		const parents = parentsOf(sampler);
		const theta = naturalValues(unknowns, sampler.cloud!.z, n);
		return unknowns.map((_, i) => Float64Array.from(parents, (b) => theta[i * n + b]));
	});
	return {
		name: "posterior",
		dimensions: { chain: chains.length, draw: n },
		variables: unknowns.map(({ name }, i) =>
			perDraw(
				name,
				columns.map((column) => column[i]),
			),
		),
		attributes,
	};
}

/** Log density of each draw, up to a constant, and the log evidence of each run. */
function statsGroup(run: BayesRun, chains: readonly Sampler[]): NetcdfGroup {
	const [{ n }] = chains;
	const lp = chains.map((sampler) => {
		const { logPrior, logLik: own, luggage } = sampler.cloud!;
		const logLik = sampler instanceof Tempering && sampler.bridge ? luggage[0] : own;
		return Float64Array.from(parentsOf(sampler), (b) => logPrior[b] + logLik[b]);
	});
	const evidence = Float64Array.from(chains, (sampler) => run.evidenceOf(sampler));
	return {
		name: "sample_stats",
		dimensions: { chain: chains.length, draw: n },
		variables: [perDraw("lp", lp), { name: "log_evidence", dimensions: ["chain"], values: evidence }],
		attributes,
	};
}

function priorGroup({ unknowns, problem, samplers: [{ n }] }: BayesRun): NetcdfGroup {
	const theta = naturalValues(unknowns, drawPriors(unknowns, n, problem.seed, "run 0"), n);
	return {
		name: "prior",
		dimensions: { chain: 1, draw: n },
		variables: unknowns.map(({ name }, i) => perDraw(name, [theta.slice(i * n, (i + 1) * n)])),
		attributes,
	};
}

/** Outputs and inputs, each experiment on times of its own. */
function dataGroups({ model, likelihood }: BayesRun): NetcdfGroup[] {
	const { experiments, samples } = likelihood;
	const several = experiments.length > 1;
	const suffix = (e: number): string => (several ? `_${e + 1}` : "");
	const dimensions = Object.fromEntries(samples.map(({ times }, e) => [`time${suffix(e)}`, times]));
	const nOutputs = model.measures.length;
	const observed = experiments.flatMap((experiment, e) =>
		model.measures.map(({ name }, o): NetcdfVariable => {
			const series = experiment.outputs.get(name);
			const known = new Map(Array.from(series?.times ?? [], (t, i) => [t, series!.values[i]]));
			const values = samples[e].times.map((t, s) =>
				samples[e].present[s * nOutputs + o] > 0 ? known.get(t)! : Number.NaN,
			);
			return { name: `${name}${suffix(e)}`, dimensions: [`time${suffix(e)}`], values };
		}),
	);
	const inputs = experiments.flatMap((experiment, e) =>
		measuredInputs(model).map(
			(name): NetcdfVariable => ({
				name: `${name}${suffix(e)}`,
				dimensions: [`time${suffix(e)}`],
				values: samples[e].times.map((t) => experiment.inputs.get(name)!.at(t)),
			}),
		),
	);
	return [
		{ name: "observed_data", dimensions, variables: observed, attributes },
		...(inputs.length > 0 ? [{ name: "constant_data", dimensions, variables: inputs, attributes }] : []),
	];
}

/** Equally weighted draws: a run that was stopped on the way may hold weights. */
function parentsOf(sampler: Sampler): Int32Array {
	return sampler instanceof Ibis
		? systematicResample(normalisedWeights(sampler.logWeights), 0.5)
		: Int32Array.from({ length: sampler.n }, (_, b) => b);
}

/** A variable over chains and draws. */
function perDraw(name: string, chains: readonly Float64Array[]): NetcdfVariable {
	const values = new Float64Array(chains.length * chains[0].length);
	for (const [c, column] of chains.entries()) values.set(column, c * column.length);
	return { name, dimensions: ["chain", "draw"], values };
}
