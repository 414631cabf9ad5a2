/**
 * Whether Müller's brackets fit a model. They are sharp where each state pushes every other one way, with signs that agree round
 * every loop (monotone systems); two states that push each other with opposite signs make an oscillator, on which brackets grow. Signs are read
 * at the initial states, so this is advice, not proof.
 */
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import type { GuaranteedSystem } from "../system.ts";
import { guaranteedUnknowns } from "../unknowns.ts";

/** Two states whose signs contradict the rest, or nothing. */
export function opposingStates(system: GuaranteedSystem): readonly [string, string] | undefined {
	const signs = jacobianSigns(system);
	const n = system.nStates;
	// A colour for each state so that those of one colour push one another up, and those of two colours down.
	const colour = new Int8Array(n);
	for (let root = 0; root < n; root++) {
		if (colour[root] !== 0) continue;
		colour[root] = 1;
		const queue = [root];
		for (let i = queue.pop(); i !== undefined; i = queue.pop())
			for (let j = 0; j < n; j++)
				for (const sign of i === j ? [] : [signs[i * n + j], signs[j * n + i]]) {
					if (sign === 0) continue;
					if (colour[j] === 0) {
						colour[j] = colour[i] * sign;
						queue.push(j);
					} else if (colour[j] !== colour[i] * sign) return [system.states[i], system.states[j]];
				}
	}
	return undefined;
}

/** Signs of ∂f_i/∂x_j at the start; 0 where they are not definite. */
function jacobianSigns(system: GuaranteedSystem): Int8Array {
	const { nStates, params, symbols, states } = system;
	const box = new Float64Array(2 * symbols.length);
	symbols.forEach((_, k) => {
		box[2 * k] = Number.NEGATIVE_INFINITY;
		box[2 * k + 1] = Number.POSITIVE_INFINITY;
	});
	const unknowns = guaranteedUnknowns(system, ["record"]);
	const set = (k: number, { lo, hi }: { readonly lo: number; readonly hi: number }): void => {
		box[2 * k] = lo;
		box[2 * k + 1] = hi;
	};
	for (const { kind, component, name, prior } of unknowns)
		if (kind === "param") set(states.length + params.indexOf(name), prior);
		else set(component, prior);
	const start = new Float64Array(2 * nStates);
	new IntervalEvaluator(system.initialTape).evaluate(box, start);
	const free = new Set(unknowns.flatMap(({ kind, component }) => (kind === "initial" ? [component] : [])));
	for (let i = 0; i < nStates; i++) if (!free.has(i)) set(i, { lo: start[2 * i], hi: start[2 * i + 1] });
	const out = new Float64Array(2 * nStates * nStates);
	new IntervalEvaluator(system.jacobianTape, true).evaluate(box, out);
	return Int8Array.from({ length: nStates * nStates }, (_, k) =>
		out[2 * k] > 0 ? 1 : out[2 * k + 1] < 0 ? -1 : 0,
	);
}
