/** Outputs that turn more often than they are sampled: a slower motion may go through the same samples (an alias). */
import { type Curve, instants, swingingIn } from "../../../estimate/judge/too-fast.ts";
import { Likelihood } from "../likelihood/likelihood.ts";
import { displaySamples } from "../likelihood/samples.ts";

/** Samples of each record that are looked at. */
const lookedAt = 200;

/** Names of such outputs, simulated with one vector of natural values. */
export async function swingingOutputs(likelihood: Likelihood, theta: Float64Array): Promise<string[]> {
	const { model, unknowns, experiments, settings, compute } = likelihood;
	const nOutputs = model.measures.length;
	const dense = likelihood.samples.map(({ times, y, present }, e) => {
		const n = Math.min(times.length, lookedAt);
		const first = {
			times: times.subarray(0, n),
			y: y.subarray(0, n * nOutputs),
			present: present.subarray(0, n * nOutputs),
		};
		return displaySamples(first, experiments[e].times[0], instants * n);
	});
	const substeps = Math.ceil((2 * settings.substeps) / instants);
	const valuesBy = async (steps: number): Promise<Float64Array[]> => {
		const diffusion = settings.linearisation === "ekf1" ? settings.diffusion : "off";
		const stepped = { ...settings, diffusion, substeps: steps } as const;
		const curves = new Likelihood(model, unknowns, experiments, stepped, compute, dense);
		const values: Float64Array[] = [];
		for (const [e, filter] of curves.filters.entries()) {
			const particles = curves.particles(theta, 1, e);
			values.push(
				(await filter.moments(compute, particles, filter.newState(1, false), 0, filter.nSamples)).value,
			);
		}
		return values;
	};
	const values = await valuesBy(substeps);
	const among = (others: readonly Float64Array[]): string[] =>
		swingingIn(
			model,
			values.flatMap((value, e) =>
				model.measures.map((_, index): Curve => {
					const own = (_: number, at: number): boolean => at % nOutputs === index;
					return { index, value: value.filter(own), other: others[e].filter(own) };
				}),
			),
		);
	// Finer steps only take turns away: they are made where there are some.
	return among(values).length === 0 ? [] : among(await valuesBy(2 * substeps));
}
