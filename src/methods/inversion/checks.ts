/** What must hold before anything is fitted, said so that it can be put right. */
import { InputError } from "../../errors.ts";
import { list } from "../../estimate/judge/words.ts";
import { refuseStrangers } from "../../estimate/unknowns/strangers.ts";
import { constantValue } from "../../model/constant.ts";
import { evaluate } from "../../model/evaluate.ts";
import type { Node } from "../../model/graph.ts";
import type { Model } from "../../model/model.ts";
import { symbolsOf, topological } from "../../model/walk.ts";
import type { Problem } from "../problem.ts";
import { appliesTo } from "./applies.ts";
import type { Terms } from "./candidates/terms.ts";
import type { SmoothStates } from "./forward/smooth-states.ts";
import type { Setting } from "./forward/weight-forward.ts";

export function checkProblem({ model, train, test }: Problem): void {
	const { applies, why } = appliesTo(model);
	if (!applies) throw new InputError(model.fileName, `inversion cannot use this model: ${why}`);
	if (train.length === 0) throw new InputError("data", "has no record to fit", "Name a file under  data:.");
	refuseStrangers(model, train, test);
}

/** Conditions differ between experiments; there are more samples than unknowns. */
export function checkConditions({ candidates, experiments, observations, initials }: Setting): void {
	const { model, weights } = candidates;
	const used = new Set(weights.flatMap(({ factor }) => [...symbolsOf([factor])]));
	const [{ conditions: first }] = experiments;
	const constant = model.conditions
		.map(({ name }) => name)
		.filter(
			(name) => used.has(name) && experiments.every(({ conditions }) => conditions[name] === first[name]),
		);
	if (constant.length > 0) {
		const where = experiments.length === 1 ? "the only experiment" : `all ${experiments.length} experiments`;
		const isOne = constant.length === 1;
		throw new InputError(
			`condition${isOne ? "" : "s"} ${list(constant)}`,
			`${isOne ? "is" : "are"} ${list(constant.map((name) => String(first[name])))} in ${where}, so nothing can be said of what depends on ${isOne ? "it" : "them"}`,
			`Add experiments with other values, or take ${list(constant)} out of the brackets of the parameters.`,
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

/** Weights of each record: so few terms that they can be chosen together. */
export function checkRecords({ selectable, areSingle }: Terms, most: number): void {
	if (!areSingle && selectable.length > most)
		throw new InputError(
			"terms",
			`are ${selectable.length}, with weights that differ from record to record: of such there may be ${most}`,
			"Propose fewer, or leave  [record]  out.",
		);
}

/** Every knot of a spline must have samples near, the outermost ones too. Told where all states can be seen in the samples. */
export function checkKnots(
	original: Model,
	setting: Setting,
	states: () => readonly SmoothStates[] | undefined,
): void {
	for (const { name, params, distribution, kind } of original.unknowns) {
		if (kind !== "basis" || distribution.family !== "spline") continue;
		const smooth = states();
		if (!smooth) return;
		const knots = distribution.args.map(constantValue);
		const last = knots[knots.length - 1];
		params.forEach((param, position) => {
			const values = argumentsOf(original, name, position).flatMap((node) => along(node, setting, smooth));
			if (values.length === 0) return;
			const lo = values.reduce((a, b) => Math.min(a, b));
			const hi = values.reduce((a, b) => Math.max(a, b));
			const seen = `(the data go from ${lo.toPrecision(4)} to ${hi.toPrecision(4)})`;
			const fail = (problem: string): never => {
				throw new InputError(
					`unknown ${name}(${params.join(", ")})`,
					problem,
					`Choose knots inside the data, like  spline(${suggested(lo, hi)}).`,
				);
			};
			if (!(hi > knots[0] && lo < last))
				fail(`has knots from ${knots[0]} to ${last}, but no sample of ${param} lies between them ${seen}`);
			for (let j = 1; j < knots.length - 1; j++)
				if (!values.some((value) => value > knots[j - 1] && value < knots[j + 1]))
					fail(
						`has the knot ${knots[j]}, but no sample of ${param} lies between ${knots[j - 1]} and ${knots[j + 1]} ${seen}`,
					);
			// The outermost may lie a little outside: as far as the data are wide.
			for (const knot of knots)
				if (!(knot >= lo - (hi - lo) && knot <= hi + (hi - lo)))
					fail(`has the knot ${knot}, far from every sample of ${param} ${seen}`);
		});
	}
}

/** Values of an expression of states, inputs, conditions and time along the samples; none where it holds anything else. */
function along(
	node: Node,
	{ candidates, experiments, kernels, observations }: Setting,
	smooth: readonly SmoothStates[],
): number[] {
	const { components } = candidates.model;
	const symbols = [...symbolsOf([node])];
	return experiments.flatMap(({ conditions, inputs }, e) => {
		const isKnown = (name: string): boolean =>
			name === "t" || components.includes(name) || kernels.inputs.includes(name) || name in conditions;
		if (!symbols.every(isKnown)) return [];
		const { nodes, x } = smooth[e];
		const curve = Array.from(nodes, (t, k) =>
			evaluate(node, (name) => {
				if (name === "t") return t;
				const c = components.indexOf(name);
				return c >= 0 ? x[k * components.length + c] : (inputs.get(name)?.at(t) ?? conditions[name]);
			}),
		);
		// The samples as they are, too: smoothing draws them together.
		const raw = observations.groups.filter(
			({ experiment, measure }) => experiment === e && measure.family === "normal" && measure.value === node,
		);
		return [...curve, ...raw.flatMap(({ observed }) => [...observed])].filter(Number.isFinite);
	});
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
