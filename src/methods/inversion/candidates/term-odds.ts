/**
 * How likely a candidate is to be there, before the data. Of polynomials the degree tells much: of eight systems of a collection, those between the ones
 * that `bench/structure` asks for, 38 of 72 linear terms are there, 3 of 24 constants, 21 of 144 terms of degree 2 and 4 of 90 of degree 3. An
 * evidence that takes all of them for equally likely holds terms of high degree for rivals that nobody who knows such laws would.
 */
import type { BasisWeight } from "../../../model/basis.ts";
import type { UnknownFunction } from "../../../model/model.ts";
import { degreeIn } from "../../../model/structure/polynomial.ts";
import { log } from "../../../num/elementary/number.ts";

/** By degree, from 0 on; above the last as there. */
const likely = [1 / 8, 1 / 2, 1 / 8, 1 / 16];

/** Twice the logarithm of the odds against any other term, as a weight of a condition or a bump of a spline: about 2 to 1. */
export const plainCost = 1.5;

/** Twice the logarithm of the odds against a term; `powers`: where it is a product of them. */
export function costOf(powers: Readonly<Record<string, number>> | undefined): number {
	if (!powers) return plainCost;
	const degree = Object.values(powers).reduce((sum, power) => sum + power, 0);
	const chance = likely[Math.min(degree, likely.length - 1)];
	return 2 * log((1 - chance) / chance);
}

/** Powers of the arguments in the terms of unknown functions that are polynomials as a whole, by the names of their weights. */
export function powersOf(
	unknowns: readonly Pick<UnknownFunction, "name" | "params">[],
	weights: readonly BasisWeight[],
): ReadonlyMap<string, Readonly<Record<string, number>>> {
	const found = new Map<string, Readonly<Record<string, number>>>();
	for (const { name: of, params } of unknowns) {
		const own = weights.filter((weight) => weight.of === of);
		if (!own.every(({ value, isBelow }) => !isBelow && degreeIn(value, params) !== undefined)) continue;
		for (const { name, value } of own)
			found.set(name, Object.fromEntries(params.map((param) => [param, degreeIn(value, [param])!])));
	}
	return found;
}
