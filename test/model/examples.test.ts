/** The nine example models parse and mean what their comments say. */
import { describe, expect, test } from "vitest";
import { constantValue } from "../../src/model/constant.ts";
import { evaluate } from "../../src/model/evaluate.ts";
import type { Model } from "../../src/model/model.ts";
import { equationToPlain, printExpression } from "../../src/model/print/expression.ts";
import { structureOf } from "../../src/model/structure/structure.ts";
import { exampleTexts, parse } from "./helpers.ts";

const texts = exampleTexts();
const model = (name: string): Model => parse(texts.get(`${name}.ode`)!);
const derivatives = (name: string): Record<string, string> => {
	const { components, rhs } = model(name);
	return Object.fromEntries(components.map((component, i) => [component, printExpression(rhs[i])]));
};
const kinds = ({ params }: Model): string[] =>
	params.map(({ name, knowledge }) => `${name} ${knowledge.kind}`);

describe("the example models", () => {
	test("are nine", () => {
		expect([...texts.keys()].sort()).toEqual([
			"bouc-wen.ode",
			"compartments.ode",
			"emps.ode",
			"lotka-volterra-blackbox.ode",
			"morris-lecar.ode",
			"operating-conditions.ode",
			"predator-prey.ode",
			"silverbox.ode",
			"spline-terms.ode",
		]);
	});

	test.each([...texts])("%s parses without a warning", (_, text) => {
		expect(parse(text).warnings).toEqual([]);
	});

	test("bouc-wen: nu is folded, the measured acceleration is the solved x''", () => {
		const m = model("bouc-wen");
		expect(derivatives("bouc-wen")).toEqual({
			x: "x'",
			"x'": "(u - c*x' - z - k*x)/m",
			z: "alpha*x' - beta*(delta*x'*abs(z) + gamma*z*abs(x'))",
		});
		expect(m.measures[0].value).toBe(m.rhs[1]);
		expect(constantValue(m.measures[0].spread!)).toBe(0.5);
		expect(m.states.map(({ name, order }) => [name, order])).toEqual([
			["x", 2],
			["z", 1],
		]);
		expect(m.initial.every((known) => known.kind === "exact" && known.value === m.graph.zero)).toBe(true);
		expect(kinds(m).filter((each) => each.endsWith("exact"))).toEqual(["nu exact", "s exact"]);
		expect(structureOf(m).discontinuities.map(({ op }) => op)).toEqual(["abs", "abs"]);
	});

	test("compartments: one set, three numbers folded, a bounded error", () => {
		const m = model("compartments");
		expect(kinds(m)).toEqual(["p1 exact", "p2 exact", "p3 exact", "p4 set"]);
		expect(derivatives("compartments")).toEqual({
			x1: "p4*x2 - x1/2 - x1/(1.2*x1 + 1)",
			x2: "x1/2 - p4*x2",
		});
		expect(m.measures[0]).toMatchObject({ name: "y", kind: "set" });
		expect(constantValue(m.measures[0].spread!)).toBe(0.005);
		expect(structureOf(m)).toMatchObject({ autonomous: true, linearInParams: true, linearInStates: false });
	});

	test("emps: Coulomb friction is a jump, the input is scaled", () => {
		const m = model("emps");
		expect(derivatives("emps")["q'"]).toBe("(35.15065188*vir - Fv*q' - Fc*sign(q') - offset)/M");
		expect(structureOf(m)).toMatchObject({ secondOrder: true, autonomous: false, drivenBy: ["vir"] });
		expect(structureOf(m).discontinuities).toMatchObject([{ kind: "jump", op: "sign" }]);
	});

	test("lotka-volterra-blackbox: two random processes, inputs as formulas of t", () => {
		const m = model("lotka-volterra-blackbox");
		expect(m.unknowns).toMatchObject([
			{ name: "f1", params: ["x1", "x2"], kind: "process" },
			{ name: "f2", params: ["x1", "x2"], kind: "process" },
		]);
		expect(constantValue(m.unknowns[0].distribution.named.get("trend")!)).toBe(2);
		const [u1] = m.inputs;
		if (u1.knowledge.kind !== "formula") throw new Error("u1 is a formula");
		const at = evaluate(u1.knowledge.value, () => 1.5);
		expect(at).toBeCloseTo(Math.cos(1.5 / Math.E) ** 2 * Math.cos(1.5) ** 2, 14);
		expect(m.initial.map(({ kind }) => kind)).toEqual(["none", "none"]);
	});

	test("morris-lecar: lets are folded, values agree with the printed equations", () => {
		const m = model("morris-lecar");
		const values: Record<string, number> = {
			gCa: 4.4,
			gK: 8,
			gL: 2,
			I: 90,
			V1: -1.2,
			V2: 18,
			V3: 2,
			V4: 30,
			T0: 0.04,
			v: -20,
			q: 0.3,
		};
		const look = (name: string): number => values[name];
		const { gCa, gK, gL, I, V1, V2, V3, V4, T0, v, q } = values;
		const mInf = 0.5 * (1 + Math.tanh((v - V1) / V2));
		const wInf = 0.5 * (1 + Math.tanh((v + V3) / V4));
		const tau = T0 / Math.cosh((v + V3) / (2 * V4));
		expect(evaluate(m.rhs[0], look)).toBeCloseTo(
			gCa * mInf * (v - 100) + gK * q * (v + 70) + gL * (v + 50) + I,
			10,
		);
		expect(evaluate(m.rhs[1], look)).toBeCloseTo((wInf - q) / tau, 10);
		expect(m.lets.map(({ name }) => name)).toEqual(["mInf", "wInf", "tau"]);
		expect(structureOf(m).freeInitials).toEqual(["v", "q"]);
	});

	test("operating-conditions: 24 weights, six in the equations and two in initial values", () => {
		const m = model("operating-conditions");
		expect(m.params.map(({ terms }) => terms!.map(printExpression))).toEqual(
			Array.from({ length: 8 }, () => ["1", "c2", "c3"]),
		);
		expect(m.conditions.map(({ name }) => name)).toEqual(["c2", "c3"]);
		expect(m.initial).toMatchObject([
			{ kind: "exact", value: m.graph.sym("p7") },
			{ kind: "exact", value: m.graph.sym("p8") },
		]);
		expect(structureOf(m)).toMatchObject({ linearInStates: true, linearInParams: true, degreeInStates: 1 });
	});

	test("predator-prey: six unknown parameters, neither linear nor polynomial", () => {
		const m = model("predator-prey");
		expect(structureOf(m).freeParams).toEqual(["p1", "p2", "p3", "p4", "p5", "p6"]);
		expect(structureOf(m).degreeInStates).toBeUndefined();
		expect(m.measures).toMatchObject([{ kind: "exact", value: m.graph.sym("x") }]);
	});

	test("silverbox: a second-order state from the equation as printed", () => {
		const m = model("silverbox");
		expect(derivatives("silverbox")).toEqual({ x: "x'", "x'": "(u - c*x' - k*x - k3*x^3)/m" });
		expect(equationToPlain(m.equations[0])).toBe("m·x'' + c·x' + k·x + k3·x³ = u");
		expect(structureOf(m)).toMatchObject({ order: 2, secondOrder: true, degreeInStates: 3 });
	});

	test("spline-terms: four functions of a finite basis with five knots each", () => {
		const m = model("spline-terms");
		expect(m.unknowns.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
			"Sxx basis",
			"Sxy basis",
			"Syx basis",
			"Syy basis",
		]);
		for (const { distribution } of m.unknowns)
			expect(distribution.args.map(constantValue)).toEqual([0, 1, 2, 3, 4]);
	});
});
