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
	const names = plainNames(chosen, new Set(others.map(({ name }) => name)));
	const replace = chosenTerms(original, { inner }, chosen, ({ weight }) =>
		graph.sym(names.get(weight.name)!),
	);
	const known = new Map(original.params.map(({ name, knowledge }) => [name, knowledge]));
	const model: Model = {
		...original,
		unknowns: [],
		params: [
			...original.params
				.filter(({ name }) => !free.has(name))
				.map((param) => ({ ...param, knowledge: noisePrior(original, param, beside.noise) })),
			...chosen.map(
				(each): Param => ({
					name: names.get(each.weight.name)!,
					// What the user knows stays as it is.
					knowledge: each.weight.selectable ? prior(original, each) : known.get(each.weight.of)!,
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
	const lines = [
		...story,
		`${chosen.length} of ${weights.length} terms are written out. Priors are ${widening} times as wide as the errors.`,
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
		names.set(weight.name, name);
	}
	return names;
}
