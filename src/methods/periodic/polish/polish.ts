/**
 * Least squares on simulations, from the answer of the integrals: parameters and initial values of one record, or of several
 * that share the parameters. Where a simulation from the answer leaves the record, its beginning is fitted first, and then
 * longer and longer parts: a shift that grows from period to period would lead astray.
 */
import { covarianceOf } from "../../../estimate/least-squares/covariance.ts";
import { LevenbergMarquardt } from "../../../estimate/least-squares/levenberg-marquardt.ts";
import { isOpen } from "../../../estimate/least-squares/null-space.ts";
import { type Misfit, naturalPoint } from "../../../estimate/observe/likelihood.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Problem } from "../../problem.ts";
import type { NaturalValue } from "../adjustment/natural.ts";
import { stretchOf } from "../record/stretch.ts";
import { finiteErrors } from "./finite-errors.ts";
import { lookAlongOpen } from "./open-directions.ts";
import { type Left, leftOf, type PolishPart, polishProblem } from "./polish-problem.ts";

export interface Polished {
	readonly values: readonly NaturalValue[];
	/** Of the values, row-major. */
	readonly covariance: Float64Array;
	readonly outcome: string;
	readonly evaluations: number;
	/** Directions of what is not held that simulations do not determine. */
	readonly open: number;
	/** What takes part in them. */
	readonly openNames: readonly string[];
	/** Of directions that first order does not see but finite steps do: errors are not known there. */
	readonly curvedNames: readonly (readonly string[])[];
	/** Another optimum that is as good, where one was found. */
	readonly rival?: readonly NaturalValue[];
	/** Root mean square of what is left, record by record, output by output; and by what it was weighed. */
	readonly rms: readonly number[];
	readonly weighedBy: readonly number[];
	/** Observed minus simulated, by sample, and how that changes with what was not held; undefined without an optimum. */
	readonly left?: Left;
}

/** A start that leaves so many times the noise (squared) is not near enough to fit the whole record at once. */
const near = 4;
const longer = 1.5;

/** One part for each record of `train`, in its order; parameters start at those of the first. */
export async function polish(
	{ train, compute }: Pick<Problem, "train" | "compute">,
	parts: readonly PolishPart[],
	/** Whether errors of what is known least are to be found by finite steps, too. */
	{ finite = false } = {},
): Promise<Polished> {
	const { unknowns, fixed, bounds, start, over } = polishProblem({ train, compute }, parts);
	const n = unknowns.length;
	let evaluations = 0;
	const solve = async (
		at: (z: Float64Array) => Promise<Misfit>,
		from: Float64Array,
		maxEvaluations: number,
		damping: number,
		still: ReadonlySet<number> = fixed,
	): Promise<LevenbergMarquardt> => {
		const machine = new LevenbergMarquardt(from, bounds, { maxEvaluations, tolerance: 1e-8, damping }, still);
		while (machine.trial) {
			const { residual, jacobian } = await at(machine.trial);
			machine.tell(residual, jacobian);
		}
		evaluations += machine.evaluations;
		return machine;
	};
	const whole = over(train);
	let z = start;
	const { residual } = await whole.at(z);
	const isNear = residual.reduce((sum, r) => sum + r * r, 0) < near * residual.length;
	if (!isNear) {
		const cycles = Math.max(...parts.map(({ question: { record } }) => record.cycles));
		for (let periods = 1; periods < cycles; periods *= longer) {
			const begun = train.map((each, e) =>
				stretchOf(each, each.times[0], each.times[0] + periods * parts[e].natural.period),
			);
			const machine = await solve(over(begun).at, z, 40, 1e-3);
			if (machine.told) z = machine.best.slice();
		}
	}
	const { machine, curved } = await lookAlongOpen(
		await solve(whole.at, z, isNear ? 30 : 60, isNear ? 1e-8 : 1e-3),
		unknowns,
		fixed,
		(from, still, most) => solve(whole.at, from, most, 1e-3, still),
	);
	const natural = naturalPoint(unknowns, machine.best);
	const chain = natural.map((value, i) => (unknowns[i].scale === "log" ? value : 1));
	const { covariance, variance, degrees, open, isUnseen } = machine.told
		? errorsOf(machine.jacobian!, machine.residual!, n, fixed)
		: {
				covariance: new Float64Array(n * n).fill(Number.NaN),
				variance: 0,
				degrees: 0,
				open: n,
				isUnseen: () => true,
			};
	const steps =
		finite && machine.told && curved.length === 0
			? await finiteErrors(machine, unknowns, fixed, covariance, variance, (from, still, most) =>
					solve(whole.at, from, most, 1e-3, still),
				)
			: undefined;
	for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) covariance[i * n + j] *= chain[i] * chain[j];
	return {
		values: unknowns.map((unknown, i) => ({
			name: unknown.name,
			value: natural[i],
			sd: steps ? steps.sd[i] * Math.abs(chain[i]) : Math.sqrt(covariance[i * (n + 1)]),
			degrees,
			from: fixed.has(i) ? "held" : "search",
		})),
		covariance,
		outcome: machine.outcome ?? "maxSteps",
		evaluations,
		open,
		curvedNames: [...curved, ...(steps?.unbounded ?? []).map((j) => [j])].map((members) =>
			members.map((j) => unknowns[j].name),
		),
		openNames: unknowns.flatMap(({ name }, i) => (isUnseen(i) ? [name] : [])),
		rms: whole.observations.groups.map(({ from, to, spread }) => {
			let sum = machine.residual ? 0 : Number.NaN;
			for (let i = from; i < to; i++) sum += squared(machine.residual?.[i] ?? 0);
			return Math.sqrt(sum / (to - from)) * spread.sd[0];
		}),
		weighedBy: whole.observations.groups.map(({ spread }) => spread.sd[0]),
		...(machine.told
			? {
					left: leftOf(
						whole.observations,
						{ residual: machine.residual!, jacobian: machine.jacobian! },
						fixed,
					),
				}
			: {}),
	};
}

/** From the Jacobian, scaled by what the residuals are; what is fixed has no error. */
function errorsOf(
	jacobian: Float64Array,
	residual: Float64Array,
	n: number,
	fixed: ReadonlySet<number>,
): {
	covariance: Float64Array;
	variance: number;
	degrees: number;
	open: number;
	isUnseen: (i: number) => boolean;
} {
	const m = residual.length;
	const { matrix, open } = covarianceOf(
		jacobian.map((value, i) => (fixed.has(i % n) ? 0 : value)),
		n,
	);
	const degrees = Math.max(m - n + fixed.size, 1);
	const variance = residual.reduce((sum, r) => sum + r * r, 0) / degrees;
	return {
		covariance: matrix.map((value) => value * variance),
		variance,
		degrees,
		open: open.length - fixed.size,
		isUnseen: (i) => !fixed.has(i) && isOpen(open, i),
	};
}
