/**
 * Are residuals as large as the noise that the model declares? Their squares, in units of what is declared, sum up to χ². An
 * output among several may have had all of the unknowns fitted to it, or none: of both the one is taken that speaks less.
 * Errors within a bound may well be smaller than even ones, and their squares spread less than χ² does.
 */

import { chiSquareBelow, chiSquareTail } from "../../num/statistics/incomplete-gamma.ts";
import { squared } from "../../num/whole-power.ts";
import type { Doubt } from "../result.ts";
import { byOutput, level, matters, type ResidualSeries, shared } from "./series.ts";
import { doubt, list, triedByAll } from "./words.ts";

/** The code of the doubt that residuals are larger than declared. */
export const noiseLarger = "noise-larger";
/** Residuals so small: half of the samples would tell as much, if the noise were as declared. */
const cleanBelow = Math.SQRT1_2;

/** Whether so many squares of unit variance are larger in sum than chance makes them; or smaller. */
export function isTooLarge(squares: number, degrees: number): boolean {
	return chiSquareTail(squares, Math.max(degrees, 1)) < level;
}
export function isTooSmall(squares: number, degrees: number): boolean {
	return chiSquareBelow(squares, Math.max(degrees, 1)) < level;
}

export interface Size {
	readonly output: string;
	/** In standard deviations of what is declared. */
	readonly ratio: number;
	/** Chance that the declared noise makes residuals of the whole result so large, or so small. */
	readonly chance: number;
	readonly noise: ResidualSeries["noise"];
}

/** Outputs whose residuals are of another size than declared: the largest first. */
export function strangeSizes(series: readonly ResidualSeries[], nUnknowns: number): Size[] {
	const outputs = byOutput(series.filter(({ noise }) => noise !== "found"));
	const isAlone = byOutput(series).size === 1;
	return [...outputs]
		.flatMap(([output, records]) => {
			const { noise } = records[0];
			let squares = 0;
			let count = 0;
			for (const { residual } of records)
				for (let i = 0; i < residual.length; i++, count++) squares += squared(residual[i]);
			const least = count - nUnknowns;
			const most = isAlone ? least : count;
			if (least < 1) return [];
			const share = 2 * outputs.size;
			const ratio = Math.sqrt(squares / least);
			const [larger, smaller] = [chiSquareTail(squares, most), chiSquareBelow(squares, least)];
			if (ratio > matters && shared(larger, share) < level)
				return [{ output, ratio, chance: shared(larger, share), noise }];
			if (ratio < cleanBelow && noise !== "bound" && shared(smaller, share) < level)
				return [{ output, ratio, chance: shared(smaller, share), noise }];
			return [];
		})
		.sort((a, b) => b.ratio - a.ratio);
}

export const isLarger = ({ ratio }: Size): boolean => ratio > 1;

/** In words. `so`: what the method does about it, of larger residuals and of smaller ones. */
export function sizeDoubts(
	found: readonly Size[],
	so: { readonly larger: string; readonly smaller: string },
): Doubt[] {
	const larger = found.filter(isLarger);
	const smaller = found.filter((each) => !isLarger(each));
	const titled = (sizes: readonly Size[], few: string): string => {
		const [first] = sizes;
		const what =
			first.noise === "bound"
				? "what errors evenly spread between the declared bounds would be"
				: first.noise === "counts"
					? "what their law gives counts"
					: "the declared noise";
		return `The residuals of ${list(sizes.map(({ output }) => output))} are ${few}${shown(first.ratio)} times ${what}`;
	};
	return [
		...(larger.length > 0
			? doubt(
					noiseLarger,
					titled(larger, larger.length > 1 ? "up to " : ""),
					larger.every(({ noise }) => noise === "counts")
						? `The model misses something, or counts scatter more than their law lets them: events that come in groups, places or days that differ. ${so.larger} Let the scatter be found:  measure ${larger[0].output} ~ negbinomial(…, size)  with a  param size.`
						: `The model misses something, or the noise is larger than declared. ${so.larger} Look for what is missing${triedByAll}, or let the noise be found: put a parameter in its place, like  param s.`,
					// Such residuals contradict what is declared, and what the model misses may move an answer further than its errors tell.
					true,
				)
			: []),
		...(smaller.length > 0
			? doubt(
					"noise-smaller",
					titled(smaller, "only "),
					`The declared noise is larger than what the data show. ${so.smaller} Declare it as it is, or let it be found: put a parameter in its place, like  param s.`,
					false,
				)
			: []),
	].map((each) => ({
		...each,
		outputs: (each.code === noiseLarger ? larger : smaller).map(({ output }) => output),
	}));
}

/** What cannot be counted any more is not. */
function shown(ratio: number): string {
	return ratio < 1e-3 ? "less than 0.001" : ratio.toPrecision(ratio > 1 ? 3 : 2);
}
