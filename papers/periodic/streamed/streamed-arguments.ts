import type { Launch } from "../../../src/compute/compute.ts";
import type { Representation } from "../../../src/methods/periodic/observer/representation.ts";

/** A launch of the streamed kernel for these λ; `guess`: R at a λ near them. */
export function streamedArguments(
	rep: Representation,
	lambda: Float64Array,
	guess: Float64Array,
): Launch & { buffers: Record<string, Float64Array> } {
	const { grid, form, nUnknowns } = rep;
	const batch = lambda.length / nUnknowns;
	const { m } = rep.observer;
	const { phi, byG, first, closing } = rep.observer.matrices;
	const gram = new Float64Array(m * m);
	for (let k = 0; k < grid.intervals; k++)
		for (let a = 0; a < m; a++)
			for (let c = 0; c < m; c++) gram[a * m + c] += first[k * m + a] * first[k * m + c];
	return {
		batch,
		buffers: {
			y: rep.y.nodes,
			rest: rep.base.y.map((value, k) => value - rep.y.starts[k]),
			phi,
			byG,
			first,
			closing,
			gram,
			baseR: rep.base.R,
			guess: guess.map((value, a) => value - rep.base.R[a]),
			lambda,
			sse: new Float64Array(batch),
			R: new Float64Array(m * batch),
			q0: new Float64Array(form.hidden.length * batch),
		},
		scalars: {
			intervals: grid.intervals,
			h: grid.h,
			...Object.fromEntries(form.constants.map((name, i) => [`constant ${name}`, rep.constants[i]])),
		},
	};
}
