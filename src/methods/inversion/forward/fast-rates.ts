/**
 * Whether the answer has rates that the samples are too far apart to show. A state that settles between one sample and the
 * next shows only where it settles: its own weights are seen by their ratios, and a term in it can stand for one in the states
 * that it follows, in every equation. Rates are the eigenvalues of ∂f/∂x along the answer, the largest by Gelfand's formula:
 * the 2ᵏ-th root of the norm of the 2ᵏ-th power.
 */
import { compileFunction } from "../../../lower/compile-function.ts";
import { Differentiator } from "../../../model/derivative.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { pow2 } from "../../../num/elementary/primitives.ts";
import type { InversionRun } from "../inversion-run.ts";
import { statePaths } from "./state-paths.ts";
import { innerPoint } from "./weight-forward.ts";

export interface FastRate {
	/** States whose equations make the rate, by weights that were estimated. */
	readonly components: readonly string[];
	readonly rate: number;
	/** The rate times the sample spacing. */
	readonly perSample: number;
}

/** A rate times the sample spacing from which it cannot be seen: of what a state does on its own 5 % are left a sample later. */
const seenBelow = 3;
/** Share of its samples in which an experiment may be slower all the same. */
const slowShare = 0.1;
/** By how much weights are changed to see whether the rate is theirs, and which share of that it must follow. */
const nudge = 0.01;
const follows = 0.1;

export function fastRate(run: InversionRun): FastRate | undefined {
	const { work, final, starts } = run;
	const { setting, functions, nWeights } = work;
	const { candidates, kernels, experiments, observations } = setting;
	const { model, weights } = candidates;
	const n = model.components.length;
	const d = new Differentiator(model.graph);
	const jacobian = compileFunction(
		model.rhs.flatMap((node) => model.components.map((name) => d.derivative(node, name))),
		[
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: model.components },
			{ name: "u", symbols: kernels.inputs },
			{ name: "p", symbols: kernels.initial.params },
		],
	);
	const paths = statePaths(setting, functions, final!.point, starts.substeps);
	const typical = ratesWith(final!.point);
	if (!(typical.perSample > seenBelow)) return undefined;
	const components = model.components.filter((_, c) => {
		const inner = new Set(
			functions.entries.filter((entry) => entry.component === c).map((entry) => entry.inner),
		);
		const moved = final!.point.map((value, u) =>
			u < nWeights && inner.has(weights[u].inner) ? value * (1 + nudge) : value,
		);
		const change = Math.abs(ratesWith(moved).perSample / typical.perSample - 1);
		return change > follows * nudge;
	});
	return components.length > 0 ? { components, ...typical } : undefined;

	/** Of the experiments the one in the middle, by its almost slowest sample: samples that are dense somewhere do show it. */
	function ratesWith(point: Float64Array): { rate: number; perSample: number } {
		const slow = experiments.flatMap((experiment, e) => {
			const p = kernels.initial.paramValues(innerPoint(setting, point, e), experiment);
			const { t, x } = paths[e];
			const signals = kernels.inputs.map((name) => experiment.inputs.get(name)!);
			const { times } = observations.grids[e];
			const all = Array.from(t, (time, k) => {
				const j = new Float64Array(n * n);
				const u = Float64Array.from(signals, (signal) => signal.at(time));
				jacobian(time, x.subarray(k * n, (k + 1) * n), u, p, j);
				const rate = spectralRadius(j, n);
				const gaps = [times[k] - times[k - 1], times[k + 1] - times[k]].filter((gap) => gap > 0);
				return { rate, perSample: rate * Math.min(...gaps) };
			}).filter(({ perSample }) => Number.isFinite(perSample));
			all.sort((a, b) => a.perSample - b.perSample);
			return all.length > 0 ? [all[Math.floor(slowShare * all.length)]] : [];
		});
		slow.sort((a, b) => a.perSample - b.perSample);
		return slow[slow.length >> 1] ?? { rate: 0, perSample: 0 };
	}
}

const squarings = 10;

/** Largest size of an eigenvalue, to a part in a hundred or so. */
function spectralRadius(matrix: Float64Array, n: number): number {
	let a = matrix.slice();
	let next = new Float64Array(n * n);
	let size = 0;
	for (let k = 0; ; k++) {
		const norm = Math.sqrt(a.reduce((sum, value) => sum + value * value, 0));
		if (!(norm > 0)) return norm;
		size = 2 * size + log(norm);
		if (k === squarings) return exp(size / pow2(squarings));
		for (let i = 0; i < n * n; i++) a[i] /= norm;
		next.fill(0);
		for (let i = 0; i < n; i++)
			for (let l = 0; l < n; l++) for (let j = 0; j < n; j++) next[i * n + j] += a[i * n + l] * a[l * n + j];
		[a, next] = [next, a];
	}
}
