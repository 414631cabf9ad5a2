/** What is said of each unit of a population: its parameters, and how much of them the population knows rather than the data. */

import { evaluate } from "../../model/evaluate.ts";
import type { Node } from "../../model/graph.ts";
import { choleskyInverse, choleskySolveInto } from "../../num/linear/cholesky.ts";
import { squared } from "../../num/whole-power.ts";
import { naturalPoint } from "../observe/likelihood.ts";
import { factored } from "./factored.ts";
import type { Mode } from "./modes.ts";
import type { PopulationProblem, PopulationUnit } from "./problem.ts";

export interface Individual {
	readonly unit: string;
	/** Of each parameter of the population, in its order: value, standard error, and eta. */
	readonly parameters: readonly { readonly estimate: number; readonly sd: number; readonly eta: number }[];
}

export interface PopulationSpread {
	readonly name: string;
	/** Middle of the population, where no condition moves it; and the spread, where none does. */
	readonly typical?: number;
	readonly spread?: number;
	/** 1 less the standard deviation of the etas: near 1 the records say nothing of their own. */
	readonly shrinkage: number;
}

/** At the most likely etas. */
export function individualsOf(problem: PopulationProblem, modes: readonly Mode[]): Individual[] {
	const { units, unknowns, nShared, population } = problem;
	const q = unknowns.length - nShared;
	return units.map((unit, u) => {
		const { z, information } = modes[u];
		const factor = factored(information, q);
		const covariance = factor ? choleskyInverse(factor, q) : new Float64Array(q * q).fill(Number.NaN);
		const value = valueAt(problem, unit, z);
		return {
			unit: unit.name,
			parameters: population.map((param, k) => {
				const estimate = value(param.value);
				const slope = value(param.spread) * (param.isLog ? estimate : 1);
				const eta = z[nShared + k];
				return { estimate, sd: Math.abs(slope) * Math.sqrt(covariance[k * q + k]), eta };
			}),
		};
	});
}

/** An expression of parameters and conditions of one unit, at search coordinates. */
export function valueAt(
	{ unknowns }: PopulationProblem,
	{ estimation }: PopulationUnit,
	z: Float64Array,
): (node: Node) => number {
	const natural = naturalPoint(unknowns, z);
	const [{ conditions }] = estimation.experiments;
	const index = new Map(unknowns.map(({ name }, i) => [name, i]));
	return (node) => evaluate(node, (name) => (index.has(name) ? natural[index.get(name)!] : conditions[name]));
}

export function spreadsOf(problem: PopulationProblem, modes: readonly Mode[]): PopulationSpread[] {
	const { population, nShared, units } = problem;
	return population.map(({ name, isLog, location, spread, value }, k) => {
		const etas = modes.map(({ z }) => z[nShared + k]);
		const mean = etas.reduce((sum, eta) => sum + eta, 0) / etas.length;
		const variance = etas.reduce((sum, eta) => sum + squared(eta - mean), 0) / Math.max(etas.length - 1, 1);
		const at = modes.map(({ z }, u) => {
			const middle = z.slice();
			middle[nShared + k] = 0;
			return valueAt(problem, units[u], middle);
		});
		const same = (node: Node): number | undefined => {
			const values = at.map((of) => of(node));
			return values.every((each) => each === values[0]) ? values[0] : undefined;
		};
		const typical = same(isLog ? value : location);
		const own = same(spread);
		return {
			name,
			...(typical === undefined ? {} : { typical }),
			...(own === undefined ? {} : { spread: own }),
			shrinkage: 1 - Math.sqrt(variance),
		};
	});
}

/** Variance of each value of a unit by what is not known of its eta, from slopes by all unknowns: rows × n. */
export function etaVariance(jacobian: Float64Array, n: number, nShared: number, mode: Mode): Float64Array {
	const q = n - nShared;
	const factor = factored(mode.information, q);
	return Float64Array.from({ length: jacobian.length / n }, (_, row) => {
		if (!factor) return 0;
		const slope = jacobian.slice(row * n + nShared, (row + 1) * n);
		const solved = slope.slice();
		choleskySolveInto(solved, factor, q);
		return slope.reduce((sum, each, k) => sum + each * solved[k], 0);
	});
}
