/**
 * A model of which several states are measured, as one problem of the class for each of them: for the equation of one output the
 * others are known functions of time, as inputs are. So a state that is not affine in itself does no harm where it is measured.
 */
import { Dependence } from "../../../model/dependence.ts";
import type { Model } from "../../../model/model.ts";
import { freeParams } from "../../../model/structure/free.ts";
import { isRefusal, type PeriodicForm, type Refusal } from "../form/form.ts";
import { measuredState } from "../form/measured-state.ts";
import { noiseRefusal } from "../form/noise.ts";
import { recognize } from "../form/recognize.ts";

export interface OutputPart {
	/** With one measure, the states that it depends on, and other outputs as inputs. */
	readonly model: Model;
	readonly form: PeriodicForm;
	/** Measured states that stand in its equations, by the name of their measure. */
	readonly beside: ReadonlyMap<string, string>;
}

/** The model must be without combinations and formula inputs. Outputs whose equation has nothing to find are left out. */
export function outputParts(model: Model): OutputPart[] | Refusal {
	// Of all outputs together: a spread may be common to some.
	const noise = noiseRefusal(model);
	if (noise) return noise;
	for (const measure of model.measures) {
		const refusal = measuredState({ ...model, measures: [measure] });
		if (refusal) return refusal;
	}
	const measured = model.measures.map(({ value }) => value.name!);
	const twice = measured.findIndex((name, k) => measured.indexOf(name) < k);
	if (twice >= 0)
		return {
			subject: `measure ${model.measures[twice].name}`,
			problem: `measures ${measured[twice]} a second time`,
			remedy: "Leave one of them out, or use  method: fit, which uses both.",
		};
	const found = model.measures.map((_, k) => partOf(model, measured, k));
	const parts = found.flatMap((part) => ("refusal" in part ? [] : [part])).filter(hasUnknowns);
	const refused = found.flatMap((part) => ("refusal" in part ? [part.refusal] : []));
	const missing = uncovered(model, measured, parts);
	if (missing !== undefined) return refused[0] ?? missing;
	return parts;
}

function partOf(
	model: Model,
	measured: readonly string[],
	k: number,
): OutputPart | { readonly refusal: Refusal } {
	const dependence = new Dependence();
	const rhs = new Map(model.components.map((name, i) => [name, model.rhs[i]]));
	const own = new Set([measured[k]]);
	const beside = new Map<string, string>();
	for (const name of own)
		for (const symbol of dependence.symbols(rhs.get(name)!)) {
			const at = measured.indexOf(symbol);
			if (at >= 0 && at !== k) beside.set(model.measures[at].name, symbol);
			else if (rhs.has(symbol)) own.add(symbol);
		}
	const kept = model.components.flatMap((name, i) => (own.has(name) ? [i] : []));
	const measure = model.measures[k];
	const part: Model = {
		...model,
		components: kept.map((i) => model.components[i]),
		rhs: kept.map((i) => model.rhs[i]),
		initial: kept.map((i) => model.initial[i]),
		measures: [measure],
		inputs: [
			...model.inputs,
			...[...beside.values()].map((name) => ({
				name,
				knowledge: { kind: "none" as const },
				span: measure.span,
			})),
		],
	};
	const form = recognize(part);
	return isRefusal(form) ? { refusal: form } : { model: part, form, beside };
}

function hasUnknowns({ form }: OutputPart): boolean {
	return form.lambda.length + form.recovered.size + form.hidden.length > 0;
}

/** A hidden state or a parameter of the equations that no part tells of. */
function uncovered(
	model: Model,
	measured: readonly string[],
	parts: readonly OutputPart[],
): Refusal | undefined {
	const dependence = new Dependence();
	const remedy = "Use  method: fit, which simulates the model and knows no such limit.";
	const state = model.components.find(
		(name) => !measured.includes(name) && !parts.some((part) => part.model.components.includes(name)),
	);
	if (state !== undefined) {
		const reached = new Set(measured);
		for (const name of reached)
			for (const symbol of dependence.symbols(model.rhs[model.components.indexOf(name)]))
				if (model.components.includes(symbol)) reached.add(symbol);
		return reached.has(state)
			? { subject: `state ${state}`, problem: "follows from no output by integrals", remedy }
			: {
					subject: `state ${state}`,
					problem: "is unobservable: nothing that is measured depends on it",
					remedy: `Remove ${state} and its equation, or measure ${state} too.`,
				};
	}
	const told = new Set(
		parts.flatMap(({ form: { lambda, recovered, hidden } }) => [
			...lambda,
			...recovered.keys(),
			...hidden.flatMap(({ closure }) => (closure ? [closure.param, closure.scale ?? ""] : [])),
		]),
	);
	const param = freeParams(model).find(
		({ name }) => !told.has(name) && model.rhs.some((node) => dependence.has(node, name)),
	);
	return param && { subject: `param ${param.name}`, problem: "follows from no output by integrals", remedy };
}
