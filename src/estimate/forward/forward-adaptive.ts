/** The forward model by an adaptive solver, one point after another: for stiff models and long steps. */
import { breathed } from "../../compute/breathing.ts";
import type { Compute } from "../../compute/compute.ts";
import type { Experiment } from "../../data/experiment.ts";
import { compileFunction } from "../../lower/compile-function.ts";
import { Differentiator } from "../../model/derivative.ts";
import type { Model } from "../../model/model.ts";
import { knotsOf } from "../../solve/piecewise-inputs.ts";
import { type Rest, restSteps, sensitiveRestSteps } from "../../solve/rest.ts";
import { sensitivitySteps } from "../../solve/sensitivity.ts";
import { solutionSteps } from "../../solve/solve-ivp.ts";
import { OdeSystem } from "../../solve/system.ts";
import type { Observations } from "../observe/observations.ts";
import { simulatedSpreads } from "../observe/spread.ts";
import type { Unknown } from "../unknowns/unknowns.ts";
import type { Evaluation, Forward } from "./forward.ts";
import { InitialState } from "./initial-state.ts";

export interface ForwardSpec {
	/** Without combinations and formula inputs. */
	readonly model: Model;
	readonly unknowns: readonly Unknown[];
	readonly experiments: readonly Experiment[];
	readonly observations: Observations;
	/** Parameters that are spreads and need no search. */
	readonly common?: ReadonlySet<string>;
	/** Relative tolerance of the adaptive solver. */
	readonly rtol?: number;
	/** Breathes on the way: one point may take seconds. */
	readonly compute?: Pick<Compute, "breathe">;
}

const usualTolerance = 1e-8;

export function adaptiveForward(spec: ForwardSpec): Forward {
	const solver = new AdaptiveForward(spec);
	return {
		says: `an adaptive solver (relative tolerance ${spec.rtol ?? usualTolerance})`,
		async evaluate(points, sensitivities) {
			const evaluations: Evaluation[] = [];
			for (const point of points)
				evaluations.push(await breathed(solver.evaluation(point, sensitivities), spec.compute));
			return evaluations;
		},
	};
}

interface Start {
	readonly x: Float64Array;
	readonly S?: Float64Array;
}

class AdaptiveForward {
	readonly #spec: ForwardSpec;
	readonly #initial: InitialState;
	readonly #system: OdeSystem;
	readonly #inputs: readonly string[];
	/** Values of the measures, then their spreads; and the derivatives of both by states and parameters. */
	readonly #outputs: (...args: (number | Float64Array)[]) => void;
	readonly #hasSpreads: boolean;
	readonly #derivatives: (...args: (number | Float64Array)[]) => void;

	constructor(spec: ForwardSpec) {
		const { model, unknowns } = spec;
		this.#spec = spec;
		this.#initial = new InitialState(model, unknowns);
		this.#inputs = model.inputs.map(({ name }) => name);
		const { params, sensitiveTo } = this.#initial;
		this.#system = new OdeSystem({
			graph: model.graph,
			states: model.components,
			rhs: model.rhs,
			params,
			inputs: this.#inputs,
			sensitiveTo,
		});
		const args = [
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: model.components },
			{ name: "u", symbols: this.#inputs },
			{ name: "p", symbols: params },
		];
		const values = model.measures.map(({ value }) => value);
		const d = new Differentiator(model.graph);
		const spreads = simulatedSpreads(model, spec.common);
		this.#hasSpreads = spreads.some(({ op }) => op !== "const");
		const outputs = this.#hasSpreads ? [...values, ...spreads] : values;
		this.#outputs = compileFunction(outputs, args);
		this.#derivatives = compileFunction(
			[...d.jacobian(outputs, model.components), ...d.jacobian(outputs, sensitiveTo)],
			args,
		);
	}

	*evaluation(point: Float64Array, sensitivities: boolean): Generator<void, Evaluation> {
		const { unknowns, observations, experiments } = this.#spec;
		const n = observations.nObservations;
		const value = new Float64Array(n).fill(Number.NaN);
		const table = sensitivities ? n * unknowns.length : -1;
		const evaluation = {
			value,
			...(table >= 0 ? { jacobian: new Float64Array(table) } : {}),
			...(this.#hasSpreads ? { spread: new Float64Array(n) } : {}),
			...(this.#hasSpreads && table >= 0 ? { spreadJacobian: new Float64Array(table) } : {}),
		};
		for (const [e, experiment] of experiments.entries())
			yield* this.#experiment(experiment, e, point, evaluation);
		return evaluation;
	}

	/** Where an experiment begins: as declared, or at rest. `scale` is that of the columns, where sensitivities are wanted. */
	*#start(
		experiment: Experiment,
		e: number,
		point: Float64Array,
		p: Float64Array,
		scale: readonly number[] | undefined,
	): Generator<void, Start | undefined> {
		const declared = (values: Float64Array): Start | undefined => {
			const x = this.#initial.state(point, values, e);
			if (!values.every(Number.isFinite) || !x.every(Number.isFinite)) return undefined;
			return { x, ...(scale && { S: this.#initial.sensitivities(values) }) };
		};
		const stages = (experiment.rest ?? []).map((each) =>
			this.#initial.paramValues(point, { conditions: each }),
		);
		let start = declared(stages[0] ?? p);
		const { t0 } = this.#spec.observations.grids[e];
		const rtol = this.#spec.rtol ?? usualTolerance;
		const options = { rtol, atol: rtol / 100 };
		for (const [k, values] of stages.entries()) {
			if (!start) return undefined;
			const rest: Rest = scale
				? yield* sensitiveRestSteps(this.#system.sensitiveIvp(values), t0, start.x, start.S!, {
						...options,
						columnScale: scale,
					})
				: yield* restSteps(this.#system.ivp(values), t0, start.x, options);
			if (rest.outcome === "none") return undefined;
			const next = declared(stages[k + 1] ?? p);
			start = next && k === 0 ? this.#reset(rest, next, experiment.reset ?? []) : rest;
		}
		return start;
	}

	/** At rest, but for the components that are set anew. */
	#reset(rest: Start, declared: Start, names: readonly string[]): Start {
		const [x, S] = [rest.x.slice(), rest.S?.slice()];
		const width = (S?.length ?? 0) / x.length;
		for (const name of names) {
			const i = this.#spec.model.components.indexOf(name);
			x[i] = declared.x[i];
			S?.set(declared.S!.subarray(i * width, (i + 1) * width), i * width);
		}
		return { x, ...(S && { S }) };
	}

	*#experiment(
		experiment: Experiment,
		e: number,
		point: Float64Array,
		{ value, jacobian, spread, spreadJacobian }: Evaluation,
	): Generator<void, void> {
		const { t0, times } = this.#spec.observations.grids[e];
		if (times.length === 0) return;
		const p = this.#initial.paramValues(point, experiment);
		const signals = this.#inputs.map((name) => experiment.inputs.get(name)!);
		const columns = this.#initial.columns(e);
		const rtol = this.#spec.rtol ?? usualTolerance;
		const options = { rtol, atol: rtol / 100, saveAt: times, knots: knotsOf(signals) };
		const t1 = times[times.length - 1];
		const scale = columns.map((j) => Math.abs(point[j]) || 1);
		const start = yield* this.#start(experiment, e, point, p, jacobian ? scale : undefined);
		if (!start) return;
		const { x: x0, S: S0 } = start;
		const solution = jacobian
			? yield* sensitivitySteps(this.#system.sensitiveIvp(p, signals), t0, t1, x0, S0!, {
					...options,
					columnScale: scale,
				})
			: {
					...(yield* solutionSteps(this.#system.ivp(p, signals), t0, t1, x0, options)),
					S: undefined,
				};
		const nStates = x0.length;
		const { measures } = this.#spec.model;
		const nOutputs = (this.#hasSpreads ? 2 : 1) * measures.length;
		const nParams = this.#initial.sensitiveTo.length;
		const out = new Float64Array(nOutputs);
		const d = new Float64Array(nOutputs * (nStates + nParams));
		const width = columns.length;
		const nUnknowns = this.#spec.unknowns.length;
		for (const group of this.#spec.observations.groups) {
			if (group.experiment !== e) continue;
			for (let i = group.from; i < group.to; i++) {
				const k = group.gridIndex[i - group.from];
				if (k >= solution.t.length) break;
				const x = solution.x.subarray(k * nStates, (k + 1) * nStates);
				const u = Float64Array.from(signals, (signal) => signal.at(times[k]));
				this.#outputs(times[k], x, u, p, out);
				value[i] = out[group.index];
				if (spread) spread[i] = out[measures.length + group.index];
				if (!jacobian || !solution.S) continue;
				this.#derivatives(times[k], x, u, p, d);
				const S = solution.S.subarray(k * nStates * width, (k + 1) * nStates * width);
				for (let c = 0; c < width; c++) {
					const at = i * nUnknowns + columns[c];
					jacobian[at] = slope(group.index, c);
					if (spreadJacobian) spreadJacobian[at] = slope(measures.length + group.index, c);
				}

				/** Derivative of an output by a column of the sensitivities. */
				function slope(output: number, c: number): number {
					let sum = c < nParams ? d[nOutputs * nStates + output * nParams + c] : 0;
					for (let s = 0; s < nStates; s++) sum += d[output * nStates + s] * S[s * width + c];
					return sum;
				}
			}
		}
	}
}
