/**
 * Steps that are fine enough for the posterior, found on the way to it: a small cloud goes from the prior to the posterior of
 * the solver taken as exact. After each stage steps half as long are tried on part of it; where they would move the stage's
 * own law, the cloud goes on with them. At its end the steps are chosen so that shorter ones move no mean and no standard
 * deviation of the posterior by a twentieth.
 */
import { stepsForError } from "../../../estimate/forward/integration.ts";
import type { Likelihood } from "../likelihood/likelihood.ts";
import { drawPriors, naturalValues } from "../likelihood/unknowns.ts";
import { thinned } from "../smc/pooled.ts";
import { targetNow } from "../smc/target.ts";
import { Tempering } from "../smc/tempering.ts";
import { type Draws, orderOf, spreadOfChange, wholeEffect, withSteps } from "./step-effect.ts";

/** sd(δ) that the answer may keep, and that a stage on the way may have. */
export const negligibleEffect = 0.05;
const roughEffect = 0.7;
/** Share of the prior that may be lost to steps that are too long. */
export const lostShare = 0.03;
export const pilotParticles = 200;
const pilotStages = 200;
const fewDraws = 32;

export interface ChosenSteps {
	/** Steps a sample; undefined where there would be too many. */
	readonly substeps: number | undefined;
	/** Far fewer, with which the cloud comes near the posterior. */
	readonly rough: number;
	/** sd(δ) that is left. */
	readonly effect: number;
}

export class StepPilot {
	chosen: ChosenSteps | undefined;
	tempering: Tempering;
	#likelihood: Likelihood;
	#restarts = 0;

	constructor(
		/** The solver taken as exact, with the first steps. */
		likelihood: Likelihood,
		readonly isSmooth: boolean,
		readonly mostSubsteps: number,
		readonly seed: number,
	) {
		this.#likelihood = likelihood;
		this.tempering = this.#begin();
	}

	/** One stage, or the choice at the end. */
	async advance(): Promise<void> {
		const tempering = this.tempering;
		if (tempering.outcome === "running") {
			await tempering.advance();
			await this.#refine();
			return;
		}
		this.chosen = await this.#choose();
	}

	#begin(): Tempering {
		const { seed } = this;
		return new Tempering(
			targetNow(() => this.#likelihood, seed),
			Math.max(pilotParticles, 12 * this.#likelihood.unknowns.length),
			{ seed, name: `pilot ${this.#restarts}`, threshold: 0.5, maxStages: pilotStages },
		);
	}

	/** Shorter steps for the rest of the way, until still shorter ones matter little at this stage. */
	async #refine(): Promise<void> {
		const { tempering } = this;
		for (;;) {
			const before = this.#likelihood;
			const substeps = Math.min(2 * before.settings.substeps, this.mostSubsteps);
			if (substeps === before.settings.substeps) return;
			if (tempering.outcome === "diverged") return this.#again(substeps);
			const finer = withSteps(before, { substeps });
			if (!(await this.#gains(before, finer))) return;
			this.#likelihood = finer;
			if (!(await tempering.exchange())) return this.#again(substeps);
		}
	}

	/** Whether shorter steps save part of the prior, looked at over the whole record, or move the law of this stage. */
	async #gains(before: Likelihood, finer: Likelihood): Promise<boolean> {
		const { tempering } = this;
		// The law that stands in the prior's place does not depend on steps.
		if (tempering.lambda === 0 && tempering.start) return false;
		if (tempering.lambda === 0) {
			const { z, n } = tempering.cloud!;
			const theta = naturalValues(before.unknowns, z, n);
			const own = tempering.approaches ? await before.logLikelihoods(theta, n) : tempering.cloud!.logLik;
			return lostPart(own, await finer.logLikelihoods(theta, n)) > lostShare * n;
		}
		const { z, n } = thinned(tempering.cloud!, fewDraws);
		const own = thinned({ z: tempering.ownTargets(), n: tempering.n }, fewDraws).z;
		this.#likelihood = finer;
		const other = await tempering.logTargets(z, n);
		this.#likelihood = before;
		return spreadOfChange(own, other) > roughEffect;
	}

	/** From the prior, with shorter steps. */
	#again(substeps: number): void {
		this.#restarts++;
		this.#likelihood = withSteps(this.#likelihood, { substeps });
		this.tempering = this.#begin();
	}

	/** The fewest steps that will do, by the draws at the end. */
	async #choose(): Promise<ChosenSteps> {
		const rough = this.#likelihood.settings.substeps;
		if (this.tempering.outcome === "diverged")
			return { substeps: undefined, rough, effect: Number.POSITIVE_INFINITY };
		const { z, n } = thinned(this.tempering.cloud!, 2 * fewDraws);
		const draws = { theta: naturalValues(this.#likelihood.unknowns, z, n), n };
		return { rough, ...(await fewestSteps(this.#likelihood, draws, this.isSmooth, this.mostSubsteps)) };
	}
}

/** Share of the prior that blows up with steps an eighth as long, too: the model itself does, not the solver. */
export async function blowsUp(likelihood: Likelihood): Promise<number> {
	const { unknowns, settings } = likelihood;
	const n = pilotParticles;
	const theta = naturalValues(unknowns, drawPriors(unknowns, n, 0, "steps"), n);
	const finer = withSteps(likelihood, { substeps: 8 * settings.substeps });
	const found = await finer.logLikelihoods(theta, n);
	return found.filter((value) => !Number.isFinite(value)).length / n;
}

function isLost(own: number, finer: number): boolean {
	return !Number.isFinite(own) && Number.isFinite(finer);
}

/** How many are lost to the steps that would outlive the first stage: more likely than half of what is not lost. */
function lostPart(own: Float64Array, finer: Float64Array): number {
	const alive = own.filter(Number.isFinite).sort();
	const middle = alive.length > 0 ? alive[Math.floor(alive.length / 2)] : Number.NEGATIVE_INFINITY;
	return own.reduce((count, value, b) => count + (isLost(value, finer[b]) && finer[b] > middle ? 1 : 0), 0);
}

/** The fewest steps a sample, found from those of the likelihood on, whose effect on a posterior with these draws is negligible. */
export async function fewestSteps(
	likelihood: Likelihood,
	{ theta, n }: Draws,
	isSmooth: boolean,
	most: number,
): Promise<{ substeps: number | undefined; effect: number }> {
	const order = orderOf(likelihood, isSmooth);
	const known = new Map<number, Float64Array>();
	const at = async (substeps: number): Promise<Float64Array> => {
		const found = known.get(substeps) ?? (await withSteps(likelihood, { substeps }).logLikelihoods(theta, n));
		known.set(substeps, found);
		return found;
	};
	let { substeps } = likelihood.settings;
	for (let tries = 0; tries < 8; tries++) {
		const effect = wholeEffect(spreadOfChange(await at(substeps), await at(2 * substeps)), order);
		if (effect <= negligibleEffect) break;
		const wanted = stepsForError(substeps, effect, 0.7 * negligibleEffect, order);
		if (wanted > most) return { substeps: undefined, effect };
		substeps = wanted;
	}
	const exact = await at(2 * substeps);
	const effectOf = async (fewer: number): Promise<number> => spreadOfChange(await at(fewer), exact);
	let effect = await effectOf(substeps);
	while (substeps > 1) {
		const fewer = Math.floor(0.75 * substeps);
		const own = await effectOf(fewer);
		if (!(own <= 0.7 * negligibleEffect)) break;
		substeps = fewer;
		effect = own;
	}
	return { substeps, effect };
}
