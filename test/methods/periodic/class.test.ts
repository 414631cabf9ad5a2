/** Which oscillators are in the class, and why the others are not. */
import { describe, expect, it } from "vitest";
import { appliesTo } from "../../../src/methods/periodic/applies.ts";
import { isRefusal, type PeriodicForm } from "../../../src/methods/periodic/form/form.ts";
import { recognize } from "../../../src/methods/periodic/form/recognize.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { toPlain } from "../../../src/model/print/expression.ts";
import * as models from "./models.ts";

const why = (text: string): string => appliesTo(parseModel(text, "m.ode")).why;
const form = (text: string): PeriodicForm => {
	const found = recognize(parseModel(text, "m.ode"));
	if (isRefusal(found)) throw new Error(found.problem);
	return found;
};

describe("models of the class", () => {
	it.each([
		["Morris–Lecar", models.morrisLecar, ["gL", "I"], ["gCa", "gK", "V1", "V2", "V3", "V4", "T0"]],
		["predator–prey", models.predatorPrey, ["p2", "p1"], ["p4", "p5"]],
		["Hodgkin–Huxley (V)", models.hodgkinHuxley, ["gL", "I"], ["gNa", "gK"]],
		["FitzHugh–Nagumo (v)", models.fitzHughNagumoV, ["I"], ["a", "b", "c"]],
		["van der Pol", models.vanDerPol, ["mu", "k"], []],
		["Goodwin (Z)", models.goodwin, ["k6"], ["k1", "k2", "k3", "k4", "k5"]],
		["Brusselator (x)", models.brusselatorX, ["a"], ["b"]],
		["Hindmarsh–Rose (x)", models.hindmarshRose, ["a", "b", "I"], ["c", "d", "r", "s", "xR"]],
		["Rössler (x)", models.roessler, [], ["a", "b", "c"]],
		["Lorenz (x)", models.lorenz, [], ["s", "r", "b"]],
	])("%s: what is in closed form, what is searched for", (_, text, closed, searched) => {
		expect(appliesTo(parseModel(text, "m.ode")).applies).toBe(true);
		const found = form(text);
		expect(new Set(found.recovered.keys())).toEqual(new Set(closed));
		expect(found.lambda).toEqual(searched);
	});
	it("predator–prey: closure gives p6, the scale of z stays open, p1 and p2 come from products", () => {
		const { hidden, terms, recovered } = form(models.predatorPrey);
		expect(hidden[0].closure).toMatchObject({ param: "p6", scale: "p3" });
		expect(terms.map(({ value }) => toPlain(value)).sort()).toEqual(["-p1/p2", "p1"]);
		expect(toPlain(recovered.get("p2")!)).toBe("-θ2/θ1");
		expect(why(models.predatorPrey)).toMatch(/p3 alone cannot be found/);
	});
	it("Goodwin: hidden states in the order in which they depend on one another", () => {
		expect(form(models.goodwin).hidden.map(({ component }) => component)).toEqual(["X", "Y"]);
	});
	it("van der Pol: an integrator that feeds the measured state joins the chain", () => {
		expect(form(models.vanDerPol).chain.map(({ component }) => component)).toEqual(["x", "s"]);
		const scaled = form("param mu, a, k\nstate x, s\nx' = mu*(x - x^3/3) - a*s\ns' = k*x\nmeasure y = x\n");
		expect(toPlain(scaled.chain[1].scale)).toBe("-a");
	});
});

describe("models that are not in the class, with state and term", () => {
	it.each([
		["FitzHugh–Nagumo (w)", models.fitzHughNagumoW, /state v is hidden.*not affine.*v³\/3/],
		["Brusselator (y)", models.brusselatorY, /state x is hidden.*not affine.*x²·y/],
		[
			"a loop that is not linear",
			"param a, b\nstate x, p, q\nx' = a*x + p - x^3\np' = x - p*q\nq' = b*p - q\nmeasure y = x\n",
			/state p is in a loop of hidden states, p ↔ q, and its equation is not affine in them together: the term -p·q/,
		],
		[
			"a loop that nothing drives",
			"param a, b\nstate x, p, q\nx' = a*x + p - x^3\np' = b*q\nq' = -p\nmeasure y = x\n",
			/state p is in a loop of hidden states, p ↔ q, that nothing drives/,
		],
		[
			"a pure integrator",
			"param a, b\nstate x, s\nx' = a*x - s*x\ns' = b*x\nmeasure y = x\n",
			/state s is a pure integrator: s' = b·x does not hold s itself, so its mean over a period has to be 0/,
		],
		[
			"a state that never changes",
			"param mu, k\nstate x, q\nx' = mu*(x - x^3/3) + k*q\nq' = 0*q\nmeasure y = x\n",
			/state q never changes.*param q/,
		],
		[
			"a factor that only sets a unit",
			"param mu, k\nstate x, s\nx' = mu*(x - x^3/3) + k*s\ns' = -x/k\nmeasure y = x\n",
			/param k only sets the unit of the hidden state s.*Give k a value/,
		],
		[
			"nothing unknown but initial values",
			"state x, s\nx' = 1.5*(x - x^3/3) + s\ns' = -2*x\nmeasure y = x\n",
			/leaves nothing to estimate/,
		],
		[
			"no closure",
			"param a\nstate x, z\nx' = a*x - z*x\nz' = z*(x - 1)\nmeasure y = x\n",
			/state z grows by a factor exp ∫\(x - 1\)/,
		],
		[
			"unobservable",
			"param a\nstate x, q\nx' = a*x - x^3\nq' = x - q\nmeasure y = x\n",
			/state q is unobservable: nothing that x does depends on it/,
		],
		[
			"collinear regressors",
			"param a, b, c\nstate x, q\nx' = a*x + 2*b*x - q\nq' = c*(x - q)\nmeasure y = x\n",
			/param a, b multiply regressors of state x that are collinear \(the terms x, 2·x\): only b \+ 0.5·a can be found/,
		],
		[
			"output is not one state",
			"param a\nstate x\nx' = a*x\nmeasure y = 2*x\n",
			/measure y is 2·x, not one state/,
		],
		[
			"two outputs of a model whose parameter drifts",
			"param a, a' in [-1, 1]\nstate x, q\nx' = a*q\nq' = x - q\nmeasure y = x\nmeasure z = q\n",
			/measure z is a second output/,
		],
		[
			"driven by what is not known",
			"param a\ninput u ~ matern(1.5, 1, 1)\nstate x\nx' = a*x + u\nmeasure y = x\n",
			/input u drives state x \(the term u\) and is not known.*method: bayes/,
		],
		[
			"driven with a frequency that is not known",
			"param a, w\nstate x\nx' = a*x + sin(w*t)\nmeasure y = x\n",
			/time t drives the model with a frequency that is not known \(sin\((w·t|t·w)\)\).*Give w a value/,
		],
		[
			"driven by time that does not repeat",
			"param a\nstate x\nx' = a*x + 0.1*t*sin(2*t)\nmeasure y = x\n",
			/time t drives the model otherwise than through sines and cosines.*method: fit/,
		],
	])("%s", (_, text, reason) => {
		const verdict = appliesTo(parseModel(text, "m.ode"));
		expect(verdict.applies).toBe(false);
		expect(verdict.why).toMatch(reason);
	});
	it("advises another measured state only where that helps", () => {
		expect(why(models.fitzHughNagumoW)).toMatch(/Measure v in the place of w\. Use {2}method: fit/);
		expect(why(models.brusselatorY)).toMatch(/Measure x in the place of y\. Use {2}method: fit/);
		// v is an integrator, which a closure determines where u is seen.
		expect(why(models.cellCycle)).toMatch(/not affine in it.*Measure u in the place of v\./);
		expect(why(models.cellCycle.replace("= v\n", "= u\n"))).toMatch(/k1 from the closure of the period/);
		expect(why(models.per)).toMatch(/not affine in it.*Use {2}method: fit/);
		expect(why(models.per)).not.toMatch(/Measure/);
	});
});
