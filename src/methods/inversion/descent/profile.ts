/**
 * Profile likelihood of the chosen weights: each is held at values farther and farther from its estimate while the others are
 * fitted again. The interval ends where the sum of squares has risen by the 95 % quantile; where it never does, or where the
 * simulation blows up before, the data do not bound the weight.
 *
 * Reference: Raue and others, Bioinformatics 25, 2009.
 */
import { studentQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";
import { agreesWithin } from "../forward/departure.ts";
import { sumOfSquares, type WeightedProblem } from "../forward/linearisation.ts";
import { refit } from "../workspace.ts";
import type { Descent, DescentOptions } from "./descent.ts";
import { type FittedModel, movedAlong } from "./fitted-model.ts";
import type { LinearFit } from "./linear-fit.ts";

export interface Profile {
	readonly unknown: number;
	/** Weight and rise of the sum of squares over the variance. */
	readonly points: readonly { readonly value: number; readonly rise: number }[];
	/** null: no end was found on this side. */
	readonly lo: number | null;
	readonly hi: number | null;
}

/** Distances from the estimate, in standard errors, until the end is found. */
const distances = [1, 2, 3, 5, 9, 17, 33];
/** How often a stride that ends where the simulation blows up is halved. */
const mostHalvings = 4;
/** Rises so many times as large as where the interval ends are too steep to be told from a simulation that blows up. */
const cliff = 100;

/** The optimum near an answer, with the steps of the profiles. */
export interface Least {
	readonly sse: number;
	readonly linear: LinearFit | undefined;
}

export async function leastNear(
	problem: WeightedProblem,
	{ active, point }: FittedModel,
	variance: number,
	nWeights: number,
): Promise<Least> {
	const descent = await refit(problem, active, point, limitsFor(variance), nWeights).run();
	return { sse: descent.sse, linear: await descent.linear() };
}

export async function profileOf(
	problem: WeightedProblem,
	model: FittedModel,
	unknown: number,
	variance: number,
	degrees: number,
	nWeights: number,
	/** Rises are counted from there. */
	{ sse: least, linear }: Least,
): Promise<Profile> {
	const n = model.active.length;
	const k = model.active.indexOf(unknown);
	const own = model.covariance[k * n + k];
	const se = Math.sqrt(own * variance);
	const limit = squared(studentQuantile975(degrees));
	const centre = model.point[unknown];
	const others = model.active.filter((u) => u !== unknown);
	const limits = limitsFor(variance);
	const points: { value: number; rise: number }[] = [{ value: centre, rise: 0 }];
	const ends: (number | null)[] = [];
	for (const side of [-1, 1]) {
		let near = model.point;
		let last = { distance: 0, rise: 0 };
		let end: number | null = null;
		const ahead = [...distances];
		for (let halved = 0; ahead.length > 0; ) {
			const distance = ahead[0];
			const held = centre + side * distance * se;
			const fit = (await byLinear(held)) ?? (await byDescent(near, held));
			const rise = (fit.sse - least) / variance;
			if (!(rise <= cliff * limit)) {
				// A simulation that blew up, or nearly so, says nothing of how the profile rises: what cannot be followed is open.
				if (++halved > mostHalvings) break;
				ahead.unshift((last.distance + distance) / 2);
				continue;
			}
			points.push({ value: held, rise });
			if (rise >= limit) {
				// Along the signed root the profile is nearly straight.
				const inner = Math.sqrt(Math.max(last.rise, 0));
				const share = (Math.sqrt(limit) - inner) / (Math.sqrt(rise) - inner);
				end = centre + side * (last.distance + share * (distance - last.distance)) * se;
				break;
			}
			last = { distance, rise };
			ahead.shift();
			near = fit.point;
		}
		ends.push(Number.isFinite(end ?? Number.NaN) ? end : null);
	}
	points.sort((a, b) => a.value - b.value);
	return { unknown, points, lo: ends[0], hi: ends[1] };

	/** As the problem linearised at the optimum gives it; undefined where its simulation departs from that. */
	async function byLinear(held: number): Promise<{ point: Float64Array; sse: number } | undefined> {
		if (!linear) return undefined;
		const target = linear.point.slice();
		target[unknown] = held;
		const { point } = linear.fitOf(others, target);
		const [there] = await problem.forward.evaluate([point], false);
		const departs = linear.departure(there, point).squares;
		return departs < agreesWithin * variance ? { point, sse: sumOfSquares(problem, there) } : undefined;
	}

	async function byDescent(near: Float64Array, held: number): Promise<Descent> {
		const start = movedAlong(model, near, [unknown], [held - near[unknown]]);
		start[unknown] = held;
		// The held weight is no active unknown, but it stays.
		const descent = refit(problem, others, start, limits, nWeights);
		descent.point[unknown] = held;
		return descent.run();
	}
}

function limitsFor(variance: number): DescentOptions {
	return { tolerance: 1e-6, maxIterations: 20, quick: true, negligible: 1e-3 * variance };
}
