import { describe, expect, it } from "vitest";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { printModel } from "../../src/model/print/model.ts";
import { stream } from "../../src/num/random.ts";
import { parseStudyModel, studyModelText } from "../../src/study/text/inline-model.ts";
import { StudyError } from "../../src/study/text/study-error.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { studyMethods } from "./study-methods.ts";

const data = "data: { file: r.csv, time: t }\n";
const model = (form: string, other = ""): string =>
	`state x, y\nunknown f(x, y)${form}   # the rate\n${other}x' = f(x, y)\ny' = -f(x, y) - y\nmeasure a ~ normal(x, 0.1)\n`;

const read = (source: string, text: string) => {
	const study = parseStudy(source, "s.yaml", studyMethods);
	return parseStudyModel(study, text, "m.ode", parseModel);
};

/** The study's error messages. */
function errors(source: string, text: string): string {
	try {
		read(source, text);
	} catch (error) {
		expect(error).toBeInstanceOf(StudyError);
		return (error as StudyError).message;
	}
	throw new Error("the study was accepted");
}

const terms = ["1", "x", "y", "x*y", "x^2", "sin(x)", "x*abs(y)", "exp(-y)/(1 + x^2)", "x + y", "-y^3"];
const bases = ["polynomial(2)", "exp(-x)*polynomial(1)", "fourier(1)", "rational(1, 1)", "spline(0, 1, 2)*y"];

describe("library: candidates given in the study", () => {
	it.each(["", " = polynomial(3)", " ~ kriging(trend: 1)"])(
		"are the form of a function that the model declares as f(x, y)%s",
		(form) => {
			// Drawn lists of terms and bases, against the same written into the model by hand.
			const random = stream(20, "library");
			for (let k = 0; k < 40; k++) {
				const pool = [...terms, ...bases].filter((_, i) => random.uniform(100 * k + i) < 0.25);
				const own = pool.length > 0 ? pool : ["x"];
				const plain = own.filter((each) => terms.includes(each));
				const list = plain.length > 0 ? [`library(${plain.join(", ")})`] : [];
				const byHand = [...list, ...own.filter((each) => bases.includes(each))].join(" + ");
				const quoted = own.map((each) => JSON.stringify(each)).join(", ");
				const given = own.length === 1 && k % 2 === 0 ? quoted : `[${quoted}]`;
				const source = `model: m.ode\n${data}library: { f: ${given} }\n`;
				const found = read(source, model(form));
				expect(printModel(found)).toBe(printModel(parseModel(model(` = ${byHand}`), "m.ode")));
				// What is written out is a model by itself, remarks and all.
				const study = parseStudy(source, "s.yaml", studyMethods);
				const text = studyModelText(study, model(form));
				expect(text).toBe(found.source);
				expect(text).toContain("# the rate");
			}
		},
	);

	it("may be a list of several lines, with remarks, for several functions at once", () => {
		const text = "state x, y\nunknown f(x), g(x, y) = polynomial(1)\nx' = f(x)\ny' = g(x, y)\n";
		const source = `model: m.ode\n${data}library:\n  g:\n    - x*y # together\n    - "y # alone"\n    - |\n      max(x,\n          y)\n  f: polynomial(2)\n`;
		expect(studyModelText(parseStudy(source, "s.yaml", studyMethods), text)).toBe(
			"state x, y\nunknown f(x) = polynomial(2), g(x, y) = library(x*y, y, max(x,\n    y))\nx' = f(x)\ny' = g(x, y)\n",
		);
		expect(read(source, text).unknowns.map(({ kind }) => kind)).toEqual(["basis", "basis"]);
	});

	it.each([
		["a name that is not there", "[x, z]", 'unknown name "z"', "3:19"],
		["an unfinished term", "[x, x*]", "ends where", "3:19"],
		["two terms in one", "[x y]", '"y" where the end of the term is expected', "3:16"],
		["brackets that close what they did not open", '["x), library(y"]', '")"', "3:16"],
		["a statement behind a term", '"x\\nparam k"', '"param" where', "3:15"],
		["nothing", '["#"]', "there is no term", "3:16"],
		["a basis that is not known", "splines(0)", 'unknown function "splines"', "3:15"],
		["a basis inside of a function", "sin(polynomial(2))", "polynomial", "3:15"],
		["a comma that YAML takes for the end of an entry", "[x, max(x, y)]", 'in quotes,  "max(x, y)"', "3:19"],
		["a wrong character", "[x, 2·x]", "·", "3:19"],
	])("%s is an error at its place in the study", (_, given, message, place) => {
		const said = errors(`model: m.ode\n${data}library: { f: ${given} }\n`, model(""));
		expect(said).toContain(message);
		expect(said).toContain(`s.yaml:${place}: `);
	});

	it("names the function that is meant, and says where there is none", () => {
		const source = `model: m.ode\n${data}library: { force: [x] }\n`;
		const text = "state x\nunknown forces(x) = polynomial(1)\nx' = forces(x)\n";
		expect(errors(source, text)).toMatch(
			/s\.yaml:3:12: .*no unknown function "force"[\s\S]*Did you mean "forces"/,
		);
		expect(errors(source, "state x\nx' = -x\n")).toContain("unknown f(x)");
	});

	it("leaves errors of the model where they are", () => {
		const text = model("", "let a = 2*q\n");
		const source = (block: string): string => `model: ${block}\n${data}library: { f: [1, x, "x*y", y] }\n`;
		const alone = (given: () => unknown): string => {
			try {
				given();
			} catch (error) {
				return (error as Error).message;
			}
			return "";
		};
		expect(alone(() => read(source("m.ode"), text))).toMatch(
			/^m\.ode:3:11: unknown name "q"\n {2}3 \| let a = 2\*q\n/,
		);
		const inside = source(`|\n${text.replace(/^(?=.)/gm, "  ")}`);
		const block = parseStudy(inside, "s.yaml", studyMethods);
		if (block.model.kind !== "text") throw new Error("no text");
		const { text: own } = block.model;
		expect(alone(() => parseStudyModel(block, own, "s.yaml", parseModel))).toMatch(
			/^s\.yaml:4:13: unknown name "q"/,
		);
	});
});
