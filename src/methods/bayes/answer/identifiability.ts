/**
 * What the data can tell at all: directions of the parameters that move no output (locally, and seen by differences). What is
 * said to hold whatever the values are is asked at several draws: where one is 0 or at its symmetry, others may act on nothing.
 */

import { isOpen, nullSpace, openGroups } from "../../../estimate/least-squares/null-space.ts";
import { noiseParams } from "../../../estimate/observe/spread.ts";
import { Likelihood } from "../likelihood/likelihood.ts";
import { naturalValues } from "../likelihood/unknowns.ts";

/** Rows of the sensitivity matrix, at most. */
const mostRows = 4000;

/** Directions along which no output moves at any of the points (sampled coordinates). `priorSd`: what is much for each. */
export async function openEverywhere(
	likelihood: Likelihood,
	points: readonly Float64Array[],
	priorSd: Float64Array,
): Promise<readonly Float64Array[]> {
	const { model, unknowns, experiments, settings, compute } = likelihood;
	// The exact solver in place of the probabilistic one, unless that is the explicit one of a stiff model: only the
	// outputs matter here.
	const diffusion = settings.linearisation === "ekf1" ? settings.diffusion : "off";
	const exact = new Likelihood(model, unknowns, experiments, { ...settings, diffusion }, compute);
	const each: Float64Array[][] = [];
	for (const z of points) {
		const open = await openDirections(exact, z, priorSd);
		// As most often at the first: then nothing is left to ask.
		if (open?.length === 0) return [];
		if (open) each.push(open);
	}
	return commonOpen(each);
}

/**
 * Those of the point with the fewest, as special points have more: its groups whose members are open at all points. Directions
 * themselves may turn from point to point, as those of two factors do.
 */
export function commonOpen(each: readonly (readonly Float64Array[])[]): readonly Float64Array[] {
	const [fewest = []] = [...each].sort((a, b) => a.length - b.length);
	const left = openGroups(fewest).flatMap(({ members }) =>
		members.every((i) => each.every((open) => isOpen(open, i))) ? members : [],
	);
	return fewest
		.map((direction) => direction.map((part, i) => (left.includes(i) ? part : 0)))
		.filter((direction) => direction.some((part) => part !== 0));
}

/** Unit vectors at one point, by the solver taken as exact; undefined where outputs are not finite around it. */
async function openDirections(
	exact: Likelihood,
	z: Float64Array,
	priorSd: Float64Array,
): Promise<Float64Array[] | undefined> {
	const d = z.length;
	const { model, unknowns, compute } = exact;
	const spreads = noiseParams(model);
	const shown = unknowns.flatMap(({ name }, i) => (spreads.has(name) ? [] : [i]));
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
				rows.push((value[r * n + 2 * i] - value[r * n + 2 * i + 1]) / (2 * step[i] * sd));
		}
	}
	if (!rows.every(Number.isFinite)) return undefined;
	const seen = nullSpace(Float64Array.from(rows), shown.length, {
		changes: (column) => priorSd[shown[column]],
	});
	return seen.open.map((direction) => {
		const whole = new Float64Array(d);
		shown.forEach((i, column) => {
			whole[i] = direction[column];
		});
		return whole;
	});
}

/**
 * Without unknowns that act on nothing wherever it was asked, though data have told of them: where a rate is too fast to be
 * seen any other that is as fast does as well, but slower ones did not.
 */
export function openToData(
	open: readonly Float64Array[],
	isTold: (unknown: number) => boolean,
): Float64Array[] {
	const told = openGroups(open).flatMap(({ members }) =>
		members.length === 1 ? members.filter(isTold) : [],
	);
	return open.map((direction) => direction.map((part, i) => (told.includes(i) ? 0 : part)));
}
