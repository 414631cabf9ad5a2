/** Outputs that turn more often than they are sampled: a slower motion may go through the same samples (an alias). */
import { instants, turnsOf } from "../../../estimate/judge/too-fast.ts";
import { Likelihood } from "../likelihood/likelihood.ts";
import { displaySamples } from "../likelihood/samples.ts";

/** Samples of each record that are looked at. */
const lookedAt = 200;

/** Names of such outputs, simulated with one vector of natural values. */
export async function swingingOutputs(likelihood: Likelihood, theta: Float64Array): Promise<string[]> {
	const { model, unknowns, experiments, settings, compute } = likelihood;
	const nOutputs = model.measures.length;
	const counts = likelihood.samples.map(({ times }) => Math.min(times.length, lookedAt));
	const dense = likelihood.samples.map(({ times, y, present }, e) => {
		const n = counts[e];
		const first = {
			times: times.subarray(0, n),
			y: y.subarray(0, n * nOutputs),
			present: present.subarray(0, n * nOutputs),
		};
		return displaySamples(first, experiments[e].times[0], instants * n);
	});
	const curves = new Likelihood(
		model,
		unknowns,
		experiments,
		{
			...settings,
			diffusion: settings.linearisation === "ekf1" ? settings.diffusion : "off",
			substeps: Math.ceil((2 * settings.substeps) / instants),
		},
		compute,
		dense,
	);
	const turns = new Array<number>(nOutputs).fill(0);
	for (const [e, filter] of curves.filters.entries()) {
		const particles = curves.particles(theta, 1, e);
		const { value } = await filter.moments(compute, particles, filter.newState(1, false), 0, filter.nSamples);
		for (let o = 0; o < nOutputs; o++) turns[o] += turnsOf(value.filter((_, at) => at % nOutputs === o));
	}
	const intervals = counts.reduce((sum, n) => sum + n, 0);
	return model.measures.flatMap(({ name }, o) => (turns[o] > intervals ? [name] : []));
}
