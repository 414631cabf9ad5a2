/**
 * What the data can tell at all: singular values of the sensitivities of all outputs at one point. A direction of the
 * parameters that moves no output is structurally unidentifiable (locally, and seen numerically).
 */

import { spreadParams } from "../../../estimate/observe/spread.ts";
import { svdSmall, triangulate } from "../../../num/least-squares.ts";
import { Likelihood } from "../likelihood/likelihood.ts";
import { naturalValues } from "../likelihood/unknowns.ts";

export interface Identifiability {
	/** Unit vectors in prior standard deviations along which no output moves. */
	readonly open: readonly Float64Array[];
	/** Singular values in units of the noise, falling. */
	readonly singular: Float64Array;
}

/** Sensitivities below this share of the largest are rounding errors of the differences. */
const negligible = 3e-7;
/** Rows of the sensitivity matrix, at most. */
const mostRows = 4000;

/** At the point z (sampled coordinates); `priorSd` scales the unknowns. */
export async function identifiability(
	likelihood: Likelihood,
	z: Float64Array,
	priorSd: Float64Array,
): Promise<Identifiability> {
	const d = z.length;
	const { model, unknowns, experiments, settings, compute } = likelihood;
	const spreads = spreadParams(model);
	const shown = unknowns.flatMap(({ name }, i) => (spreads.has(name) ? [] : [i]));
	// The exact solver in place of the probabilistic one, unless that is the explicit one of a stiff model: only the
	// outputs matter here.
	const diffusion = settings.linearisation === "ekf1" ? settings.diffusion : "off";
	const exact = new Likelihood(model, unknowns, experiments, { ...settings, diffusion }, compute);
	const n = 2 * d;
	const points = new Float64Array(d * n);
	const step = Array.from(
		{ length: d },
		(_, i) => 1e-5 * Math.max(Math.min(priorSd[i], 1), 1e-3 * Math.abs(z[i])),
	);
	for (let i = 0; i < d; i++) {
		points.fill(z[i], i * n, (i + 1) * n);
		points[i * n + 2 * i] += step[i];
		points[i * n + 2 * i + 1] -= step[i];
	}
	const theta = naturalValues(unknowns, points, n);
	const rows: number[] = [];
	const nOutputs = model.measures.length;
	const every = Math.max(1, Math.ceil((exact.nSamples * nOutputs) / mostRows));
	for (const [e, filter] of exact.filters.entries()) {
		const state = filter.newState(n, false);
		const { value, noise } = await filter.moments(
			compute,
			exact.particles(theta, n, e),
			state,
			0,
			filter.nSamples,
		);
		for (let r = 0; r < filter.nSamples * nOutputs; r++) {
			if (exact.samples[e].present[r] === 0 || Math.floor(r / nOutputs) % every !== 0) continue;
			const sd = Math.sqrt(noise[r * n]) || 1;
			for (const i of shown)
				rows.push(((value[r * n + 2 * i] - value[r * n + 2 * i + 1]) / (2 * step[i] * sd)) * priorSd[i]);
		}
	}
	if (!rows.every(Number.isFinite)) return { open: [], singular: new Float64Array(d) };
	const width = shown.length;
	const m = rows.length / width;
	if (width === 0 || m === 0) return { open: [], singular: new Float64Array(0) };
	const { r } = triangulate(Float64Array.from(rows), new Float64Array(m), m, width);
	const { s, v } = svdSmall(r, width);
	const open: Float64Array[] = [];
	for (let k = 0; k < width; k++) {
		if (s[k] > negligible * s[0]) continue;
		const direction = new Float64Array(d);
		for (const [column, i] of shown.entries()) direction[i] = v[column * width + k];
		open.push(direction);
	}
	return { open, singular: s };
}
