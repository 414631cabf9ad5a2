/**
 * Sensitivities of large models: they lie in memory, and loops go over their columns. The text grows with the entries of
 * the Jacobian that are not zero, the work of a step with those times the number of unknowns. The present ones stand at the
 * beginning of `work`, slopes of the stages behind them.
 */
import type { Buffer, KernelBuilder, Value } from "../builder.ts";
import type { ExpressionLowering } from "../expression.ts";
import { addScaled, isConstant, rowsOf, rowTimes } from "./linear.ts";
import type { Derivatives, Sensitivities, SensitivityBuffers, SensitivitySize } from "./sensitivities.ts";
import type { Tableau } from "./tableaus.ts";

export class SensitivitiesInMemory implements Sensitivities {
	#h: Value | undefined;

	constructor(
		private readonly b: KernelBuilder,
		private readonly tableau: Tableau,
		private readonly size: SensitivitySize,
		private readonly buffers: SensitivityBuffers & { readonly work: Buffer },
		initial: (state: number, m: number) => number,
	) {
		const { nStates, nSens } = size;
		const { s0, work } = buffers;
		b.loop(b.int(0), b.int(nStates * nSens), (at) => b.store(work, at, s0 ? b.load(s0, at) : b.constant(0)));
		for (let at = 0; at < nStates * nSens && !s0; at++) {
			const value = initial(Math.floor(at / nSens), at % nSens);
			if (value !== 0) b.store(work, at, b.constant(value));
		}
	}

	beginStep(h: Value): void {
		this.#h = h;
	}

	stage(stage: number, lowering: ExpressionLowering, { byState, direct }: Derivatives): void {
		const { b, size, buffers } = this;
		const rows = rowsOf(lowering, byState, size.nStates);
		const needed = new Set(rows.flatMap((row) => row.map(({ column }) => column)));
		this.#columns((m) => {
			const now = new Map([...needed].map((j) => [j, this.#moved(this.tableau.a[stage], j, m)]));
			for (const [i, row] of rows.entries()) {
				const slope = rowTimes(b, row, (j) => now.get(j)!) ?? b.constant(0);
				b.store(buffers.work, this.#slope(stage, i, m), slope);
			}
		});
		this.#add(lowering, direct, buffers.work, b.int((stage + 1) * size.nStates * size.nSens));
	}

	endStep(): void {
		const { b, buffers, size } = this;
		this.#columns((m) => {
			for (let i = 0; i < size.nStates; i++)
				b.store(buffers.work, this.#present(i, m), this.#moved(this.tableau.b, i, m));
		});
	}

	emit(lowering: ExpressionLowering, { byState, direct }: Derivatives, first: Value): void {
		const { b, size, buffers } = this;
		const rows = rowsOf(lowering, byState, size.nStates);
		this.#columns((m) => {
			const now = new Map<number, Value>();
			const column = (j: number): Value => {
				const known = now.get(j) ?? b.load(buffers.work, this.#present(j, m));
				now.set(j, known);
				return known;
			};
			for (const [o, row] of rows.entries()) {
				const at = b.intAdd(b.intAdd(first, b.int(o * size.nSens)), m);
				b.store(buffers.dy, at, rowTimes(b, row, column) ?? b.constant(0));
			}
		});
		this.#add(lowering, direct, buffers.dy, first);
	}

	end(): void {
		const { b, buffers, size } = this;
		b.loop(b.int(0), b.int(size.nStates * size.nSens), (at) =>
			b.store(buffers.sEnd, at, b.load(buffers.work, at)),
		);
	}

	#columns(body: (m: Value) => void): void {
		this.b.loop(this.b.int(0), this.b.int(this.size.nSens), body);
	}

	#present(i: number, m: Value): Value {
		return this.b.intAdd(m, this.b.int(i * this.size.nSens));
	}

	#slope(stage: number, i: number, m: Value): Value {
		return this.b.intAdd(m, this.b.int(((stage + 1) * this.size.nStates + i) * this.size.nSens));
	}

	/** Element (i, m), moved on by the slopes of the first stages. */
	#moved(weights: readonly number[], i: number, m: Value): Value {
		const { b, buffers } = this;
		const used = weights.map((weight, stage) => ({ weight, stage })).filter(({ weight }) => weight !== 0);
		return addScaled(
			b,
			b.load(buffers.work, this.#present(i, m)),
			this.#h!,
			used.map(({ weight }) => weight),
			used.map(({ stage }) => b.load(buffers.work, this.#slope(stage, i, m))),
		);
	}

	/** Adds the entries that are not zero to what stands from element `first` on. */
	#add(lowering: ExpressionLowering, direct: Derivatives["direct"], to: Buffer, first: Value): void {
		const { b } = this;
		const values = lowering.lower(direct);
		for (const [i, node] of direct.entries()) {
			if (isConstant(node, 0)) continue;
			const at = b.intAdd(first, b.int(i));
			b.store(to, at, b.add(b.load(to, at), values[i]));
		}
	}
}
