/** What is known beforehand of what all records share. */
import { fromSearch } from "../unknowns/unknowns.ts";
import type { PopulationProblem } from "./problem.ts";

/** Minus log density at search coordinates; `ofSearched`: that of the coordinates themselves. */
export function sharedPrior(
	{ unknowns, nShared }: PopulationProblem,
	ofSearched: boolean,
): (shared: Float64Array) => number {
	const laws = unknowns.slice(0, nShared).flatMap((unknown, i) => {
		const { law } = unknown;
		return law ? [{ law, unknown, i }] : [];
	});
	return (shared) =>
		laws.reduce((sum, { law, unknown, i }) => {
			const density = law.logDensity(fromSearch(unknown, shared[i]));
			return sum - density - (ofSearched && unknown.scale === "log" ? shared[i] : 0);
		}, 0);
}
