/** What all phases of an inversion share: the unknowns, the simulation at some steps, and a way to fit a set of terms. */

import { measuredValue } from "../../estimate/observe/compared.ts";
import { observationsOf } from "../../estimate/observe/observations.ts";
import type { Cuts } from "../../estimate/segments/cuts.ts";
import { stream } from "../../num/random.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import { candidatesOf } from "./candidates/candidates.ts";
import { EquationFunctions } from "./candidates/equation-functions.ts";
import { type RowNoise, rowWeights } from "./candidates/noise.ts";
import { checkConditions, checkKnots, checkProblem } from "./checks.ts";
import { Descent, type DescentOptions, largestSvd } from "./descent/descent.ts";
import type { WeightedProblem } from "./forward/linearisation.ts";
import { SegmentedForward } from "./forward/segmented-forward.ts";
import { type SmoothStates, smoothStates } from "./forward/smooth-states.ts";
import { type Setting, settingOf, WeightForward } from "./forward/weight-forward.ts";
import type { inversionOptions } from "./options.ts";

export type InversionOptions = OptionValues<typeof inversionOptions>;

export class Workspace {
	readonly setting: Setting;
	/** Terms that may be dropped. */
	readonly selectable: readonly number[];
	/** Unknowns that stay: initial values, and what the model knows something of. */
	readonly always: readonly number[];
	readonly nUnknowns: number;
	#smooth: { readonly states: readonly SmoothStates[] | undefined } | undefined;
	readonly #forwards = new Map<number, WeightForward>();
	readonly #segmented = new Map<string, SegmentedForward>();
	#functions: EquationFunctions | undefined;
	/** Where states are hidden: the best guess of all states. */
	guess: readonly SmoothStates[] | undefined;

	constructor(
		readonly problem: Problem,
		readonly options: InversionOptions,
	) {
		checkProblem(problem);
		const candidates = candidatesOf(problem.model, problem.start, options.functionsOfConditions);
		const observations = observationsOf(candidates.model, problem.train);
		this.setting = settingOf(candidates, problem.train, observations, problem.start, problem.compute);
		checkConditions(this.setting);
		this.nUnknowns = candidates.weights.length + this.setting.initials.length;
		const all = [...Array(this.nUnknowns).keys()];
		this.selectable = all.filter((u) => candidates.weights[u]?.selectable);
		this.always = all.filter((u) => !candidates.weights[u]?.selectable);
		checkKnots(problem.model, this.setting, () => this.smooth);
	}

	/** So many terms that singular values and searches over sets take too long. */
	get isLarge(): boolean {
		return this.selectable.length > largestSvd;
	}
	get nWeights(): number {
		return this.setting.candidates.weights.length;
	}
	get nObservations(): number {
		return this.setting.observations.nObservations;
	}
	/** States as the samples show them; undefined where not all can be seen. */
	get smooth(): readonly SmoothStates[] | undefined {
		this.#smooth ??= { states: smoothStates(this.setting) };
		return this.#smooth.states;
	}
	get functions(): EquationFunctions {
		return (this.#functions ??= new EquationFunctions(this.setting));
	}
	/** Name of an unknown. */
	nameOf(u: number): string {
		return this.setting.candidates.weights[u]?.name ?? this.setting.initials[u - this.nWeights].name;
	}

	forward(substeps: number): WeightForward {
		const forward = this.#forwards.get(substeps) ?? new WeightForward(this.setting, substeps);
		this.#forwards.set(substeps, forward);
		return forward;
	}

	weighted(substeps: number, noise: RowNoise): WeightedProblem {
		return { forward: this.forward(substeps), rowWeights: rowWeights(noise) };
	}

	/** The same in segments; a gap counts as so many times the noise as `tightness` says. */
	inSegments(substeps: number, noise: RowNoise, cuts: Cuts, tightness: number): WeightedProblem {
		const key = `${substeps}`;
		let known = this.#segmented.get(key);
		if (known?.cuts !== cuts) {
			known = new SegmentedForward(this.setting, substeps, cuts, (this.smooth ?? this.guess)!);
			this.#segmented.set(key, known);
		}
		const gapWeights = Float64Array.from(this.setting.candidates.model.components, (name, c) => {
			// Where logarithms are compared, their noise says nothing of gaps in the state itself.
			const own = this.setting.observations.groups.find(({ measure, law }) => {
				const node = measuredValue(measure);
				return node.op === "sym" && node.name === name && !law.scale.isLog;
			});
			const sd = own
				? noise.sd[own.from]
				: Math.max(...(this.smooth ?? this.guess)!.map((each) => each.noise[c]));
			return (tightness * noise.scale) / sd;
		});
		return { forward: known, rowWeights: rowWeights(noise), segmented: { forward: known, gapWeights } };
	}

	/** As the model and the study say: 0 for what nothing is known of, the first samples for initial values. */
	startPoint(): Float64Array {
		const { candidates, initials } = this.setting;
		return Float64Array.from([
			...candidates.weights.map(({ start }) => start),
			...initials.map(({ start }) => start),
		]);
	}

	/** Weights drawn around the start, by turns near and far. */
	drawnPoint(k: number): Float64Array {
		const random = stream(this.problem.seed, `inversion first start ${k}`);
		const size = k % 2 === 1 ? 0.3 : 1;
		return this.startPoint().map((value, u) => (u < this.nWeights ? value + size * random.normal(u) : value));
	}

	/** The terms among some unknowns. */
	terms(active: readonly number[]): number[] {
		return active.filter((u) => u < this.nWeights && this.setting.candidates.weights[u].selectable);
	}
}

/** A fit of some terms that starts from a fit of others nearby: terms that are out are set to 0, λ starts small. */
export function refit(
	problem: WeightedProblem,
	active: readonly number[],
	near: Float64Array,
	options: DescentOptions,
	nWeights: number,
): Descent {
	const inside = new Set(active);
	const start = near.map((value, u) => (u < nWeights && !inside.has(u) ? 0 : value));
	const descent = new Descent(problem, active, start, options);
	descent.lambda = 1e-3;
	return descent;
}
