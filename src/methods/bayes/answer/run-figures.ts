/**
 * Whether independent runs found the same: where each of them ended, and how their draws rank among all draws together.
 *
 * Ranks: Vehtari, Gelman, Simpson, Carpenter, Bürkner, "Rank-normalization, folding, and localization", Bayesian Analysis 16,
 * 2021: where runs agree, the ranks of each are spread evenly.
 */
import type { Figure, Mark, NamedPlace } from "../../../estimate/figure.ts";
import { moments, quantile } from "./posterior.ts";
import { type RunClouds, rHats } from "./run-agreement.ts";

/** Unknowns along one axis. */
const mostUnknowns = 10;
const rankBins = 8;
/** Of the width that an unknown has. */
const used = 0.8;

export function runFigures(clouds: RunClouds): Figure[] {
	const { runs } = clouds;
	if (runs.length < 2 || clouds.names.length === 0) return [];
	const names = clouds.names.slice(0, mostUnknowns);
	const draws = names.map((_, i) => runs.map(({ z, n }) => z.slice(i * n, (i + 1) * n)));
	const xNames = names.map((name, i) => ({ at: i, name }));
	return [endsFigure(draws, xNames, rHats(clouds)!), rankFigure(draws, xNames)];
}

/** Draws of each unknown, run by run. */
type Draws = readonly (readonly Float64Array[])[];

function endsFigure(draws: Draws, xNames: readonly NamedPlace[], agreement: readonly number[]): Figure {
	const nRuns = draws[0].length;
	const x0: number[] = [];
	const x1: number[] = [];
	const y0: number[] = [];
	const y1: number[] = [];
	draws.forEach((runs, i) => {
		const all = moments(joined(runs));
		const sd = all.sd || 1;
		runs.forEach((values, r) => {
			const sorted = values.slice().sort();
			const left = i - used / 2 + (used * r) / nRuns;
			x0.push(left + (0.15 * used) / nRuns);
			x1.push(left + (0.85 * used) / nRuns);
			y0.push((quantile(sorted, 0.05) - all.mean) / sd);
			y1.push((quantile(sorted, 0.95) - all.mean) / sd);
		});
	});
	const worst = Math.max(...agreement.slice(0, draws.length));
	return {
		name: "runs",
		title: "Where each run ended",
		caption: `90 % of the draws of each of ${nRuns} independent runs, beside the standard deviation of all; largest R̂ ${worst.toFixed(3)} (1: they agree).`,
		xLabel: "",
		yLabel: "standard deviations",
		xNames,
		section: "doubt",
		small: true,
		marks: [
			{ type: "rule", axis: "y", at: 0, role: "guide" },
			{ type: "boxes", x0, x1, y0, y1, role: "accent" },
		],
	};
}

function rankFigure(draws: Draws, xNames: readonly NamedPlace[]): Figure {
	const nRuns = draws[0].length;
	const n = draws[0][0].length;
	const lines = Array.from({ length: nRuns }, () => ({ x: [] as number[], y: [] as number[] }));
	draws.forEach((runs, i) => {
		const counts = rankShares(runs);
		counts.forEach((shares, r) => {
			shares.forEach((share, k) => {
				lines[r].x.push(i - used / 2 + (used * k) / rankBins, i - used / 2 + (used * (k + 1)) / rankBins);
				lines[r].y.push(share, share);
			});
			// Nothing joins one unknown with the next.
			lines[r].x.push(i + 0.5);
			lines[r].y.push(Number.NaN);
		});
	});
	// Two standard deviations of a share that is 1 in the mean.
	const chance = 2 * Math.sqrt(rankBins / n);
	const roles = ["accent", "data", "muted"] as const;
	return {
		name: "ranks",
		title: "Ranks of the draws, run by run",
		caption: `Each run's share of the draws from the smallest (left) to the largest of all runs: about 1 throughout where they agree, between the rules by chance.`,
		xLabel: "",
		yLabel: "share",
		xNames,
		section: "doubt",
		small: true,
		marks: [
			...lines.map(({ x, y }, r): Mark => ({ type: "line", x, y, role: roles[r % roles.length] })),
			{ type: "rule", axis: "y", at: 1 + chance, role: "guide" },
			{ type: "rule", axis: "y", at: Math.max(0, 1 - chance), role: "guide" },
		],
	};
}

/** For each run: how many of its draws are in each part of the ranks of all, beside what is expected. Ties count half to either side. */
export function rankShares(runs: readonly Float64Array[]): Float64Array[] {
	const all = joined(runs).sort();
	const below = (value: number, orEqual: boolean): number => {
		let [lo, hi] = [0, all.length];
		while (lo < hi) {
			const middle = (lo + hi) >> 1;
			if (all[middle] < value || (orEqual && all[middle] === value)) lo = middle + 1;
			else hi = middle;
		}
		return lo;
	};
	return runs.map((values) => {
		const shares = new Float64Array(rankBins);
		for (const value of values) {
			const rank = (below(value, false) + below(value, true) - 1) / 2;
			const bin = Math.min(rankBins - 1, Math.floor(((rank + 0.5) / all.length) * rankBins));
			shares[bin]++;
		}
		return shares.map((count) => (rankBins * count) / values.length);
	});
}

function joined(runs: readonly Float64Array[]): Float64Array {
	const all = new Float64Array(runs.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const values of runs) {
		all.set(values, at);
		at += values.length;
	}
	return all;
}
