/**
 * The probabilistic ODE filter over a whole record as one kernel: particles in lanes; mean, covariance, diffusion and
 * log-likelihood in registers from the first sample to the last.
 *
 * Reference: Longbottom, Champneys, Rogers, "Probabilistic numeric SMC sampling for Bayesian nonlinear system
 * identification in continuous time", 2024 [longbottom2024], eqs. (12)–(20). It departs from the paper in this: native
 * second-order blocks; y = g(x, u, θ) corrects through g's own Jacobian; Γ of a step includes that step's ẑ; EKF1 where
 * asked for.
 *
 * Buffers: see `filter-grid.ts` for the uniform ones. Lane: `params`, `initial` (free initial values); `mean`, `cov`,
 * `diffusion`, `logLik` hold the state between calls; out `increments` or `value`, `variance` and `noise` (one a sample and
 * output each) where asked for; or what a smoother needs, see `smoothing-record.ts`.
 */
import type { Value } from "../../../lower/builder.ts";
import { DataUpdate } from "./data-update.ts";
import { FilterScope } from "./filter-scope.ts";
import type { FilterKernel, FilterSpec } from "./filter-spec.ts";
import { FlowMatrix } from "./flow-matrix.ts";
import { JumpShift } from "./jumps/jump-shift.ts";
import { ForceStep } from "./noise/force-step.ts";
import { SmoothingRecord } from "./smoothing-record.ts";
import { SolverStep } from "./solver-step.ts";
import { startExpressions, startState } from "./start-state.ts";
import { RosenbrockStep } from "./stiff/rosenbrock-step.ts";

export type { FilterKernel, FilterSpec } from "./filter-spec.ts";

export function filterKernel(spec: FilterSpec): FilterKernel {
	const scope = new FilterScope(spec);
	const { b, from, to, uniform, row } = scope;
	const { update, output, uniformSteps, gaps } = spec;
	const nOutputs = spec.model.measures.length;
	const increments = output === "increments" ? b.buffer("increments", "lane", "write") : undefined;
	const moments =
		output === "moments"
			? {
					value: b.buffer("value", "lane", "write"),
					variance: b.buffer("variance", "lane", "write"),
					noise: b.buffer("noise", "lane", "write"),
				}
			: undefined;
	const record = output === "smoothing" ? new SmoothingRecord(scope) : undefined;

	const forces = spec.layout.forces.length > 0 ? new ForceStep(scope) : undefined;
	const starts = startExpressions(scope);
	b.if(
		b.intEq(from, b.int(0)),
		() => startState(scope, starts, forces),
		() => {
			for (const [buffer, variables] of scope.kept)
				for (const [i, variable] of variables.entries()) b.set(variable, b.load(buffer, i));
		},
	);
	if (uniformSteps) row.load(b, uniform.scale, undefined);
	const outer = scope.hoist();
	const data = new DataUpdate(scope, outer, increments !== undefined);
	const flow = output === "smoothing" ? new FlowMatrix(scope) : undefined;
	const solver = spec.stiff ? new RosenbrockStep(scope) : new SolverStep(scope, forces, flow);
	solver.hoist();
	const jumps = spec.jumps ? new JumpShift(scope, forces, flow) : undefined;
	const advance = (step: Value): void => {
		jumps?.write(step);
		solver.write(step);
	};

	b.loop(from, to, (sample) => {
		const first = b.toInt(b.load(uniform.stepOf, sample));
		const last = b.toInt(b.load(uniform.stepOf, b.intAdd(sample, b.int(1))));
		flow?.reset();
		if (spec.oneStep) b.if(b.intLt(first, last), () => advance(first));
		else b.loop(first, last, advance);
		if (!uniformSteps) {
			const step = b.intSub(last, b.int(1));
			row.load(b, uniform.scale, b.toInt(b.max(b.toReal(step), b.constant(0))));
		}
		record?.store(b.intSub(sample, from), flow!);
		for (let o = 0; o < nOutputs; o++) {
			const place = (s: Value): Value => b.intAdd(b.intMul(s, b.int(nOutputs)), b.int(o));
			const symbols = scope.symbols(() => b.load(uniform.sampleT, sample), uniform.sampleU, sample);
			if (moments) data.predict(o, symbols, place(b.intSub(sample, from)), moments);
			record?.storeOutput(o, symbols, place(b.intSub(sample, from)), b.load(uniform.y, place(sample)), data);
			if (!update) continue;
			const before = increments ? b.get(scope.logLik) : undefined;
			const condition = (): void => data.condition(o, symbols, b.load(uniform.y, place(sample)));
			if (gaps) b.if(b.lt(b.constant(0), b.load(uniform.present, place(sample))), condition);
			else condition();
			if (increments) b.store(increments, place(b.intSub(sample, from)), b.sub(b.get(scope.logLik), before!));
		}
		if (update && !increments) data.endSample(sample);
	});
	if (update) data.finish();
	for (const [buffer, variables] of scope.kept)
		for (const [i, variable] of variables.entries()) b.store(buffer, i, b.get(variable));
	return {
		kernel: b.kernel("filter"),
		covPairs: scope.pairs,
		inputDerivatives: Math.max(...starts.map(({ length }) => length)),
	};
}
