/** The Runge–Kutta kernels of an estimation problem, made once: outputs alone, and with sensitivities. */
import type { Kernel } from "../../lower/ir.ts";
import { rungeKuttaKernel } from "../../lower/kernels/runge-kutta.ts";
import type { Node } from "../../model/graph.ts";
import type { Model } from "../../model/model.ts";
import { hasSimulatedSpreads, simulatedSpreads } from "../observe/spread.ts";
import type { Unknown } from "../unknowns/unknowns.ts";
import { InitialState } from "./initial-state.ts";

export class GridKernels {
	readonly initial: InitialState;
	readonly inputs: readonly string[];
	/** Spreads that must be simulated are among the outputs, behind the values. */
	readonly #spreads: readonly Node[];
	readonly hasSpreads: boolean;
	readonly nOutputs: number;
	/** Columns of the sensitivities: unknown parameters, then unknown initial values. */
	readonly nSens: number;
	readonly #model: Model;
	#plain: Kernel | undefined;
	#sensitive: Kernel | undefined;

	constructor(
		model: Model,
		unknowns: readonly Unknown[],
		/** Parameters that are spreads and need no search. */
		common?: ReadonlySet<string>,
	) {
		this.#model = model;
		this.initial = new InitialState(model, unknowns);
		this.nSens = this.initial.sensitiveTo.length + this.initial.freeComponents.length;
		this.inputs = model.inputs.map(({ name }) => name);
		this.#spreads = simulatedSpreads(model, common);
		this.hasSpreads = hasSimulatedSpreads(model, common);
		this.nOutputs = model.measures.length * (this.hasSpreads ? 2 : 1);
	}

	get plain(): Kernel {
		return (this.#plain ??= this.#make(false));
	}
	get sensitive(): Kernel {
		return (this.#sensitive ??= this.#make(true));
	}

	#make(sensitivities: boolean): Kernel {
		const { graph, components, rhs, measures } = this.#model;
		const { params, sensitiveTo, freeComponents } = this.initial;
		const spreads = this.hasSpreads ? this.#spreads : [];
		return rungeKuttaKernel({
			graph,
			components,
			rhs,
			params,
			inputs: this.inputs,
			outputs: [...measures.map(({ value }) => value), ...spreads],
			...(sensitivities
				? {
						sensitivities: [...sensitiveTo, ...freeComponents.map((i) => components[i])],
						initialSensitivities: true,
					}
				: {}),
		});
	}
}
