/**
 * Sensitivities of large models: they lie in memory, and loops go over their columns. The text grows with the entries of
 * the Jacobian that are not zero, the work of a step with those times the number of unknowns. What belongs to one unknown
 * lies together in `work`: the present ones, then slopes of the stages.
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
		this.#columns((m) => {
			for (let i = 0; i < nStates; i++) {
				const from = b.intAdd(m, b.int(i * nSens));
				b.store(work, this.#at(0, i, m), s0 ? b.load(s0, from) : b.constant(0));
			}
		});
		for (let at = 0; at < nStates * nSens && !s0; at++) {
			const [i, m] = [Math.floor(at / nSens), at % nSens];
			const value = initial(i, m);
			if (value !== 0) b.store(work, this.#at(0, i, b.int(m)), b.constant(value));
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
				b.store(buffers.work, this.#at(stage + 1, i, m), slope);
			}
		});
		this.#add(lowering, direct, buffers.work, (i, m) => this.#at(stage + 1, i, b.int(m)));
	}

	endStep(): void {
		const { b, buffers, size } = this;
		this.#columns((m) => {
			for (let i = 0; i < size.nStates; i++)
				b.store(buffers.work, this.#at(0, i, m), this.#moved(this.tableau.b, i, m));
		});
	}

	emit(lowering: ExpressionLowering, { byState, direct }: Derivatives, first: Value): void {
		const { b, size, buffers } = this;
		const rows = rowsOf(lowering, byState, size.nStates);
		this.#columns((m) => {
			const now = new Map<number, Value>();
			const column = (j: number): Value => {
				const known = now.get(j) ?? b.load(buffers.work, this.#at(0, j, m));
				now.set(j, known);
				return known;
			};
			for (const [o, row] of rows.entries()) {
				const at = b.intAdd(b.intAdd(first, b.int(o * size.nSens)), m);
				b.store(buffers.dy, at, rowTimes(b, row, column) ?? b.constant(0));
			}
		});
		this.#add(lowering, direct, buffers.dy, (o, m) => b.intAdd(first, b.int(o * size.nSens + m)));
	}

	end(): void {
		const { b, buffers, size } = this;
		this.#columns((m) => {
			for (let i = 0; i < size.nStates; i++)
				b.store(buffers.sEnd, b.intAdd(m, b.int(i * size.nSens)), b.load(buffers.work, this.#at(0, i, m)));
		});
	}

	#columns(body: (m: Value) => void): void {
		this.b.loop(this.b.int(0), this.b.int(this.size.nSens), body);
	}

	/** Where the present one of state i by unknown m lies (part 0), or its slope at a stage (part 1 and on). */
	#at(part: number, i: number, m: Value): Value {
		const { nStates } = this.size;
		const each = nStates * (1 + this.tableau.c.length);
		return this.b.intAdd(this.b.intMul(m, this.b.int(each)), this.b.int(part * nStates + i));
	}

	/** Element (i, m), moved on by the slopes of the first stages. */
	#moved(weights: readonly number[], i: number, m: Value): Value {
		const { b, buffers } = this;
		const used = weights.map((weight, stage) => ({ weight, stage })).filter(({ weight }) => weight !== 0);
		return addScaled(
			b,
			b.load(buffers.work, this.#at(0, i, m)),
			this.#h!,
			used.map(({ weight }) => weight),
			used.map(({ stage }) => b.load(buffers.work, this.#at(stage + 1, i, m))),
		);
	}

	/** Adds the entries that are not zero to what stands there. */
	#add(
		lowering: ExpressionLowering,
		direct: Derivatives["direct"],
		to: Buffer,
		place: (row: number, m: number) => Value,
	): void {
		const { b, size } = this;
		const values = lowering.lower(direct);
		for (const [i, node] of direct.entries()) {
			if (isConstant(node, 0)) continue;
			const at = place(Math.floor(i / size.nSens), i % size.nSens);
			b.store(to, at, b.add(b.load(to, at), values[i]));
		}
	}
}
