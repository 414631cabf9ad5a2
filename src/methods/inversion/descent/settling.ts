/**
 * Noise and steps of a fit, settled by turns: noise that the model leaves open is taken from the residuals, steps hold the rates that
 * it shows and are refined until their error is small beside the noise, and where finer ones are not to be had the noise must hide what they would change.
 */
import { negligibleError } from "../../../estimate/forward/integration.ts";
import type { OutputGroup } from "../../../estimate/observe/observations.ts";
import { squared } from "../../../num/whole-power.ts";
import { aboveErrors, fittedNoise, integrationErrors } from "../candidates/noise.ts";
import type { WeightedProblem } from "../forward/linearisation.ts";
import type { WeightEvaluation } from "../forward/weight-forward.ts";
import type { Descent } from "./descent.ts";
import type { FitStarts } from "./fit-starts.ts";

/** Integration error, in standard deviations of the noise, that may look like terms. */
const visibleError = 0.2;
/** Steps from one sample to the next, at most. */
export const mostSubsteps = 512;
/** How often the noise is taken from the residuals again, after the same steps, and how often steps are refined. */
const mostWeighings = 5;
const mostRefinements = 8;
/** Change of a standard deviation that counts. */
const otherNoise = 0.02;

export interface SettlingState {
	readonly reweighed: number;
	/** Error of the integration in each group of observations, where the noise must hide it. */
	readonly errors: readonly number[];
	readonly refined: number;
	/** How often the fit was given up because finer steps do not hold it. */
	readonly restarted: number;
	readonly integrationError: number;
}

export class Settling {
	#state: SettlingState;

	constructor(readonly starts: FitStarts) {
		const errors = starts.work.setting.observations.groups.map(() => 0);
		this.#state = { reweighed: 0, errors, refined: 0, restarted: 0, integrationError: 0 };
	}

	get state(): SettlingState {
		return this.#state;
	}

	restore({ reweighed, errors, refined, restarted, integrationError }: SettlingState): void {
		this.#state = { reweighed, errors, refined, restarted, integrationError };
	}

	/** From another fit: its residuals say of the noise what they say. */
	again(): void {
		this.#change({ reweighed: 0 });
	}

	#change(change: Partial<SettlingState>): void {
		this.#state = { ...this.#state, ...change };
	}

	/** The point to go on from with the noise and steps of now; `nothing`: no fit of all terms holds; undefined: all is settled. */
	async next(descent: Descent): Promise<Float64Array | "nothing" | undefined> {
		const { starts } = this;
		const { work } = starts;
		// What held with coarse steps only was no fit: once more from the start as given, then as if no term were there.
		if (!(descent.sse < Number.POSITIVE_INFINITY)) {
			const { restarted } = this.#state;
			this.#change({ restarted: restarted + 1 });
			return restarted > 0 ? "nothing" : work.startPoint();
		}
		const here = await descent.evaluation();
		const { observations } = work.setting;
		const noise = aboveErrors(observations, fittedNoise(observations, here), this.#state.errors);
		const change = noise.sd.reduce((most, sd, i) => Math.max(most, Math.abs(sd / starts.noise.sd[i] - 1)), 0);
		if (change > otherNoise && this.#state.reweighed < mostWeighings) {
			this.#change({ reweighed: this.#state.reweighed + 1 });
			starts.noise = noise;
			return descent.point;
		}
		if (starts.hold(descent.point)) {
			this.again();
			return descent.point;
		}
		const [fine] = await starts.weighted(2).forward.evaluate([descent.point], false);
		const error = differenceInNoise(descent.problem, here, fine);
		this.#change({ integrationError: error });
		const { refined, errors } = this.#state;
		if (
			error > negligibleError &&
			work.options.substeps === "auto" &&
			starts.substeps < mostSubsteps &&
			refined < mostRefinements
		) {
			// Residuals that were errors of the integration fall with it.
			this.#change({ refined: refined + 1, reweighed: 0 });
			const factor = Math.min(Math.max(Math.sqrt(Math.sqrt(error / (negligibleError / 2))), 1.25), 4);
			const wanted = Math.max(Math.ceil(starts.substeps * factor), starts.substeps + 1);
			starts.substeps = Math.min(wanted, mostSubsteps);
			return descent.point;
		}
		// Finer steps are not to be had: the noise must hide what they would change.
		if (error > visibleError && errors.every((each) => each === 0)) {
			const found = integrationErrors(observations, here.value, fine.value, this.#gapErrors(here, fine));
			this.#change({ errors: found });
			starts.noise = aboveErrors(observations, starts.noise, found);
			return descent.point;
		}
		return undefined;
	}

	/**
	 * What finer steps change in the gaps of a component that is measured, as much as gaps count beside samples; of gaps it need only be
	 * no longer visible, else the noise would have to hide the record itself.
	 */
	#gapErrors(here: WeightEvaluation, fine: WeightEvaluation): (group: OutputGroup) => number {
		const { work, tightness } = this.starts;
		const n = work.functions.nStates;
		return (group) => {
			const c = work.componentOf(group);
			if (!here.gaps || c < 0) return 0;
			let sum = 0;
			for (let i = c; i < here.gaps.length; i += n) sum += squared(here.gaps[i] - fine.gaps![i]);
			return tightness * (negligibleError / visibleError) * Math.sqrt(sum / (group.to - group.from));
		};
	}
}

/** Difference of two simulations, gaps counted as they count in fits: root mean square a sample, in standard deviations of the noise; ∞ where one blew up. */
export function differenceInNoise(
	{ rowWeights, scale, segmented }: WeightedProblem,
	a: WeightEvaluation,
	b: WeightEvaluation,
): number {
	let sum = 0;
	for (let i = 0; i < a.value.length; i++) sum += squared((a.value[i] - b.value[i]) * rowWeights[i]);
	if (segmented)
		for (const [i, gap] of a.gaps!.entries())
			sum += squared((gap - b.gaps![i]) * segmented.gapWeights[i % segmented.gapWeights.length]);
	const size = Math.sqrt(sum / a.value.length) / scale;
	return Number.isNaN(size) ? Number.POSITIVE_INFINITY : size;
}
