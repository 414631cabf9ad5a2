/** SBML models of our own, against their exact solutions. */
import { describe, expect, test } from "vitest";
import { readModel } from "../../src/formats/read-model.ts";
import { sbmlToOde } from "../../src/formats/sbml/read-sbml.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { simulateRecord } from "../../src/study/simulate/simulate.ts";
import { compartment, event, list, math, parameter, reaction, rule, sbml, species } from "./models.ts";

interface Shown {
	readonly amounts?: string[];
	readonly concentrations?: string[];
}

function simulate(text: string, times: number[], { amounts = [], concentrations = [] }: Shown = {}) {
	const options = { noise: false, rtol: 1e-10, atol: 1e-12, knots: [], digits: 17, amounts, concentrations };
	const record = { name: "r", times: Float64Array.from(times), signals: new Map(), conditions: {} };
	const { outcome, columns } = simulateRecord(readModel(text, "m.xml"), {}, record, options, 1);
	expect(outcome).toBe("converged");
	return (name: string): number[] => [...columns.find((column) => column.name === name)!.values];
}
const close = (got: readonly number[], expected: readonly number[]): void => {
	expect(got.length).toBe(expected.length);
	got.forEach((value, i) => {
		expect(value).toBeCloseTo(expected[i], 8);
	});
};
const wrong = (text: string): string => {
	try {
		simulate(text, [0, 1]);
	} catch (error) {
		return (error as Error).message;
	}
	throw new Error("no error");
};

describe("species", () => {
	const decay = (kind: string, start: string): string =>
		sbml(
			list("Compartments", compartment("c", 2)) +
				list(
					"Species",
					species("S", "c", start, `hasOnlySubstanceUnits="${kind}"`),
					species("P", "c", 'initialAmount="0"'),
				) +
				list("Parameters", parameter("k", 0.5)) +
				list("Reactions", reaction("r", "S:2", "P:3", "(times k S)")),
		);
	test("a concentration: the rate is per time, the change is divided by the volume", () => {
		// d(amount)/dt = -2 k [S], so [S]' = -k [S] in a volume of 2.
		const text = decay("false", 'initialConcentration="3"');
		close(simulate(text, [0, 1])("S"), [3, 3 * Math.exp(-0.5)]);
		close(simulate(text, [0, 1], { amounts: ["S"] })("S"), [6, 6 * Math.exp(-0.5)]);
		close(simulate(text, [0, 1])("P"), [0, 1.5 * 3 * (1 - Math.exp(-0.5))]);
		close(simulate(text, [0, 1])("r"), [1.5, 1.5 * Math.exp(-0.5)]);
	});
	test("an amount: S' = -2 k S", () => {
		const text = decay("true", 'initialConcentration="3"');
		close(simulate(text, [0, 1])("S"), [6, 6 * Math.exp(-1)]);
		close(simulate(text, [0, 1], { concentrations: ["S"] })("S"), [3, 3 * Math.exp(-1)]);
	});
	test("boundary and constant species stay, conversion factors count", () => {
		const text = sbml(
			list("Compartments", compartment("c", 1)) +
				list(
					"Species",
					species("A", "c", 'initialAmount="2"', 'boundaryCondition="true"'),
					species("B", "c", 'initialAmount="0"', 'conversionFactor="f"'),
				) +
				list("Parameters", parameter("f", 10)) +
				list("Reactions", reaction("r", "A", "B", "A")),
		);
		close(simulate(text, [0, 3])("A"), [2, 2]);
		close(simulate(text, [0, 3])("B"), [0, 60]);
	});
	test("a growing compartment dilutes; amounts stay", () => {
		const text = sbml(
			list("Compartments", compartment("c", 1, false)) +
				list("Species", species("S", "c", 'initialConcentration="4"')) +
				list("Rules", rule("rate", "c", "1")),
		);
		close(simulate(text, [0, 1, 3])("S"), [4, 2, 1]);
		close(simulate(text, [0, 1, 3], { amounts: ["S"] })("S"), [4, 4, 4]);
		close(simulate(text, [0, 1, 3])("c"), [1, 2, 4]);
	});
	test("an event that sets a compartment leaves amounts as they are", () => {
		const text = sbml(
			list("Compartments", compartment("c", 1, false)) +
				list("Species", species("S", "c", 'initialConcentration="4"')) +
				list("Events", event("(geq t 1)", { c: "8" })),
		);
		close(simulate(text, [0, 1, 2])("S"), [4, 0.5, 0.5]);
	});
	test("stoichiometry that a rule changes", () => {
		const text = sbml(
			list("Compartments", compartment("c", 1)) +
				list("Species", species("S", "c", 'initialAmount="0"')) +
				list("Rules", rule("assignment", "n", "(times 2 t)")) +
				list("Reactions", reaction("r", "", "S:1:n", "1")),
		);
		close(simulate(text, [0, 3])("S"), [0, 9]);
		close(simulate(text, [0, 3])("n"), [0, 6]);
	});
	test("local parameters hide others", () => {
		const text = sbml(
			list("Compartments", compartment("c", 1)) +
				list("Species", species("S", "c", 'initialAmount="1"')) +
				list("Parameters", parameter("k", 100)) +
				list(
					"Reactions",
					reaction(
						"r",
						"S",
						"",
						"(times k S)",
						list("LocalParameters", '<localParameter id="k" value="2"/>'),
					),
				),
		);
		close(simulate(text, [0, 1])("S"), [1, Math.exp(-2)]);
	});
});

describe("rules and formulas", () => {
	test("functions, piecewise, truth values as numbers and back", () => {
		const lambda = (params: string, body: string): string =>
			math(body).replace(/>(.*)<\/math>$/s, (_, inner) => {
				const bound = params.split(" ").map((each) => `<bvar><ci>${each}</ci></bvar>`);
				return `><lambda>${bound.join("")}${inner}</lambda></math>`;
			});
		const define = (id: string, params: string, body: string): string =>
			`<functionDefinition id="${id}">${lambda(params, body)}</functionDefinition>`;
		const text = sbml(
			list(
				"FunctionDefinitions",
				define("within", "x a b", "(and (gt x a) (lt x b))"),
				define("pick", "c v", "(piecewise v c 0)"),
			) +
				list("Parameters", ...["a", "b", "n"].map((id) => parameter(id, undefined, false))) +
				list(
					"Rules",
					rule("assignment", "a", "(f:pick (f:within t 1 3) 5)"),
					rule("assignment", "b", "(plus (gt t 2) 1)"),
					rule("assignment", "n", "(piecewise 1 (floor t) 0)"),
				),
		);
		const column = simulate(text, [0.5, 2.5, 4]);
		close(column("a"), [0, 5, 0]);
		close(column("b"), [1, 2, 2]);
		close(column("n"), [0, 1, 1]);
	});
	test("initial assignments and assignment rules use one another, whatever their order", () => {
		const text = sbml(
			list("Parameters", parameter("x", 1, false), parameter("y", undefined, false), parameter("z", 3)) +
				list(
					"InitialAssignments",
					`<initialAssignment symbol="x">${math("(times 2 y)")}</initialAssignment>`,
				) +
				list("Rules", rule("rate", "x", "(times -1 x)"), rule("assignment", "y", "(plus z t)")),
		);
		close(simulate(text, [0, 1])("x"), [6, 6 * Math.exp(-1)]);
		close(simulate(text, [0, 1])("y"), [3, 4]);
	});
	test("an algebraic rule determines what nothing else does", () => {
		const text = sbml(
			list("Parameters", parameter("x", 4, false), parameter("y", undefined, false), parameter("k", 2)) +
				list(
					"Rules",
					rule("rate", "x", "(times -1 x)"),
					rule("algebraic", "", "(minus (times k (plus x y)) 10)"),
				),
		);
		close(simulate(text, [0, 1])("y"), [1, 5 - 4 * Math.exp(-1)]);
	});
	test("the rate of something", () => {
		const text = sbml(
			list("Parameters", parameter("x", 4, false), parameter("y", undefined, false)) +
				list("Rules", rule("rate", "x", "(times -1 x)"), rule("assignment", "y", "(rateOf x)")),
		);
		close(simulate(text, [0, 1])("y"), [-4, -4 * Math.exp(-1)]);
	});
	test("names that are words of the language", () => {
		const text = sbml(
			list("Parameters", parameter("t", 2, false), parameter("when", 3), parameter("_x", 5)) +
				list("Rules", rule("rate", "t", "(plus t when _x)".replace("plus t", "plus"))),
		);
		const named = text.replace("<apply><plus/>", "<apply><plus/><ci>t</ci>");
		close(simulate(named, [0, 1])("t"), [2, 10 * Math.E - 8]);
	});
	test("Level 2", () => {
		const text = sbml(
			list("Compartments", '<compartment id="c" size="1"/>') +
				list("Species", '<species id="S" compartment="c" initialAmount="2"/>') +
				list(
					"Reactions",
					`<reaction id="r"><listOfReactants><speciesReference species="S"><stoichiometryMath>${math("(plus 1 1)")}</stoichiometryMath></speciesReference></listOfReactants><kineticLaw>${math("(times k S)")}<listOfParameters><parameter id="k" value="0.5"/></listOfParameters></kineticLaw></reaction>`,
				),
			{ version: "2.4" },
		);
		close(simulate(text, [0, 1])("S"), [2, 2 * Math.exp(-1)]);
	});
});

test("an algebraic rule determines what no event sets", () => {
	const text = sbml(
		list(
			"Parameters",
			parameter("a", 1, false),
			parameter("b", 2, false),
			parameter("sum", undefined, false),
		) +
			list("Rules", rule("algebraic", "", "(minus (plus a b) sum)")) +
			list("Events", event("(geq t 1)", { a: "(plus a 4)" })),
	);
	close(simulate(text, [0, 2])("sum"), [3, 7]);
});

test("names of arguments: words of the language, very long ones", () => {
	const long = "x".repeat(300);
	const bound = ["param", long, "exp"].map((each) => `<bvar><ci>${each}</ci></bvar>`).join("");
	const lambda = math(`(minus param (times ${long} exp))`)
		.replace("<apply>", `<lambda>${bound}<apply>`)
		.replace("</math>", "</lambda></math>");
	const text = sbml(
		list("FunctionDefinitions", `<functionDefinition id="sin">${lambda}</functionDefinition>`) +
			list("Parameters", parameter("q", undefined, false)) +
			list("Rules", rule("assignment", "q", "(f:sin 10 2 3)")),
	);
	close(simulate(text, [0, 1])("q"), [4, 4]);
});

describe("events that set a concentration", () => {
	const model = (size: string, event: string): string =>
		sbml(
			list("Compartments", compartment("c", 0.5, false)) +
				list("Species", species("S", "c", 'initialConcentration="2"')) +
				(size === "" ? "" : list("Rules", size)) +
				list("Events", event),
		);
	const late = `<delay>${math("1")}</delay>`;
	const growing = (t: number): number => 0.5 + 0.25 * t;
	for (const kind of ["assignment", "rate"])
		test(`after a delay, with the size of that instant (${kind} rule)`, () => {
			const size = rule(kind, "c", kind === "rate" ? "0.25" : "(plus 0.5 (times 0.25 t))");
			const got = simulate(model(size, event("(geq t 1)", { S: "3" }, late)), [0, 1.5, 3]);
			close(got("S"), [2, 1 / growing(1.5), (3 * growing(2)) / growing(3)]);
		});
	test("the size of the compartment is the one before the event, also of one that sets it", () => {
		const set = { S: "0.2", c: "0.2" };
		close(simulate(model("", event("(geq t 1)", set)), [0, 2], { amounts: ["S"] })("S"), [1, 0.1]);
		close(simulate(model("", event("(geq t 1)", set, late)), [0, 1.5, 3])("S"), [2, 2, 0.5]);
	});
});

describe("submodels", () => {
	const more = 'xmlns:comp="http://www.sbml.org/sbml/level3/version1/comp/version1" comp:required="true"';
	const inner =
		list("Parameters", parameter("x", 1, false), parameter("k", 1)) +
		list("Rules", rule("rate", "x", "(times k x)"));
	const definition = `<comp:listOfModelDefinitions><comp:modelDefinition id="grow">${inner}</comp:modelDefinition></comp:listOfModelDefinitions>`;
	const submodels = (attributes = ""): string =>
		`<comp:listOfSubmodels><comp:submodel comp:id="A" comp:modelRef="grow" ${attributes}/></comp:listOfSubmodels>`;
	test("those that double at each level are counted, not made", () => {
		const pair = (level: number): string =>
			`<comp:listOfSubmodels>${["a", "b"].map((id) => `<comp:submodel comp:id="${id}" comp:modelRef="A${level}"/>`).join("")}</comp:listOfSubmodels>`;
		const levels = Array.from(
			{ length: 40 },
			(_, i) =>
				`<comp:modelDefinition id="A${i}">${i === 0 ? list("Parameters", parameter("x", 1)) : pair(i - 1)}</comp:modelDefinition>`,
		);
		const after = `<comp:listOfModelDefinitions>${levels.join("")}</comp:listOfModelDefinitions>`;
		expect(() => sbmlToOde(sbml(pair(39), { more, after }), "double.xml")).toThrow(
			"the model is made of more than 10000 submodels",
		);
	});

	test("are called by their id", () => {
		close(simulate(sbml(submodels(), { more, after: definition }), [0, 1])("A__x"), [1, Math.E]);
	});
	test("replacements, with a factor between units", () => {
		const replacing = (id: string, value: number, of: string, factor = ""): string =>
			`<parameter id="${id}" value="${value}" constant="${of === "k"}"><comp:listOfReplacedElements><comp:replacedElement comp:submodelRef="A" comp:idRef="${of}" ${factor}/></comp:listOfReplacedElements></parameter>`;
		const text = sbml(
			list(
				"Parameters",
				replacing("rate", 2, "k"),
				parameter("f", 10),
				replacing("size", 5, "x", 'comp:conversionFactor="f"'),
			) + submodels(),
			{ more, after: definition },
		);
		close(simulate(text, [0, 1])("size"), [5, 5 * Math.exp(2)]);
	});
	test("a clock of their own", () => {
		const text = sbml(
			list("Parameters", parameter("slow", 4)) + submodels('comp:timeConversionFactor="slow"'),
			{
				more,
				after: definition,
			},
		);
		close(simulate(text, [0, 1])("A__x"), [1, Math.exp(0.25)]);
	});
	test("what is local to a law may be deleted: then the global one of that name is meant", () => {
		const inner =
			list("Compartments", compartment("c", 1)) +
			list("Species", species("S", "c", 'initialAmount="1"', 'hasOnlySubstanceUnits="true"')) +
			list("Parameters", parameter("k", 2)) +
			list(
				"Reactions",
				reaction(
					"r",
					"S",
					"",
					"(times k S)",
					list("LocalParameters", '<localParameter metaid="own" id="k" value="9"/>'),
				),
			);
		const text = sbml(
			'<comp:listOfSubmodels><comp:submodel comp:id="A" comp:modelRef="inner"><comp:listOfDeletions><comp:deletion comp:metaIdRef="own"/></comp:listOfDeletions></comp:submodel></comp:listOfSubmodels>',
			{
				more: 'xmlns:comp="http://www.sbml.org/sbml/level3/version1/comp/version1" comp:required="true"',
				after: `<comp:listOfModelDefinitions><comp:modelDefinition id="inner">${inner}</comp:modelDefinition></comp:listOfModelDefinitions>`,
			},
		);
		close(simulate(text, [0, 1])("A__S"), [1, Math.exp(-2)]);
	});
	test("what is wrong in a file that the model names is told of that file", () => {
		const package_ =
			'xmlns:comp="http://www.sbml.org/sbml/level3/version1/comp/version1" comp:required="true"';
		const text = sbml(
			'<comp:listOfSubmodels><comp:submodel comp:id="A" comp:modelRef="other"/></comp:listOfSubmodels>',
			{
				more: package_,
				after:
					'<comp:listOfExternalModelDefinitions><comp:externalModelDefinition comp:id="other" comp:source="other.xml"/></comp:listOfExternalModelDefinitions>',
			},
		);
		const other = sbml(`\n\n\n${list("Parameters", '<parameter id="x" constant="maybe"/>')}`);
		const files = new Map([
			["parts/other.xml", text.replace("other.xml", "deep.xml")],
			["parts/deep.xml", other],
		]);
		expect(() =>
			readModel(text.replace("other.xml", "parts/other.xml"), "m.xml", (file) => files.get(file)),
		).toThrow(/^parts\/deep\.xml:7:19: constant="maybe" is neither/);
	});
	describe("deletions", () => {
		const late = `<delay metaid="late">${math("2")}</delay>`;
		const inside =
			list("Parameters", parameter("x", 0, false)) + list("Events", event("(gt t 0.5)", { x: "3" }, late));
		const after = `<comp:listOfModelDefinitions><comp:modelDefinition id="jump">${inside}</comp:modelDefinition></comp:listOfModelDefinitions>`;
		const without = (reference: string): string =>
			sbml(
				`<comp:listOfSubmodels><comp:submodel comp:id="A" comp:modelRef="jump"><comp:listOfDeletions><comp:deletion ${reference}/></comp:listOfDeletions></comp:submodel></comp:listOfSubmodels>`,
				{ more, after },
			);
		test("of the delay of an event", () => {
			close(simulate(without('comp:metaIdRef="late"'), [0, 1, 2])("A__x"), [0, 3, 3]);
		});
		test("of the event", () => {
			close(simulate(without('comp:idRef="e"'), [0, 1, 3])("A__x"), [0, 0, 0]);
		});
		test("of what is not there", () => {
			expect(wrong(without('comp:idRef="other"'))).toMatch(/deletes something that is not there/);
		});
	});
});

describe("what is neither finite nor computed with", () => {
	const text = (value: string, rules = ""): string =>
		sbml(
			`${list("Parameters", `<parameter id="P" value="${value}" constant="true"/>`, parameter("q", 2, false))}${rules}`,
		);
	test("is shown as it is", () => {
		expect(simulate(text("INF"), [0, 1])("P")).toEqual([Infinity, Infinity]);
		expect(simulate(text("-INF"), [0, 1])("P")).toEqual([-Infinity, -Infinity]);
		expect(simulate(text("NaN"), [0])("P")).toEqual([Number.NaN]);
		const negative = `<apply><minus/><infinity/></apply>`;
		const set = (symbol: string, inside: string): string =>
			list(
				"InitialAssignments",
				`<initialAssignment symbol="${symbol}"><math xmlns="http://www.w3.org/1998/Math/MathML">${inside}</math></initialAssignment>`,
			);
		expect(simulate(text("1", set("P", negative)), [0])("P")).toEqual([-Infinity]);
		expect(simulate(text("1", set("P", "<notanumber/>")), [0])("P")).toEqual([Number.NaN]);
	});
	test("is refused in a formula, and so is a state that begins there", () => {
		const rules = list("Rules", rule("assignment", "q", "(plus P 1)"));
		expect(wrong(text("INF", rules))).toMatch(
			/m\.xml:\d+:\d+: "P" is Infinity, which is nothing to compute with/,
		);
		expect(
			wrong(text("1", list("Rules", rule("rate", "P", "1"))).replace('value="1"', 'value="INF"')),
		).toMatch(/"P" changes, and begins at Infinity/);
	});
});

describe("import", () => {
	test("writes a text that can be read, and means the same", () => {
		const text = sbml(
			list("Compartments", compartment("cell", 2)) +
				list("Species", species("S", "cell", 'initialConcentration="3"')) +
				list("Parameters", parameter("k", 0.5)) +
				list("Reactions", reaction("decay", "S", "", "(times cell k S)")) +
				list("Events", event("(lt S 1)", { S: "(plus S 2)" })),
		);
		const { text: ode } = sbmlToOde(text, "m.xml");
		expect(ode).toBe(`param cell = 2
param k = 0.5

state S = 3

let   decay = cell*k*S

S' = -decay/cell

# e
when S < 1 { S = S + 2 }
`);
		expect(parseModel(ode, "m.ode").components).toEqual(["S"]);
	});
	test.each(["plus", "max"])("takes a %s of more arguments than a call does", (op) => {
		const text = sbml(
			list("Parameters", parameter("k", 0.5), parameter("x", 1, false)) +
				list("Rules", rule("rate", "x", `(${op}${" k".repeat(150_000)})`)),
		);
		expect(sbmlToOde(text, "m.xml").text.match(/\bk\b/g)).toHaveLength(150_001);
	});
});

describe("bad input", () => {
	const doubled = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${sbml("").replace(/^<\?.*\n/, "")}`;
	const empty = list("Parameters", parameter("x", 1, false));
	const set = (symbol: string): string =>
		`<initialAssignment symbol="${symbol}">${math("1")}</initialAssignment>`;
	const lambda = math("(f:f x)").replace(
		/(<math[^>]*>)(.*)(?=<\/math>)/,
		"$1<lambda><bvar><ci>x</ci></bvar>$2</lambda>",
	);
	const itself = `<functionDefinition id="f">${lambda}</functionDefinition>`;
	test.each([
		["no XML", "<sbml><model></sbml>", "no well-formed XML"],
		["cut off", sbml(empty).slice(0, 200), "no well-formed XML"],
		["entities", doubled, "a document type declaration"],
		["an undefined entity", sbml("&boom;"), "no well-formed XML"],
		["something else", "<html/>", "outermost element is <html>"],
		["Level 1", sbml(empty).replace('level="3"', 'level="1"'), "SBML of Level 1"],
		["flux balance", sbml("<fbc:listOfObjectives xmlns:fbc='f'/>"), "flux balance"],
		["a package", sbml(empty, { more: 'xmlns:q="q" q:required="true"' }), 'needs the package "q"'],
		["delay", sbml(empty + list("Rules", rule("rate", "x", "(delay x 1)"))), "delay(…)"],
		["an unknown id", sbml(empty + list("Rules", rule("rate", "x", "(times k x)"))), 'unknown id "k"'],
		[
			"an unknown function",
			sbml(empty + list("Rules", rule("rate", "x", "(f:g x)"))),
			'unknown function "g"',
		],
		["an unknown element", sbml(empty + list("Rules", rule("rate", "x", "(curl x)"))), "<curl> is not known"],
		[
			"an unknown element inside",
			sbml(
				list("Compartments", compartment("c", 1)) +
					list("Reactions", '<reaction id="r"><kineticlaw/></reaction>'),
			),
			"<kineticlaw> is no element of <reaction>",
		],
		[
			"a misspelt attribute",
			sbml(list("Parameters", '<parameter id="x" vlaue="1"/>')),
			"Did you mean value?",
		],
		["a package, by number", sbml(empty, { more: 'xmlns:q="q" q:required="1"' }), 'needs the package "q"'],
		["a level in another base", sbml(empty).replace('level="3"', 'level="0x3"'), "SBML of Level 0x3"],
		[
			"neither true nor false",
			sbml(list("Parameters", '<parameter id="x" constant="True"/>')),
			'constant="True" is neither',
		],
		[
			"neither true nor false, where it is not needed",
			sbml(empty + list("Reactions", '<reaction id="r" reversible="yes"/>')),
			'reversible="yes" is neither',
		],
		[
			"a package that is neither needed nor not",
			sbml(empty, { more: 'xmlns:q="q" q:required="yes"' }),
			'q:required="yes" is neither',
		],
		[
			"too few arguments",
			sbml(empty + list("Rules", rule("assignment", "x", "(divide 1)"))),
			"<divide> has 1 arguments, not 2",
		],
		[
			"too many arguments",
			sbml(empty + list("Rules", rule("assignment", "x", "(sin 1 2)"))),
			"<sin> has 2 arguments, not 1",
		],
		[
			"two initial assignments",
			sbml(empty + list("InitialAssignments", set("x"), set("x"))),
			'a second initial assignment for "x"',
		],
		[
			"an initial assignment for nothing",
			sbml(empty + list("InitialAssignments", set("z"))),
			'"z", which is not declared',
		],
		[
			"an event for nothing",
			sbml(empty + list("Events", event("(gt t 1)", { z: "1" }))),
			'an event sets "z", which is not declared',
		],
		[
			"a function that calls itself",
			sbml(list("FunctionDefinitions", itself) + empty),
			'm.xml:4:28: "f" is defined by itself',
		],
		["an unknown list", sbml(`${empty}<listOfRule/>`), "<listOfRule> is no element of <model>"],
		[
			"a circle",
			sbml(
				list("Parameters", parameter("x", 1, false), parameter("y", 1, false)) +
					list("Rules", rule("assignment", "x", "y"), rule("assignment", "y", "x")),
			),
			"a loop of definitions",
		],
		[
			"a circle at the start",
			sbml(
				list("Parameters", parameter("x", 1, false)) +
					list(
						"InitialAssignments",
						`<initialAssignment symbol="x">${math("(plus x 1)")}</initialAssignment>`,
					) +
					list("Rules", rule("rate", "x", "1")),
			),
			"is defined by itself",
		],
		["a rule of nothing", sbml(list("Rules", rule("rate", "z", "1"))), 'a rule for "z"'],
		["twice", sbml(list("Parameters", parameter("x", 1), parameter("x", 2))), "is declared twice"],
		["fast", sbml(empty + list("Reactions", '<reaction id="r" fast="true"/>')), "fast"],
		[
			"events without end",
			sbml(
				empty +
					list(
						"Events",
						event("(and (geq t 0.5) (lt x 2))", { x: "3" }),
						event("(and (geq t 0.5) (geq x 2))", { x: "1" }),
					),
			),
			"without end at t = 0.5",
		],
	])("%s", (_, text, message) => {
		expect(wrong(text)).toContain(message);
	});
	test.each(["", " ", "0x10", "0b11", "0o7", "1_000", "1e", "1d3", "Infinity", "+INF", "1e999"])(
		'a number that is "%s"',
		(value) => {
			const bare = value.trim();
			for (const [name, element] of [
				["value", `<parameter id="k" value="${value}"/>`],
				["size", `<compartment id="c" size="${value}"/>`],
				["spatialDimensions", `<compartment id="c" spatialDimensions="${value}"/>`],
				["initialAmount", species("S", "c", `initialAmount="${value}"`)],
				["stoichiometry", `<speciesReference species="S" stoichiometry="${value}"/>`],
			]) {
				const lists: Readonly<Record<string, string>> = {
					value: list("Parameters", element),
					initialAmount: list("Species", element),
					stoichiometry: list("Reactions", `<reaction id="r">${list("Reactants", element)}</reaction>`),
				};
				const text = sbml(lists[name] ?? list("Compartments", element));
				expect(wrong(text)).toMatch(/^m\.xml:\d+:\d+: |\n.*m\.xml:\d+:\d+: /);
				expect(wrong(text)).toContain(`${name}="${bare}" is no number that can be read`);
			}
			const formula = math("1").replace("<cn>1", `<cn>${value}`);
			expect(wrong(sbml(empty + list("Rules", `<rateRule variable="x">${formula}</rateRule>`)))).toContain(
				`<cn>${bare}</cn> is no number that can be read`,
			);
		},
	);
	test.each([
		["", "1<sep/>5"],
		['type="e-notation"', "1<sep/>0x2"],
		['type="e-notation"', "1<sep/>2.5"],
		['type="e-notation"', "1<sep/>"],
		['type="e-notation"', "1e3<sep/>2"],
		['type="rational"', "0x10<sep/>2"],
		['type="rational"', "1<sep/>"],
		['type="rational"', "1.5<sep/>2"],
		['type="integer"', "1.5"],
		['type="integer" base="16"', "10"],
		['type="complex-polar"', "1<sep/>5"],
	])("a number in a formula: <cn %s>%s</cn>", (type, number) => {
		const formula = math("1").replace("<cn>1", `<cn ${type}>${number}`);
		expect(wrong(sbml(empty + list("Rules", `<rateRule variable="x">${formula}</rateRule>`)))).toContain(
			"is no number that can be read",
		);
	});
	test.each([
		["", " -2 ", -2],
		["", "+.5e1", 5],
		['type="integer"', " 7 ", 7],
		['type="e-notation"', "+1.5<sep/>-1", 0.15],
		['type="e-notation"', " 2 <sep/> +3 ", 2000],
		['type="rational"', "-1<sep/>4", -0.25],
		['type="real" base="10"', "5.", 5],
	])("a number in a formula is read: <cn %s>%s</cn>", (type, number, value) => {
		const formula = math("1").replace("<cn>1", `<cn ${type}>${number}`);
		const text = sbml(empty + list("Rules", `<assignmentRule variable="x">${formula}</assignmentRule>`));
		expect(simulate(text, [0, 1])("x")[1]).toBeCloseTo(value, 12);
	});
	test("an event that happens without end, with its line", () => {
		const events = list(
			"Events",
			event("(geq t 0.5)", { x: "-1" }),
			event("(lt x 0)", { x: "2" }),
			event("(gt x 1)", { x: "-1" }),
		);
		expect(wrong(sbml(empty + events))).toMatch(/^m\.xml:6:1: when x > 1 .*happens without end at t = 0\.5/);
	});
	test("all at once, each with its line", () => {
		const message = wrong(
			sbml(`${empty}\n${list("Rules", rule("rate", "x", "(times k x)"), rule("rate", "q", "1"))}`),
		);
		expect(message).toMatch(/m\.xml:\d+:\d+: unknown id "k"/);
		expect(message).toMatch(/m\.xml:\d+:\d+: a rule for "q"/);
	});
	test("a circle is said where its first rule stands in the file", () => {
		const rules = list("Rules", rule("assignment", "x", "y"), rule("assignment", "y", "x"));
		const text = sbml(`${list("Parameters", parameter("x", 1, false), parameter("y", 1, false))}\n${rules}`);
		const line = text.slice(0, text.indexOf("<assignmentRule")).split("\n").length;
		expect(wrong(text)).toContain(`m.xml:${line}:`);
		expect(wrong(text)).toContain("<assignmentRule");
	});
	test("nothing deep overflows", () => {
		const deep = `${"<apply><minus/>".repeat(5000)}<ci>x</ci>${"</apply>".repeat(5000)}`;
		const text = sbml(empty + list("Rules", rule("rate", "x", "x").replace("<ci>x</ci>", deep)));
		expect(wrong(text)).toContain("more than 500 elements inside one another");
	});
});
