/** The unknown functions as random processes of scaled arguments. */
import { InputError } from "../../../errors.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Dynamics } from "../dynamics.ts";
import type { SmoothedRecord } from "../time/smoothed-record.ts";
import { callArguments } from "./derivative-data.ts";
import { fieldCovariance } from "./field-covariance.ts";
import type { FieldDesign, FieldFunction } from "./field-design.ts";
import { monomials } from "./monomials.ts";

export function fieldFunctions(
	dynamics: Dynamics,
	records: readonly SmoothedRecord[],
	params: Float64Array,
	covariance: string,
): FieldFunction[] {
	const { functions, calls } = dynamics.layout;
	const args = callArguments(dynamics, records, params);
	return functions.map(({ name, argNames, trend }, fn) => {
		const own = calls.filter((call) => call.fn === fn);
		const centre = new Float64Array(argNames.length);
		const scale = new Float64Array(argNames.length);
		for (let a = 0; a < argNames.length; a++) {
			const values = own.flatMap(({ start }) => args.map((each) => each[start + a]));
			const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
			const variance = values.reduce((sum, value) => sum + squared(value - mean), 0) / values.length;
			centre[a] = mean;
			// An argument that moves by rounding only does not move.
			scale[a] = variance > 1e-20 * mean * mean ? Math.sqrt(variance) : 1;
		}
		return {
			name,
			argNames,
			centre,
			scale,
			basis: monomials(argNames.length, trend),
			covariance: fieldCovariance(covariance, trend, argNames.length),
		};
	});
}

export function checkCount(design: FieldDesign, nRows: number): void {
	const suffices = (nTrend: number): boolean => nRows > nTrend + design.nFree + 1;
	if (suffices(design.nTrend)) return;
	const names = design.functions.map(({ name }) => name).join(", ");
	// The highest trend of all functions for which there are enough.
	let trend = Math.max(
		...design.functions.map(({ basis }) => basis[basis.length - 1].reduce((a, b) => a + b, 0)),
	);
	const terms = (degree: number): number =>
		design.functions.reduce((sum, { argNames }) => sum + monomials(argNames.length, degree).length, 0);
	while (trend >= 0 && !suffices(terms(trend))) trend--;
	throw new InputError(
		`unknown ${names}`,
		`has ${design.nTrend} trend terms and the model ${design.nFree} other unknowns, for ${nRows} observations`,
		trend >= 0 ? `Give more samples, or a lower trend:  ~ kriging(trend: ${trend}).` : "Give more samples.",
	);
}
