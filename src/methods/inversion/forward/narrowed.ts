/**
 * The same question with only some terms in the equations: what is out is 0, and is neither computed nor differentiated. Unknowns
 * keep their numbers, so that a point of the one is a point of the other.
 */

import { GridKernels } from "../../../estimate/forward/grid-kernels.ts";
import { replaced } from "../../../model/combination.ts";
import { substitute } from "../../../model/walk.ts";
import { largestKernel, type Setting, withPlainParams } from "./weight-forward.ts";

/** Share of the parameters that may be left for another kernel to be worth its making. */
const worthBelow = 0.67;

/** undefined where too little would be left out. */
export function narrowed(setting: Setting, active: readonly number[]): Setting | undefined {
	const { candidates, unknowns } = setting;
	const { weights, inner, model } = candidates;
	const isIn = new Uint8Array(inner.length);
	for (const u of active) if (u < weights.length) isIn[weights[u].inner] = 1;
	const kept = inner.filter((_, i) => isIn[i] === 1);
	if (kept.length > worthBelow * inner.length) return undefined;
	const out = new Set(inner.filter((_, i) => isIn[i] === 0));
	const zeros = new Map([...out].map((name) => [name, model.graph.zero]));
	const params = model.params.filter(({ name }) => !out.has(name));
	const narrow = {
		...model,
		params,
		...replaced(model, (node) => substitute(model.graph, [node], zeros)[0]),
	};
	const left = unknowns.filter(({ kind, name }) => kind !== "param" || !out.has(name));
	const kernels = new GridKernels(withPlainParams(narrow), left);
	return {
		...setting,
		candidates: {
			model: narrow,
			inner: kept,
			weights: weights.map((weight) => ({ ...weight, inner: kept.indexOf(inner[weight.inner]) })),
		},
		unknowns: left,
		kernels,
		large: model.components.length * kernels.nSens > largestKernel,
	};
}
