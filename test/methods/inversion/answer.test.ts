import { describe, expect, test } from "vitest";
import {
	operatingConditions,
	recordsOf,
	splineTerms,
	vanDerPol,
} from "../../../papers/inversion/examples.ts";
import { inline } from "../../../src/compute/inline.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { invert, invertExample, problemOf, selectionOnly } from "./setup.ts";

describe("the answer", async () => {
	const example = operatingConditions();
	const train = await recordsOf(example, { sd: 0.1 }, 1, inline);
	const problem = { ...problemOf(example.model, train.slice(0, 5)), test: train.slice(5) };
	const result = await invert(problem, { stability: 30, starts: 1, design: 1 });

	test("terms, dropped terms, path, frequencies, intervals", () => {
		const { terms, dropped, path, selections, design } = result.summary as {
			terms: { of: string; term: string; weight: number; sd: number; frequency: number }[];
			dropped: unknown[];
			path: { dropped: string | null; standardErrors: number | null; terms: number; bic: number }[];
			selections: number;
			design: { design: string; of: number }[];
		};
		expect(terms.length + dropped.length).toBe(24);
		for (const { sd, frequency } of terms) {
			expect(sd).toBeGreaterThan(0);
			expect(frequency).toBeGreaterThan(0);
			expect(frequency).toBeLessThanOrEqual(1);
		}
		expect(path.length).toBe(selections + 1);
		expect(path.map(({ terms: left }) => left)).toEqual(path.map((_, k) => 24 - k));
		for (const { lo, hi, estimate } of result.parameters) {
			expect(lo!).toBeLessThan(estimate);
			expect(hi!).toBeGreaterThan(estimate);
		}
		expect(design.map(({ of }) => of)).toEqual([1, 1, 1, 1, 1]);
		expect(result.message).toMatch(
			/the same terms are found again: as it was measured [01] of 1; half the noise/,
		);
		expect(JSON.parse(JSON.stringify(result.summary))).toEqual(JSON.parse(JSON.stringify(result.summary)));
	});

	test("predictions of every output of every experiment, the unseen one too", () => {
		expect(result.predictions.length).toBe(12);
		const unseen = result.predictions.filter(({ part }) => part === "test");
		expect(unseen.map(({ experiment }) => experiment)).toEqual(["set 6", "set 6"]);
		for (const { t, y, lo, hi, data } of result.predictions) {
			const squares = data!.t.reduce((sum, at, k) => sum + (y[t.indexOf(at)] - data!.y[k]) ** 2, 0);
			expect(Math.sqrt(squares / data!.t.length)).toBeLessThan(0.5);
			expect(y.every((value, k) => lo![k] < value && value < hi![k])).toBe(true);
		}
	});

	test("figures: weights with dropped ones apart, path, frequencies, profiles", () => {
		const names = result.figures.map(({ name }) => name);
		for (const name of ["weights", "path", "path-criteria", "stability", "design"])
			expect(names).toContain(name);
		const matrix = result.figures.find(({ name }) => name === "weights")!;
		const count = (role: string): number =>
			matrix.marks.reduce(
				(sum, mark) => sum + (mark.role === role && mark.type === "boxes" ? mark.x0.length : 0),
				0,
			);
		expect(count("accent") + count("muted")).toBe(24);
		for (const { marks } of result.figures)
			for (const mark of marks)
				if (mark.type === "line")
					for (let k = 0; k < mark.y.length; k++) expect(Number.isFinite(mark.y[k])).toBe(true);
	});

	test("the model text has the chosen terms, and reads as a model", () => {
		const [{ name, content }] = result.files;
		expect(name).toBe("selected.ode");
		const model = parseModel(content as string, name);
		expect(model.unknowns).toEqual([]);
		expect(model.params.filter(({ terms }) => terms)).toEqual([]);
		expect(model.params.length).toBe((result.summary.terms as unknown[]).length);
		for (const { knowledge } of model.params) expect(knowledge.kind).toBe("distribution");
	});
});

test("the model text runs with another method, to the same weights", async () => {
	const example = operatingConditions();
	const train = await recordsOf(example, { sd: 0.1 }, 2, inline);
	const result = await invert(problemOf(example.model, train), selectionOnly);
	const model = parseModel(result.files[0].content as string, "selected.ode");
	const options = { ...defaultOptions(fit.options), profile: false };
	const run = await fit.prepare(problemOf(model, train), options);
	while (!(await fit.advance(run)).done);
	const { parameters } = await fit.result(run);
	expect(parameters.length).toBe(result.parameters.length);
	parameters.forEach(({ estimate }, k) => {
		const { estimate: own, sd } = result.parameters[k];
		expect(Math.abs(estimate - own) / sd!).toBeLessThan(0.2);
	});
});

test("model texts of splines and of a library say the same as the answer", async () => {
	const splines = await invertExample(splineTerms(), { sd: 1e-5 }, 1);
	const model = parseModel(splines.files[0].content as string, "selected.ode");
	expect(model.unknowns).toEqual([]);
	expect(model.params.map(({ name }) => name)).toContain("Sxx_s1_x");
	const library = await invertExample(vanDerPol(), { sd: 1e-2, relative: true }, 2);
	const text = library.files[0].content as string;
	const read = parseModel(text, "selected.ode");
	expect(read.params.map(({ name }) => name)).toEqual(["sx", "sy", "f_y", "g_x", "g_y", "g_x2_y"]);
	expect(text).toContain("x' = f_y*y");
	// Noise and initial values that the model left open are filled in too: methods that need priors can run.
	expect(text).toMatch(/param {3}sx ~ lognormal\(-\d/);
	expect(read.initial.map(({ kind }) => kind)).toEqual(["distribution", "distribution"]);
	expect(bayes.appliesTo(read)).toMatchObject({ applies: true });
});

test("a model that is chosen by a threshold, by BIC or not at all", async () => {
	const example = operatingConditions();
	const count = async (select: "threshold" | "bic" | "none"): Promise<number> => {
		const { summary } = await invertExample(example, { sd: 0.1 }, 2, { ...selectionOnly, select });
		return (summary.terms as unknown[]).length;
	};
	expect(await count("none")).toBe(24);
	expect(await count("threshold")).toBeLessThan(20);
	expect(await count("bic")).toBeLessThan(20);
});
