/** How the filter integrates before anything is known of the posterior: from the options, the model and the prior. */
import type { Model } from "../../model/model.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import { latentForces } from "./filter/noise/latent-force.ts";
import type { FilterSettings } from "./likelihood/likelihood.ts";
import { beyondFilter } from "./likelihood/solution-terms.ts";
import {
	chooseForm,
	chooseOrder,
	isSmooth,
	mostSubsteps,
	stepsFor,
	typicalRate,
} from "./likelihood/step-choice.ts";
import { drawPriors, naturalValues, type PosteriorUnknown } from "./likelihood/unknowns.ts";
import type { bayesOptions } from "./options.ts";

export interface SolverQuestion {
	readonly model: Model;
	readonly unknowns: readonly PosteriorUnknown[];
	readonly train: Problem["train"];
	readonly options: OptionValues<typeof bayesOptions>;
}

export function hasForces({ model }: Pick<SolverQuestion, "model">): boolean {
	return latentForces(model).length > 0;
}

/** Whether steps are found on the way, so that the error of the integration does not matter. */
export function choosesSteps(question: SolverQuestion): boolean {
	const { substeps, integrationError, linearisation, equationEvidence } = question.options;
	return (
		substeps === "auto" &&
		integrationError === "auto" &&
		linearisation === "ekf0" &&
		!equationEvidence &&
		!hasForces(question) &&
		question.unknowns.length > 0
	);
}

export function firstSettings(question: SolverQuestion): FilterSettings {
	const { unknowns, model, train, options } = question;
	const { substeps, integrationError } = options;
	const modelled = integrationError === "auto" ? "simulated" : integrationError;
	if (substeps !== "auto") return { ...settingsWith(question, modelled), substeps };
	const willChoose = choosesSteps(question);
	const common = settingsWith(question, willChoose ? "none" : modelled);
	const n = 64;
	// The same draws whatever the seed: another seed is to give another cloud of the same posterior.
	const theta = naturalValues(unknowns, drawPriors(unknowns, n, 0, "steps"), n);
	const rate = typicalRate(model, unknowns, train, theta, n);
	const steps = Math.min(mostSubsteps, stepsFor(rate, train));
	return { ...common, substeps: willChoose ? Math.ceil(steps / 2) : steps };
}

/** All but the steps. */
export function settingsWith(
	question: SolverQuestion,
	integrationError: "simulated" | "running" | "none",
): Omit<FilterSettings, "substeps"> {
	const { model, train, options } = question;
	const { layout, linearisation, equationEvidence, form } = options;
	// A simulation knows nothing of a force: Γ is then found along with the data.
	const forced = hasForces(question);
	const modelled = beyondFilter(model, train)
		? "none"
		: integrationError === "simulated" && forced
			? "running"
			: integrationError;
	const auto = chooseOrder(model) - (layout === "stacked" ? 1 : 0) || 1;
	const higher = choosesSteps(question) && modelled === "none" && isSmooth(model) ? 1 : 0;
	const q = options.q === "auto" ? auto + higher : options.q;
	return {
		layout,
		q,
		form: form === "auto" ? chooseForm(q, linearisation) : form,
		linearisation: modelled === "none" ? "ekf0" : linearisation,
		diffusion: modelled === "none" ? "off" : modelled,
		// An unknown force cannot be simulated beforehand.
		...(modelled === "running" && options.gammaRange >= 1 && !forced
			? { gammaRange: options.gammaRange }
			: {}),
		equationEvidence,
	};
}
