/** What is known of the spread of each measurement, sorted by how a likelihood can take it. */
import type { Experiment } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import { constantValue } from "../../model/constant.ts";
import type { Node } from "../../model/graph.ts";
import type { Measure, Model } from "../../model/model.ts";
import { substitute, symbolsOf } from "../../model/walk.ts";
import { deviationPerSpread, sampleLaw, supportOf } from "../law/declared.ts";
import { limitedOutputs } from "./compared.ts";
import { spreadValues } from "./declared-spreads.ts";

export type Spread =
	/** Standard deviation of each sample, before anything is simulated: declared, a column, or made of columns and conditions. */
	| { readonly kind: "known"; readonly sd: Float64Array }
	/**
	 * One number for all samples with this `key`, which is to be found: the root mean square of their errors fits best, so it
	 * needs no search; it lies in [lo, hi]. `param` where it is a declared parameter; the spread is then `perParam` times it.
	 */
	| {
			readonly kind: "common";
			readonly key: string;
			readonly param?: string;
			readonly perParam?: number;
			readonly lo: number;
			readonly hi: number;
	  }
	/** An expression of states or unknowns: simulated with the rest, and found where unknowns are in it. */
	| { readonly kind: "simulated"; readonly isFound: boolean };

/** Parameters that stand only for the spread of measurements. */
export function spreadParams(model: Model): Set<string> {
	const elsewhere = symbolsOf([
		...model.rhs,
		...model.measures.map(({ value }) => value),
		...model.initial.flatMap((knowledge) => (knowledge.kind === "exact" ? [knowledge.value] : [])),
	]);
	const inSpreads = symbolsOf(model.measures.flatMap(({ spread }) => (spread ? [spread] : [])));
	return new Set(
		model.params.map(({ name }) => name).filter((name) => inSpreads.has(name) && !elsewhere.has(name)),
	);
}

/**
 * Those that need no search: wherever one stands, the whole spread of a normal error is a number times it, and each sample is
 * known. The number, and which parameter it is, may differ from record to record.
 */
export function commonSpreads(model: Model, experiments: readonly Experiment[] = []): Set<string> {
	const limited = limitedOutputs(experiments);
	const inMeasure = new Map(
		model.measures.flatMap((measure) => (measure.spread ? [[measure, symbolsOf([measure.spread])]] : [])),
	);
	let common = spreadParams(model);
	for (;;) {
		const whole = new Set(
			[...inMeasure.keys()].filter(
				(measure) =>
					sampleLaw(measure).isNormal &&
					!measure.rounded &&
					!measure.correlated &&
					!limited.has(measure.name) &&
					isMultipleEverywhere(model, measure, experiments, common),
			),
		);
		const left = new Set(
			[...common].filter((name) => {
				const own = [...inMeasure].flatMap(([measure, symbols]) => (symbols.has(name) ? [measure] : []));
				return own.every((measure) => whole.has(measure) && measure.kind === own[0].kind);
			}),
		);
		if (left.size === common.size) return left;
		common = left;
	}
}

function isMultipleEverywhere(
	model: Model,
	measure: Measure,
	experiments: readonly Experiment[],
	common: ReadonlySet<string>,
): boolean {
	const own = experiments.filter(({ outputs }) => outputs.has(measure.name));
	const conditions = own.length > 0 ? own.map((each) => each.conditions) : [{}];
	return conditions.every((each) => {
		const multiple = multipleIn(model, measure.spread!, each);
		return multiple !== undefined && common.has(multiple.name);
	});
}

/** A spread in these conditions, where it is a positive number times one symbol. */
function multipleIn(
	{ graph }: Model,
	spread: Node,
	conditions: Readonly<Record<string, number>>,
): { readonly name: string; readonly factor: number } | undefined {
	const set = [...symbolsOf([spread])].filter((name) => name in conditions);
	const [node] =
		set.length === 0
			? [spread]
			: substitute(graph, [spread], new Map(set.map((name) => [name, graph.const(conditions[name])])));
	const parts = node.op === "mul" ? node.args : [node];
	const symbols = parts.filter(({ op }) => op === "sym");
	const factor = parts
		.filter(({ op }) => op !== "sym")
		.reduce((product, part) => product * constantValue(part), 1);
	return symbols.length === 1 && factor > 0 && factor < Number.POSITIVE_INFINITY
		? { name: symbols[0].name!, factor }
		: undefined;
}

/** What of the noise a method of plain least squares cannot take: the reason, as a sentence; undefined where there is none. */
export function beyondLeastSquares(model: Model): string | undefined {
	const other = model.measures.find((measure) => !sampleLaw(measure).isNormal);
	if (other)
		return `measure ${other.name} ${sampleLaw(other).isCount ? "is a count" : `has errors that are ${other.family}`}, and least squares takes errors for normal: fit and bayes know that law.`;
	const remembered = model.measures.find(({ correlated }) => correlated);
	if (remembered)
		return `measure ${remembered.name} has errors that are correlated: fit and bayes know such noise.`;
	const rounded = model.measures.find((measure) => measure.rounded);
	if (rounded) return `measure ${rounded.name} is rounded: fit and bayes weigh what it was before.`;
	const common = commonSpreads(model);
	const free = new Set(
		model.params.flatMap(({ name, knowledge }) => (knowledge.kind === "exact" ? [] : [name])),
	);
	for (const { name, spread } of model.measures) {
		const found = spread
			? [...symbolsOf([spread])].filter((symbol) => free.has(symbol) && !common.has(symbol))
			: [];
		if (found.length > 0)
			return `measure ${name} has a spread that is an expression of the unknown ${found.join(", ")}: fit and bayes find it, least squares only one that is a parameter alone, like  normal(x, s).`;
	}
	return undefined;
}

export function hasSimulatedSpreads(
	model: Model,
	common: ReadonlySet<string> = commonSpreads(model),
): boolean {
	return model.measures.some((measure) => isSimulated(model, measure, common));
}

/** Parameters that stand only for the noise of measurements: its spread, or how long it is remembered. */
export function noiseParams(model: Model): Set<string> {
	const memory = symbolsOf(model.measures.flatMap(({ correlated }) => (correlated ? [correlated] : [])));
	const elsewhere = symbolsOf([...model.rhs, ...model.measures.map(({ value }) => value)]);
	return new Set([...spreadParams(model), ...[...memory].filter((name) => !elsewhere.has(name))]);
}

/** Of each measure: the standard deviation as far as it must be simulated; 0 elsewhere. */
export function simulatedSpreads(model: Model, common: ReadonlySet<string> = commonSpreads(model)): Node[] {
	const { graph, measures } = model;
	return measures.map((measure) => {
		if (!isSimulated(model, measure, common)) return graph.zero;
		const factor = deviationPerSpread(measure);
		return factor === 1 ? measure.spread! : graph.mul(graph.const(factor), measure.spread!);
	});
}

/** `commonNames`: the parameters that need no search. */
export function spreadOf(
	model: Model,
	measure: Measure,
	experiment: Experiment,
	t: Float64Array,
	commonNames: ReadonlySet<string>,
): Spread {
	const { spread } = measure;
	const open = { lo: 0, hi: Number.POSITIVE_INFINITY };
	if (!spread && sampleLaw(measure).isCount) return { kind: "known", sd: new Float64Array(t.length).fill(1) };
	if (!spread) return { kind: "common", key: `output ${measure.name}`, ...open };
	const common = multipleIn(model, spread, experiment.conditions);
	if (common && commonNames.has(common.name)) {
		const { knowledge } = model.params.find(({ name }) => name === common.name)!;
		const support = supportOf(common.name, knowledge) ?? open;
		return {
			kind: "common",
			key: `param ${common.name}`,
			param: common.name,
			perParam: common.factor * deviationPerSpread(measure),
			lo: Math.max(support.lo, 0),
			hi: support.hi,
		};
	}
	if (isSimulated(model, measure, commonNames)) {
		const symbols = symbolsOf(measure.correlated ? [spread, measure.correlated] : [spread]);
		const isFound = model.params.some(
			({ name, knowledge }) => knowledge.kind !== "exact" && symbols.has(name),
		);
		return { kind: "simulated", isFound };
	}
	return { kind: "known", sd: knownSpread(measure, spread, experiment, t) };
}

function isSimulated(model: Model, { spread, correlated }: Measure, common: ReadonlySet<string>): boolean {
	if (!spread) return false;
	// Given the sample before it, a sample has another spread.
	if (correlated) return true;
	const simulated = new Set([
		...model.components,
		...model.params.flatMap(({ name, knowledge }) => (knowledge.kind === "exact" ? [] : [name])),
	]);
	return [...symbolsOf([spread])].some((name) => simulated.has(name) && !common.has(name));
}

function knownSpread(measure: Measure, spread: Node, experiment: Experiment, t: Float64Array): Float64Array {
	const isNumber = symbolsOf([spread]).size === 0;
	const factor = deviationPerSpread(measure);
	return spreadValues(spread, experiment, t).map((sd, k) => {
		if (sd > 0 && sd < Number.POSITIVE_INFINITY) return factor * sd;
		const where = isNumber ? "" : ` at t = ${t[k]} of ${experiment.name}`;
		throw new InputError(
			`measure ${measure.name}`,
			`has a spread of ${sd}${where}`,
			k === 0 && isNumber
				? "A spread is a positive number, or a parameter."
				: "A spread is positive wherever there is a sample.",
		);
	});
}
