/** Conditions, own functions and events: what they mean, how they are printed, what is wrong with them. */
import { describe, expect, test } from "vitest";
import { evaluate } from "../../src/model/evaluate.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { printModel } from "../../src/model/print/model.ts";

const worth = (text: string, x: number, more = ""): number => {
	const model = parseModel(`${more}\nstate x\nx' = ${text}`, "test.ode");
	return evaluate(model.rhs[0], (name) => (name === "x" ? x : Number.NaN));
};
const wrong = (text: string): string => {
	try {
		parseModel(text, "test.ode");
	} catch (error) {
		return (error as Error).message;
	}
	throw new Error("no error");
};

describe("conditions", () => {
	const truth: [string, (x: number) => boolean][] = [
		["x > 1 and x < 3", (x) => x > 1 && x < 3],
		["x < 1 or x >= 3", (x) => x < 1 || x >= 3],
		["not (x < 1 or x >= 3)", (x) => !(x < 1 || x >= 3)],
		["not x == 2", (x) => x !== 2],
		["x != 2 and true", (x) => x !== 2],
		["x == 1 or x == 2 and x > 1", (x) => x === 1 || x === 2],
		["(x == 1 or x == 2) and x > 1", (x) => x === 2],
		["x > 0 and (false or not (x > 2 and x < 4))", (x) => x > 0 && !(x > 2 && x < 4)],
	];
	test.each(truth)("%s", (text, holds) => {
		for (const x of [-1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5])
			expect(worth(`if(${text}, 7, 8)`, x), `x = ${x}`).toBe(holds(x) ? 7 : 8);
	});

	test("piecewise takes the first that holds", () => {
		const text = "piecewise(1, x < 1, 2, x < 2, 3, x < 3, 4)";
		expect([0, 1, 2, 3].map((x) => worth(text, x))).toEqual([1, 2, 3, 4]);
	});

	test("logarithms by base, and whole numbers below and above", () => {
		expect(worth("log10(x)", 1000)).toBeCloseTo(3, 14);
		expect(worth("log2(x)", 8)).toBeCloseTo(3, 14);
		expect([-1.5, -1, -0.5, 0, 0.5, 2].map((x) => worth("floor(x)", x))).toEqual([-2, -1, -1, 0, 0, 2]);
		expect([-1.5, -1, 0.5, 2].map((x) => worth("ceil(x)", x))).toEqual([-1, -1, 1, 2]);
		expect(worth("floor(-3/2) + 0*x", 1)).toBe(-2);
	});

	test("functions of the text: arguments may be conditions, bodies may call others", () => {
		const functions = `function both(a, b) = a and b
function step(c, h) = if(c, h, 0)
function twice(x) = 2*x
function f(y) = step(both(y > 1, y < 3), twice(y)) + twice(x)`;
		expect(worth("f(x)", 2, functions)).toBe(8);
		expect(worth("f(x)", 4, functions)).toBe(8);
		expect(worth("f(2*x)", 1, functions)).toBe(6);
	});

	test("names have up to 256 characters", () => {
		const name = "k".repeat(256);
		expect(worth(`${name}*x`, 3, `param ${name} = 2`)).toBe(6);
	});
});

describe("events", () => {
	const text = `param k = 1
function f(a) = if(a > 1 and not a > 2, a, 0)
state x = 1, n = 0
x' = -k*x
n' = f(x)
when x < 0.5 or t >= 3 { x = x + 1, n = n + x }
when n > 2, delay: 2*k, priority: x, persistent: false, initially: false, late: true {
	x = 0
	n = x'
}
`;
	test("what they say", () => {
		const { events } = parseModel(text, "test.ode");
		expect(events.map(({ assignments }) => assignments.map(({ target }) => target))).toEqual([
			["x", "n"],
			["x", "n"],
		]);
		expect(events[0]).toMatchObject({ persistent: true, initially: true, late: false });
		expect(events[1]).toMatchObject({ persistent: false, initially: false, late: true });
		const at = (x: number, t: number): number =>
			evaluate(events[0].trigger, (name) => (name === "x" ? x : t));
		expect([at(1, 0), at(0.4, 0), at(1, 3)]).toEqual([0, 1, 1]);
		// x' stands for what the equation says.
		expect(evaluate(events[1].assignments[1].value, () => 5)).toBe(-5);
	});

	test("printed and read again they are the same", () => {
		const once = printModel(parseModel(text, "test.ode"));
		expect(printModel(parseModel(once, "test.ode"))).toBe(once);
		expect(once).toContain("when x < 0.5 or t >= 3 { x = x + 1, n = n + x }");
	});

	test.each([
		["state x\nparam k = 1\nx' = 0\nwhen x > k { k = 2 }", 'an event cannot set "k"'],
		["state x\nx' = 0\nwhen x > 1 { x = 2, x = 3 }", '"x" is set twice'],
		["state x\nx' = 0\nwhen x > 1, dely: 2 { x = 2 }", 'Did you mean "delay"?'],
		["state x\nx' = 0\nwhen x { x = 2 }", "needs a comparison"],
		["state x\nx' = 0\nwhen x > 1 x = 2", '"x" where "{" and what then happens is expected'],
		["state x\nx' = 0\nwhen x > 1, late: 3 { x = 2 }", "late is true or false"],
		["state x\nx' = 0\nwhen x > 1 {\n x = +\n y = 3\n}\nmeasure z = q", 'unknown name "q"'],
		["state x\nx' = f(x)\nfunction f(a) = g(a)\nfunction g(a) = f(a)", "a loop of definitions"],
		["state x\nx' = f(x, 1)\nfunction f(a) = a", "f takes 1 argument, not 2"],
		["state x\nx' = f(x)\nfunction f(a, a) = a", '"a" stands twice'],
		["state x\nx' = piecewise(1, x > 0, 2, x < 3)", "no value for where no condition holds"],
	])("%j", (model, message) => {
		expect(wrong(model)).toContain(message);
	});
});
