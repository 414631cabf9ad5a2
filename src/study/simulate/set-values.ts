/** `set:` of a study against the names of a model: parameters, weights of combinations, initial values. */
import { nearestName } from "../../errors.ts";
import { supportOf } from "../../estimate/law/declared.ts";
import { expandCombinations } from "../../model/combination.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Model } from "../../model/model.ts";
import { ownInEachRecord } from "../../model/population.ts";
import { problemAt, type Study } from "../study.ts";

/** The initial value of a component, as methods and results name it. */
export function initialName(component: string): string {
	return `${component}(0)`;
}

/**
 * Values by the names that methods use: `x` and `x(0)` both mean the initial value of x. Names that the model does not
 * have, and those that it knows exactly, are errors at their place.
 */
export function setValues(
	study: Study,
	model: Model,
	experiments: readonly string[],
	report: (diagnostic: Diagnostic) => void,
): Record<string, number> {
	const weights = expandCombinations(model).weights.map(({ name }) => name);
	const exact = new Set(
		model.params.filter(({ knowledge }) => knowledge.kind === "exact").map(({ name }) => name),
	);
	const own = ownInEachRecord(model).flatMap(({ keyword, name }) =>
		keyword === "param" ? experiments.map((experiment) => `${name} of ${experiment}`) : [],
	);
	const names = new Set([...model.params.map(({ name }) => name), ...weights, ...own]);
	const initials = new Map<string, string>();
	for (const component of model.components) {
		const plain = initialName(component);
		initials.set(component, plain).set(plain, plain);
		for (const experiment of experiments)
			initials.set(`${plain} of ${experiment}`, `${plain} of ${experiment}`);
	}
	const values: Record<string, number> = {};
	for (const [key, value] of Object.entries(study.set)) {
		const path = `set.${key}`;
		if (exact.has(key)) {
			const remedy = "Change it in the model, or leave its value out there.";
			report(problemAt(study, path, "key", `"${key}" is exactly known in the model`, remedy));
		} else if (names.has(key)) values[key] = value;
		else if (initials.has(key)) {
			const component = key.replace(/\(0\).*$/, "");
			if (model.initial[model.components.indexOf(component)].kind === "exact") {
				const remedy = `Change it in the model, or write  state ${component}  there.`;
				report(
					problemAt(
						study,
						path,
						"key",
						`the initial value of ${component} is exactly known in the model`,
						remedy,
					),
				);
			} else values[initials.get(key)!] = value;
		} else {
			const all = [...names].filter((name) => !exact.has(name)).concat(model.components);
			const nearest = nearestName(key, all);
			const remedy = nearest
				? `Did you mean "${nearest}"?`
				: `The model has ${all.join(", ") || "nothing to set"}.`;
			report(problemAt(study, path, "key", `the model has no "${key}"`, remedy));
		}
	}
	return values;
}

/** Values to start an estimate from must be possible by what the model declares. */
export function checkStarts(study: Study, model: Model, report: (diagnostic: Diagnostic) => void): void {
	for (const [key, value] of Object.entries(study.set)) {
		const component = model.components.indexOf(key.replace(/\(0\).*$/, ""));
		const param = model.params.find(({ name }) => name === key);
		if (param?.byRecord && param.knowledge.kind === "distribution") {
			const remedy = `Give starts for the parameters of its law; a value of its own is for  odentify simulate.`;
			report(problemAt(study, `set.${key}`, "key", `${key} differs from record to record`, remedy));
			continue;
		}
		const knowledge = param?.knowledge ?? model.initial[component];
		const range = knowledge && supportOf(key, knowledge);
		if (!range) continue;
		const { lo, hi, open } = range;
		if (!(value < lo || value > hi || (open && value === lo))) continue;
		const allowed = hi === Infinity ? `numbers above ${lo}` : `${lo} to ${hi}`;
		report(
			problemAt(
				study,
				`set.${key}`,
				"value",
				`the start ${value} of ${key} lies outside what the model allows, ${allowed}`,
				"Give a start inside, or change the declaration in the model.",
			),
		);
	}
}
