/** A model, its measurements and its numbers as a PEtab problem of version 2. */
import { stringify } from "yaml";
import { InputError } from "../../errors.ts";
import type { Node } from "../../model/graph.ts";
import type { Measure } from "../../model/model.ts";
import { infixAlgebra } from "./algebra.ts";
import type { Identified } from "./identified.ts";
import { sbmlText } from "./sbml.ts";
import { writeNodes } from "./write-node.ts";

export interface MeasuredRecord {
	readonly name: string;
	readonly start: number;
	readonly conditions: Readonly<Record<string, number>>;
	readonly outputs: ReadonlyMap<
		string,
		{ readonly times: ArrayLike<number>; readonly values: ArrayLike<number> }
	>;
}

export interface Estimated {
	readonly name: string;
	readonly value: number;
	readonly lower: number;
	readonly upper: number;
}

/** Errors of a measurement, by the name that PEtab has for them. */
const noises: Readonly<Record<string, string>> = {
	normal: "normal",
	lognormal: "log-normal",
	laplace: "laplace",
	loglaplace: "log-laplace",
};

const formulas = infixAlgebra({
	number: String,
	pi: "3.141592653589793",
	power: (base, exponent) => `pow(${base}, ${exponent})`,
	call: (name, args) =>
		`${{ asin: "arcsin", acos: "arccos", atan: "arctan" }[name as string] ?? name}(${args.join(", ")})`,
	choose: (condition, yes, no) => `piecewise(${yes}, ${condition}, ${no})`,
});

/** Files by name; `problem.yaml` is the problem. */
export function petabFiles(
	identified: Identified,
	records: readonly MeasuredRecord[],
	estimated: readonly Estimated[],
): Map<string, string> {
	const { model, params, isAtRest } = identified;
	if (isAtRest)
		throw new InputError(
			"records that begin at rest",
			"are not written as PEtab",
			"Export the model:  --to sbml",
		);
	const { text, idOf } = sbmlText({ ...identified, model: { ...model, measures: [] } });
	const conditions = model.conditions.map(({ name }) => name);
	const written = (node: Node): string => {
		const { shared, results } = writeNodes(
			[node],
			formulas,
			(symbol) => (symbol === "t" ? "time" : idOf(symbol)),
			(wanted) => `${wanted}_`,
		);
		return shared.reduceRight(
			(whole, part) => whole.replaceAll(part.name, `(${formulas.text(part.value)})`),
			formulas.text(results[0]),
		);
	};
	const observables = model.measures.map((measure) => {
		const { noise, value } = noiseOf(measure);
		const formula = value === "logarithm" ? `exp(${written(measure.value)})` : written(measure.value);
		const spread = measure.spread ? written(measure.spread) : "1";
		return [`observable_${measure.name}`, formula, spread, noise];
	});
	const experimentId = (name: string, i: number): string => `e${i + 1}_${name.replace(/\W/g, "_")}`;
	const conditionRows = records.flatMap(({ conditions: own }, i) =>
		conditions.map((name) => [`c${i + 1}`, idOf(name), String(own[name])]),
	);
	const experimentRows = records.map(({ name, start }, i) => [
		experimentId(name, i),
		String(start),
		conditionRows.length > 0 ? `c${i + 1}` : "",
	]);
	const measurements = records.flatMap(({ name, outputs }, i) =>
		[...outputs].flatMap(([output, { times, values }]) =>
			Array.from(times, (t, k) => [
				`observable_${output}`,
				experimentId(name, i),
				String(t),
				String(values[k]),
			]),
		),
	);
	const bounds = new Map(estimated.map((each) => [each.name, each]));
	const parameterRows = [...params]
		.filter(([name]) => !conditions.includes(name))
		.map(([name, value]) => {
			const own = bounds.get(name);
			const finite = (bound: number | undefined): string =>
				bound !== undefined && Number.isFinite(bound) ? String(bound) : "";
			return [idOf(name), finite(own?.lower), finite(own?.upper), String(value), own ? "true" : "false"];
		});
	const table = (...rows: readonly (readonly string[])[]): string =>
		`${rows.map((row) => row.join("\t")).join("\n")}\n`;
	const files = new Map([
		["model.xml", text],
		[
			"observables.tsv",
			table(["observableId", "observableFormula", "noiseFormula", "noiseDistribution"], ...observables),
		],
		["experiments.tsv", table(["experimentId", "time", "conditionId"], ...experimentRows)],
		["measurements.tsv", table(["observableId", "experimentId", "time", "measurement"], ...measurements)],
		[
			"parameters.tsv",
			table(["parameterId", "lowerBound", "upperBound", "nominalValue", "estimate"], ...parameterRows),
		],
	]);
	if (conditionRows.length > 0)
		files.set("conditions.tsv", table(["conditionId", "targetId", "targetValue"], ...conditionRows));
	const problem = {
		format_version: "2.0.0",
		model_files: { model: { location: "model.xml", language: "sbml" } },
		parameter_files: ["parameters.tsv"],
		observable_files: ["observables.tsv"],
		...(conditionRows.length > 0 && { condition_files: ["conditions.tsv"] }),
		experiment_files: ["experiments.tsv"],
		measurement_files: ["measurements.tsv"],
	};
	return files.set("problem.yaml", stringify(problem));
}

function noiseOf({ name, kind, family = "normal", rounded, correlated }: Measure): {
	noise: string;
	value: "itself" | "logarithm";
} {
	const noise = kind === "distribution" ? noises[family] : kind === "exact" ? "normal" : undefined;
	if (noise === undefined)
		throw new InputError(
			`measure ${name}`,
			`has errors that PEtab does not have (${kind === "set" ? "within a bound" : family})`,
			"It has normal, lognormal, laplace and loglaplace.",
		);
	if (rounded || correlated)
		throw new InputError(
			`measure ${name}`,
			`is ${rounded ? "rounded" : "correlated"}, which PEtab cannot say`,
			"Leave that out.",
		);
	return { noise, value: noise.startsWith("log-") ? "logarithm" : "itself" };
}
