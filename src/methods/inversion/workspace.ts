/** What all phases of an inversion share: the unknowns, the simulation at some steps, and a way to fit a set of terms. */

import { unitOf } from "../../data/experiment.ts";
import { measuredValue } from "../../estimate/observe/compared.ts";
import { type OutputGroup, observationsOf } from "../../estimate/observe/observations.ts";
import type { Cuts } from "../../estimate/segments/cuts.ts";
import { stream } from "../../num/random.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import { candidatesOf } from "./candidates/candidates.ts";
import { EquationFunctions } from "./candidates/equation-functions.ts";
import { type RowNoise, rowWeights } from "./candidates/noise.ts";
import { Terms } from "./candidates/terms.ts";
import { checkConditions, checkKnots, checkProblem, checkRecords } from "./checks.ts";
import { Descent, type DescentOptions, largestSvd } from "./descent/descent.ts";
import type { WeightedProblem } from "./forward/linearisation.ts";
import { narrowed } from "./forward/narrowed.ts";
import { SegmentedForward } from "./forward/segmented-forward.ts";
import { type SmoothStates, smoothStates } from "./forward/smooth-states.ts";
import { type Setting, settingOf, WeightForward } from "./forward/weight-forward.ts";
import type { inversionOptions } from "./options.ts";

export type InversionOptions = OptionValues<typeof inversionOptions>;

export class Workspace {
	readonly setting: Setting;
	/** What comes and goes together. */
	readonly sets: Terms;
	readonly nUnknowns: number;
	#smooth: { readonly states: readonly SmoothStates[] | undefined } | undefined;
	readonly #forwards = new WeakMap<Setting, Map<number, WeightForward>>();
	readonly #segmented = new WeakMap<Setting, Map<number, SegmentedForward>>();
	/** The equations with some terms only, as they were asked for last. */
	#narrow: { readonly key: string; readonly setting: Setting } | undefined;
	#functions: EquationFunctions | undefined;
	/** Where states are hidden: the best guess of all states. */
	guess: readonly SmoothStates[] | undefined;

	constructor(
		readonly problem: Problem,
		readonly options: InversionOptions,
	) {
		checkProblem(problem);
		const records = [...new Set(problem.train.map(unitOf))];
		const candidates = candidatesOf(problem.model, problem.start, options.functionsOfConditions, records);
		const observations = observationsOf(candidates.model, problem.train);
		this.setting = settingOf(candidates, problem.train, observations, problem.start, problem.compute);
		checkConditions(this.setting);
		this.nUnknowns = candidates.weights.length + this.setting.initials.length;
		this.sets = new Terms(candidates.weights, this.nUnknowns);
		checkRecords(this.sets, largestSvd);
		checkKnots(problem.model, this.setting, () => this.smooth);
	}

	/** Terms that may be dropped. */
	get selectable(): readonly number[] {
		return this.sets.selectable;
	}
	/** Unknowns that stay. */
	get always(): readonly number[] {
		return this.sets.always;
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
	/** Name of a term: the same for all records. */
	termName(term: number): string {
		return this.setting.candidates.weights[term].label;
	}
	/** Name of an unknown. */
	nameOf(u: number): string {
		return this.setting.candidates.weights[u]?.name ?? this.setting.initials[u - this.nWeights].name;
	}

	/** The setting in which the given unknowns alone are; the others may be too. */
	#settingOf(active: readonly number[] | undefined): Setting {
		if (!active || this.isLarge) return this.setting;
		const key = active.join();
		if (this.#narrow?.key !== key)
			this.#narrow = { key, setting: narrowed(this.setting, active) ?? this.setting };
		return this.#narrow.setting;
	}

	/** `active`: nothing else will be asked for. */
	forward(substeps: number, active?: readonly number[]): WeightForward {
		const setting = this.#settingOf(active);
		const known = remembered(this.#forwards, setting);
		const forward = known.get(substeps) ?? new WeightForward(setting, substeps);
		known.set(substeps, forward);
		return forward;
	}

	weighted(substeps: number, noise: RowNoise, active?: readonly number[]): WeightedProblem {
		return { forward: this.forward(substeps, active), rowWeights: rowWeights(noise), scale: noise.scale };
	}

	/** The same in segments; a gap counts as so many times the noise as `tightness` says. */
	inSegments(
		substeps: number,
		noise: RowNoise,
		cuts: Cuts,
		tightness: number,
		active?: readonly number[],
	): WeightedProblem {
		const setting = this.#settingOf(active);
		const all = remembered(this.#segmented, setting);
		let known = all.get(substeps);
		if (known?.cuts !== cuts) {
			known = new SegmentedForward(setting, substeps, cuts, (this.smooth ?? this.guess)!);
			all.set(substeps, known);
		}
		const gapWeights = Float64Array.from(this.setting.candidates.model.components, (_, c) => {
			const own = this.setting.observations.groups.find((group) => this.componentOf(group) === c);
			const sd = own
				? noise.sd[own.from]
				: Math.max(...(this.smooth ?? this.guess)!.map((each) => each.noise[c]));
			return (tightness * noise.scale) / sd;
		});
		return {
			forward: known,
			rowWeights: rowWeights(noise),
			scale: noise.scale,
			segmented: { forward: known, gapWeights },
		};
	}

	/**
	 * The component that a group of observations measures; -1 where it is another expression, or where logarithms are compared, whose
	 * noise says nothing of the state itself.
	 */
	componentOf({ measure, law }: OutputGroup): number {
		const node = measuredValue(measure);
		return node.op === "sym" && !law.scale.isLog
			? this.setting.candidates.model.components.indexOf(node.name!)
			: -1;
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
		return this.sets.among(active);
	}
}

function remembered<Value>(all: WeakMap<Setting, Map<number, Value>>, setting: Setting): Map<number, Value> {
	const own = all.get(setting) ?? new Map<number, Value>();
	all.set(setting, own);
	return own;
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
