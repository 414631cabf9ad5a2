/**
 * Answers in which an unknown of the search and a parameter in closed form have changed places: rates of states in a row,
 * of which the last is measured. What is in closed form cannot be put anywhere, so the search is begun where the unknown
 * has the other's value, and it is seen whether it stays there and explains the record as well.
 */
import type { Unknown } from "../../../estimate/unknowns/unknowns.ts";
import { toSearch } from "../../../estimate/unknowns/unknowns.ts";
import type { PeriodicForm } from "../form/form.ts";
import type { Representation } from "../observer/representation.ts";
import { type Given, isAllowed, isChosen, type Mirror } from "./mirrors.ts";
import type { Found, Objective } from "./search.ts";

/** A cost of so many times that of the answer is as good. */
const asGood = 2;
/** How near, relatively, both have to end to where the other was. */
const near = 0.1;

export function closedFormMirrors(
	representation: Representation,
	objective: Objective,
	form: PeriodicForm,
	unknowns: readonly Unknown[],
	lambda: Float64Array,
	/** Values of parameters in closed form. */
	closed: ReadonlyMap<string, number>,
	open: ReadonlySet<string>,
	given: Given,
	/** A cost that noise or rounding explains. */
	enough: number,
	searchFrom: (z: Float64Array) => Found,
): Mirror[] {
	const here = representation.evaluate(lambda, false);
	if (!here) return [];
	const z = Float64Array.from(unknowns, (unknown, i) => toSearch(unknown, lambda[i]));
	const limit = Math.max(asGood * objective.cost(z), enough);
	const found: Mirror[] = [];
	form.terms.forEach(({ name }, term) => {
		const value = closed.get(name);
		const row = form.chain.length + term;
		if (value === undefined || open.has(name)) return;
		unknowns.forEach((unknown, i) => {
			if (unknown.kind !== "param" || open.has(unknown.name) || !isAllowed(unknown, value)) return;
			// Numbers of another sign or size are no two of a kind.
			if (!(value / lambda[i] > 0.01 && value / lambda[i] < 100)) return;
			if (!(Math.abs(value - lambda[i]) > near * Math.abs(value))) return;
			const start = z.slice();
			start[i] = toSearch(unknown, value);
			const other = searchFrom(start);
			const point = objective.natural(other.z);
			const there = representation.evaluate(point, false);
			const swapped =
				there &&
				other.cost <= limit &&
				isNear(point[i], value) &&
				isNear((there.R[row] / here.R[row]) * value, lambda[i]) &&
				unknowns.every((each, j) => j === i || each.kind !== "param" || isNear(point[j], lambda[j]));
			if (!swapped) return;
			const mirror = { at: [i], lambda: lambda.map((own, j) => (j === i ? value : own)) };
			found.push({
				how: "exchange",
				names: [unknown.name, name],
				chosen: isChosen(unknowns, lambda, mirror, given),
			});
		});
	});
	return found;
}

function isNear(a: number, b: number): boolean {
	return Math.abs(a - b) <= near * Math.abs(b);
}
