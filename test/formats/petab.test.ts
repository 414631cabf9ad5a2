/** A PEtab problem of our own, against its likelihood by hand; and what is wrong with others. */
import { describe, expect, test } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { estimationOf } from "../../src/estimate/forward/estimation.ts";
import { forwardOf } from "../../src/estimate/forward/forward-of.ts";
import { costs, misfits } from "../../src/estimate/observe/likelihood.ts";
import { toSearch } from "../../src/estimate/unknowns/unknowns.ts";
import { looksLikePetab } from "../../src/formats/petab/looks-like.ts";
import { readPetab } from "../../src/formats/petab/problem.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { petabStudy } from "../../src/study/petab/as-study.ts";
import { petabLikelihood } from "../../src/study/petab/likelihood.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { compartment, list, parameter, reaction, sbml, species } from "./models.ts";

// A <-> B with rates k1 and k2: A(t) = rest + (A(0) - rest) exp(-(k1 + k2) t), rest = total k2/(k1 + k2).
const model = sbml(
	list("Compartments", compartment("c", 1)) +
		list(
			"Species",
			species("A", "c", 'initialConcentration="1"'),
			species("B", "c", 'initialConcentration="0"'),
		) +
		list("Parameters", parameter("k1", 0.8), parameter("k2", 9)) +
		list(
			"Reactions",
			reaction("forth", "A", "B", "(times k1 A)"),
			reaction("back", "B", "A", "(times k2 B)"),
		),
);
const table = (...rows: readonly string[]): string => rows.map((row) => row.replaceAll(" ", "\t")).join("\n");
const files: Readonly<Record<string, string>> = {
	"model.xml": model,
	"parameters.tsv": table(
		"parameterId parameterScale lowerBound upperBound nominalValue estimate",
		"k2 lin 0 10 0.2 1",
		"fast log 1 10 3 1",
		"gain lin 0 10 2 1",
		"sd lin 0 10 0.5 1",
	),
	"conditions.tsv": table("conditionId k1 A", "usual NaN NaN", "quick fast NaN", "given 0.8 2"),
	"observables.tsv": table(
		"observableId observableFormula noiseFormula observableTransformation noiseDistribution",
		"plain observableParameter1_plain*A noiseParameter1_plain lin normal",
		"tenth A+B+0*time**2 0.1 log10 normal",
		"tails B sd lin laplace",
	),
	"measurements.tsv": table(
		"observableId preequilibrationConditionId simulationConditionId measurement time observableParameters noiseParameters",
		"plain  usual 0.7 1 gain 0.3",
		"plain  usual 0.9 1 1 sd",
		"tenth  given 2.5 2  ",
		"tails  quick 0.5 inf  ",
		"tails quick usual 0.6 1  ",
	),
};
const yaml = `format_version: 1
parameter_file: parameters.tsv
problems:
- sbml_files: [model.xml]
  condition_files: [conditions.tsv]
  observable_files: [observables.tsv]
  measurement_files: [measurements.tsv]
`;
const answer = (changed: Readonly<Record<string, string>> = {}, source = yaml) => {
	const open = (file: string): string | undefined => changed[file] ?? files[file];
	return petabLikelihood(readPetab(source, "problem.yaml", open), open);
};

describe("a PEtab problem", () => {
	const along = (start: number, total: number, k1: number, k2: number, t: number): number => {
		const rest = (total * k2) / (k1 + k2);
		return rest + (start - rest) * Math.exp(-(k1 + k2) * t);
	};
	const a1 = along(1, 1, 0.8, 0.2, 1);
	const quickRest = 0.2 / 3.2;
	const expected = [2 * a1, a1, 2, 1 - quickRest, 1 - along(quickRest, 1, 0.8, 0.2, 1)];

	test("each measurement in its condition, with its overrides, from rest and at rest", () => {
		answer().simulated.forEach((value, i) => {
			expect(value).toBeCloseTo(expected[i], 7);
		});
	});

	test("likelihood and chi² by hand", () => {
		const normal = (e: number, s: number): number =>
			-0.5 * (e / s) ** 2 - Math.log(s) - 0.5 * Math.log(2 * Math.PI);
		const laplace = (e: number, s: number): number => -Math.abs(e) / s - Math.log(2 * s);
		const tenth = Math.log10(2.5) - Math.log10(2);
		const terms = [
			normal(0.7 - expected[0], 0.3),
			normal(0.9 - expected[1], 0.5),
			normal(tenth, 0.1) - Math.log(2.5 * Math.LN10),
			laplace(0.5 - expected[3], 0.5),
			laplace(0.6 - expected[4], 0.5),
		];
		const squares = [
			(0.7 - expected[0]) / 0.3,
			(0.9 - expected[1]) / 0.5,
			tenth / 0.1,
			(0.5 - expected[3]) / 0.5,
			(0.6 - expected[4]) / 0.5,
		];
		const { logLikelihood, chi2 } = answer();
		expect(logLikelihood).toBeCloseTo(
			terms.reduce((a, b) => a + b),
			6,
		);
		expect(chi2).toBeCloseTo(
			squares.reduce((a, b) => a + b * b, 0),
			6,
		);
	});

	test("a likelihood that is no number names the first measurement that has none", () => {
		const { failed } = answer({ "measurements.tsv": files["measurements.tsv"].replace("gain", "1e308") });
		expect(failed).toMatch(
			/^measurements\.tsv:2: plain is .* at t = 1 in condition usual, which is beyond all measure/,
		);
	});

	test("a condition may name a constant of the model that is not in the parameter table", () => {
		const own = files["model.xml"].replace(
			"<listOfParameters>",
			'<listOfParameters><parameter id="own" value="3" constant="true"/>',
		);
		const named = answer({
			"model.xml": own,
			"conditions.tsv": files["conditions.tsv"].replace("fast", "own"),
		});
		expect(named.logLikelihood).toBe(answer().logLikelihood);
	});

	test("is told from a study", () => {
		expect(looksLikePetab(yaml)).toBe(true);
		expect(looksLikePetab("model: m.ode\ndata: { file: r.csv }\n")).toBe(false);
	});

	test.each([
		[
			"a missing column",
			{ "observables.tsv": table("observableId noiseFormula", "plain 1") },
			"observables.tsv:1: the table has no column observableFormula",
		],
		["a missing file", {}, "there is no such file", yaml.replace("model.xml", "other.xml")],
		[
			"an unknown condition",
			{ "measurements.tsv": files["measurements.tsv"].replace("quick\t0.5", "quik\t0.5") },
			'Did you mean "quick"?',
		],
		[
			"an override of nothing",
			{ "conditions.tsv": files["conditions.tsv"].replace("fast", "fats") },
			'"fats" is neither a number nor a parameter',
		],
		[
			"an estimate that is neither 0 nor 1",
			{ "parameters.tsv": files["parameters.tsv"].replace(/\t1$/m, "\tyes") },
			'estimate is "yes"',
		],
		[
			"a parameter that stands there twice",
			{ "parameters.tsv": `${files["parameters.tsv"]}\n${files["parameters.tsv"].split("\n")[1]}` },
			"stands there twice",
		],
		[
			"a condition that sets nothing",
			{ "conditions.tsv": files["conditions.tsv"].replace("k1", "k11") },
			"a condition sets k11, which neither the model nor a formula has",
		],
		[
			"a placeholder that nothing fills",
			{ "measurements.tsv": files["measurements.tsv"].replace("gain", "") },
			"nothing stands for observableParameter1_plain",
		],
		[
			"more overrides than placeholders",
			{ "measurements.tsv": files["measurements.tsv"].replace("gain", "gain;2") },
			"observableParameters has 2 values, and the observable 1 placeholders",
		],
		[
			"an unknown id",
			{ "observables.tsv": files["observables.tsv"].replace("A+B", "A+Q") },
			'unknown id "Q"',
		],
		[
			"a spread of zero",
			{ "parameters.tsv": files["parameters.tsv"].replace("10\t0.5", "10\t0") },
			"the noise of this measurement is 0",
		],
		[
			"no nominal value",
			{ "parameters.tsv": files["parameters.tsv"].replace("10\t0.2", "10\t") },
			"parameter k2 has no nominal value",
		],
		["version 3", {}, "PEtab of version 3", yaml.replace("format_version: 1", "format_version: 3.0.0")],
		[
			"a model without rest",
			{
				"model.xml": model
					.replace("</listOfReactions>", "</listOfReactions>")
					.replace(
						/<listOfReactions>.*<\/listOfReactions>/s,
						list("Reactions", reaction("grow", "", "B", "k1")),
					),
			},
			"does not come to rest",
		],
		[
			"a measurement that is infinite",
			{ "measurements.tsv": files["measurements.tsv"].replace(/\t0\.7\t/, "\t1e999\t") },
			/measurements\.tsv:\d+: measurement is "1e999"/,
		],
		[
			"an override that is infinite",
			{ "measurements.tsv": files["measurements.tsv"].replace("gain", "-inf") },
			'observableParameters has "-inf"',
		],
		[
			"a value that is nowhere",
			{
				"model.xml": model.replace(/(id="k2") value="[^"]*"/, "$1"),
				"parameters.tsv": files["parameters.tsv"].replace(/^k2.*\n/m, ""),
			},
			"model.xml: k2 has no value",
		],
		["no YAML", {}, "is no YAML", `${yaml}\n  x: [`],
	] as [string, Record<string, string>, string | RegExp, string?][])("%s", (_, changed, message, source) => {
		expect(() => answer(changed, source)).toThrow(message);
	});
});

describe("as a study", () => {
	const simple: Readonly<Record<string, string>> = {
		...files,
		"observables.tsv": table(
			"observableId observableFormula noiseFormula observableTransformation",
			"plain observableParameter1_plain*A noiseParameter1_plain lin",
			"tenth A+B 0.1 log10",
		),
		"measurements.tsv": table(
			"observableId simulationConditionId measurement time observableParameters noiseParameters",
			"plain usual 0.7 1 gain 0.3",
			"plain usual 0.9 1 1 sd",
			"plain quick 0.2 2 gain sd",
			"tenth given 2.5 2  ",
		),
	};
	const open = (file: string): string | undefined => simple[file];
	const problem = readPetab(yaml, "problem.yaml", open);
	const { files: written, nRecords } = petabStudy(problem, open);
	const study = parseStudy(written.get("study.yaml")!, "study.yaml", methods);
	const model = parseModel(written.get("model.ode")!, "model.ode");
	const tables = new Map(
		study.records.map(({ file }) => [file!, readCsv(new TextEncoder().encode(written.get(file!)!), file!)]),
	);

	test("records hold one measurement of an observable at a time, and may lack an output", () => {
		expect(nRecords).toBe(4);
		const { train } = problemFromStudy(study, model, tables, inline);
		expect(train.map(({ name, outputs }) => [name, [...outputs.keys()]])).toEqual([
			["usual", ["plain"]],
			["usual_2", ["plain"]],
			["quick", ["plain"]],
			["given", ["tenth"]],
		]);
	});

	test("at the nominal values the likelihood is that of the problem", async () => {
		const { train } = problemFromStudy(study, model, tables, inline);
		const estimation = estimationOf(model, train, {}, inline, true);
		const forward = forwardOf(estimation, { kind: "adaptive", rtol: 1e-10 });
		const nominal = Float64Array.from(
			estimation.unknowns,
			({ name }) => problem.parameters.get(name)!.nominal,
		);
		const { unknowns, observations } = estimation;
		const point = nominal.map((value, i) => toSearch(unknowns[i], value));
		const [cost] = await costs({ unknowns, observations, forward, priors: [] }, [point]);
		// The cost is that of logarithms: the density of the measurement itself has 1/y more.
		const { logLikelihood } = petabLikelihood(problem, open);
		expect(-cost - Math.log(2.5)).toBeCloseTo(logLikelihood, 6);
	});

	test("steady states before and as measurements, and Laplace noise, have the likelihood of the problem and its slope", async () => {
		const all = (file: string): string | undefined => files[file];
		const whole = readPetab(yaml, "problem.yaml", all);
		const { files: made } = petabStudy(whole, all);
		const own = parseStudy(made.get("study.yaml")!, "study.yaml", methods);
		const text = parseModel(made.get("model.ode")!, "model.ode");
		const read = new Map(
			own.records.map(({ file }) => [file!, readCsv(new TextEncoder().encode(made.get(file!)!), file!)]),
		);
		const { train } = problemFromStudy(own, text, read, inline);
		expect(train.filter(({ rest }) => rest).length).toBe(2);
		const { unknowns, observations, ...estimation } = estimationOf(text, train, {}, inline, true);
		const forward = forwardOf({ ...estimation, unknowns, observations }, { kind: "adaptive", rtol: 1e-10 });
		const at = { unknowns, observations, forward, priors: [] };
		const point = Float64Array.from(unknowns, (unknown) =>
			toSearch(unknown, whole.parameters.get(unknown.name)!.nominal),
		);
		const [{ cost, residual, jacobian }] = await misfits(at, [point]);
		expect(-cost - Math.log(2.5)).toBeCloseTo(petabLikelihood(whole, all).logLikelihood, 6);
		const n = unknowns.length;
		for (let j = 0; j < n; j++) {
			const [ahead, behind] = await costs(
				at,
				[1e-5, -1e-5].map((h) => point.map((z, k) => (k === j ? z + h : z))),
			);
			const slope = residual.reduce((sum, r, i) => sum + r * jacobian[i * n + j], 0);
			expect(slope).toBeCloseTo((ahead - behind) / 2e-5, 4);
		}
	});

	test("a condition that is infinite is refused in its place", () => {
		const other = (file: string): string | undefined =>
			file === "conditions.tsv" ? files[file].replace("0.8", "inf") : files[file];
		expect(() => petabStudy(readPetab(yaml, "problem.yaml", other), other)).toThrow(
			"conditions.tsv:4: k1 is set to Infinity",
		);
	});

	test("a species that the second condition sets is set anew after the rest, the other goes on from it", () => {
		const row = (before: string): string => `plain\t${before}\tgiven\t0.7\t1\tgain\t0.3`;
		const head = files["measurements.tsv"].split("\n")[0];
		const other = (file: string): string | undefined =>
			file === "measurements.tsv" ? `${head}\n${row("quick")}` : files[file];
		const { files: made } = petabStudy(readPetab(yaml, "problem.yaml", other), other);
		const [record] = parseStudy(made.get("study.yaml")!, "study.yaml", methods).records;
		expect(record.reset).toEqual(["A"]);
		expect(record.rest).toHaveLength(1);
	});
});
