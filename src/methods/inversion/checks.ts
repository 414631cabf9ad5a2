/** What must hold before anything is fitted, said so that it can be put right. */
import { InputError } from "../../errors.ts";
import { constantValue } from "../../model/constant.ts";
import type { Node } from "../../model/graph.ts";
import type { Model } from "../../model/model.ts";
import { symbolsOf, topological } from "../../model/walk.ts";
import type { Problem } from "../problem.ts";
import { appliesTo } from "./applies.ts";
import type { SmoothStates } from "./smooth-states.ts";
import type { Setting } from "./weight-forward.ts";

export function checkProblem({ model, train }: Problem): void {
	const { applies, why } = appliesTo(model);
	if (!applies) throw new InputError(model.fileName, `inversion cannot use this model: ${why}`);
	if (train.length === 0) throw new InputError("data", "has no record to fit", "Name a file under  data:.");
}

/** Conditions differ between experiments; there are more samples than unknowns. */
export function checkConditions({ candidates, experiments, observations, initials }: Setting): void {
	const { model, weights } = candidates;
	const used = new Set(weights.flatMap(({ factor }) => [...symbolsOf([factor])]));
	for (const { name } of model.conditions) {
		const values = experiments.map((experiment) => experiment.conditions[name]);
		if (used.has(name) && values.every((value) => value === values[0]))
			throw new InputError(
				`condition ${name}`,
				`is ${values[0]} in ${experiments.length === 1 ? "the only experiment" : `all ${experiments.length} experiments`}, so nothing can be said of what depends on it`,
				`Add experiments with other values, or take ${name} out of the brackets of the parameters.`,
			);
	}
	const unknowns = weights.length + initials.length;
	if (observations.nObservations < unknowns)
		throw new InputError(
			"data",
			`has ${observations.nObservations} samples for ${unknowns} unknowns (${weights.length} weights${initials.length > 0 ? ` and ${initials.length} initial values` : ""})`,
			"Add samples or experiments, or declare fewer terms.",
		);
}

/** Every bump of a spline must have samples where it is not zero. Told only for states that are measured. */
export function checkKnots(
	original: Model,
	setting: Setting,
	smooth: readonly SmoothStates[] | undefined,
): void {
	if (!smooth) return;
	const { components } = setting.candidates.model;
	for (const { name, params, distribution, kind } of original.unknowns) {
		if (kind !== "basis" || distribution.family !== "spline") continue;
		const knots = distribution.args.map(constantValue);
		params.forEach((param, position) => {
			const columns = argumentsOf(original, name, position)
				.map((node) => (node.op === "sym" ? components.indexOf(node.name!) : -1))
				.filter((c) => c >= 0);
			if (columns.length === 0) return;
			const values = smooth.flatMap(({ x, nodes }) =>
				columns.flatMap((c) => Array.from(nodes, (_, k) => x[k * components.length + c])),
			);
			const lo = values.reduce((a, b) => Math.min(a, b));
			const hi = values.reduce((a, b) => Math.max(a, b));
			for (let j = 1; j < knots.length - 1; j++)
				if (!values.some((value) => value > knots[j - 1] && value < knots[j + 1]))
					throw new InputError(
						`unknown ${name}(${params.join(", ")})`,
						`has the knot ${knots[j]}, but no sample of ${param} lies between ${knots[j - 1]} and ${knots[j + 1]} (the data go from ${lo.toPrecision(4)} to ${hi.toPrecision(4)})`,
						`Choose knots inside the data, like  spline(${suggested(lo, hi)}).`,
					);
		});
	}
}

function suggested(lo: number, hi: number): string {
	return [0, 0.25, 0.5, 0.75, 1].map((share) => Number((lo + share * (hi - lo)).toPrecision(2))).join(", ");
}

/** What the function is called with at one of its places. */
function argumentsOf({ rhs, measures }: Model, name: string, position: number): Node[] {
	const calls = topological([...rhs, ...measures.map(({ value }) => value)]).filter(
		(node) => node.op === "call" && node.name === name,
	);
	return [...new Set(calls.map(({ args }) => args[position]))];
}
