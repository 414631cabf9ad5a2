/** PEtab, version 2: a problem of our own against its likelihood by hand, and every way in which one can be wrong. */
import { describe, expect, test } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { estimationOf } from "../../src/estimate/forward/estimation.ts";
import { forwardOf } from "../../src/estimate/forward/forward-of.ts";
import { costs } from "../../src/estimate/observe/likelihood.ts";
import { toSearch } from "../../src/estimate/unknowns/unknowns.ts";
import { petabFormula } from "../../src/formats/petab/formula.ts";
import { readPetab } from "../../src/formats/petab/problem.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { petabStudy } from "../../src/study/petab/as-study.ts";
import { petabLikelihood } from "../../src/study/petab/likelihood.ts";
import { simulationTable } from "../../src/study/petab/simulation-table.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { compartment, event, list, math, parameter, reaction, rule, sbml, species } from "./models.ts";

// A -> nothing with rate k, from 2: A(t) = 2 exp(-k t). B is an amount that nothing changes.
const model = sbml(
	list("Compartments", compartment("c", 1)) +
		list(
			"Species",
			species("A", "c", 'initialConcentration="2"'),
			species("B", "c", 'initialAmount="4"', 'hasOnlySubstanceUnits="true"'),
		) +
		list("Parameters", parameter("k", 9), parameter("made", 1)) +
		list("Reactions", reaction("out", "A", "", "(times k (times c A))")),
);
const table = (...rows: readonly string[]): string => rows.map((row) => row.replaceAll(" ", "\t")).join("\n");
const files: Readonly<Record<string, string>> = {
	"model.xml": model,
	"parameters.tsv": table(
		"parameterId lowerBound upperBound nominalValue estimate priorDistribution priorParameters",
		"slow 0 10 0.5 true normal 1;2",
		"sd 0.1 10 0.5 true  ",
		"gain 0 10 3 false  ",
	),
	"conditions.tsv": table(
		"conditionId targetId targetValue",
		"start k slow*2",
		"later k slow",
		"dose A A+gain*B/(4*c)",
		"wide c 5",
		"still k 0",
	),
	"experiments.tsv": table(
		"experimentId time conditionId",
		"course 0 start",
		"course 4 dose",
		"course 2 later",
		"course 4 wide",
		"course 6 ",
		"gone -inf start",
		"gone 1 dose",
		"gone 1 still",
	),
	"observables.tsv": table(
		"observableId observableFormula noiseFormula noiseDistribution observablePlaceholders noisePlaceholders",
		"conc A sd normal  ",
		"amount s*A*c+o noise+0.1*amount log-laplace s;o noise",
		"other B 1 laplace  ",
	),
	"measurements.tsv": table(
		"observableId experimentId time measurement observableParameters noiseParameters",
		"conc course 1 0.7  ",
		"conc course 2 0.3  ",
		"amount course 4 16 1;0 sd",
		"amount course 7 7 gain;1 0.2",
		"other course 7 3  ",
		"conc gone 1 2.9  ",
		"conc gone inf 3.1  ",
	),
};
const yaml = `format_version: 2.0.0
parameter_files: [parameters.tsv]
model_files:
  one: { location: model.xml, language: sbml }
measurement_files: [measurements.tsv]
observable_files: [observables.tsv]
condition_files: [conditions.tsv]
experiment_files: [experiments.tsv]
`;
const read = (changed: Readonly<Record<string, string>> = {}, source = yaml) => {
	const open = (file: string): string | undefined => changed[file] ?? files[file];
	const problem = readPetab(source, "problem.yaml", open);
	return { problem, answer: petabLikelihood(problem, open) };
};

describe("a problem of several periods", () => {
	const [a1, a2] = [2 * Math.exp(-1), 2 * Math.exp(-2)];
	const a4 = a2 * Math.exp(-1) + 3;
	const a7 = a4 * Math.exp(-1.5);
	const expected = [a1, a2, 5 * a4, 3 * 5 * a7 + 1, 4, 3, 3];

	test("each period goes on from the one before; what was set stays; a concentration stays when its compartment is changed", () => {
		read().answer.simulated.forEach((value, i) => {
			expect(value).toBeCloseTo(expected[i], 6);
		});
	});

	test("likelihood, chi² and prior by hand", () => {
		const normal = (e: number, s: number): number =>
			-0.5 * (e / s) ** 2 - Math.log(s) - 0.5 * Math.log(2 * Math.PI);
		const laplace = (e: number, s: number): number => -Math.abs(e) / s - Math.log(2 * s);
		const logLaplace = (m: number, y: number, s: number): number =>
			laplace(Math.log(m) - Math.log(y), s) - Math.log(m);
		const spreads = [0.5 + 0.1 * expected[2], 0.2 + 0.1 * expected[3]];
		const terms = [
			normal(0.7 - a1, 0.5),
			normal(0.3 - a2, 0.5),
			logLaplace(16, expected[2], spreads[0]),
			logLaplace(7, expected[3], spreads[1]),
			laplace(1, 1),
			normal(0.1, 0.5),
			normal(0.1, 0.5),
		];
		const { logLikelihood, chi2, logPrior } = read().answer;
		expect(logLikelihood).toBeCloseTo(
			terms.reduce((a, b) => a + b),
			5,
		);
		const squares = [
			(0.7 - a1) / 0.5,
			(0.3 - a2) / 0.5,
			Math.log(16 / expected[2]) / spreads[0],
			Math.log(7 / expected[3]) / spreads[1],
			1,
			0.2,
			0.2,
		];
		expect(chi2).toBeCloseTo(
			squares.reduce((a, b) => a + b * b, 0),
			5,
		);
		// normal(1, 2) between 0 and 10 has the share Phi(4.5) - Phi(-0.5) = 0.69145906; sd is flat between 0.1 and 10.
		expect(logPrior).toBeCloseTo(normal(-0.5, 2) - Math.log(0.69145906) - Math.log(9.9), 5);
	});

	test("the simulation table has the columns of version 2", () => {
		const { problem, answer } = read();
		const [head, first] = simulationTable(problem, answer.simulated).split("\n");
		expect(head).toBe("observableId\texperimentId\ttime\tsimulation\tobservableParameters\tnoiseParameters");
		expect(first).toMatch(/^conc\tcourse\t1\t0\.7357/);
	});

	test("without an experiment the model is taken as it is; parameters by another name", () => {
		const { answer } = read(
			{
				"measurements.tsv": table("observableId time measurement", "conc 1 0.7"),
				"observables.tsv": table("observableId observableFormula noiseFormula", "conc speed*A sd"),
				"mapping.tsv": table("petabEntityId modelEntityId", "speed k"),
			},
			`${yaml.replace(/condition_files.*\nexperiment_files.*\n/, "")}mapping_files: [mapping.tsv]\n`,
		);
		expect(answer.simulated[0]).toBeCloseTo(9 * 2 * Math.exp(-9), 8);
	});

	test("an experiment that only rests is at rest at all times; quotes around cells are none", () => {
		const { answer } = read({
			"experiments.tsv": table('experimentId time "conditionId"', 'gone -inf "dose_"'),
			"conditions.tsv": table("conditionId targetId targetValue", "dose_ A gain", "dose_ k 0"),
			"measurements.tsv": table(
				"observableId experimentId time measurement",
				"conc gone 0 1",
				"conc gone inf 1",
			),
		});
		expect([...answer.simulated]).toEqual([3, 3]);
	});

	test("time is that of the period, in what is set and in initial assignments", () => {
		const time =
			'<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time"> time </csymbol>';
		const { answer } = read({
			"model.xml": model.replace(
				"<listOfReactions>",
				`<listOfInitialAssignments><initialAssignment symbol="A"><math xmlns="http://www.w3.org/1998/Math/MathML"><apply><plus/>${time}<cn>1</cn></apply></math></initialAssignment></listOfInitialAssignments><listOfReactions>`,
			),
			"experiments.tsv": table("experimentId time conditionId", "late 5 now"),
			"conditions.tsv": table("conditionId targetId targetValue", "now k 0*time", "now B time*2"),
			"measurements.tsv": table(
				"observableId experimentId time measurement",
				"conc late 6 1",
				"other late 6 1",
			),
		});
		expect([...answer.simulated]).toEqual([6, 10]);
	});

	const stepped = (trigger: string, more = ""): string =>
		sbml(
			list("Parameters", parameter("z", 0, false), parameter("k", 1)) +
				list("Events", event(trigger, { z: "(plus z k)" }, more)),
		);
	const ofStep = {
		"parameters.tsv": table("parameterId lowerBound upperBound nominalValue estimate", "one 0 2 1 false"),
		"conditions.tsv": table("conditionId targetId targetValue", "seven k 7*one"),
		"experiments.tsv": table("experimentId time conditionId", "e 0 ", "e 2 seven"),
		"observables.tsv": table(
			"observableId observableFormula noiseFormula",
			"seen z 1",
			"twice 2*seen+1 seen",
		),
		"measurements.tsv": table("observableId experimentId time measurement", "seen e 2 0", "twice e 3 0"),
	};
	test("an event at the instant at which a period begins happens in that period; observables may name others", () => {
		const { simulated } = read({ ...ofStep, "model.xml": stepped("(geq t 2)") }).answer;
		expect([...simulated]).toEqual([7, 15]);
	});
	test("an event that waits while a period ends is refused", () => {
		const waits = stepped("(geq t 1)", `<delay>${math("2")}</delay>`);
		expect(() => read({ ...ofStep, "model.xml": waits })).toThrow(/an event still waits for its delay/);
	});
	test("sizes and stoichiometries that change go on from period to period, and time is that of the period", () => {
		// c = 1 + t; S stays in it as an amount of 2 until it is set to 4/c; n grows by 1 a unit of time, and P by n.
		const model = sbml(
			list("Compartments", compartment("c", 1, false), compartment("d", 1)) +
				list(
					"Species",
					species("S", "c", 'initialConcentration="2"'),
					species("P", "d", 'initialAmount="0"', 'hasOnlySubstanceUnits="true"'),
				) +
				list("Parameters", parameter("k", 1)) +
				list("Rules", rule("assignment", "c", "(plus 1 t)"), rule("rate", "n", "1")) +
				list("Reactions", reaction("r", "", "P:1:n", "k")),
		);
		const { simulated } = read({
			...ofStep,
			"model.xml": model,
			"conditions.tsv": table("conditionId targetId targetValue", "one k 1", "two S 4/c"),
			"experiments.tsv": table("experimentId time conditionId", "e 1 one", "e 3 one", "e 4 two"),
			"observables.tsv": table("observableId observableFormula noiseFormula", "s S 1", "p P 1"),
			"measurements.tsv": table(
				"observableId experimentId time measurement",
				"s e 1 0",
				"s e 3 0",
				"p e 3 0",
				"p e 5 0",
				"s e 5 0",
			),
		}).answer;
		// From 1: S = 2, so that its amount is 4; at 3 it is 1. n = 1 at 1, so P is 2 + 2²/2 at 3, and 4 + 4²/2 at 5.
		[2, 1, 4, 12, 4 / 6].forEach((value, i) => {
			expect(simulated[i]).toBeCloseTo(value, 8);
		});
	});
	test("what a rule determines, and what is not there, is not set", () => {
		const ruled = stepped("(geq t 2)").replace(
			"<listOfEvents>",
			`${list("Rules", rule("assignment", "k", "1"))}<listOfEvents>`,
		);
		expect(() => read({ ...ofStep, "model.xml": ruled })).toThrow(
			/conditions\.tsv:2: a condition sets k, which an assignment rule/,
		);
		const conditions = ofStep["conditions.tsv"].replace("\tk\t", "\tkk\t");
		expect(() =>
			read({ ...ofStep, "model.xml": stepped("(geq t 2)"), "conditions.tsv": conditions }),
		).toThrow(/a condition sets kk, which neither/);
	});

	test("two models share parameters, each with measurements of its own", () => {
		const other = model.replace('initialConcentration="2"', 'initialConcentration="20"');
		const { answer } = read(
			{
				"other.xml": other,
				"measurements.tsv": table(
					"modelId observableId experimentId time measurement",
					"one conc course 1 0.7",
					"two conc course 1 0.7",
				),
			},
			yaml.replace("measurement_files", "  two: { location: other.xml, language: sbml }\nmeasurement_files"),
		);
		expect(answer.simulated[1] / answer.simulated[0]).toBeCloseTo(10, 6);
	});

	test("an event that holds before a period does not happen again in it, and one that the change makes true does", () => {
		const event = (id: string, sum: string): string =>
			`<event id="${id}" useValuesFromTriggerTime="true"><trigger initialValue="false" persistent="true"><math xmlns="http://www.w3.org/1998/Math/MathML"><apply><gt/><ci>A</ci><cn>${sum}</cn></apply></math></trigger><listOfEventAssignments><eventAssignment variable="made"><math xmlns="http://www.w3.org/1998/Math/MathML"><apply><plus/><ci>made</ci><cn>1</cn></apply></math></eventAssignment></listOfEventAssignments></event>`;
		const changed = model
			.replace(
				/<parameter ([^>]*)id="made"([^>]*)constant="true"/,
				'<parameter $1id="made"$2constant="false"',
			)
			.replace(
				"</model>",
				`<listOfEvents>${event("low", "0.05")}${event("high", "3")}</listOfEvents></model>`,
			);
		const { answer } = read({
			"model.xml": changed,
			"observables.tsv": table("observableId observableFormula noiseFormula", "made_ made sd"),
			"measurements.tsv": table(
				"observableId experimentId time measurement",
				"made_ course 1 2",
				"made_ course 3 2",
				"made_ course 4 3",
				"made_ course 7 3",
			),
		});
		expect([...answer.simulated]).toEqual([2, 2, 3, 3]);
	});
});

describe("as a study", () => {
	const changed: Readonly<Record<string, string>> = {
		...files,
		"experiments.tsv": table(
			"experimentId time conditionId",
			"course 0 start",
			"course 2 later",
			"course 4 still",
			"gone -inf start",
			"gone 1 later",
			"gone 1 filled",
		),
		"conditions.tsv": table(
			"conditionId targetId targetValue",
			"start k slow*2",
			"later k slow",
			"still k 0",
			"filled A gain",
		),
		"measurements.tsv": table(
			"observableId experimentId time measurement observableParameters noiseParameters",
			"conc course 1 0.7  ",
			"conc course 3 0.3  ",
			"amount course 5 0.2 1;0.1 sd",
			"conc gone 1.5 2  ",
		),
	};
	const open = (file: string): string | undefined => changed[file];

	/** Less the logarithm of the likelihood, of logarithms where they are compared: the density of the measurement itself has 1/y more. */
	const costAtNominal = async (openFile: typeof open) => {
		const problem = readPetab(yaml, "problem.yaml", openFile);
		const { files: made } = petabStudy(problem, openFile);
		const study = parseStudy(made.get("study.yaml")!, "study.yaml", methods);
		const text = parseModel(made.get("model.ode")!, "model.ode");
		const read = new Map(
			study.records.map(({ file }) => [file!, readCsv(new TextEncoder().encode(made.get(file!)!), file!)]),
		);
		const { train } = problemFromStudy(study, text, read, inline);
		const estimation = estimationOf(text, train, {}, inline, true);
		const { unknowns, observations } = estimation;
		const forward = forwardOf(estimation, { kind: "adaptive", rtol: 1e-10 });
		const point = Float64Array.from(unknowns, (unknown) =>
			toSearch(unknown, problem.parameters.get(unknown.name)!.nominal),
		);
		const priors = unknowns.map(({ law }) => law);
		const [cost] = await costs({ unknowns, observations, forward, priors: [] }, [point]);
		const [posterior] = await costs({ unknowns, observations, forward, priors }, [point]);
		return { problem, study, cost, posterior };
	};

	test("parameters that change on the way, priors and rests have the likelihood of the problem", async () => {
		const { problem, study, cost, posterior } = await costAtNominal(open);
		expect(study.options.fit.priors).toBe(true);
		const { logLikelihood } = petabLikelihood(problem, open);
		expect(-cost - Math.log(0.2)).toBeCloseTo(logLikelihood, 5);
		// normal(1, 2) between 0 and 10; what is flat between its bounds has no prior.
		expect(cost - posterior).toBeCloseTo(
			-0.5 * 0.25 ** 2 - Math.log(2 * 0.69145906) - 0.5 * Math.log(2 * Math.PI),
			5,
		);
	});

	test("what an initial assignment made of a parameter stays when a later period sets that", async () => {
		const own: Readonly<Record<string, string>> = {
			...changed,
			"model.xml": changed["model.xml"].replace(
				"<listOfReactions>",
				`${list("InitialAssignments", `<initialAssignment symbol="made">${math("(times 3 k)")}</initialAssignment>`)}<listOfReactions>`,
			),
			"observables.tsv": table(
				"observableId observableFormula noiseFormula noiseDistribution observablePlaceholders noisePlaceholders",
				"conc A*made sd normal  ",
			),
			"experiments.tsv": table("experimentId time conditionId", "course 0 start", "course 2 later"),
			"measurements.tsv": table(
				"observableId experimentId time measurement observableParameters noiseParameters",
				"conc course 1 2  ",
				"conc course 3 1  ",
			),
		};
		const openAll = (file: string): string | undefined => own[file];
		const { cost, problem } = await costAtNominal(openAll);
		expect(-cost).toBeCloseTo(petabLikelihood(problem, openAll).logLikelihood, 5);
	});

	test("states that later periods set have the likelihood of the problem: by formulas of states, in some records", async () => {
		const jumping: Readonly<Record<string, string>> = {
			...changed,
			"experiments.tsv": table(
				"experimentId time conditionId",
				"course 0 start",
				"course 2 dose",
				"course 2 later",
				"course 4 filled",
				"plain 0 filled",
				"other 1 start",
				"other 3 dose",
				"gone -inf start",
				"gone 0 later",
				"gone 2 dose",
			),
			"conditions.tsv": `${changed["conditions.tsv"]}\n${table("dose A A+gain*B/(4*c)", "dose B B/2")}`,
			"measurements.tsv": table(
				"observableId experimentId time measurement observableParameters noiseParameters",
				"conc course 1 0.7  ",
				"conc course 2 0.3  ",
				"amount course 3 2 1;0.1 sd",
				"conc course 4 2  ",
				"conc course 5 2  ",
				"conc plain 1 2  ",
				"conc other 2 1  ",
				"other other 4 1  ",
				"conc gone 1 0.1  ",
				"conc gone 3 2  ",
			),
		};
		const openAll = (file: string): string | undefined => jumping[file];
		const { cost, problem } = await costAtNominal(openAll);
		expect(-cost - Math.log(2)).toBeCloseTo(petabLikelihood(problem, openAll).logLikelihood, 5);
	});
});

describe("what is wrong", () => {
	const changedIn = (file: string, from: string, to: string): Record<string, string> => ({
		[file]: files[file].replace(from.replaceAll(" ", "\t"), to.replaceAll(" ", "\t")),
	});
	test.each([
		[
			"an experiment that is not there",
			changedIn("measurements.tsv", "course", "curse"),
			'Did you mean "course"?',
		],
		[
			"a condition that is not there",
			changedIn("experiments.tsv", "0 start", "0 stat"),
			'Did you mean "start"?',
		],
		["a formula", changedIn("conditions.tsv", "slow*2", "slow**"), "conditions.tsv:2"],
		[
			"a formula of states at the start",
			changedIn("conditions.tsv", "slow*2", "A*2"),
			'conditions.tsv:2: unknown id "A" in what k is set to',
		],
		[
			"a parameter that is set",
			changedIn("conditions.tsv", "still k", "still slow"),
			"stands in the parameter table",
		],
		[
			"one target twice",
			changedIn("experiments.tsv", "4 wide", "4 dose"),
			"two conditions of one time set A",
		],
		[
			"too many values",
			changedIn("measurements.tsv", "1;0 sd", "1;0;2 sd"),
			"has 3 values, and the observable 2",
		],
		["too few values", changedIn("measurements.tsv", "1;0 sd", "1 sd"), "nothing stands for o"],
		["a prior", changedIn("parameters.tsv", "normal 1;2", "norml 1;2"), 'priorDistribution is "norml"'],
		["a prior without a spread", changedIn("parameters.tsv", "1;2", "1"), "Give 2 numbers"],
		[
			"a noise",
			changedIn("observables.tsv", "log-laplace", "log10-normal"),
			"It is one of normal, log-normal",
		],
		[
			"a time before the experiment",
			changedIn("measurements.tsv", "gone 1", "gone 0"),
			"before the experiment begins",
		],
		["estimate", changedIn("parameters.tsv", "0.5 true", "0.5 1"), 'estimate is "1"'],
		[
			"no nominal value",
			changedIn("parameters.tsv", "10 3 false", "10  false"),
			"parameter gain has no nominal value",
		],
		["an unknown id", changedIn("observables.tsv", "s*A*c", "s*Q*c"), 'unknown id "Q"'],
		[
			"no column",
			changedIn("conditions.tsv", "targetValue", "value"),
			"conditions.tsv:1: the table has no column targetValue",
		],
		[
			"a formula on the way that comes to no number",
			changedIn("conditions.tsv", "later k slow", "later k log(A-9)"),
			"conditions.tsv:3: the formula that k is set to comes to no number",
		],
		[
			"a formula on the way that divides by what is known to be zero",
			changedIn("conditions.tsv", "later k slow", "later k 1/(slow-slow)"),
			"conditions.tsv:3: the formula that k is set to comes to no number",
		],
		[
			"a formula at the start that comes to no number",
			changedIn("conditions.tsv", "slow*2", "sqrt(-slow)"),
			"conditions.tsv:2: the formula that k is set to comes to no number",
		],
		[
			"a formula of numbers that comes to none",
			changedIn("conditions.tsv", "slow*2", "0/0"),
			"conditions.tsv:2: the formula that k is set to comes to no number",
		],
		[
			"a number that is too large",
			changedIn("conditions.tsv", "slow*2", "1e999"),
			"conditions.tsv:2, formula 1e999: 1e999 is too large a number",
		],
		[
			"an infinite measurement",
			changedIn("measurements.tsv", "1 0.7", "1 inf"),
			'measurements.tsv:2: measurement is "inf"',
		],
		[
			"a measurement in another base",
			changedIn("measurements.tsv", "1 0.7", "1 0x10"),
			'measurements.tsv:2: measurement is "0x10"',
		],
		[
			"a time in another base",
			changedIn("measurements.tsv", "1 0.7", "0b1 0.7"),
			'measurements.tsv:2: time is "0b1"',
		],
		[
			"a time that is too large",
			changedIn("measurements.tsv", "1 0.7", "1e999 0.7"),
			'measurements.tsv:2: time is "1e999"',
		],
		[
			"a nominal value in another base",
			changedIn("parameters.tsv", "10 3 false", "10 0x3 false"),
			'nominalValue is "0x3"',
		],
		[
			"a bound in another base",
			changedIn("parameters.tsv", "10 3 false", "0o12 3 false"),
			'upperBound is "0o12"',
		],
		["a prior in another base", changedIn("parameters.tsv", "1;2", "1;0x2"), "Give 2 numbers"],
		["an unknown language", {}, "is in bngl", yaml.replace("sbml", "bngl")],
		["an extension", {}, 'needs the extension "sciml"', `${yaml}extensions: { sciml: { version: 1 } }\n`],
		["no model", {}, "names no model", yaml.replace(/model_files:\n.*\n/, "")],
	] as [string, Record<string, string>, string, string?][])("%s", (_, changed, message, source) => {
		expect(() => read(changed, source)).toThrow(message);
	});

	test("a likelihood that is no number names the first measurement that has none", () => {
		const { answer } = read(changedIn("measurements.tsv", "1;0 sd", "1;-90 900"));
		expect(answer.failed).toMatch(
			/^measurements\.tsv:4: amount is -\d.* at t = 4 in experiment course, condition dose and wide, and is compared by its logarithm/,
		);
		expect(read().answer.failed).toBeUndefined();
	});

	test("all of it is said at once", () => {
		const changed = {
			...changedIn("experiments.tsv", "0 start", "0 stat"),
			...changedIn("parameters.tsv", "1;2", "1"),
		};
		expect(() => read(changed)).toThrow(/has 2 faults:[\s\S]*parameters\.tsv:2[\s\S]*experiments\.tsv:2/);
	});
});

describe("formulas", () => {
	const parse = (text: string): string => JSON.stringify(petabFormula(text, "t.tsv:2"));
	test.each([
		["-a^2", "-(a^2)"],
		["a^b^c", "a^(b^c)"],
		["2^-a", "2^(-a)"],
		["a-b-c", "(a-b)-c"],
		["a/b*c", "(a/b)*c"],
		["a && b || c", "(a && b) || c"],
		["a || b && c", "(a || b) && c"],
		["!a == b", "(!a) == b"],
		["a + b < c * d", "(a+b) < (c*d)"],
		["a**2", "a^2"],
		["ln(a)", "log(a)"],
		["1e-3", "0.001"],
	])("%s is %s", (one, other) => {
		expect(parse(one)).toBe(parse(other));
	});
	test.each([
		["a b", '"b" is not expected at character 3'],
		["sin(a, b)", "sin takes 1 argument, not 2"],
		["sine(a)", 'unknown function "sine" (did you mean sin?)'],
		["(a", ") is missing"],
		["a +", "something is missing"],
		["a $ b", '"$" is not expected'],
		["piecewise(1, a)", "pairs of a value and a condition"],
		["inf", "inf is no number to compute with"],
		["(".repeat(5000), "nested too deeply"],
		["-".repeat(5000), "nested too deeply"],
	])("%s is refused", (text, message) => {
		expect(() => petabFormula(text, "t.tsv:2")).toThrow(message);
	});
});
