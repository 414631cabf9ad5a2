/**
 * How ŷ - y, R and the closures change with the record itself: with each coefficient of its Fourier series, and with the
 * frequency. Near a solution the observer's output equals y, so the change of its regressors acts only through θ.
 */
import { harmonicsInto } from "../../../num/harmonic-fit.ts";
import { periodicSolution } from "../../../num/linear-collocation.ts";
import { type Grid, type Sampled, sampleOn } from "../observer/grid.ts";
import type { Evaluation, Representation } from "../observer/representation.ts";

/** The functions 1, cos φ, sin φ, cos 2φ … on a grid. */
export function basisOn(grid: Grid, harmonics: number): Sampled[] {
	const size = 2 * harmonics + 1;
	const h = new Float64Array(2 * harmonics + 2);
	const all = Array.from({ length: size }, () => ({
		nodes: new Float64Array(grid.count),
		starts: new Float64Array(grid.intervals),
	}));
	const phases = sampleOn(grid, (phi) => phi);
	for (const part of ["nodes", "starts"] as const)
		phases[part].forEach((phi, j) => {
			harmonicsInto(h, phi, harmonics);
			all[0][part][j] = 1;
			for (let m = 1; m < size; m++) all[m][part][j] = h[m + 1];
		});
	return all;
}

/** Coefficients of the series nearest to values at the starts of the intervals. */
export function projectOn(basis: readonly Sampled[], values: Float64Array): Float64Array {
	const n = values.length;
	return Float64Array.from(basis, ({ starts }, m) => {
		let sum = 0;
		for (let k = 0; k < n; k++) sum += starts[k] * values[k];
		return (m === 0 ? sum : 2 * sum) / n;
	});
}

export interface RecordColumn {
	/** Change of ŷ - y at the starts of the intervals. */
	readonly misfit: Float64Array;
	readonly R: Float64Array;
	readonly closures: readonly (number | undefined)[];
	/** Change of each hidden state at the start of the period. */
	readonly hidden: Float64Array;
}

/** The change with y by `direction`; the representation must have been evaluated with derivatives. */
export function changeWithRecord(rep: Representation, { R }: Evaluation, direction: Sampled): RecordColumn {
	const { grid, form, byY, dPsi } = rep;
	const { n, r, b } = rep.observer;
	const theta = R.subarray(n);
	const e = direction.nodes;
	const g = new Float64Array(grid.count * n);
	const inFilter = rep.observer.filterSteps && new Float64Array(grid.count * (n - 1));
	for (let j = 0; j < grid.count; j++) {
		let first = 0;
		for (let a = 0; a < n; a++) {
			let slope = 0;
			for (let i = 0; i < r; i++) slope += dPsi[(j * n + a) * r + i] * theta[i];
			if (a === 0) first = slope;
			else if (inFilter) inFilter[j * (n - 1) + a - 1] = (slope - b[a] * first) * e[j];
			g[j * n + a] = (byY.g[j * n + a] + b[a] * first) * e[j];
		}
	}
	if (inFilter) {
		const { nodes } = periodicSolution(rep.observer.filterSteps!, inFilter);
		for (let j = 0; j < grid.count; j++)
			for (let a = 0; a < n; a++) g[j * n + a] += b[a] * nodes[j * (n - 1)];
	}
	const change = rep.propagate(
		{
			alpha: form.hidden.map(({ loop }, i) => {
				const width = loop?.members.length ?? 1;
				return byY.alpha[i].map((value, at) => value * e[Math.floor(at / width)]);
			}),
			w: form.hidden.map((_, i) => byY.w[i].map((value, j) => value * e[j])),
			g,
			start: form.hidden.map(() => 0),
		},
		e,
	);
	return {
		misfit: change.y.map((value, k) => value - direction.starts[k]),
		R: change.R,
		closures: change.closures,
		hidden: change.hidden,
	};
}
