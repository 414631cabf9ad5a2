/**
 * Do single samples lie far from what the others show? Their distance is measured in standard deviations as most residuals
 * have them (the median size over that of a normal one), which a few samples cannot move. Among n normal residuals the
 * farthest follows from Student's law: such a spread is known as well as one from 0.37 n of them. A value far outside the
 * range of all others is one too, however few there are: it stands for a missing sample, more often than not.
 */

import { normalQuantile75 } from "../../num/statistics/quantile.ts";
import { studentTails } from "../../num/statistics/student.ts";
import { squared } from "../../num/whole-power.ts";
import type { Doubt } from "../result.ts";
import { byOutput, level, type ResidualSeries, shared } from "./series.ts";
import { counted, doubt, list } from "./words.ts";

/** How much a median of sizes tells of a spread beside a sum of squares. */
const efficiency = 0.37;
/** In declared standard deviations: less than this is no news, however small the others are. */
const newsFrom = 3;
/** Larger beside its neighbours than this: what a model misses leaves large residuals too, but not one at a time. */
const beside = 3;
/** Ranges of all other values that a mark for a missing sample lies outside of them; it comes in no more than this share. */
const rangesOut = 3;
const mostMarks = 0.2;
/** Share of the sum of squares from which on they decide, and not the other samples. */
const decisive = 0.25;
/** So many are named of each output, the farthest first. */
const named = 4;

interface Outlier {
	readonly series: ResidualSeries;
	readonly at: number;
	/** In standard deviations of the others. */
	readonly distance: number;
	readonly isMark: boolean;
}

export function outlierDoubt(series: readonly ResidualSeries[], nUnknowns: number): Doubt[] {
	const outputs = byOutput(series);
	const found = [...outputs.values()].flatMap((records) => outliersOf(records, nUnknowns, outputs.size));
	if (found.length === 0) return [];
	const names = [...new Set(found.map(({ series: { output } }) => output))];
	const several = new Set(series.map(({ experiment }) => experiment)).size > 1;
	const places = names.map((name) => {
		const own = found
			.filter(({ series: { output } }) => output === name)
			.sort((a, b) => b.distance - a.distance);
		const shown = own
			.slice(0, named)
			.map(
				({ series: { experiment, t, observed }, at, distance }) =>
					`t = ${Number(t[at].toPrecision(5))} (${several ? `${experiment}, ` : ""}${Number(observed[at].toPrecision(5))}, ${Number(distance.toPrecision(2))} standard deviations off)`,
			);
		return `${name} at ${shown.join(", ")}${own.length > named ? ` and ${own.length - named} more` : ""}`;
	});
	const marks = [
		...new Set(
			found.flatMap(({ isMark, at, series: { observed } }) =>
				isMark ? [Number(observed[at].toPrecision(12))] : [],
			),
		),
	];
	const squares = found.reduce((sum, { series: { residual }, at }) => sum + squared(residual[at]), 0);
	const all = series.reduce((sum, { residual }) => sum + residual.reduce((own, r) => own + r * r, 0), 0);
	return doubt(
		"outliers",
		`${counted(found.length, "sample")} of ${list(names)} ${found.length === 1 ? "lies" : "lie"} far off`,
		`${places.join("; ")}, beside the residuals of the others. ${pull(found)} Look whether ${found.length === 1 ? "it is a mistake, and leave its cell" : "they are mistakes, and leave their cells"} empty${marks.length > 0 ? `; if a number stands for a missing sample, say so:  data: { missing: [${marks.join(", ")}] }` : ""}.`,
		marks.length > 0 || squares > decisive * all,
	).map((each) => ({ ...each, outputs: names }));
}

/** What they do to the answer. */
function pull(found: readonly Outlier[]): string {
	const [it, s] = found.length === 1 ? ["this one", "s"] : ["these", ""];
	return found.every(({ series }) => series.isHeavy)
		? `By the declared law far samples count little, so ${it} hardly pull${s} the answer.`
		: `All samples count alike, so ${it} pull${s} the answer and make${s} the noise look larger.`;
}

function outliersOf(records: readonly ResidualSeries[], nUnknowns: number, nOutputs: number): Outlier[] {
	const sizes = Float64Array.from(records.flatMap(({ residual }) => Array.from(residual, Math.abs))).sort();
	const n = sizes.length;
	const free = n - nUnknowns;
	const spread = (sizes[n >> 1] / normalQuantile75) * Math.sqrt(n / Math.max(free, 1));
	const degrees = efficiency * free;
	return records.flatMap((series) => {
		const { residual, noise } = series;
		const isMark = marksOf(series);
		return Array.from(residual.keys()).flatMap((at): Outlier[] => {
			const size = Math.abs(residual[at]);
			const distance = size / spread;
			if (isMark(at) && distance > newsFrom) return [{ series, at, distance, isMark: true }];
			const near = Math.max(Math.abs(residual[at - 1] ?? 0), Math.abs(residual[at + 1] ?? 0));
			const isNews = size > (noise === "found" ? 0 : newsFrom) && size > beside * near;
			return isNews && free > 0 && shared(studentTails(distance, degrees), n * nOutputs) < level
				? [{ series, at, distance, isMark: false }]
				: [];
		});
	});
}

/** Which samples hold the one value that lies far outside of all others. */
function marksOf({ observed }: ResidualSeries): (at: number) => boolean {
	const sorted = Float64Array.from(observed).sort();
	const middle = sorted[sorted.length >> 1];
	const [first, last] = [sorted[0], sorted[sorted.length - 1]];
	const far = Math.abs(first - middle) > Math.abs(last - middle) ? first : last;
	const others = sorted.filter((value) => value !== far);
	const range = others[others.length - 1] - others[0];
	const isFar =
		others.length >= Math.max(5, (1 - mostMarks) * sorted.length) &&
		Math.abs(far - middle) > rangesOut * range;
	return (at) => isFar && observed[at] === far;
}
