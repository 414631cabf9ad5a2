/** Errors as they are declared: the spread of each sample, wherever it is known before anything is simulated. */
import type { Experiment } from "../../data/experiment.ts";
import { constantValue } from "../../model/constant.ts";
import { decimalConstant } from "../../model/decimal-constant.ts";
import { evaluate } from "../../model/evaluate.ts";
import type { Node } from "../../model/graph.ts";
import type { Measure, Model } from "../../model/model.ts";
import { substitute, symbolsOf } from "../../model/walk.ts";
import { squared } from "../../num/whole-power.ts";
import { deviationPerSpread } from "../law/declared.ts";

/** What stands for a spread, at each sample: a number, or made of columns, conditions and time. NaN where it is neither. */
export function spreadValues(
	spread: Node,
	{ inputs, conditions }: Experiment,
	t: ArrayLike<number>,
): Float64Array {
	if (symbolsOf([spread]).size === 0) return new Float64Array(t.length).fill(constantValue(spread));
	return Float64Array.from(t, (at) =>
		evaluate(spread, (name) =>
			name === "t" ? at : (inputs.get(name)?.at(at) ?? conditions[name] ?? Number.NaN),
		),
	);
}

/** Whether it is declared what the spread is, by a number or by what the records hold: no state and no parameter is in it. */
export function isDeclared(model: Model, { spread }: Measure): boolean {
	if (!spread) return false;
	const simulated = new Set([...model.components, ...model.params.map(({ name }) => name)]);
	return [...symbolsOf([spread])].every((name) => !simulated.has(name));
}

/** Whether the spread is found with the rest: none is declared, or an unknown is in it. */
export function isFound({ params }: Model, { spread }: Measure): boolean {
	if (!spread) return true;
	const symbols = symbolsOf([spread]);
	return params.some(({ name, knowledge }) => knowledge.kind !== "exact" && symbols.has(name));
}

/** Standard deviation of the error of each sample; undefined where none is declared. */
export function declaredSpreads(
	model: Model,
	measure: Measure,
	experiment: Experiment,
	t: ArrayLike<number>,
): Float64Array | undefined {
	if (!measure.spread || !isDeclared(model, measure)) return undefined;
	const factor = deviationPerSpread(measure);
	const sd = spreadValues(measure.spread, experiment, t).map((spread) => factor * spread);
	return sd.every((each) => each > 0 && each < Number.POSITIVE_INFINITY) ? sd : undefined;
}

/** Of all samples in some records: one number where they have the same, the root mean square where they differ. */
export function typicalSpread(
	model: Model,
	measure: Measure,
	experiments: readonly Experiment[],
): number | undefined {
	if (!measure.spread || !isDeclared(model, measure)) return undefined;
	const fixed = constantValue(measure.spread);
	if (fixed > 0) return deviationPerSpread(measure) * fixed;
	const each = experiments.map((experiment) => {
		const { times = [] } = experiment.outputs.get(measure.name) ?? {};
		return declaredSpreads(model, measure, experiment, times);
	});
	if (each.includes(undefined)) return undefined;
	const all = each.flatMap((sd) => [...sd!]);
	if (all.length === 0) return undefined;
	if (all.every((sd) => sd === all[0])) return all[0];
	return Math.sqrt(all.reduce((sum, sd) => sum + squared(sd), 0) / all.length);
}

/**
 * The model with a number for each column in a spread, where all samples have the same: whoever computes with it has the bits
 * of the number. As it is where there is none.
 */
export function withNumbers(model: Model, experiments: readonly Experiment[]): Model {
	const measures = model.measures.map((measure) => withNumber(model, measure, experiments));
	if (measures.every((measure, i) => measure === model.measures[i])) return model;
	const left = symbolsOf(measures.flatMap(({ spread }) => (spread ? [spread] : [])));
	const gone = [...onlyInSpreads(model)].filter((name) => !left.has(name));
	return { ...model, measures, inputs: model.inputs.filter(({ name }) => !gone.includes(name)) };
}

function withNumber(model: Model, measure: Measure, experiments: readonly Experiment[]): Measure {
	const { graph, inputs } = model;
	const { spread, written: _, ...rest } = measure;
	if (!spread) return measure;
	const symbols = symbolsOf([spread]);
	if (symbols.size === 0) return measure;
	/** The number that a node is at all samples. */
	const same = (node: Node): number | undefined => {
		const all = experiments.flatMap((experiment) => [
			...spreadValues(node, experiment, experiment.outputs.get(measure.name)?.times ?? []),
		]);
		return Number.isFinite(all[0]) && all.every((each) => each === all[0]) ? all[0] : undefined;
	};
	const columns = inputs.filter(({ name, knowledge }) => knowledge.kind === "none" && symbols.has(name));
	const numbers = columns.flatMap(({ name }) => {
		const number = same(graph.sym(name));
		return number === undefined ? [] : [[name, decimalConstant(graph, number)] as const];
	});
	const [folded] = substitute(graph, [spread], new Map(numbers));
	const whole = isDeclared(model, measure) ? same(folded) : undefined;
	// What is no spread is left for its owner to be told of.
	if (whole !== undefined && !(whole > 0)) return measure;
	if (symbolsOf([folded]).size === 0 || whole === undefined)
		return folded === spread ? measure : { ...rest, spread: folded };
	return { ...rest, spread: decimalConstant(graph, whole) };
}

/** Inputs that stand nowhere but in errors of measurements: nothing moves by them. */
export function onlyInSpreads({
	inputs,
	measures,
	rhs,
	initial,
	events,
	assumptions = [],
}: Model): Set<string> {
	const elsewhere = symbolsOf([
		...rhs,
		...measures.map(({ value }) => value),
		...initial.flatMap((knowledge) => (knowledge.kind === "exact" ? [knowledge.value] : [])),
		...events.flatMap(({ trigger, assignments }) => [trigger, ...assignments.map(({ value }) => value)]),
		...assumptions.map(({ value }) => value),
		...inputs.flatMap(({ knowledge }) => (knowledge.kind === "formula" ? [knowledge.value] : [])),
	]);
	const inSpreads = symbolsOf(measures.flatMap(({ spread }) => (spread ? [spread] : [])));
	return new Set(
		inputs
			.filter(
				({ name, knowledge }) => knowledge.kind === "none" && !elsewhere.has(name) && inSpreads.has(name),
			)
			.map(({ name }) => name),
	);
}
