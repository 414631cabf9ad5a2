/**
 * Populations of 20 simulated subjects: how often 90 % intervals of `fit` hold a truth that stays the same, and simulation-based
 * calibration of `bayes`, whose truth is drawn from the prior. `--count N` replications from `--seed N` on; the last line is for
 * adding up what several processes saw.
 */

import { inline } from "../src/compute/inline.ts";
import type { DataRecord } from "../src/data/data-record.ts";
import { fromSearch } from "../src/estimate/unknowns/unknowns.ts";
import { bayesOptions } from "../src/methods/bayes/options.ts";
import { PopulationBayes } from "../src/methods/bayes/population/population-bayes.ts";
import { dosedModel, experimentOf } from "../src/methods/experiment-of.ts";
import { fitOptions } from "../src/methods/fit/options.ts";
import { PopulationFit } from "../src/methods/fit/population/population-fit.ts";
import { defaultOptions } from "../src/methods/options.ts";
import type { Problem } from "../src/methods/problem.ts";
import { listed } from "../src/methods/run.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import type { Model } from "../src/model/model.ts";
import { exp, log } from "../src/num/elementary/number.ts";
import { stream } from "../src/num/random.ts";
import { oralSubjects, oralText } from "../test/methods/population-twin.ts";
import type { BenchOptions } from "./main.ts";

const nSubjects = 20;
/** Of 90 % intervals, over 200 replications. */
const goal = { lo: 0.86, hi: 0.94 };
/** 0.95 quantiles of Student's law with 19 degrees of freedom and of the normal law. */
const [byRecords, bySamples] = [1.7291328115213678, 1.6448536269514722];
const priors: Readonly<Record<string, readonly [middle: number, spread: number, isLog?: true]>> = {
	lka: [0.4, 0.3],
	lcl: [1, 0.3],
	lv: [3.4, 0.2],
	b: [0.75, 0.3],
	oka: [log(0.5), 0.3, true],
	ocl: [log(0.25), 0.3, true],
	s: [log(0.4), 0.3, true],
};
const narrow = Object.entries(priors).reduce(
	(text, [name, [middle, spread, isLog]]) =>
		text.replace(
			new RegExp(`param ${name} ~ .*`),
			`param ${name} ~ ${isLog ? "lognormal" : "normal"}(${middle}, ${spread})`,
		),
	oralText,
);

export async function bench({ seed = 1, count = 200 }: BenchOptions): Promise<void> {
	const names = Object.keys(priors);
	const held = { fit: names.map(() => 0), bayes: names.map(() => 0) };
	const failed = { fit: 0, bayes: 0 };
	const effective: number[] = [];
	for (let k = 0; k < count; k++) {
		const fixed = oralSubjects(nSubjects, seed + k);
		const fit = new PopulationFit(problemOf(fixed.model, fixed.records, k), defaultOptions(fitOptions));
		while (!(await fit.advance()).done);
		const { search, population } = fit;
		if (search.outcome !== "converged" || !search.covariance) failed.fit++;
		else
			for (const [i, name] of names.entries()) {
				const at = population.unknowns.findIndex((unknown) => unknown.name === name);
				const unknown = population.unknowns[at];
				const sd = Math.sqrt(search.covariance[at * population.nShared + at]);
				const half = sd * (name === "s" || name === "lv" ? bySamples : byRecords);
				const z = search.end!.shared[at];
				const [lo, hi] = [fromSearch(unknown, z - half), fromSearch(unknown, z + half)];
				if (fixed.truth[name] > lo && fixed.truth[name] < hi) held.fit[i]++;
			}
		const truth = Object.fromEntries(
			Object.entries(priors).map(([name, [middle, spread, isLog]]) => {
				const value = middle + spread * stream(seed + k, `truth of ${name}`).normal(0);
				return [name, isLog ? exp(value) : value];
			}),
		);
		const drawn = oralSubjects(nSubjects, 10_000 + seed + k, truth);
		const model = parseModel(narrow, "oral.ode");
		const bayes = new PopulationBayes(problemOf(model, drawn.records, seed + k), {
			...defaultOptions(bayesOptions),
			particles: 400,
		});
		while (!(await bayes.advance()).done);
		effective.push(bayes.rounds.length > 0 ? bayes.weights().effective : 0);
		if (!(effective[k] > 30)) failed.bayes++;
		else {
			const { points } = bayes.posterior(400);
			for (const [i, name] of names.entries()) {
				const at = bayes.population.unknowns.findIndex((unknown) => unknown.name === name);
				const unknown = bayes.population.unknowns[at];
				const below = points.filter((point) => fromSearch(unknown, point[at]) < truth[name]).length;
				const share = (below + 0.5) / (points.length + 1);
				if (share > 0.05 && share < 0.95) held.bayes[i]++;
			}
		}
	}
	for (const method of ["fit", "bayes"] as const) {
		console.log(
			`population of ${nSubjects}, ${method}: ${count} replications, ${failed[method]} without an answer`,
		);
		for (const [i, name] of names.entries()) {
			const share = held[method][i] / (count - failed[method]);
			const verdict = share >= goal.lo && share <= goal.hi ? "reached" : "MISSED";
			console.log(
				`  ${name.padEnd(4)} 90 % intervals cover ${share.toFixed(3)}: ${verdict} (${goal.lo} to ${goal.hi})`,
			);
		}
	}
	effective.sort((a, b) => a - b);
	console.log(
		`effective draws of bayes: least ${effective[0].toFixed(0)}, median ${effective[count >> 1].toFixed(0)}`,
	);
	console.log(JSON.stringify({ seed, count, held, failed }));
}

function problemOf(source: Model, records: readonly DataRecord[], seed: number): Problem {
	const model = dosedModel(
		source,
		records.map((record) => ({ doses: listed(record) })),
	);
	const train = records.map((record) => {
		const { table, options } = record;
		const own = { ...options, doses: listed(record), name: options.name!, time: "t" };
		return experimentOf(table, own, model, ["conc"]);
	});
	return { model, train, test: [], start: {}, seed, compute: inline };
}
