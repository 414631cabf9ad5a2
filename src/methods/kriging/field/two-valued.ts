/**
 * Whether an unknown function can be one: two instants at which its arguments are nearer to each other than to those of
 * the samples next in time, and which ask for very different values of it. Then something else changes the derivative: a
 * state that the model does not have, an input, or a jump.
 *
 * Reference: Kennel, Brown, Abarbanel, "Determining embedding dimension for phase-space reconstruction using a
 * geometrical construction", 1992 (false nearest neighbours).
 */
import { log } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import type { KrigingRun } from "../run.ts";
import { varianceOf } from "../time/time-hyper.ts";
import type { FieldData } from "./field-hyper.ts";

export interface TwoValued {
	readonly fn: number;
	readonly pair: readonly { readonly t: number; readonly args: Float64Array; readonly value: number }[];
}

interface Observation {
	readonly instant: number;
	readonly site: number;
	readonly value: number;
	readonly variance: number;
	/** Distance to the nearer of its neighbours in time. */
	readonly step: number;
}

/** The clearest such pair. */
export function twoValued(run: KrigingRun): TwoValued | undefined {
	const { field, seen } = run.learning!.passes[0];
	const { design } = field;
	const data = seen!;
	const times = run.learning!.records.sparse.flatMap(({ record }) => [...record.grid]);
	let found: TwoValued | undefined;
	let clearest = 0;
	for (const own of observations(run, data)) {
		const nPairs = (own.length * (own.length - 1)) / 2;
		// Noise alone has one such pair in one case of a hundred.
		const chance = 2 * log(100 * nPairs);
		const spread = varianceOf(own.map(({ value }) => value));
		own.forEach((a, i) => {
			for (const b of own.slice(0, i)) {
				const apart = squared(a.value - b.value);
				const ratio = apart / (a.variance + b.variance);
				if (!(ratio > Math.max(chance, clearest) && apart > spread)) continue;
				if (!(2 * distance(data, a.site, b.site) < Math.min(a.step, b.step))) continue;
				const { of } = data.sites[a.site];
				const { scale, centre } = design.functions[of];
				clearest = ratio;
				found = {
					fn: of,
					pair: [b, a].map(({ instant, site, value }) => ({
						t: times[instant],
						args: data.sites[site].x.map((x, k) => x * scale[k] + centre[k]),
						value,
					})),
				};
			}
		});
	}
	return found;
}

/** Values that each call has to have, of those that stand alone in an equation without free parameters. */
function observations({ dynamics, learning }: KrigingRun, data: FieldData): Observation[][] {
	const { nCalls, layout } = dynamics;
	const ends = new Set<number>();
	let last = -1;
	for (const { record } of learning!.records.sparse) {
		last += record.grid.length;
		ends.add(last);
	}
	const byCall: Observation[][] = layout.calls.map(() => []);
	data.functionals.forEach(({ at, weight, factors }, i) => {
		if (at.length !== 1 || factors.some((factor) => factor !== 0)) return;
		const [site] = at;
		const instant = Math.floor(site / nCalls);
		const steps = [
			...(instant > 0 && !ends.has(instant - 1) ? [distance(data, site, site - nCalls)] : []),
			...(ends.has(instant) ? [] : [distance(data, site, site + nCalls)]),
		];
		byCall[site % nCalls].push({
			instant,
			site,
			value: data.y[i] / weight[0],
			variance: data.noise[i * data.y.length + i] / squared(weight[0]),
			step: Math.min(...steps),
		});
	});
	return byCall;
}

function distance({ sites }: FieldData, i: number, j: number): number {
	return Math.sqrt(sites[i].x.reduce((sum, value, k) => sum + squared(value - sites[j].x[k]), 0));
}
