/** What is said where: the headline, the model text and the figures tell the same story as the doubts. */
import { describe, expect, test } from "vitest";
import { manyWeights, operatingConditions, recordsOf } from "../../../papers/inversion/examples.ts";
import { inline } from "../../../src/compute/inline.ts";
import type { Figure } from "../../../src/estimate/figure.ts";
import { emptyRecord, regularTimes } from "../../../src/methods/inversion/answer/simulated-records.ts";
import { inversion } from "../../../src/methods/inversion/inversion.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { graveTitles, invert, problemOf, record, selectionOnly } from "./setup.ts";

const comments = (text: unknown): string[] =>
	String(text)
		.split("\n")
		.filter((line) => line.startsWith("#"));

describe("the model text carries the doubts", () => {
	test("pure noise: nothing was found, and it says so first", async () => {
		const example = { ...operatingConditions(), truth: {} };
		const train = await recordsOf(example, { sd: 0.1 }, 1, inline);
		const result = await invert(problemOf(example.model, train), selectionOnly);
		const [first, ...others] = comments(result.files[0].content);
		expect(first).toContain("nothingFound");
		expect(first).not.toContain("found by inversion");
		expect(others.join("\n")).toContain("No term stands out from the noise");
		parseModel(result.files[0].content as string, "selected.ode");
	});

	test("a state too fast for the samples: every grave doubt by its title", async () => {
		const example = operatingConditions({ fast: 20 });
		const train = await recordsOf(example, { sd: 0.1 }, 1, inline);
		const result = await invert(problemOf(example.model, train), { ...selectionOnly, starts: 1 });
		const lines = comments(result.files[0].content);
		const titles = graveTitles(result);
		expect(titles.length).toBeGreaterThan(0);
		for (const title of titles) expect(lines).toContain(`# Grave doubt: ${title}.`);
		// Where the model was read from is no part of the answer: a resumed run writes the same.
		expect(lines[0]).not.toContain(".ode");
	});
});

describe("the headline", () => {
	const example = operatingConditions();

	test("says that tests were switched off", async () => {
		const train = await recordsOf(example, { sd: 0.1 }, 1, inline);
		const problem = problemOf(example.model, train);
		expect((await invert(problem, selectionOnly)).message).toContain("not put to every test");
		expect((await invert(problem, { starts: 1, stability: 10 })).message).not.toContain("every test");
	});

	test("a record that never moves needs no term, and no number in the words is none", async () => {
		const still = {
			text: "unknown f(x) = polynomial(3)\nstate x\nx' = f(x)\nmeasure xm ~ normal(x, 0.01)",
			truth: {},
			initial: [2],
			outputs: ["xm"],
			until: 0.95,
			step: 0.025,
			sd: 0,
		};
		const result = await invert(problemOf(parseModel(still.text, "still.ode"), await record(still)));
		expect(result.message).toContain("None of 4 candidates is needed");
		expect(result.message).toContain(
			"do not trust it yet: f[1], f[x], f[x^2] and f[x^3] can only be found together",
		);
		expect(result.parameters.map(({ name }) => name)).toEqual(["x(0)"]);
		expect(JSON.stringify([result.message, result.doubts])).not.toMatch(/NaN|could be chance/);
	});

	test("very many terms, some of which could be others: no word that nothing else comes near", async () => {
		const many = manyWeights({ states: 6, experiments: 25, samples: 7, seed: 4 });
		const train = await recordsOf(many, { sd: 0.02 }, 1, inline);
		const { message, doubts } = await invert(problemOf(many.model, train));
		expect(doubts.filter(({ grave }) => grave)).toEqual([]);
		expect(doubts.some(({ title }) => title.endsWith("could be others"))).toBe(true);
		expect(message).toContain("2 of them could be others");
		expect(message).not.toContain("comes near");
	});
});

test("a run of very many terms that goes on counts the sets that were judged before", async () => {
	const example = manyWeights({ states: 6, experiments: 25, samples: 11, seed: 4 });
	const problem = problemOf(example.model, await recordsOf(example, { sd: 0.1 }, 3, inline));
	const options = defaultOptions(inversion.options);
	const run = await inversion.prepare(problem, options);
	const labels = new Set<string>();
	for (let done = false; !done; ) {
		const progress = await inversion.advance(run);
		done = progress.done;
		if (!progress.label.includes("judged")) continue;
		labels.add(progress.label.split(";")[0]);
		done = run.selection!.judged.size > 1;
	}
	const loaded = await inversion.load(problem, options, inversion.save(run));
	expect(loaded.selection!.judged.size).toBe(2);
	expect([...labels]).toEqual(["1 set of terms judged", "2 sets of terms judged"]);
});

describe("the matrix of weights", () => {
	const wordsOf = (figure: Figure): { x: number; y: number; word: string }[] =>
		figure.marks.flatMap((mark) =>
			mark.type === "words" ? mark.words.map((word, i) => ({ word, x: mark.x[i], y: mark.y[i] })) : [],
		);
	const matrix = async (text: string, truth: Record<string, number>): Promise<Figure> => {
		const model = parseModel(text, "matrix.ode");
		const design = [0, 0.5, 1, 1.5, 2].map((c, e) =>
			emptyRecord(`run ${e}`, regularTimes(4, 0.1), ["y"], { c }),
		);
		const train = await recordsOf(
			{ model, truth, design, initial: [], substeps: 8 },
			{ sd: 0.01 },
			1,
			inline,
		);
		const options = { ...selectionOnly, functionsOfConditions: true };
		return (await invert(problemOf(model, train), options)).figures.find(({ name }) => name === "weights")!;
	};
	const rest = "state x = 2\nx' = -p*x + f(x)\nmeasure y ~ normal(x, 0.01)";

	test("terms that differ from row to row: each cell has its number and its term", async () => {
		const text = `condition c\nparam p(1, c, c^2)\nunknown f(x) = fourier(2)\n${rest}`;
		const figure = await matrix(text, { "p[1]": 0.3, "p[c^2]": 0.5 });
		const words = wordsOf(figure);
		for (const [row, count] of [3, 10].entries())
			for (let column = 1; column <= count; column++) {
				const own = words.filter(({ x, y }) => x === column && Math.abs(y + row) < 0.42);
				expect(own.filter(({ word }) => /^−?[\d.e-]+$/.test(word)).length).toBeGreaterThan(0);
			}
		for (const term of ["c^2", "sin(x)", "cos(2*x)*c"])
			expect([...words.map(({ word }) => word), ...figure.xNames!.map(({ name }) => name)]).toContain(term);
	});

	test("rows that are shorter leave the columns their names", async () => {
		const text = `condition c\nparam p(1, c, c^2), q(1, c)\nstate x = 2\nx' = q - p*x\nmeasure y ~ normal(x, 0.01)`;
		const figure = await matrix(text, { "p[1]": 1, "p[c^2]": 0.5, "q[c]": 0.4 });
		expect(figure.xNames!.map(({ name }) => name)).toEqual(["1", "c", "c^2"]);
	});
});
