/** The initial state of an experiment and its derivative by the unknowns. */
import type { Experiment } from "../../data/experiment.ts";
import { compileFunction } from "../../lower/compile-function.ts";
import { Differentiator } from "../../model/derivative.ts";
import type { Model } from "../../model/model.ts";
import type { Unknown } from "../unknowns/unknowns.ts";

export class InitialState {
	/** Parameters and conditions, in the order in which kernels and solvers take them. */
	readonly params: readonly string[];
	/** Names of the unknown parameters. */
	readonly sensitiveTo: readonly string[];
	readonly #model: Model;
	readonly #unknowns: readonly Unknown[];
	/** Components whose initial value is unknown, in the order of the columns. */
	readonly freeComponents: readonly number[];
	readonly #paramIndex: readonly number[];
	readonly #value: (p: Float64Array, out: Float64Array) => void;
	readonly #derivative: (p: Float64Array, out: Float64Array) => void;

	constructor(model: Model, unknowns: readonly Unknown[]) {
		this.#model = model;
		this.#unknowns = unknowns;
		this.#paramIndex = unknowns.flatMap(({ kind }, i) => (kind === "param" ? [i] : []));
		this.sensitiveTo = this.#paramIndex.map((i) => unknowns[i].name);
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
			...this.#paramIndex,
			...this.#unknowns.flatMap(({ kind, experiment }, i) =>
				kind === "initial" && experiment === e ? [i] : [],
			),
		];
	}

	paramValues(point: Float64Array, { conditions }: Pick<Experiment, "conditions">): Float64Array {
		return Float64Array.of(
			...this.#paramIndex.map((i) => point[i]),
			...this.#model.conditions.map(({ name }) => conditions[name]),
		);
	}

	state(point: Float64Array, p: Float64Array, e: number): Float64Array {
		const x = new Float64Array(this.#model.components.length);
		this.#value(p, x);
		for (const [i, { kind, experiment, component }] of this.#unknowns.entries())
			if (kind === "initial" && experiment === e) x[component] = point[i];
		return x;
	}

	/** Row-major: components × columns(e). */
	sensitivities(p: Float64Array): Float64Array {
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
