import { describe, expect, test } from "vitest";
import { operatingConditions, recordsOf, splineTerms } from "../../../papers/inversion/examples.ts";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { InputError } from "../../../src/errors.ts";
import { emptyRecord, regularTimes } from "../../../src/methods/inversion/answer/simulated-records.ts";
import { appliesTo } from "../../../src/methods/inversion/applies.ts";
import { couldBeChance } from "../../../src/methods/inversion/evidence/chance.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { repeated } from "../../repetitions.ts";
import { invert, problemOf, record, selectionOnly } from "./setup.ts";

const quick = { profile: false, stability: 0, starts: 1 } as const;

describe("what must not look sure", () => {
	test("a state that is fast beside the sampling: rates 5 times off are said to fit as well", async () => {
		const example = operatingConditions({ fast: 20 });
		for (const seed of [1, 2]) {
			const train = await recordsOf(example, { sd: 0.1 }, seed, inline);
			const { doubts, message } = await invert(problemOf(example.model, train), quick);
			expect(doubts.filter(({ grave }) => grave).map(({ title }) => title)).toContain(
				"Much faster or slower rates fit as well",
			);
			expect(message).toContain("do not trust it yet");
			// The slow state is not said to be open: dropped terms that come back explain something by chance.
			const { text } = doubts.find(({ title }) => title.startsWith("Much faster"))!;
			expect(text).toContain("the equation of y");
			expect(text).toContain("put back");
		}
	});

	test("the paper's own example is not doubted so", async () => {
		const example = operatingConditions();
		const train = await recordsOf(example, { sd: 0.1 }, 1, inline);
		const { doubts } = await invert(problemOf(example.model, train), quick);
		expect(doubts.filter(({ grave }) => grave)).toEqual([]);
	});

	test.each([
		["as large as declared", "0.1", 0.1],
		["larger than declared", "0.1", 0.3],
		["not declared", "s", 0.1],
	])("pure noise, %s: no term is returned as sure", async (_name, declared, sd) => {
		const { model, ...example } = operatingConditions();
		const source = model.source.replaceAll(", 0.1)", `, ${declared})`).replace("param ", "param s, ");
		const noise = { ...example, truth: {}, model: parseModel(source, "noise.ode") };
		for (const seed of repeated([1, 2], [1, 2, 3, 4])) {
			const train = await recordsOf(noise, { sd }, seed, inline);
			const result = await invert(problemOf(noise.model, train), selectionOnly);
			expect(result.answered).toBe(false);
			expect(result.outcome).toBe("nothingFound");
			expect(result.message).toContain("No term stands out from the noise");
			for (const { verdict } of result.parameters)
				expect(["could be chance", "structurally unidentifiable"]).toContain(verdict);
		}
	});

	test("whether terms could be chance: by how much they explain, and of how many they are the best", () => {
		const common = { empty: 130, sse: 118, variance: 1, degrees: 118, kept: 1 };
		expect(couldBeChance({ ...common, candidates: 24 })).toBe(true);
		expect(couldBeChance({ ...common, empty: 150, candidates: 24 })).toBe(false);
		expect(couldBeChance({ ...common, empty: 150, candidates: 1_000_000 })).toBe(true);
		expect(couldBeChance({ ...common, empty: 1e6, kept: 0, candidates: 24 })).toBe(true);
		// Declared noise much smaller than what the residuals show does not help.
		expect(couldBeChance({ ...common, variance: 1e-3, candidates: 24 })).toBe(true);
	});

	test("two of six experiments: the combinations that cannot be told apart are named, without standard errors", async () => {
		const example = operatingConditions();
		const train = (await recordsOf(example, { sd: 0.1 }, 1, inline)).slice(0, 2);
		const { doubts, parameters, summary } = await invert(problemOf(example.model, train), selectionOnly);
		expect(summary.unidentifiable).toEqual(
			Array.from({ length: 8 }, (_, i) => `p${i + 1}[1] - p${i + 1}[c2] - p${i + 1}[c3]`),
		);
		expect(doubts.some(({ grave, text }) => grave && text.includes("p6[1] - p6[c2] - p6[c3]"))).toBe(true);
		for (const { sd } of parameters) expect(sd).toBeUndefined();
	});

	const decay = { truth: { k: 0.7 }, initial: [2], outputs: ["y"], until: 6, step: 0.1 };
	const decayText = "param k\nstate x\nx' = -k*x\nmeasure y ~ normal(x, 1)";
	const asking = (library: string, law: string) =>
		parseModel(`unknown f(x) = library(${library})\nstate x\nx' = f(x)\nmeasure y ${law}`, "asking.ode");

	test.each([1e-9, 1e-8])(
		"two candidates that differ by %s: what no method can tell apart",
		async (share) => {
			const train = await record({ ...decay, text: decayText, sd: 0.05 });
			const model = asking(`x, x + ${share}*x^2`, "~ normal(x, 0.05)");
			const { doubts, parameters } = await invert(problemOf(model, train), {
				...selectionOnly,
				select: "none",
			});
			expect(doubts.find(({ code }) => code === "unidentifiable")).toMatchObject({ grave: true });
			// To hold one of them faster shows nothing.
			expect(doubts.map(({ code }) => code)).not.toContain("other-rates");
			for (const { sd, verdict } of parameters.filter(({ name }) => !name.startsWith("x"))) {
				expect(sd).toBeUndefined();
				expect(verdict).toBe("structurally unidentifiable");
			}
		},
	);

	test("candidates that differ by more are told apart, as badly as the noise lets them be", async () => {
		const train = await record({ ...decay, text: decayText, sd: 0.05 });
		const model = asking("x, x + 1e-5*x^2", "~ normal(x, 0.05)");
		const { doubts, parameters } = await invert(problemOf(model, train), {
			...selectionOnly,
			select: "none",
		});
		expect(doubts.filter(({ code }) => code === "unidentifiable")).toEqual([]);
		for (const { sd } of parameters) expect(sd).toBeGreaterThan(0);
	});

	test("exact data: terms are found, and nothing is said to be open", async () => {
		const train = await record({ ...decay, text: decayText, sd: 0 });
		const { doubts, parameters } = await invert(
			problemOf(asking("1, x, x^2, x^3, x^4, x^5, sin(x), exp(x)", "= x"), train),
			selectionOnly,
		);
		expect(doubts.filter(({ code }) => code === "unidentifiable")).toEqual([]);
		expect(parameters.map(({ verdict }) => verdict)).not.toContain("structurally unidentifiable");
		expect(parameters.find(({ name }) => name.startsWith("f["))?.estimate).toBeCloseTo(-0.7, 5);
	});
});

describe("bad input", () => {
	const example = operatingConditions();
	const failure = async (train: readonly Experiment[], model = example.model): Promise<InputError> => {
		try {
			await invert(problemOf(model, train), selectionOnly);
		} catch (error) {
			if (error instanceof InputError) return error;
			throw error;
		}
		throw new Error("no error came");
	};

	test("a condition that does not vary", async () => {
		const train = (await recordsOf(example, { sd: 0.1 }, 1, inline)).map((experiment) => ({
			...experiment,
			conditions: { ...experiment.conditions, c3: 1 },
		}));
		const { subject, problem, remedy } = await failure(train);
		expect(subject).toBe("condition c3");
		expect(problem).toContain("is 1 in all 6 experiments");
		expect(remedy).toContain("Add experiments");
	});

	test("an experiment without a declared condition", async () => {
		const train = (await recordsOf(example, { sd: 0.1 }, 1, inline)).map((experiment, e) =>
			e === 4 ? { ...experiment, conditions: { c2: 1 } } : experiment,
		);
		const { subject, problem } = await failure(train);
		expect(subject).toBe("experiment set 5");
		expect(problem).toContain("c3");
	});

	test("fewer samples than unknowns", async () => {
		const train = (await recordsOf(example, { sd: 0.1 }, 1, inline)).slice(0, 3).map((experiment) => {
			const cut = (name: string) => {
				const { times, values, rows } = experiment.outputs.get(name)!;
				return { times: times.slice(0, 3), values: values.slice(0, 3), rows: rows.slice(0, 3) };
			};
			return { ...experiment, outputs: new Map(["xm", "ym"].map((name) => [name, cut(name)])) };
		});
		expect((await failure(train)).problem).toContain("has 18 samples for 24 unknowns");
	});

	test("knots where no sample is", async () => {
		const { model } = splineTerms();
		const train = await recordsOf(splineTerms(), { sd: 1e-5 }, 1, inline);
		const far = parseModel(
			model.source.replace("Sxx(x) = spline(0, 1, 2, 3, 4)", "Sxx(x) = spline(0, 10, 20, 30, 40)"),
			"far.ode",
		);
		const { subject, problem, remedy } = await failure(train, far);
		expect(subject).toBe("unknown Sxx(x)");
		expect(problem).toContain("has the knot 20, but no sample of x lies between 10 and 30");
		expect(remedy).toContain("spline(");
	});

	test("two conditions that do not vary are named together", async () => {
		const train = (await recordsOf(example, { sd: 0.1 }, 1, inline)).map((experiment) => ({
			...experiment,
			conditions: { c2: 1, c3: 2 },
		}));
		const { subject, problem } = await failure(train);
		expect(subject).toBe("conditions c2 and c3");
		expect(problem).toContain("are 1 and 2 in all 6 experiments");
	});

	test("a model that nothing can be found in is refused with the reason", async () => {
		const model = parseModel("param k = 1\nstate x = 0\nx' = -k*x\nmeasure y ~ normal(x, 1)", "known.ode");
		expect(appliesTo(model)).toEqual({
			applies: false,
			why: expect.stringContaining("Nothing has a form to be found"),
		});
		expect((await failure([emptyRecord("a", regularTimes(1, 0.1), ["y"], {})], model)).problem).toContain(
			"cannot use this model",
		);
	});

	test("a simulation that blows up from every start is no answer, and says so", async () => {
		const model = parseModel(
			`param k = 55, a
state x = 1, z = 1
x' = k*x^3 + z
z' = -a*z
measure y ~ normal(x, 0.1)`,
			"blow-up.ode",
		);
		const result = await invert(
			problemOf(model, [emptyRecord("a", regularTimes(5, 0.1), ["y"], {})]),
			selectionOnly,
		);
		expect(result.answered).toBe(false);
		expect(result.outcome).toBe("diverged");
		expect(result.message).toContain("No start gave a finite simulation");
	});
});

test("an answer that has rivals says its chance among them", async () => {
	const example = operatingConditions();
	const train = await recordsOf(example, { sd: 0.1 }, 1, inline);
	const { message, doubts, summary } = await invert(problemOf(example.model, train), selectionOnly);
	const rivals = doubts.find(({ code }) => code === "rival-terms")!;
	const said = `a chance of ${Math.round(100 * (summary.chance as number))} %`;
	expect(rivals.grave).toBe(false);
	expect(rivals.text).toContain(said);
	expect(message).toContain(said);
});

test("an answer that has little chance among its rivals is doubted gravely, and its chance is said", async () => {
	// y hardly moves, so that every power of it is alike.
	const text = `unknown f(x, y) = library(1, x, y, x*y, y^2, x*y^2, y^3, x*y^3, exp(-y), x*exp(-y))
param s
state x = 2, y = 1
x' = f(x, y)
y' = -0.004*y
measure xm ~ normal(x, s)
measure ym ~ normal(y, s)`;
	const outputs = ["xm", "ym"];
	const source = { text, truth: { "f[y]": 1, "f[x*y]": -1 }, outputs, until: 6, step: 0.1, sd: 0.05 };
	const result = await invert(problemOf(parseModel(text, "still.ode"), await record(source)), selectionOnly);
	const rivals = result.doubts.find(({ code }) => code === "rival-terms")!;
	expect(rivals.grave).toBe(true);
	const [, share] = /Among all that were tried it has a chance of (\d+) %/.exec(rivals.text)!;
	const behind = (result.summary.rivals as string[]).map((words) =>
		Number(/\((\S+) behind\)/.exec(words)![1]),
	);
	const expected = 1 / behind.reduce((sum, each) => sum + Math.exp(-each / 2), 1);
	expect(Math.abs(Number(share) - 100 * expected)).toBeLessThan(1);
});
