/**
 * What least squares on simulations asks: the unknowns of one record or of several that share the parameters, from what the integrals
 * found of each, and how far a simulation is from the samples.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { adaptiveForward } from "../../../estimate/forward/forward-adaptive.ts";
import { type Misfit, misfits } from "../../../estimate/observe/likelihood.ts";
import {
	type Observations,
	type OutputGroup,
	observationsOf,
} from "../../../estimate/observe/observations.ts";
import { spreadParams } from "../../../estimate/observe/spread.ts";
import { toSearch, type Unknown, unknownsOf } from "../../../estimate/unknowns/unknowns.ts";
import type { Problem } from "../../problem.ts";
import type { Natural } from "../adjustment/natural.ts";
import type { Question } from "../question.ts";
import { searchBound } from "../search/unknowns.ts";
import type { Simulated } from "./simulation.ts";

/** A record, and what the integrals found from it. */
export interface PolishPart {
	readonly question: Pick<Question, "model"> & {
		readonly record: Pick<Question["record"], "variance" | "cycles">;
	};
	/** Of the noise of each output, where it is not that of the record. */
	readonly variances?: readonly number[];
	readonly natural: Natural;
	readonly simulated: Pick<Simulated, "cycle"> | undefined;
}

/** What a point leaves of the samples. */
export interface Left {
	/** Observed minus simulated. */
	readonly errors: Float64Array;
	/** Over the spread by which it was weighed, by what was not held: row-major. */
	readonly jacobian: Float64Array;
	readonly nUnknowns: number;
}

export interface PolishProblem {
	readonly unknowns: readonly Unknown[];
	/** Those that are held. */
	readonly fixed: ReadonlySet<number>;
	readonly bounds: { readonly lo: Float64Array; readonly hi: Float64Array };
	/** Where it begins, in search coordinates. */
	readonly start: Float64Array;
	readonly over: (experiments: readonly Experiment[]) => {
		readonly observations: Weighed;
		readonly at: (z: Float64Array) => Promise<Misfit>;
	};
}

export type Weighed = Omit<Observations, "groups"> & {
	readonly groups: readonly (OutputGroup & { readonly spread: { readonly sd: Float64Array } })[];
};

/** One part for each record of `train`, in its order; parameters start at those of the first. */
export function polishProblem(
	{ train, compute }: Pick<Problem, "train" | "compute">,
	parts: readonly PolishPart[],
): PolishProblem {
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
	const unknowns = unknownsOf({
		model: free,
		experiments: train.map(({ name }) => name),
		// What came in closed form knows no range, and may lie beside it.
		start: {},
		except: spreadParams(model),
		initialGuess: () => undefined,
	}).map((unknown): Unknown => {
		const found = start[unknown.name] ?? unknown.start;
		// A state that is never negative stays so: its start is found on a logarithmic scale.
		const isLog = positive.has(unknown.name) || (unknown.scale === "log" && found > 0);
		return { ...unknown, scale: isLog ? "log" : "linear", start: found };
	});
	const fixed = new Set(unknowns.flatMap(({ name }, i) => (held.has(name) ? [i] : [])));
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
	const over = (experiments: readonly Experiment[]) => {
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
	const z = Float64Array.from(unknowns, (unknown) => toSearch(unknown, unknown.start));
	return { unknowns, fixed, bounds, start: z, over };
}

/** What the answer of the integrals leaves; NaN where a simulation from it breaks off. */
export async function leftAtStart(
	problem: Pick<Problem, "train" | "compute">,
	part: PolishPart,
): Promise<Left> {
	const { start, fixed, over } = polishProblem(problem, [part]);
	const { observations, at } = over(problem.train);
	return leftOf(observations, await at(start), fixed);
}

export function leftOf(
	{ groups }: Weighed,
	{ residual, jacobian }: Pick<Misfit, "residual" | "jacobian">,
	fixed: ReadonlySet<number>,
): Left {
	const errors = residual.slice();
	for (const { from, to, spread } of groups) for (let i = from; i < to; i++) errors[i] *= spread.sd[i - from];
	const n = jacobian.length / residual.length;
	return { errors, jacobian: jacobian.filter((_, at) => !fixed.has(at % n)), nUnknowns: n - fixed.size };
}

function staysPositive(simulated: PolishPart["simulated"], n: number, i: number): boolean {
	const { cycle } = simulated ?? { cycle: new Float64Array(0) };
	for (let k = i; k < cycle.length; k += n) if (!(cycle[k] > 0)) return false;
	return cycle.length > 0;
}
