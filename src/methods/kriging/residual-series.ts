/** What the fitted trajectories leave of the samples, in standard deviations of the noise. */
import { mostTold, type ResidualSeries, unitOf, withTaken } from "../../estimate/judge/series.ts";
import { log } from "../../num/elementary/number.ts";
import type { Simulated } from "./answer/predictions.ts";
import { noiseAt, noiseOf } from "./records.ts";
import type { KrigingRun } from "./run.ts";

export function residualSeries({ layout }: KrigingRun, simulated: readonly Simulated[]): ResidualSeries[] {
	const n = layout.model.components.length;
	const training = simulated.filter(({ part }) => part === "train");
	// Errors along two records hang together by the field, of which their columns say nothing.
	const isTold = training.length === 1 && training[0].simulation.t.length <= mostTold;
	return withTaken(
		training.flatMap(({ experiment, record, simulation: { t, x, errorRows } }) => {
			const at = new Map(Array.from(t, (time, i) => [time, i]));
			return layout.tracks.flatMap(({ readings }, track) =>
				readings.flatMap((reading): (ResidualSeries & { along?: Float64Array })[] => {
					const data = experiment.outputs.get(reading.measure.name);
					if (!data) return [];
					const noise = noiseAt(layout, record, track, reading);
					const there = Array.from(data.times.keys()).filter((k) => at.has(data.times[k]));
					const errors = errorRows(isTold ? there.map((k) => data.times[k]) : []);
					const along = new Float64Array(isTold ? there.length * errors.width : 0);
					const residual = there.map((k, i) => {
						const state = x[at.get(data.times[k])! * n + reading.component];
						const said = reading.gain * state + reading.offset;
						const size = Math.abs(reading.gain) * Math.sqrt(noise(state));
						const from = (i * n + reading.component) * errors.width;
						for (let c = 0; isTold && c < errors.width; c++)
							along[i * errors.width + c] = (reading.gain * errors.rows[from + c]) / size;
						const y = data.values[k];
						// Noise of a lognormal output is a share of it.
						return reading.isLog ? (log(y / said) * said) / size : (y - said) / size;
					});
					return [
						{
							experiment: experiment.name,
							output: reading.measure.name,
							t: there.map((k) => data.times[k]),
							observed: there.map((k) => data.values[k]),
							residual: Float64Array.from(residual),
							...(isTold ? { along } : {}),
							noise: noiseOf(layout, layout.tracks[track]) === "known" ? unitOf(reading.measure) : "found",
						},
					];
				}),
			);
		}),
	);
}
