/** Sensitivities of small models: each number is a variable, and all code is written out. */
import type { KernelBuilder, Value, Variable } from "../builder.ts";
import type { ExpressionLowering } from "../expression.ts";
import { addScaled, matrixTimes } from "./linear.ts";
import type { Derivatives, Sensitivities, SensitivityBuffers, SensitivitySize } from "./sensitivities.ts";
import type { Tableau } from "./tableaus.ts";

export class SensitivitiesInRegisters implements Sensitivities {
	readonly #S: readonly Variable[];
	#h: Value | undefined;
	#before: Value[] = [];
	#slopes: Value[][] = [];

	constructor(
		private readonly b: KernelBuilder,
		private readonly tableau: Tableau,
		private readonly size: SensitivitySize,
		private readonly buffers: SensitivityBuffers,
		initial: (state: number, m: number) => number,
	) {
		const { nStates, nSens } = size;
		const { s0 } = buffers;
		this.#S = Array.from({ length: nStates * nSens }, (_, at) =>
			b.variable("lane", s0 ? b.load(s0, at) : b.constant(initial(Math.floor(at / nSens), at % nSens))),
		);
	}

	beginStep(h: Value): void {
		this.#h = h;
		this.#before = this.#S.map((v) => this.b.get(v));
		this.#slopes = [];
	}

	stage(stage: number, lowering: ExpressionLowering, { byState, direct }: Derivatives): void {
		const now = this.#moved(this.tableau.a[stage]);
		this.#slopes.push(matrixTimes(this.b, lowering, byState, now, direct, this.size.nSens));
	}

	endStep(): void {
		for (const [i, value] of this.#moved(this.tableau.b).entries()) this.b.set(this.#S[i], value);
	}

	emit(lowering: ExpressionLowering, { byState, direct }: Derivatives, first: Value): void {
		const { b, buffers } = this;
		const now = this.#S.map((s) => b.get(s));
		for (const [i, value] of matrixTimes(b, lowering, byState, now, direct, this.size.nSens).entries())
			b.store(buffers.dy, b.intAdd(first, b.int(i)), value);
	}

	end(): void {
		for (const [i, s] of this.#S.entries()) this.b.store(this.buffers.sEnd, i, this.b.get(s));
	}

	#moved(weights: readonly number[]): Value[] {
		return this.#before.map((value, i) =>
			addScaled(
				this.b,
				value,
				this.#h!,
				weights,
				this.#slopes.map((row) => row[i]),
			),
		);
	}
}
