/**
 * What the records say of the unknowns: minus the log-likelihood, as a sum of rows ρ with Jacobian J that least squares
 * can climb. Jᵀρ is its gradient and JᵀJ the Fisher information, so a Gauss–Newton step is one of Fisher's scoring; the
 * cost itself is told beside the rows.
 *
 * A sample has one row, (y - m)/s where its error is normal. One whose spread s is simulated has a second: s is then an
 * unknown, too, and making it smaller costs log s. A common spread needs no search: at each point it is the root mean
 * square of its errors, and by the envelope theorem the gradient is that of the rows with s held.
 *
 * Where all spreads are declared the cost is half the sum of squares. Where all are common it is a rising function of the
 * likelihood that is a sum of squares again: n/2 times the product of the mean squares, each to the power of its share
 * of the samples. Both fall to 0 for exact data, where a log-likelihood has no end.
 *
 * References: Osborne, "Fisher's method of scoring", Int. Stat. Rev. 60, 1992; Weber, Hasenauer, Allgöwer, Radde, "Parameter
 * estimation and identifiability of biological networks using relative data", 2011 (spreads that need no search).
 */
import { exp, log } from "../../num/elementary/number.ts";
import type { Evaluation, Forward } from "../forward/forward.ts";
import { type Law, quantile } from "../law/law.ts";
import { fromSearch, type Unknown } from "../unknowns/unknowns.ts";
import { CommonSpreads } from "./common-spreads.ts";
import { countErrors } from "./error-rows.ts";
import type { Observations, OutputGroup } from "./observations.ts";
import { isPlain, numbers, type SampleSlopes, sampleSlopes, sampleTerm } from "./sample-terms.ts";

export interface Misfit {
	/** Rows: one a sample, one more a sample whose spread is simulated, one a prior. */
	readonly residual: Float64Array;
	readonly jacobian: Float64Array;
	readonly cost: number;
	/** The size of a cost beside which a fall is small. */
	readonly unit: number;
}

export interface LikelihoodProblem {
	readonly unknowns: readonly Unknown[];
	readonly observations: Observations;
	readonly forward: Forward;
	/** Priors of the unknowns that count, in their order: then the cost is minus the log posterior density. */
	readonly priors?: readonly (Law | undefined)[];
	/** Whether the density of those is meant that are searched, so that one by its logarithm has the mode of the logarithm. */
	readonly modeOfSearched?: boolean;
	/**
	 * Rows are there to be climbed by. Where a density has a corner, the optimum lies in corners of some samples, and Fisher's
	 * information knows nothing of them: steps then hold on to small errors by their weights (least squares, weighted anew).
	 */
	readonly holdsCorners?: boolean;
}

/** How a cost is made: half a sum of squares, or minus a logarithm. */
export type CostKind = "squares" | "scaledSquares" | "logarithm";

/** Natural values of a point of the search space. */
export function naturalPoint(unknowns: readonly Unknown[], z: Float64Array): Float64Array {
	return z.map((value, i) => fromSearch(unknowns[i], value));
}

export function costKind({ observations: { groups }, priors }: LikelihoodProblem): CostKind {
	if (priors?.some((law) => law) || groups.some((group) => !group.law.isNormal || !isPlain(group)))
		return "logarithm";
	if (groups.every(({ spread }) => spread.kind === "known")) return "squares";
	return groups.every(
		({ spread }) => spread.kind === "common" && !(spread.lo > 0) && spread.hi === Number.POSITIVE_INFINITY,
	)
		? "scaledSquares"
		: "logarithm";
}

/** The size of a cost beside which differences are small. */
export function costUnit(problem: LikelihoodProblem, cost: number): number {
	return costKind(problem) === "logarithm" ? problem.observations.nObservations / 2 : cost;
}

/** How many times as large errors are at one cost as at another. */
export function errorRatio(problem: LikelihoodProblem, cost: number, best: number): number {
	return costKind(problem) === "logarithm"
		? exp((cost - best) / problem.observations.nObservations)
		: Math.sqrt(cost / best);
}

/** Misfits in `spare` are taken and overwritten. */
export async function misfits(
	problem: LikelihoodProblem,
	points: readonly Float64Array[],
	spare: Misfit[] = [],
): Promise<Misfit[]> {
	const natural = points.map((z) => naturalPoint(problem.unknowns, z));
	const evaluations = await problem.forward.evaluate(
		natural,
		true,
		spare.splice(0).map(({ residual, jacobian }) => ({ value: residual, jacobian })),
	);
	return evaluations.map((evaluation, i) => misfit(problem, evaluation, natural[i], points[i]));
}

/** The cost alone, without derivatives. */
export async function costs(problem: LikelihoodProblem, points: readonly Float64Array[]): Promise<number[]> {
	const natural = points.map((z) => naturalPoint(problem.unknowns, z));
	const evaluations = await problem.forward.evaluate(natural, false);
	return evaluations.map((evaluation, i) => {
		const cost = costOf(problem, evaluation, weightsAt(problem, evaluation), points[i]);
		return Number.isNaN(cost) ? Number.POSITIVE_INFINITY : cost;
	});
}

/**
 * The spread that each sample's row is divided by: declared, simulated, or common; NaN where it is not positive. Of scaled
 * squares: common spreads over the root of the generalised mean square, so that rows keep the size that data have.
 */
export function weightsAt(problem: LikelihoodProblem, evaluation: Evaluation): Float64Array {
	const { observations, unknowns } = problem;
	if (costKind(problem) !== "scaledSquares") return spreadsAt(observations, unknowns.length, evaluation);
	const sd = new Float64Array(observations.nObservations);
	CommonSpreads.of(observations, unknowns.length).fillScaled(sd, evaluation.value);
	return sd;
}

/** The spread of each sample itself: what is to be found without a search is what fits best at this simulation. */
export function spreadsAt(
	observations: Observations,
	nUnknowns: number,
	{ value, spread }: Pick<Evaluation, "value" | "spread">,
): Float64Array {
	const sd = new Float64Array(observations.nObservations);
	for (const { spread: own, from, to } of observations.groups) {
		if (own.kind === "known") sd.set(own.sd, from);
		if (own.kind === "simulated")
			for (let i = from; i < to; i++) sd[i] = spread![i] > 0 ? spread![i] : Number.NaN;
	}
	CommonSpreads.of(observations, nUnknowns).fill(sd, value);
	return sd;
}

function costOf(
	problem: LikelihoodProblem,
	{ value }: Evaluation,
	sd: Float64Array,
	z: Float64Array,
): number {
	const { observations, priors } = problem;
	const { values, groups } = observations;
	if (costKind(problem) !== "logarithm") {
		let sum = 0;
		for (let i = 0; i < value.length; i++) {
			const e = (values[i] - value[i]) / sd[i];
			sum += e * e;
		}
		return sum / 2;
	}
	let cost = 0;
	for (const group of groups) {
		const { law, from, to } = group;
		if (isPlain(group) && !law.isCount)
			for (let i = from; i < to; i++) {
				const e = (values[i] - value[i]) / sd[i];
				cost += log(sd[i]) - law.logDensity(numbers, e * e);
			}
		else for (let i = from; i < to; i++) cost -= sampleTerm(group, i - from)(value[i], sd[i]);
	}
	priors?.forEach((law, j) => {
		if (law) cost -= priorAt(problem, law, j, z[j]);
	});
	return cost;
}

/** Rows and their Jacobian; those of the samples in place: an evaluation is used once. */
export function misfit(
	problem: LikelihoodProblem,
	evaluation: Evaluation,
	natural: Float64Array,
	z: Float64Array,
): Misfit {
	const { unknowns, observations } = problem;
	const { value, jacobian, spreadJacobian } = evaluation;
	const { values } = observations;
	const n = unknowns.length;
	const sd = weightsAt(problem, evaluation);
	// d theta / d z is theta itself on a logarithmic scale.
	const chain = Float64Array.from(unknowns, ({ scale }, j) => (scale === "log" ? -natural[j] : -1));
	const isLogarithm = costKind(problem) === "logarithm";
	const cost = isLogarithm ? costOf(problem, evaluation, sd, z) : 0;
	const scaled = jacobian!;
	const simulated = observations.groups.every(isPlain) ? value : value.slice();
	let sum = 0;
	for (let i = 0, at = 0; i < value.length; i++) {
		const weight = 1 / sd[i];
		const e = (values[i] - value[i]) * weight;
		value[i] = e;
		sum += e * e;
		for (let j = 0; j < n; j++, at++) scaled[at] *= chain[j] * weight;
	}
	if (!isLogarithm) return { residual: value, jacobian: scaled, cost: sum / 2, unit: sum / 2 };
	const slopes = slopesOf(observations, simulated, sd);
	const spreads = rowsOfSpreads(problem, evaluation, sd, chain, slopes);
	const priors = rowsOfPriors(problem, z);
	countErrors(observations, value, scaled, n, problem.holdsCorners === true);
	for (const [{ from, spread }, own] of slopes)
		own.forEach(({ value: slope, information, distance }, k) => {
			const at = (from + k) * n;
			const root = Math.sqrt(distance?.information ?? information);
			if (distance) {
				// Of z = (end - m)/s: -dm/s is there already.
				value[from + k] = -distance.slope / root;
				for (let j = 0; j < n; j++) {
					const bySpread = spread.kind === "simulated" ? chain[j] * spreadJacobian![at + j] : 0;
					scaled[at + j] = root * (scaled[at + j] + (distance.z * bySpread) / sd[from + k]);
				}
				return;
			}
			value[from + k] = root > 0 ? slope / root : 0;
			for (let j = at; j < at + n; j++) scaled[j] *= root * sd[from + k];
		});
	return {
		residual: joined(value, spreads.residual, priors.residual),
		jacobian: joined(scaled, spreads.jacobian, priors.jacobian),
		cost,
		unit: value.length / 2,
	};
}

/** Of each sample that is not plain. */
function slopesOf(
	{ groups }: Observations,
	value: Float64Array,
	sd: Float64Array,
): Map<OutputGroup, SampleSlopes[]> {
	const own = groups.filter((group) => !isPlain(group));
	return new Map(
		own.map((group) => [
			group,
			Array.from(group.t, (_, k) => sampleSlopes(group, k, value[group.from + k], sd[group.from + k])),
		]),
	);
}

interface Rows {
	readonly residual: Float64Array;
	readonly jacobian: Float64Array;
}

/** Rows of simulated spreads, from errors over their spread: (1 - w e²)/√I against √I d log s. */
function rowsOfSpreads(
	{ observations, unknowns }: LikelihoodProblem,
	{ value: e, spreadJacobian }: Evaluation,
	sd: Float64Array,
	chain: Float64Array,
	slopes: ReadonlyMap<OutputGroup, readonly SampleSlopes[]>,
): Rows {
	const n = unknowns.length;
	const groups = observations.groups.filter(({ spread }) => spread.kind === "simulated");
	const count = groups.reduce((sum, { from, to }) => sum + to - from, 0);
	const residual = new Float64Array(count);
	const jacobian = new Float64Array(count * n);
	let row = 0;
	for (const group of groups) {
		const { law, from, to } = group;
		const own = slopes.get(group);
		const plain = law.isCount ? meanSquare(own!) : law.information.logSpread;
		for (let i = from; i < to; i++, row++) {
			const slope = own?.[i - from];
			if (slope?.distance) continue;
			const root = Math.sqrt(slope?.spreadInformation ?? plain);
			if (slope) residual[row] = -slope.logSpread / root;
			else if (!law.isCount) {
				const square = e[i] * e[i];
				residual[row] = (1 - law.weight(numbers, square) * square) / root;
			}
			for (let j = 0; j < n; j++)
				jacobian[row * n + j] = (root * -chain[j] * spreadJacobian![i * n + j]) / sd[i];
		}
	}
	return { residual, jacobian };
}

/** The information on the size of counts, as the counts themselves show it: it has no short form. */
function meanSquare(slopes: readonly SampleSlopes[]): number {
	return Math.max(
		slopes.reduce((sum, { logSpread }) => sum + logSpread * logSpread, 0) / slopes.length,
		1e-12,
	);
}

/** Slope and curvature of a log density by differences: priors are smooth, and few. */
const step = 1e-4;

/** Log density of a prior at a searched coordinate. */
function priorAt({ unknowns, modeOfSearched }: LikelihoodProblem, law: Law, j: number, z: number): number {
	const density = law.logDensity(fromSearch(unknowns[j], z));
	return modeOfSearched && unknowns[j].scale === "log" ? density + z : density;
}

function rowsOfPriors(problem: LikelihoodProblem, z: Float64Array): Rows {
	const { priors = [], unknowns } = problem;
	const n = unknowns.length;
	const counted = priors.flatMap((law, j) => (law ? [{ law, j }] : []));
	const residual = new Float64Array(counted.length);
	const jacobian = new Float64Array(counted.length * n);
	counted.forEach(({ law, j }, row) => {
		const h = unknowns[j].scale === "log" ? step : step * Math.max(Math.abs(z[j]), priorWidth(law));
		const [before, here, after] = [-h, 0, h].map((d) => -priorAt(problem, law, j, z[j] + d));
		const slope = (after - before) / (2 * h);
		// A density that is not concave here (heavy tails) has a curvature of its own slope's size, at most.
		const curvature = Math.max((after - 2 * here + before) / (h * h), slope * slope * 1e-2, 1e-8);
		residual[row] = slope / Math.sqrt(curvature);
		jacobian[row * n + j] = Math.sqrt(curvature);
	});
	return { residual, jacobian };
}

const widths = new WeakMap<Law, number>();

/** About a standard deviation. */
function priorWidth(law: Law): number {
	const known = widths.get(law);
	if (known !== undefined) return known;
	const width = (quantile(law, 0.84) - quantile(law, 0.16)) / 2;
	widths.set(law, width);
	return width;
}

function joined(...parts: readonly Float64Array[]): Float64Array {
	const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	return all;
}
