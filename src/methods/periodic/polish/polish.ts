/**
 * Least squares on simulations, from the answer of the integrals: parameters and initial values of one record, or of several
 * that share the parameters. Where a simulation from the answer leaves the record, its beginning is fitted first, and then
 * longer and longer parts: a shift that grows from period to period would lead astray.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { adaptiveForward } from "../../../estimate/forward/forward-adaptive.ts";
import { covarianceOf } from "../../../estimate/least-squares/covariance.ts";
import { LevenbergMarquardt } from "../../../estimate/least-squares/levenberg-marquardt.ts";
import { isOpen } from "../../../estimate/least-squares/null-space.ts";
import { type Misfit, misfits, naturalPoint } from "../../../estimate/observe/likelihood.ts";
import { observationsOf } from "../../../estimate/observe/observations.ts";
import { spreadParams } from "../../../estimate/observe/spread.ts";
import { toSearch, type Unknown, unknownsOf } from "../../../estimate/unknowns/unknowns.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Problem } from "../../problem.ts";
import type { Natural, NaturalValue } from "../adjustment/natural.ts";
import type { Question } from "../question.ts";
import { stretchOf } from "../record/stretch.ts";
import { searchBound } from "../search/unknowns.ts";
import { finiteErrors } from "./finite-errors.ts";
import { lookAlongOpen } from "./open-directions.ts";
import type { Simulated } from "./simulation.ts";

/** A record, and what the integrals found from it. */
export interface PolishPart {
	readonly question: Pick<Question, "model"> & {
		readonly record: Pick<Question["record"], "variance" | "cycles">;
	};
	/** Of the noise of each output, where there are several. */
	readonly variances?: readonly number[];
	readonly natural: Natural;
	readonly simulated: Pick<Simulated, "cycle"> | undefined;
}

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
	/** Root mean square of what is left, record by record, output by output. */
	readonly rms: readonly number[];
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
	const [{ question, natural: first }] = parts;
	const { model } = question;
	// Initial values are free here, whatever the model declares: the record need not start where a declaration says.
	const free = {
		...model,
		initial: model.initial.map(() => ({ kind: "none" as const })),
		// The record's own departure from its mean cycle tells its noise better than a declaration.
		measures: model.measures.map(({ spread: _, ...rest }) => ({ ...rest, kind: "exact" as const })),
	};
	const own = (name: string, e: number): string =>
		parts.length > 1 ? `${name}(0) of ${train[e].name}` : `${name}(0)`;
	const start = Object.fromEntries([
		...first.params.map(({ name, value }) => [name, value]),
		...parts.flatMap(({ natural }, e) => natural.initial.map(({ name, value }) => [own(name, e), value])),
	]);
	const held = new Set(first.params.filter(({ from }) => from === "held").map(({ name }) => name));
	const positive = new Set(
		parts.flatMap(({ simulated }, e) =>
			model.components
				.filter((_, i) => staysPositive(simulated, model.components.length, i))
				.map((name) => own(name, e)),
		),
	);
	// A state that is never negative stays so: its start is found on a logarithmic scale.
	const unknowns = unknownsOf({
		model: free,
		experiments: train.map(({ name }) => name),
		start,
		except: spreadParams(model),
		initialGuess: () => undefined,
	}).map((unknown): Unknown => (positive.has(unknown.name) ? { ...unknown, scale: "log" } : unknown));
	const fixed = new Set(unknowns.flatMap(({ name }, i) => (held.has(name) ? [i] : [])));
	const n = unknowns.length;
	// As in the integrals: what is searched for keeps to its range, what came in closed form knows none.
	const searched = new Set(first.params.filter(({ from }) => from === "search").map(({ name }) => name));
	const bounds = {
		lo: Float64Array.from(unknowns, (each) =>
			searched.has(each.name) ? searchBound(each, each.lo) : Number.NEGATIVE_INFINITY,
		),
		hi: Float64Array.from(unknowns, (each) =>
			searched.has(each.name) ? searchBound(each, each.hi) : Number.POSITIVE_INFINITY,
		),
	};
	const misfitOver = (experiments: readonly Experiment[]) => {
		const declared = observationsOf(free, experiments);
		const observations = {
			...declared,
			groups: declared.groups.map((group) => {
				const { question: own, variances } = parts[group.experiment];
				const spread = Math.sqrt(variances?.[group.index] ?? own.record.variance) || 1e-12;
				return { ...group, spread: { kind: "known" as const, sd: group.t.map(() => spread) } };
			}),
		};
		const forward = adaptiveForward({ model: free, unknowns, experiments, observations, compute });
		const problem = { unknowns, observations, forward };
		return {
			observations,
			at: async (z: Float64Array): Promise<Misfit> => (await misfits(problem, [z]))[0],
		};
	};
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
	const whole = misfitOver(train);
	let z = Float64Array.from(unknowns, (unknown) => toSearch(unknown, unknown.start));
	const { residual } = await whole.at(z);
	const isNear = residual.reduce((sum, r) => sum + r * r, 0) < near * residual.length;
	if (!isNear) {
		const cycles = Math.max(...parts.map(({ question: { record } }) => record.cycles));
		for (let periods = 1; periods < cycles; periods *= longer) {
			const begun = train.map((each, e) =>
				stretchOf(each, each.times[0], each.times[0] + periods * parts[e].natural.period),
			);
			const machine = await solve(misfitOver(begun).at, z, 40, 1e-3);
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
			from: held.has(unknown.name) ? "held" : "search",
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
	};
}

function staysPositive(simulated: PolishPart["simulated"], n: number, i: number): boolean {
	const { cycle } = simulated ?? { cycle: new Float64Array(0) };
	for (let k = i; k < cycle.length; k += n) if (!(cycle[k] > 0)) return false;
	return cycle.length > 0;
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
