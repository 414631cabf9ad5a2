/** `assume x >= 0`: what holds at all times, beside the equations. */
import { describe, expect, it } from "vitest";
import { applicability } from "../../src/methods/applicability.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { printExpression } from "../../src/model/print/expression.ts";
import { printModel } from "../../src/model/print/model.ts";

const text = `input u
param a in [0, 1], b in [0, 1]
let rate = a + b
state x = 1
x' = -rate*x + u
assume x >= 0
assume a > 2*b
assume rate < 1.5
measure y in x +- 0.1`;

describe("assumptions", () => {
	it("become what is not negative", () => {
		const { assumptions } = parseModel(text, "m.ode");
		expect(assumptions!.map(({ isStrict }) => isStrict)).toEqual([false, true, true]);
		expect(assumptions!.map(({ value }) => printExpression(value))).toEqual(["x", "a - 2*b", "1.5 - a - b"]);
	});
	it("are printed as they were written, and read again", () => {
		const once = printModel(parseModel(text, "m.ode"));
		expect(once).toContain("assume x >= 0\nassume a > 2*b\nassume rate < 1.5\n");
		expect(printModel(parseModel(once, "m.ode"))).toBe(once);
	});
	it("use what they name", () => {
		const unused = parseModel(
			"param k in [0, 1]\nstate x = 1\nx' = -x\nassume k > 0.5\nmeasure y in x +- 1",
			"m.ode",
		);
		expect(unused.warnings).toEqual([]);
	});
	it.each([
		["assume x", "compares nothing"],
		["assume x == 1", '"==" in an assumption'],
		["assume q > 1", 'unknown name "q"'],
		["assume", "expected"],
		["param assume = 1", "is a word of the language"],
	])("%s is an error that says so", (line, said) => {
		expect(() => parseModel(`state x = 1\nx' = -x\n${line}\nmeasure y in x +- 1`, "m.ode")).toThrow(said);
	});
	it("are held to by guaranteed alone", () => {
		const without = parseModel(text.replaceAll(/^assume.*$/gm, ""), "m.ode");
		const by = (model: typeof without) =>
			Object.fromEntries(applicability(model).map(({ method, applies, why }) => [method, { applies, why }]));
		expect(by(parseModel(text, "m.ode")).guaranteed.applies).toBe(true);
		expect(by(without).fit.applies).toBe(true);
		expect(by(parseModel(text, "m.ode")).fit.why).toContain("only  method: guaranteed  holds to it");
	});
});
