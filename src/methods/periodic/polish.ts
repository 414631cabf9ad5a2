/**
 * Least squares on simulations, from the answer of the integrals: parameters and initial values of one record, or of several
 * that share the parameters.
 */
import { svdSmall, triangulate } from "../../num/least-squares.ts";
import { LevenbergMarquardt } from "../../num/levenberg-marquardt.ts";
import { adaptiveForward } from "../common/forward-adaptive.ts";
import { misfits, naturalPoint } from "../common/misfit.ts";
import { observationsOf, spreadParams } from "../common/observations.ts";
import { fromSearch, toSearch, unknownsOf } from "../common/unknowns.ts";
import type { Problem } from "../problem.ts";
import type { Natural, NaturalValue } from "./natural.ts";
import type { Question } from "./question.ts";

/** A record, and what the integrals found from it. */
export interface PolishPart {
	readonly question: Pick<Question, "model" | "record">;
	readonly natural: Natural;
}

export interface Polished {
	readonly values: readonly NaturalValue[];
	readonly outcome: string;
	readonly evaluations: number;
	/** Root mean square of what is left, record by record. */
	readonly rms: readonly number[];
}

/** One part for each record of `train`, in its order; parameters start at those of the first. */
export async function polish(train: Problem["train"], parts: readonly PolishPart[]): Promise<Polished> {
	const [{ question, natural: first }] = parts;
	const { model } = question;
	// Initial values are free here, whatever the model declares: the record need not start where a declaration says.
	const free = { ...model, initial: model.initial.map(() => ({ kind: "none" as const })) };
	const observations = observationsOf(free, train);
	const own = (name: string, e: number): string =>
		parts.length > 1 ? `${name}(0) of ${train[e].name}` : `${name}(0)`;
	const start = Object.fromEntries([
		...first.params.map(({ name, value }) => [name, value]),
		...parts.flatMap(({ natural }, e) => natural.initial.map(({ name, value }) => [own(name, e), value])),
	]);
	const held = new Set(first.params.filter(({ from }) => from === "held").map(({ name }) => name));
	const unknowns = unknownsOf({
		model: free,
		experiments: train.map(({ name }) => name),
		start,
		except: spreadParams(free),
		initialGuess: () => undefined,
	});
	const fixed = new Set(unknowns.flatMap(({ name }, i) => (held.has(name) ? [i] : [])));
	const forward = adaptiveForward({ model: free, unknowns, experiments: train, observations });
	const sd = new Float64Array(observations.nObservations);
	for (const { experiment, from, to } of observations.groups)
		sd.fill(Math.sqrt(parts[experiment].question.record.variance) || 1e-12, from, to);
	const problem = { unknowns, observations, forward, sd };
	const infinite = new Float64Array(unknowns.length).fill(Number.POSITIVE_INFINITY);
	const machine = new LevenbergMarquardt(
		Float64Array.from(unknowns, (unknown) => toSearch(unknown, unknown.start)),
		{ lo: infinite.map((value) => -value), hi: infinite },
		{ maxEvaluations: 30, tolerance: 1e-8, damping: 1e-8 },
		fixed,
	);
	while (machine.trial) {
		const [{ residual, jacobian }] = await misfits(problem, [machine.trial]);
		machine.tell(residual, jacobian);
	}
	const natural1 = naturalPoint(unknowns, machine.best);
	const spread = machine.told
		? spreads(machine.jacobian!, machine.residual!, unknowns.length, fixed)
		: infinite;
	return {
		values: unknowns.map((unknown, i) => ({
			name: unknown.name,
			value: fromSearch(unknown, machine.best[i]),
			sd: spread[i] * (unknown.scale === "log" ? natural1[i] : 1),
			from: held.has(unknown.name) ? "held" : "search",
		})),
		outcome: machine.outcome ?? "maxSteps",
		evaluations: machine.evaluations,
		rms: observations.groups.map(({ from, to }) => {
			let sum = machine.residual ? 0 : Number.NaN;
			for (let i = from; i < to; i++) sum += (machine.residual?.[i] ?? 0) ** 2;
			return Math.sqrt(sum / (to - from)) * sd[from];
		}),
	};
}

/** Standard deviations from the Jacobian, scaled by what the residuals are. */
function spreads(
	jacobian: Float64Array,
	residual: Float64Array,
	n: number,
	fixed: ReadonlySet<number>,
): Float64Array {
	const m = residual.length;
	const scale = Float64Array.from({ length: n }, (_, j) => {
		let sum = 0;
		for (let i = 0; i < m; i++) sum += jacobian[i * n + j] ** 2;
		return fixed.has(j) ? 0 : 1 / (Math.sqrt(sum) || 1);
	});
	const scaled = jacobian.map((value, i) => value * scale[i % n]);
	const { s, v } = svdSmall(triangulate(scaled, new Float64Array(m), m, n).r, n);
	const variance = residual.reduce((sum, r) => sum + r * r, 0) / Math.max(m - n + fixed.size, 1);
	return scale.map((factor, j) => {
		let sum = 0;
		for (let l = 0; l < n; l++) if (s[l] > 1e-10 * s[0]) sum += (v[j * n + l] / s[l]) ** 2;
		return factor * Math.sqrt(sum * variance);
	});
}
