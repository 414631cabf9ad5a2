/** The initial state of an experiment and its derivative by the unknowns. */
import type { Experiment } from "../../data/experiment.ts";
import { compileFunction } from "../../lower/compile-function.ts";
import { Differentiator } from "../../model/derivative.ts";
import type { Model } from "../../model/model.ts";
import type { Unknown } from "../unknowns/unknowns.ts";
import { type OrbitStarts, type Repeated, SteadyOrbits, type StiffInterval } from "./steady-orbit.ts";

interface Orbits {
	readonly plain: SteadyOrbits;
	readonly sensitive: SteadyOrbits;
}

export class InitialState {
	/** Parameters and conditions, in the order in which kernels and solvers take them. */
	readonly params: readonly string[];
	/** Names of the unknown parameters. */
	readonly sensitiveTo: readonly string[];
	readonly #model: Model;
	readonly #unknowns: readonly Unknown[];
	/** Components whose initial value is unknown, in the order of the columns. */
	readonly freeComponents: readonly number[];
	/** Of each parameter, the unknowns that stand for it: one, or one of each record. */
	readonly #standing: readonly (readonly number[])[];
	readonly #value: (p: Float64Array, out: Float64Array) => void;
	readonly #derivative: (p: Float64Array, out: Float64Array) => void;
	/** Without slopes, and with them. */
	#orbits: Orbits | undefined;
	/** The last orbit: state and slopes are asked for one after the other. */
	#last: { readonly record: Repeated; readonly p: Float64Array; readonly starts: OrbitStarts } | undefined;

	/** `stiff`: for steady states of models that no steps of one length can follow. */
	constructor(
		model: Model,
		unknowns: readonly Unknown[],
		private readonly stiff?: StiffInterval,
	) {
		this.#model = model;
		this.#unknowns = unknowns;
		const standing = new Map<string, number[]>();
		unknowns.forEach(({ kind, name, own }, i) => {
			const param = own?.param ?? name;
			if (kind === "param") standing.set(param, [...(standing.get(param) ?? []), i]);
		});
		this.#standing = [...standing.values()];
		this.sensitiveTo = [...standing.keys()];
		this.params = [...this.sensitiveTo, ...model.conditions.map(({ name }) => name)];
		this.freeComponents = model.initial.flatMap(({ kind }, i) => (kind === "exact" ? [] : [i]));
		const exact = model.initial.map((knowledge) =>
			knowledge.kind === "exact" ? knowledge.value : model.graph.zero,
		);
		const args = [{ name: "p", symbols: this.params }];
		this.#value = compileFunction(exact, args);
		this.#derivative = compileFunction(
			new Differentiator(model.graph).jacobian(exact, this.sensitiveTo),
			args,
		);
	}

	/** Unknowns that matter to experiment e, as columns of its sensitivities: parameters, then its initial values. */
	columns(e: number): number[] {
		return [
			...this.#paramsOf(e),
			...this.#unknowns.flatMap(({ kind, experiment }, i) =>
				kind === "initial" && experiment === e ? [i] : [],
			),
		];
	}

	/** The unknown that stands for each parameter in experiment e. */
	#paramsOf(e: number): number[] {
		const isOf = (i: number): boolean => this.#unknowns[i].own?.experiments.includes(e) ?? true;
		return this.#standing.map((all) => (all.length === 1 ? all[0] : all.find(isOf)!));
	}

	/** `e`: the experiment, for parameters that differ from record to record. */
	paramValues(point: Float64Array, { conditions }: Pick<Experiment, "conditions">, e = 0): Float64Array {
		return Float64Array.of(
			...this.#paramsOf(e).map((i) => point[i]),
			...this.#model.conditions.map(({ name }) => conditions[name]),
		);
	}

	/** `record`: where it may begin in a steady state of doses. */
	state(point: Float64Array, p: Float64Array, e: number, record?: Repeated): Float64Array {
		const orbit = this.#orbit(p, record);
		if (orbit) return orbit.x.slice();
		const x = new Float64Array(this.#model.components.length);
		this.#value(p, x);
		for (const [i, { kind, experiment, component }] of this.#unknowns.entries())
			if (kind === "initial" && experiment === e) x[component] = point[i];
		return x;
	}

	/** The steady state that a record begins in, where it does. */
	#orbit(p: Float64Array, record: Repeated | undefined): OrbitStarts | undefined {
		if (!this.isSettled(record)) return undefined;
		let last = this.#last;
		if (!(last?.record === record && last.p.every((value, i) => value === p[i]))) {
			const declared = new Float64Array(this.#model.components.length);
			this.#value(p, declared);
			last = { record, p, starts: this.#steadyOrbits.sensitive.starts(record, p, declared, 1) };
			this.#last = last;
		}
		return last.starts;
	}

	get #steadyOrbits(): Orbits {
		const [model, { params, sensitiveTo }] = [this.#model, this];
		this.#orbits ??= {
			plain: new SteadyOrbits(model, params, [], this.stiff),
			sensitive: new SteadyOrbits(model, params, sensitiveTo, this.stiff),
		};
		return this.#orbits;
	}

	/** Whether a record begins in a steady state that is searched for. */
	isSettled(record: Repeated | undefined): record is Repeated {
		return record?.orbit !== undefined && this.#model.steady === "orbit";
	}

	/** Of many lanes at once: what is declared (`x0`, `s0`) gives way to the steady state. */
	settleInto(
		x0: Float64Array,
		s0: Float64Array | undefined,
		params: Float64Array,
		batch: number,
		record: Repeated,
	): void {
		const { plain, sensitive } = this.#steadyOrbits;
		const { x, slopes } = (s0 ? sensitive : plain).starts(record, params, x0, batch);
		x0.set(x);
		s0?.set(slopes);
	}

	/** Row-major: components × columns(e). */
	sensitivities(p: Float64Array, record?: Repeated): Float64Array {
		const orbit = this.#orbit(p, record);
		if (orbit) return orbit.slopes.slice();
		const n = this.#model.components.length;
		const nParams = this.sensitiveTo.length;
		const free = this.freeComponents;
		const byParams = new Float64Array(n * nParams);
		this.#derivative(p, byParams);
		const width = nParams + free.length;
		const S = new Float64Array(n * width);
		for (let i = 0; i < n; i++) {
			S.set(byParams.subarray(i * nParams, (i + 1) * nParams), i * width);
			free.forEach((component, k) => {
				S[i * width + nParams + k] = component === i ? 1 : 0;
			});
		}
		return S;
	}
}
