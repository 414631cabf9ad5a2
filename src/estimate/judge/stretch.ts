/**
 * Is there a stretch of a record in which residuals are larger than elsewhere? What a model misses for a short while, as a transient
 * that is over after a few samples, hides in a noise that is taken from all residuals, and nothing of it goes on. Of normal errors of
 * one size, the share of the squares that w of n samples have follows the law Beta(w/2, (n - w)/2). Asked of stretches of 4, 8, 16, …
 * samples, each begun half of its length after the last.
 */
import { exp, log } from "../../num/elementary/number.ts";
import { squared } from "../../num/whole-power.ts";
import type { Doubt } from "../result.ts";
import { byOutput, level, type ResidualSeries, shared } from "./series.ts";
import { doubt, list } from "./words.ts";

/** Samples of the shortest stretch, and the share of a record that the longest may be. */
const shortest = 4;
const longest = 1 / 4;
/** Mean square beside that elsewhere from which on what is missed is no smaller than the noise; a single sample does not count for it. */
const excess = 2;

interface Stretch {
	readonly series: ResidualSeries;
	/** Its samples. */
	readonly from: number;
	readonly to: number;
	/** Size beside that elsewhere. */
	readonly ratio: number;
	readonly chance: number;
}

/** `advice`: what else to try. */
export function stretchDoubt(
	series: readonly ResidualSeries[],
	nUnknowns: number,
	advice = "look for what the model lacks",
): Doubt[] {
	const outputs = byOutput(series.filter(({ noise }) => noise !== "counts"));
	const found = [...outputs.values()].flatMap((records) => {
		const all = stretchesOf(records, nUnknowns);
		const worst = all.reduce<Stretch | undefined>((a, b) => (a && a.chance <= b.chance ? a : b), undefined);
		return worst && shared(worst.chance, all.length * outputs.size) < level && isExcess(worst) ? [worst] : [];
	});
	if (found.length === 0) return [];
	const several = new Set(series.map(({ experiment }) => experiment)).size > 1;
	const places = found.map(
		({ series: { output, experiment, t }, from, to, ratio }) =>
			`${output}${several ? ` of ${experiment}` : ""} from t = ${Number(t[from].toPrecision(4))} to ${Number(t[to - 1].toPrecision(4))}, ${Number(ratio.toPrecision(2))} times as large`,
	);
	const names = found.map(({ series: { output } }) => output);
	return doubt(
		"uneven-residuals",
		`The residuals of ${list(names)} are larger in one part of the record`,
		`They are so in ${list(places)} as elsewhere, by more than chance: the model misses what happens there, and a noise that is taken from all samples hides it. What is fast there and slow elsewhere does this: sample it more densely, or ${advice}. If the noise itself is larger there, declare how.`,
		true,
	).map((each) => ({ ...each, outputs: names }));
}

/** All stretches of an output, beside what its records have elsewhere. */
function stretchesOf(records: readonly ResidualSeries[], nUnknowns: number): Stretch[] {
	const n = records.reduce((sum, { residual }) => sum + residual.length, 0);
	const total = sumOfSquares(records.flatMap(({ residual }) => [...residual]));
	return records.flatMap((series) => {
		const { residual } = series;
		const all: Stretch[] = [];
		for (let w = shortest; w <= longest * residual.length && n - w > nUnknowns; w *= 2)
			for (let from = 0; from + w <= residual.length; from += w / 2) {
				const squares = sumOfSquares(residual.subarray(from, from + w));
				const free = n - w - nUnknowns;
				const ratio = Math.sqrt((squares * free) / (w * (total - squares)));
				const chance = betaTail(squares / total, w / 2, free / 2);
				all.push({ series, from, to: from + w, ratio, chance });
			}
		return all;
	});
}

/** Not by one sample alone, which is an outlier; and beside the noise that is declared, where errors elsewhere are smaller than that. */
function isExcess({ series: { residual, noise }, from, to, ratio }: Stretch): boolean {
	const own = residual.subarray(from, to);
	const squares = sumOfSquares(own);
	const largest = own.reduce((most, r) => Math.max(most, squared(r)), 0);
	const elsewhere = Math.max(squares / (own.length * squared(ratio)), noise === "found" ? 0 : 1);
	return squares - largest > excess * elsewhere * (own.length - 1);
}

function sumOfSquares(values: ArrayLike<number>): number {
	let sum = 0;
	for (let i = 0; i < values.length; i++) sum += squared(values[i]);
	return sum;
}

/** Chance of more than x under the law Beta(a, b), for a whole a: (1 - x)^b times a sum of a terms. */
function betaTail(x: number, a: number, b: number): number {
	let term = exp(b * log(1 - x));
	let sum = 0;
	for (let j = 0; j < a; j++) {
		sum += term;
		term *= ((b + j) / (j + 1)) * x;
	}
	return Math.min(sum, 1);
}
