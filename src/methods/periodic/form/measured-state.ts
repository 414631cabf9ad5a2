/** What a model must measure, and be driven by, to be looked at: one state as it is, and what is known and repeats itself. */
import { Dependence } from "../../../model/dependence.ts";
import type { Model } from "../../../model/model.ts";
import { toPlain } from "../../../model/print/expression.ts";
import { termsOf } from "./expand.ts";
import type { Refusal } from "./form.ts";
import { noiseRefusal } from "./noise.ts";
import { timeWaves } from "./time-waves.ts";

export const otherwise = "Use  method: fit, which simulates the model and knows no such limit.";

/** Why what is measured, and what drives, keep a model out. */
export function measuredState(model: Model): Refusal | undefined {
	const refuse = (subject: string, problem: string, remedy: string): Refusal => ({
		subject,
		problem,
		remedy,
	});
	if (model.unknowns.length > 0)
		return refuse(
			`unknown ${model.unknowns[0].name}`,
			"is a function, and periodic estimates numbers only",
			"Replace it by a formula with parameters, or use  method: inversion, which estimates functions.",
		);
	const [measure, second] = model.measures;
	if (!measure)
		return refuse(model.fileName, "measures nothing", `Write  measure y = ${model.components[0] ?? "x"}.`);
	if (second)
		return refuse(
			`measure ${second.name}`,
			`is a second output beside ${measure.name}, and periodic takes several of one plain record only: not of several, of one that is long, or of a parameter that drifts`,
			`Leave one of them out, or use  method: fit, which uses both.`,
		);
	const noise = noiseRefusal(model);
	if (noise) return noise;
	const { value } = measure;
	if (value.op !== "sym" || !model.components.includes(value.name!))
		return refuse(
			`measure ${measure.name}`,
			`is ${toPlain(value)}, not one state as it is`,
			`Write  measure ${measure.name} = ${model.components[0]}  if that is what was measured. ${otherwise}`,
		);
	return unknownDrive(model);
}

/** An input that no data give, or time that does not repeat. */
function unknownDrive(model: Model): Refusal | undefined {
	const dependence = new Dependence();
	for (const { name, knowledge } of model.inputs) {
		const i = model.rhs.findIndex((node) => dependence.has(node, name));
		if (i < 0 || knowledge.kind === "none") continue;
		const term = termsOf(model.graph, model.rhs[i]).find((each) => dependence.has(each, name));
		return {
			subject: `input ${name}`,
			problem: `drives state ${model.components[i]} (the term ${toPlain(term ?? model.rhs[i])}) and is not known, and periodic needs all that drives`,
			remedy:
				knowledge.kind === "distribution"
					? "Use  method: bayes, which finds an unknown force along with the parameters."
					: otherwise,
		};
	}
	if (!model.rhs.some((node) => dependence.has(node, "t"))) return undefined;
	const waves = timeWaves(model.graph, model.rhs, new Set(model.conditions.map(({ name }) => name)));
	return "problem" in waves ? waves : undefined;
}
