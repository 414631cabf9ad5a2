/** Small studies as a user might bring them: what the method must find, or must say. */
import { describe, expect, test } from "vitest";
import { recordsOf } from "../../../papers/inversion/examples.ts";
import { inline } from "../../../src/compute/inline.ts";
import type { Series } from "../../../src/data/experiment.ts";
import { InputError } from "../../../src/errors.ts";
import { emptyRecord, regularTimes } from "../../../src/methods/inversion/answer/simulated-records.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { repeated } from "../../repetitions.ts";
import { chosenNames, graveTitles, invert, problemOf, record, type Source, selectionOnly } from "./setup.ts";

const pendulum: Source = {
	text: "unknown f(x) = fourier(1)\nparam d\nstate x = 2.5, v = 0\nx' = v\nv' = f(x) + d*v\nmeasure xm ~ normal(x, 0.02)\nmeasure vm ~ normal(v, 0.02)",
	truth: { "f[sin(x)]": -1, d: -0.1 },
	outputs: ["xm", "vm"],
	until: 20,
	step: 0.1,
	sd: 0.02,
};
const decay: Source = {
	text: "param k\nstate x = 2\nx' = k*x\nmeasure y ~ normal(x, 0.02)",
	truth: { k: -0.6 },
	outputs: ["y"],
	until: 5,
	step: 0.1,
	sd: 0.02,
};
const duffing: Source = {
	text: "unknown f(x, v) = polynomial(3)\nstate x = 2, v = 0\nx' = v\nv' = f(x, v)\nmeasure y ~ normal(x, 0.01)\nmeasure w ~ normal(v, 0.01)",
	truth: { "f[x]": -1, "f[v]": -0.2, "f[x^3]": -0.5 },
	outputs: ["y", "w"],
	until: 20,
	step: 0.1,
	sd: 0.01,
};
const library = (outputs: string): string =>
	`param s, q\nunknown f(x, v) = polynomial(3)\nstate x, v\nx' = v\nv' = f(x, v)\n${outputs}`;

describe("never sure of what is wrong", () => {
	test("the true terms are not among the candidates and the noise is not declared: residuals are no noise", async () => {
		const train = await record(pendulum);
		const text = library("measure xm ~ normal(x, s)\nmeasure vm ~ normal(v, q)").replace("(3)", "(2)");
		const result = await invert(problemOf(parseModel(text, "too-few.ode"), train), selectionOnly);
		expect(graveTitles(result)).toContain("The residuals of xm and vm are not independent");
		expect(result.message).toContain("do not trust it yet");
	});

	test("with the true terms they are noise, in each of ten", async () => {
		const text = "param s\nunknown f(x) = polynomial(3)\nstate x\nx' = f(x)\nmeasure y ~ normal(x, s)";
		for (let seed = 1; seed <= 10; seed++) {
			const { doubts } = await invert(
				problemOf(parseModel(text, "decay.ode"), await record(decay, seed)),
				selectionOnly,
			);
			expect(doubts.filter(({ title }) => title.includes("not noise"))).toEqual([]);
		}
	});

	test("a term whose refit goes astray: it is taken out in small strides (Lorenz)", async () => {
		const terms = (name: string) => `unknown ${name}(x, y, z) = polynomial(2)\n`;
		const text = `param s\n${terms("f")}${terms("g")}${terms("h")}state x, y, z\nx' = f(x, y, z)\ny' = g(x, y, z)\nz' = h(x, y, z)
measure xm ~ normal(x, s)\nmeasure ym ~ normal(y, s)\nmeasure zm ~ normal(z, s)`;
		const truth = {
			...{ "f[x]": -10, "f[y]": 10, "g[x]": 28, "g[y]": -1, "g[x*z]": -1 },
			...{ "h[z]": -8 / 3, "h[x*y]": 1 },
		};
		const source = { text, truth, initial: [-8, 7, 27], outputs: ["xm", "ym", "zm"] };
		const train = await record({ ...source, until: 5, step: 0.01, sd: 0.1 }, 3);
		const result = await invert(problemOf(parseModel(text, "lorenz.ode"), train), selectionOnly);
		expect(chosenNames(result)).toEqual(Object.keys(truth).sort());
	});

	test("a record without any motion: nothing is needed, and that is said", async () => {
		const text = "param s\nunknown f(x) = polynomial(3)\nstate x\nx' = f(x)\nmeasure y ~ normal(x, s)";
		const train = await record({ ...decay, truth: { k: 0 }, sd: 0 });
		const { message, figures } = await invert(problemOf(parseModel(text, "still.ode"), train), selectionOnly);
		expect(message).toContain("None of 4 candidates is needed");
		expect(figures.map(({ name }) => name)).toContain("weights");
	});

	test("a parameter that leaves the set in which it was declared", async () => {
		const text = "param a in [0, 0.1]\nparam c\nstate x = 2\nx' = a*x + c\nmeasure y ~ normal(x, 0.02)";
		const problem = problemOf(parseModel(text, "bound.ode"), await record(decay));
		const result = await invert(problem, selectionOnly);
		expect(graveTitles(result)).toContain("A value contradicts what the model knows");
		expect(result.doubts.some(({ text: told }) => told.includes("a = -0."))).toBe(true);
	});

	const linear =
		"unknown f(x, y) = polynomial(1), g(x, y) = polynomial(1)\nparam s, r\nstate x, y\nx' = f(x, y)\ny' = g(x, y)\n";
	const both = "measure xm ~ normal(x, s)\nmeasure ym ~ normal(y, r)";
	const follower = (rate: number): Source => ({
		text: linear + both,
		truth: { "f[x]": -0.5, "f[y]": 0.2, "g[1]": rate, "g[x]": -rate, "g[y]": -rate },
		initial: [3, 1],
		outputs: ["xm", "ym"],
		until: 10,
		step: 0.5,
		sd: 0.01,
	});

	test.each([20, 21, 22, 23])(
		"a state that settles between two samples is a grave doubt (noise %i)",
		async (seed) => {
			const train = await record(follower(30), seed);
			const result = await invert(problemOf(parseModel(linear + both, "fast.ode"), train), selectionOnly);
			expect(graveTitles(result)).toContain("y is faster than the samples can show");
			expect(result.message).toContain("do not trust it yet");
		},
	);

	test.each([
		[2, 1],
		[2, 20],
		[4, 1],
	])(
		"an output in which the smoothing sees no noise does not count for everything (rate %i, noise %i)",
		async (rate, seed) => {
			const source = follower(rate);
			const result = await invert(
				problemOf(parseModel(source.text, "slow.ode"), await record(source, seed)),
				selectionOnly,
			);
			expect(chosenNames(result)).toEqual(Object.keys(source.truth).sort());
		},
	);

	test("one that the samples show is not; tests that were switched off are named", async () => {
		const train = await record(follower(2), 21);
		const result = await invert(problemOf(parseModel(linear + both, "slow.ode"), train), selectionOnly);
		expect(graveTitles(result)).toEqual([]);
		const untested = result.doubts.find(({ title }) => title === "The answer was not put to the test")!;
		for (const option of ["starts: 0", "profile: false", "stability: 0"])
			expect(untested.text).toContain(option);
	});

	test("samples far off are named, and as a grave doubt where they decide", async () => {
		const [experiment] = await record(duffing);
		const outputs = new Map(
			[...experiment.outputs].map(([name, own]) => [
				name,
				{ ...own, values: own.values.map((value, k) => (k % 40 === 20 ? value + 3 : value)) },
			]),
		);
		const model = parseModel(library("measure y ~ normal(x, s)\nmeasure w ~ normal(v, q)"), "outliers.ode");
		const result = await invert(problemOf(model, [{ ...experiment, outputs }]), selectionOnly);
		const far = result.doubts.find(({ code }) => code === "outliers")!;
		expect(far.grave).toBe(true);
		expect(far.title).toBe("10 samples of y and w lie far off");
		for (const t of [2, 6, 10, 14]) expect(far.text).toContain(`t = ${t} (`);
		const clean = await invert(problemOf(model, [experiment]), selectionOnly);
		expect(clean.doubts.filter(({ code }) => code === "outliers")).toEqual([]);
	});

	test("pure noise is no blown-up simulation, and weights that cannot be followed have no interval of no width", async () => {
		const text = (linear + both).replaceAll("polynomial(1)", "polynomial(3)");
		for (const seed of repeated([1], [1, 2, 3])) {
			const train = await record(
				{ ...follower(1), truth: {}, initial: [0, 0], until: 5, step: 0.125, sd: 1 },
				seed,
			);
			const result = await invert(problemOf(parseModel(text, "noise.ode"), train), {
				stability: 0,
				starts: 0,
			});
			expect(result.outcome).toBe("nothingFound");
			for (const { sd, lo, hi } of result.parameters)
				if (sd !== undefined) expect(hi! - lo!).toBeGreaterThan(0.1 * sd);
		}
	});

	test("a fit that leads nowhere is told from data that show nothing", async () => {
		const text = "param a\nstate x = 2\nx' = a^2*x\nmeasure y ~ normal(x, 0.02)";
		const problem = problemOf(parseModel(text, "wrong-sign.ode"), await record(decay));
		const result = await invert(problem, selectionOnly);
		expect(result.answered).toBe(false);
		expect(result.message).toContain("No set of terms that was found fits the data");
	});
});

describe("what can be seen is used", () => {
	const train = record(duffing);

	test("a state that is not measured but is the derivative of one that is", async () => {
		const [experiment] = await train;
		const seen = { ...experiment, outputs: new Map([["y", experiment.outputs.get("y")!]]) };
		const model = parseModel(library("measure y ~ normal(x, s)").replace(", q", ""), "position.ode");
		const result = await invert(problemOf(model, [seen]), selectionOnly);
		expect(chosenNames(result)).toEqual(Object.keys(duffing.truth).sort());
	});

	test("samples that are missing in one output", async () => {
		const [experiment] = await train;
		const { times, values, rows } = experiment.outputs.get("w")!;
		const keep = (_: number, k: number): boolean => k % 7 !== 3;
		const thinned: Series = {
			times: times.filter(keep),
			values: values.filter(keep),
			rows: rows.filter(keep),
		};
		const outputs = new Map(experiment.outputs).set("w", thinned);
		const model = parseModel(library("measure y ~ normal(x, s)\nmeasure w ~ normal(v, q)"), "gaps.ode");
		const result = await invert(problemOf(model, [{ ...experiment, outputs }]), selectionOnly);
		expect(chosenNames(result)).toEqual(Object.keys(duffing.truth).sort());
	});

	test("a product of two parameters, for which 0 is stationary", async () => {
		const text = "param a, b\nstate x = 2\nx' = -a*b*x\nmeasure y ~ normal(x, 0.02)";
		const result = await invert(
			problemOf(parseModel(text, "product.ode"), await record(decay)),
			selectionOnly,
		);
		const [a, b] = result.parameters.map(({ estimate }) => estimate);
		expect(a * b).toBeCloseTo(0.6, 1);
		expect(result.summary.unidentifiable).toEqual(["a and b"]);
		expect(graveTitles(result)[0]).toBe("a and b can only be found together");
	});

	test("what is always there explains the data: the candidate is not needed, which is an answer", async () => {
		const text = "param a in [0, 3], d\nstate x = 2\nx' = -a*x + d\nmeasure y ~ normal(x, 0.02)";
		const model = parseModel(text, "always.ode");
		const result = await invert(problemOf(model, await record(decay)), { ...selectionOnly, starts: 1 });
		expect(result.answered).toBe(true);
		expect(result.message).toContain("None of 1 candidate is needed");
		expect(result.parameters.map(({ name }) => name)).toEqual(["a"]);
		expect(graveTitles(result)).toEqual([]);
	});
});

describe("knots outside the data", () => {
	const refused = async (spline: string, argument = "x"): Promise<InputError> => {
		const text = `param s\nunknown f(z) = ${spline}\nstate x\nx' = f(${argument})\nmeasure y ~ normal(x, s)`;
		const problem = problemOf(parseModel(text, "knots.ode"), await record(decay));
		return invert(problem, selectionOnly).then(
			() => {
				throw new Error("no error came");
			},
			(error: unknown) => {
				if (error instanceof InputError) return error;
				throw error;
			},
		);
	};

	test("two knots, none of them near", async () => {
		expect((await refused("spline(10, 12)")).problem).toContain(
			"has knots from 10 to 12, but no sample of z lies",
		);
	});

	test.each([
		["spline(-100, 0.5, 100)", -100],
		["spline(0, 0.5, 1, 30)", 30],
		["spline(1.9, 20, 30)", 20],
	])("a knot far outside: %s", async (spline, knot) => {
		expect((await refused(spline)).problem).toContain(`has the knot ${knot}, far from every sample of z`);
	});

	test("an argument that is an expression", async () => {
		const { problem, remedy } = await refused("spline(0, 1, 5, 6, 7)", "3*x - 10");
		expect(problem).toContain("but no sample of z lies between");
		expect(remedy).toContain("spline(");
	});
});

test("combinations that conditions leave open are not taken for fast states, and are not called correlated", async () => {
	const model = parseModel(
		"condition c, d\nparam p(1, c, d)\nstate x = 2\nx' = p*x\nmeasure y ~ normal(x, 0.02)",
		"open.ode",
	);
	const conditions = [0, 1, 2].map((c) => ({ c, d: 2 * c }));
	const design = conditions.map((each, e) => emptyRecord(`run ${e}`, regularTimes(5, 0.1), ["y"], each));
	const truth = { "p[1]": -1, "p[c]": 0.3 };
	const train = await recordsOf({ model, truth, design, initial: [], substeps: 8 }, { sd: 0.02 }, 1, inline);
	const result = await invert(problemOf(model, train), { ...selectionOnly, starts: 1 });
	expect(result.summary.unidentifiable).toEqual(["p[c] - 0.5·p[d]"]);
	expect(graveTitles(result)).toEqual(["p[c] and p[d] can only be found together"]);
	expect(result.summary.correlatedPairs).toEqual([]);
});
