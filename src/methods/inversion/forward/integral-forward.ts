/**
 * The equations in integral form along smoothed states: x(t) = x(0) + ∫ f(x̂, p). Nothing is simulated, so nothing can
 * blow up and the weights mostly stand in a linear position: this bridges from a start far away to one near enough for
 * the simulation. It looks like the simulation to the iteration; its observations are the samples of the states
 * themselves (slopes, where a component is the derivative of a measured one).
 */
import type { Observations, OutputGroup } from "../../../estimate/observe/observations.ts";
import type { EquationFunctions } from "../candidates/equation-functions.ts";
import { type AsyncSlices, atOnce } from "../slices.ts";
import { type SmoothStates, typicalNoise } from "./smooth-states.ts";
import { type ForwardModel, innerPoint, type Setting, type WeightEvaluation } from "./weight-forward.ts";

export class IntegralForward implements ForwardModel {
	readonly says = "the integral form along smoothed samples";
	readonly setting: Setting;
	readonly rowWeights: Float64Array;
	readonly #functions: EquationFunctions;
	readonly #states: readonly SmoothStates[];

	constructor(setting: Setting, states: readonly SmoothStates[], functions: EquationFunctions) {
		this.#functions = functions;
		this.#states = states;
		const { observations, rowWeights } = pseudoObservations(setting, states);
		this.setting = { ...setting, observations };
		this.rowWeights = rowWeights;
	}

	evaluate(points: readonly Float64Array[], sensitivities: boolean): Promise<WeightEvaluation[]> {
		return atOnce(this.evaluating(points, sensitivities));
	}

	async *evaluating(
		points: readonly Float64Array[],
		sensitivities: boolean,
	): AsyncSlices<WeightEvaluation[]> {
		const { experiments, observations, kernels } = this.setting;
		const n = observations.nObservations;
		const evaluations = points.map(() => ({
			value: new Float64Array(n),
			inner: sensitivities ? new Float64Array(n * kernels.nSens) : undefined,
		}));
		for (const e of experiments.keys()) {
			for (const [k, { value, inner }] of evaluations.entries()) this.#experiment(e, points[k], value, inner);
			yield `integrated along ${e + 1} of ${experiments.length} records`;
		}
		return evaluations;
	}

	#experiment(e: number, point: Float64Array, value: Float64Array, inner: Float64Array | undefined): void {
		const { experiments, observations, kernels } = this.setting;
		const { initial, inputs, nSens } = kernels;
		const { nodes, parts, x } = this.#states[e];
		const { nStates, entries, rhs, byParams } = this.#functions;
		const own = innerPoint(this.setting, point, e);
		const p = initial.paramValues(own, experiments[e]);
		const total = initial.state(own, p, e);
		const totalS = inner ? initial.sensitivities(p) : new Float64Array(0);
		const signals = inputs.map((name) => experiments[e].inputs.get(name)!);
		const u = new Float64Array(inputs.length);
		const f = new Float64Array(nStates);
		const g = new Float64Array(entries.length);
		const groups = observations.groups.filter(({ experiment }) => experiment === e);
		for (let k = 0; k < nodes.length; k++) {
			for (let j = 0; j < inputs.length; j++) u[j] = signals[j].at(nodes[k]);
			const state = x.subarray(k * nStates, (k + 1) * nStates);
			rhs(nodes[k], state, u, p, f);
			if (inner) byParams(nodes[k], state, u, p, g);
			// Simpson's rule over pairs of pieces; a node that ends a pair and begins the next counts for both.
			const before = k > 0 ? (nodes[k] - nodes[k - 1]) / 3 : 0;
			const after = k + 1 < nodes.length ? (nodes[k + 1] - nodes[k]) / 3 : 0;
			add(k % 2 === 1 ? 4 * before : before);
			if (k % parts === 0) emit(k / parts);
			if (k % 2 === 0) add(after);
		}

		function add(weight: number): void {
			if (weight === 0) return;
			for (let i = 0; i < nStates; i++) total[i] += weight * f[i];
			if (inner)
				for (const [j, entry] of entries.entries())
					totalS[entry.component * nSens + entry.inner] += weight * g[j];
		}
		function emit(sample: number): void {
			for (const group of groups) {
				const i = group.from + sample;
				value[i] = total[group.index];
				if (inner) for (let c = 0; c < nSens; c++) inner[i * nSens + c] = totalS[group.index * nSens + c];
			}
		}
	}
}

/** Every component at every sample time, experiment by experiment. */
function pseudoObservations(
	{ candidates, observations, experiments }: Setting,
	states: readonly SmoothStates[],
): { observations: Observations; rowWeights: Float64Array } {
	const { components } = candidates.model;
	const groups: OutputGroup[] = [];
	let next = 0;
	for (const [e] of experiments.entries()) {
		const { times } = observations.grids[e];
		const { samples, x, parts } = states[e];
		for (const c of components.keys()) {
			const observed = samples[c] ?? Float64Array.from(times, (_, i) => x[i * parts * components.length + c]);
			groups.push({
				experiment: e,
				measure: observations.groups[0].measure,
				index: c,
				from: next,
				to: (next += times.length),
				t: times,
				observed,
				gridIndex: Int32Array.from(times.keys()),
				law: observations.groups[0].law,
				spread: { kind: "common", key: components[c], lo: 0, hi: Number.POSITIVE_INFINITY },
			});
		}
	}
	// Short records tell their noise badly, and one that seems to have none would count for everything: all of them together.
	const noise = components.map((_, c) => typicalNoise(states, c));
	const values = new Float64Array(next);
	const rowWeights = new Float64Array(next);
	for (const { from, to, observed, index } of groups) {
		values.set(observed, from);
		// Samples without noise would count for everything: errors of the smoothing are there all the same.
		const size = Math.sqrt(observed.reduce((sum, value) => sum + value * value, 0) / observed.length);
		rowWeights.fill(1 / Math.max(noise[index], 1e-4 * size, Number.MIN_VALUE), from, to);
	}
	return { observations: { groups, nObservations: next, values, grids: observations.grids }, rowWeights };
}
