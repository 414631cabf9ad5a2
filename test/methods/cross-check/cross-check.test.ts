/** All methods on one question: they agree where they should, and say what is wrong where something is. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { methods } from "../../../src/methods/registry.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { stream } from "../../../src/num/random.ts";
import { simulateRecord } from "../fit/records.ts";

const all = methods.get("all")!;
const bound = 0.005;
const saturated = `param p1 = 1, p2 = 1.2, p3 = 0.5
param p4 in [0.1, 0.5]
state x1 = 1, x2 = 0
x1' = -p3*x1 - p1*x1/(1 + p2*x1) + p4*x2
x2' = p3*x1 - p4*x2
measure y1 in x1 +- ${bound}
measure y2 in x2 +- ${bound}`;
const truth = parseModel(saturated, "compartments.ode");

/** Errors evenly spread inside the bound; `shift` is added to y2. */
function record(shift = 0): Experiment {
	const times = Float64Array.from({ length: 21 }, (_, i) => i / 2);
	const clean = simulateRecord({ model: truth, values: { p4: 0.25 }, x0: [1, 0], times, noise: {}, seed: 1 });
	const outputs = [...clean.outputs].map(([name, series]) => {
		const random = stream(3, `error of ${name}`);
		const more = name === "y2" ? shift : 0;
		const values = series.values.map((y, i) => y + more + 0.8 * bound * (2 * random.uniform(i) - 1));
		return [name, { ...series, values }] as const;
	});
	return { ...clean, outputs: new Map(outputs) };
}

const quick = { bayes: { particles: 300 } };

function problemOf(model: Model, train: Experiment): Problem {
	return { model, train: [train], test: [], start: {}, seed: 1, compute: inline, settings: quick };
}

async function crossCheck(problem: Problem): Promise<Result> {
	const state = await all.prepare(problem, defaultOptions(all.options));
	while (!(await all.advance(state)).done);
	return all.result(state);
}

const verdicts = ({ comparison }: Result): Record<string, string> =>
	Object.fromEntries(comparison!.agreement.map(({ parameter, verdict }) => [parameter, verdict]));

describe("compartments with saturation", { timeout: 120_000 }, () => {
	test("errors inside the bound: every method that applies agrees", async () => {
		const result = await crossCheck(problemOf(truth, record()));
		expect(result.outcome).toBe("agree");
		// Kriging has no parameters to agree on.
		expect(result.message).toBe(
			"kriging, fit agree on the equations of x1', x2'; fit, bayes, guaranteed agree on every parameter.",
		);
		expect(verdicts(result)).toEqual({ p4: "agree", "x1'": "agree", "x2'": "agree" });
		const answered = result.comparison!.answers.map(({ method }) => method);
		expect(answered).toEqual(["fit", "kriging", "bayes", "guaranteed"]);
		for (const { method, parameters } of result.comparison!.answers) {
			if (method === "kriging") continue;
			const [{ lo, hi }] = parameters;
			expect(lo).toBeLessThan(0.25);
			expect(hi).toBeGreaterThan(0.25);
		}
		expect(result.assumptions.join("\n")).toContain("bayes: param p4 ~ uniform(0.1, 0.5)");
		expect(Object.keys(result.summary.methods as object)).toEqual([
			"fit",
			"kriging",
			"bayes",
			"periodic",
			"inversion",
			"guaranteed",
		]);
	});

	test("one output shifted by three bounds: the proved set is empty, and that output is named", async () => {
		const result = await crossCheck(problemOf(truth, record(3 * bound)));
		expect(result.outcome).toBe("contradict");
		expect(result.message).toBe("y2 contradicts the model and the other outputs.");
		const said = result.comparison!.agreement.find(({ parameter }) => parameter === "model")!;
		expect(said.why).toContain("Without y2 it is not empty");
		const { guaranteed } = result.summary.methods as Record<string, { outcome: string }>;
		expect(guaranteed.outcome).toBe("refuted");
	});

	test("one output alone, shifted: empty where the record begins, so no term is blamed", async () => {
		const alone = parseModel(saturated.replace(/measure y1.*\n/, ""), "compartments.ode");
		const shifted = record(3 * bound);
		const train = { ...shifted, outputs: new Map([...shifted.outputs].filter(([name]) => name === "y2")) };
		const result = await crossCheck(problemOf(alone, train));
		expect(result.comparison!.agreement[0].why + result.doubts.map(({ text }) => text).join()).toContain(
			"no term of an equation is to blame",
		);
		expect(result.summary.missingTerm).toBeUndefined();
	});

	test("more unknowns: a term that only one output shows is named beside that output", async () => {
		const linear = parseModel(
			saturated
				.replace("p1 = 1, p2 = 1.2, p3 = 0.5", "p1 in [0.2, 2], p3 in [0.3, 0.8]")
				.replace("/(1 + p2*x1)", ""),
			"linear.ode",
		);
		const result = await crossCheck(problemOf(linear, record()));
		expect(result.outcome).toBe("contradict");
		expect(result.message).toMatch(/equation of x1'/);
		expect(result.summary.missingTerm).toBeDefined();
	});

	test("a model that lacks the saturated loss: the verdict points to it", async () => {
		const lacking = saturated.replace(" - p1*x1/(1 + p2*x1)", "").replace("p1 = 1, p2 = 1.2, ", "");
		const result = await crossCheck(problemOf(parseModel(lacking, "lacking.ode"), record()));
		expect(result.message).toContain("a term is missing in the equation of x1'");
		const { top, term, weight } = result.summary.missingTerm as Record<string, unknown>;
		expect(top).toBe("x1'");
		const [, factor] = /^x1\/\(1 \+ (.*)\*x1\)$/.exec(term as string)!;
		expect(Math.abs((weight as number) + 1)).toBeLessThan(0.1);
		expect(Math.abs(Number(factor) - 1.2)).toBeLessThan(0.3);
		const text = result.files.find(({ name }) => name === "missing-term.ode")!.content as string;
		expect(parseModel(text, "missing-term.ode").params.map(({ name }) => name)).toContain("w");
	});

	test("stopped in the middle and gone on with: the same answer", async () => {
		const problem = problemOf(truth, record());
		const options = defaultOptions(all.options);
		const whole = await crossCheck(problem);
		let state = await all.prepare(problem, options);
		for (let step = 0; !(await all.advance(state)).done; step++)
			if (step % 7 === 3) state = await all.load(problem, options, all.save(state));
		const resumed = await all.result(state);
		expect(JSON.stringify(resumed.comparison)).toBe(JSON.stringify(whole.comparison));
	});
});

test("a normal error gives guaranteed a bound, and the assumption is said", {
	timeout: 180_000,
}, async () => {
	const model = parseModel(
		`param k ~ lognormal(log(0.5), 0.5)
state x = 1
x' = -k*x
measure y ~ normal(x, 0.01)`,
		"decay.ode",
	);
	const times = Float64Array.from({ length: 30 }, (_, i) => i / 5);
	const train = simulateRecord({ model, values: { k: 0.4 }, x0: [1], times, noise: { y: 0.01 }, seed: 2 });
	const result = await crossCheck(problemOf(model, train));
	expect(verdicts(result)).toEqual({ k: "agree", "x'": "agree" });
	expect(result.assumptions.join("\n")).toContain(
		"guaranteed: No error of y is larger than 4 standard deviations",
	);
});

describe("a set that could not be decided", { timeout: 120_000 }, () => {
	test("stands beside no answer", async () => {
		// For p below 2.3 the solution blows up before the last sample, and what is known of them is the prior.
		const model = parseModel(
			"param p in [0.5, 1097]\nstate x = 1\nx' = (2.5 - p)*x^2\nmeasure y in x +- 5",
			"blow-up.ode",
		);
		const times = Float64Array.of(0, 1, 2, 3, 4, 5);
		const record = simulateRecord({ model, values: { p: 3 }, x0: [1], times, noise: {}, seed: 1 });
		const { comparison, summary, figures } = await crossCheck(problemOf(model, record));
		const { outcome } = (summary.methods as Record<string, { outcome: string }>).guaranteed;
		expect(outcome).toBe("undecided");
		const set = comparison!.answers.find(({ method }) => method === "guaranteed")!;
		expect(set).toMatchObject({ answered: false, parameters: [] });
		expect(figures.every(({ caption }) => !caption.includes("guaranteed ("))).toBe(true);
	});
});

describe("a decay whose instrument drifts", { timeout: 180_000 }, () => {
	const model = parseModel("param k\nstate x = 2\nx' = -k*x\nmeasure y ~ normal(x, 0.02)", "decay.ode");
	const times = Float64Array.from({ length: 41 }, (_, i) => i / 8);
	const clean = simulateRecord({ model, values: { k: 0.7 }, x0: [2], times, noise: { y: 0.02 }, seed: 4 });
	const drifting = (rate: number): Experiment => ({
		...clean,
		outputs: new Map(
			[...clean.outputs].map(([name, series]) => [
				name,
				{ ...series, values: series.values.map((y, i) => y + rate * times[i]) },
			]),
		),
	});

	test("is named, and is not where there is none", async () => {
		const wrong = await crossCheck(problemOf(model, drifting(0.03)));
		expect(wrong.message).toContain("the residuals of y are as if y drifted up by 0.0");
		expect(wrong.outcome).toBe("contradict");
		expect(wrong.comparison!.agreement.find(({ parameter }) => parameter === "model")?.verdict).toBe(
			"contradict",
		);
		const sound = await crossCheck(problemOf(model, drifting(0)));
		expect(sound.doubts.map(({ code }) => code)).not.toContain("instrument");
	});
});
