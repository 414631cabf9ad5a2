/** The powers of the step that scaled coordinates need: one row of numbers a step (or one for all equal steps). */

import { factorial } from "../../../estimate/state-space/integrated-wiener.ts";
import type { Buffer, KernelBuilder, Value } from "../../../lower/builder.ts";
import { wholePower } from "../../../num/whole-power.ts";
import type { Symmetric } from "./covariance.ts";
import type { Layout } from "./layout.ts";
import { downSymbol, upSymbol } from "./scaled-model.ts";

/** Ratio to the step before; h^i/i! and i!/h^i for i = 1 … highest q; h^(2q+1) of each block. */
export function scaleValues(layout: Layout, h: number, ratio: number): number[] {
	const highest = highestDerivative(layout);
	const up = Array.from({ length: highest }, (_, i) => wholePower(h, i + 1) / factorial(i + 1));
	return [ratio, ...up, ...up.map((x) => 1 / x), ...layout.blocks.map(({ q }) => wholePower(h, 2 * q + 1))];
}

function highestDerivative({ blocks }: Layout): number {
	return Math.max(...blocks.map(({ q }) => q));
}

export class ScaleRow {
	readonly #highest: number;
	#values: Value[] = [];

	constructor(readonly layout: Layout) {
		this.#highest = highestDerivative(layout);
	}

	/** Loads row number `row`, or the only one. */
	load(b: KernelBuilder, buffer: Buffer, row: Value | undefined): void {
		const width = 1 + 2 * this.#highest + this.layout.blocks.length;
		this.#values = Array.from({ length: width }, (_, i) =>
			b.load(buffer, row ? b.intAdd(b.intMul(row, b.int(width)), b.int(i)) : i),
		);
	}
	/** h^i/i! and i!/h^i by their symbols. */
	symbols(): Map<string, () => Value> {
		return new Map(
			Array.from({ length: this.#highest }, (_, i) => i + 1).flatMap((i) => [
				[upSymbol(i), () => this.#values[i]],
				[downSymbol(i), () => this.#values[this.#highest + i]],
			]),
		);
	}
	/** h^i/i! x */
	scaled(b: KernelBuilder, x: Value, i: number): Value {
		return i === 0 ? x : b.mul(x, this.#values[i]);
	}
	/** i!/h^i x */
	unscaled(b: KernelBuilder, x: Value, i: number): Value {
		return i === 0 ? x : b.mul(x, this.#values[this.#highest + i]);
	}
	/** h^(2q+1) of block k */
	power(k: number): Value {
		return this.#values[1 + 2 * this.#highest + k];
	}
	/** From the scale of the step before to this one; a square root has its rows scaled only. */
	rescale(b: KernelBuilder, X: Value[], P: Symmetric<Value>, isRoot: boolean): void {
		const powers: Value[] = [b.constant(1), this.#values[0]];
		for (let i = 2; i <= 2 * this.#highest; i++) powers.push(b.mul(powers[i - 1], powers[1]));
		const derivative: number[] = this.layout.blocks.flatMap(({ q }) =>
			Array.from({ length: q + 1 }, (_, i) => i),
		);
		for (const { p } of this.layout.forces) for (let i = 0; i <= p; i++) derivative.push(0);
		for (const i of X.keys()) if (derivative[i] > 0) X[i] = b.mul(X[i], powers[derivative[i]]);
		for (const [i, j] of P.pairs()) {
			const power = isRoot ? derivative[j] : derivative[i] + derivative[j];
			if (power > 0) P.set(i, j, b.mul(P.get(i, j)!, powers[power]));
		}
	}
}
