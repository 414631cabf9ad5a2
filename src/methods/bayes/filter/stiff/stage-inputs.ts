/** What a Rosenbrock step needs to know of the inputs within it. */
import type { Signal } from "../../../../data/signal/signal.ts";
import { rodas5p } from "../../../../solve/stiff/rodas5p.ts";
import type { StepGrid } from "../filter-grid.ts";
import { startDerivatives } from "../input-differences.ts";

/** Where the stages of a step stand, as shares of it. */
export const stageNodes: readonly number[] = [...new Set(rodas5p.c.slice(0, rodas5p.m.length))];

/** `stageT`: where each step begins. `stageU`: of each step the inputs at its nodes, then the rates at which they change at its beginning. */
export function stageBuffers(
	signals: readonly Signal[],
	{ t0, h, stepTimes }: StepGrid,
): { stageT: Float64Array; stageU: Float64Array } {
	const n = signals.length;
	const width = stageNodes.length + 1;
	const stageT = new Float64Array(Math.max(1, h.length));
	const stageU = new Float64Array(Math.max(1, h.length * width * n));
	for (let step = 0; step < h.length; step++) {
		const from = step === 0 ? t0 : stepTimes[step - 1];
		const length = stepTimes[step] - from;
		stageT[step] = from;
		for (const [j, signal] of signals.entries()) {
			const first = step * width * n + j;
			for (const [k, node] of stageNodes.entries())
				stageU[first + k * n] =
					node === 1 ? signal.at(stepTimes[step], -1) : signal.at(from + node * length, 1);
			stageU[first + stageNodes.length * n] = startDerivatives(signal, from, length, 2)[1];
		}
	}
	return { stageT, stageU };
}
