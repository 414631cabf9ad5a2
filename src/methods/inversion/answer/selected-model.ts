/** The answer as a model text: the chosen terms written out with their weights as parameters, ready for the other methods. */
import { decimalConstant } from "../../../model/decimal-constant.ts";
import type { Knowledge, Model, Param } from "../../../model/model.ts";
import { printModel } from "../../../model/print/model.ts";
import { log } from "../../../num/elementary/number.ts";
import type { Candidates } from "../candidates/candidates.ts";
import { type ChosenWeight, chosenTerms } from "./chosen-terms.ts";

/** What was found beside the weights. */
export interface FoundBeside {
	/** Standard deviation of the noise, by the parameter that stands for it. */
	readonly noise: ReadonlyMap<string, number>;
	/** Initial values that are unknown, by component: middle and error, over all experiments. */
	readonly initial: ReadonlyMap<string, { readonly estimate: number; readonly sd: number | undefined }>;
}

/** A prior so much wider than the error lets the same data speak again. */
const widening = 10;

export function selectedModel(
	original: Model,
	{ inner, weights }: Candidates,
	chosen: readonly ChosenWeight[],
	beside: FoundBeside,
	/** What the inversion came to, line by line. */
	story: readonly string[],
): string {
	const { graph } = original;
	const free = new Set(inner);
	const others = [
		...original.params.filter(({ name }) => !free.has(name)),
		...original.states,
		...original.inputs,
		...original.conditions,
		...original.lets,
		...original.measures,
	];
	const terms = chosen.filter(
		({ weight }, k) => chosen.findIndex((other) => other.weight.label === weight.label) === k,
	);
	const names = plainNames(terms, new Set(others.map(({ name }) => name)));
	const replace = chosenTerms(original, { inner }, terms, ({ weight }) =>
		graph.sym(names.get(weight.label)!),
	);
	const known = new Map(original.params.map(({ name, knowledge }) => [name, knowledge]));
	const model: Model = {
		...original,
		unknowns: [],
		params: [
			...original.params
				.filter(({ name }) => !free.has(name))
				.map((param) => ({ ...param, knowledge: noisePrior(original, param, beside.noise) })),
			...terms.map(
				(each): Param => ({
					name: names.get(each.weight.label)!,
					// What the user knows stays as it is.
					knowledge: !each.weight.selectable
						? known.get(each.weight.of)!
						: each.weight.record === undefined
							? prior(original, each)
							: rangeOf(
									original,
									chosen.filter(({ weight }) => weight.label === each.weight.label),
								),
					...(each.weight.record === undefined ? {} : { byRecord: true }),
					span: { start: 0, end: 0 },
				}),
			),
		],
		states: original.states.map((state) => ({
			...state,
			initial: state.initial.map((each, order): Knowledge => {
				if (each.kind === "exact") return { kind: "exact", value: replace(each.value) };
				const found = beside.initial.get(state.name + "'".repeat(order));
				return each.kind === "none" && found ? prior(original, found) : each;
			}),
		})),
		lets: original.lets.map(({ name, value }) => ({ name, value: replace(value) })),
		equations: original.equations.map(({ left, right, span }) => ({
			left: replace(left),
			right: replace(right),
			span,
		})),
		measures: original.measures.map(({ written, ...measure }) => ({
			...measure,
			value: replace(measure.value),
			spread: measure.spread && replace(measure.spread),
		})),
	};
	const own = terms
		.filter(({ weight }) => weight.record !== undefined)
		.map(({ weight }) => {
			const values = chosen
				.filter((each) => each.weight.label === weight.label)
				.map((each) => `${Number(each.estimate.toPrecision(4))} in ${each.weight.record}`);
			return `${names.get(weight.label)}: ${values.join(", ")}.`;
		});
	const labels = new Set(weights.map(({ label }) => label));
	const lines = [
		...story,
		...own,
		`${terms.length} of ${labels.size} terms are written out. Priors${own.length > 0 ? " and ranges" : ""} are ${widening} times as wide as the errors.`,
	];
	return `${lines.map((line) => `# ${line}\n`).join("")}\n${printModel(model)}`;
}

/** Noise that the model leaves open: of the size that the residuals show, give or take a factor of e. */
function noisePrior(
	{ graph }: Model,
	{ name, knowledge }: Param,
	found: ReadonlyMap<string, number>,
): Knowledge {
	const sd = found.get(name);
	if (knowledge.kind !== "none" || sd === undefined || !(sd > 0)) return knowledge;
	const args = [decimalConstant(graph, Number(log(sd).toPrecision(4))), graph.one];
	return { kind: "distribution", distribution: { family: "lognormal", args, named: new Map() } };
}

function prior(
	{ graph }: Model,
	{ estimate, sd }: { readonly estimate: number; readonly sd?: number },
): Knowledge {
	if (sd === undefined || !(sd > 0 && sd < Number.POSITIVE_INFINITY)) return { kind: "none" };
	return {
		kind: "distribution",
		distribution: {
			family: "normal",
			args: [
				decimalConstant(graph, rounded(estimate, sd)),
				decimalConstant(graph, Number((widening * sd).toPrecision(2))),
			],
			named: new Map(),
		},
	};
}

/** Weights that differ from record to record have no prior of all: a range that holds those of every one. */
function rangeOf({ graph }: Model, weights: readonly ChosenWeight[]): Knowledge {
	if (!weights.every(({ sd }) => sd !== undefined && sd > 0 && sd < Number.POSITIVE_INFINITY))
		return { kind: "none" };
	const end = (side: -1 | 1): number => {
		const ends = weights.map(({ estimate, sd }) => estimate + side * widening * sd!);
		return Number(ends.reduce((a, b) => (side * b > side * a ? b : a)).toPrecision(4));
	};
	const [lo, hi] = [end(-1), end(1)];
	if (!(lo < hi)) return { kind: "none" };
	return { kind: "set", lo: decimalConstant(graph, lo), hi: decimalConstant(graph, hi) };
}

/** To a hundredth of its error. */
function rounded(value: number, sd: number): number {
	const digits = Math.ceil(log(Math.max(Math.abs(value) / sd, 1)) / log(10)) + 2;
	return Number(value.toPrecision(Math.min(Math.max(digits, 3), 15)));
}

/** Names of the language for the weights: `p2[c2]` is p2_c2. */
function plainNames(chosen: readonly ChosenWeight[], taken: Set<string>): Map<string, string> {
	const names = new Map<string, string>();
	for (const { weight } of chosen) {
		const plain =
			weight.kind === "parameter"
				? weight.of
				: `${weight.of}_${weight.term
						.replace(/\^/g, "")
						.replace(/[^A-Za-z0-9]+/g, "_")
						.replace(/^_|_$/g, "")}`;
		let name = plain;
		for (let k = 2; weight.kind !== "parameter" && taken.has(name); k++) name = `${plain}_${k}`;
		taken.add(name);
		names.set(weight.label, name);
	}
	return names;
}
