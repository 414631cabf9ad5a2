/** Records that are far cleaner than the noise that the model declares: what is declared is what is known. */
import { describe, expect, test } from "vitest";
import { operatingConditions, recordsOf, vanDerPol } from "../../../papers/inversion/examples.ts";
import { inline } from "../../../src/compute/inline.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { chosenNames, graveTitles, invert, problemOf, record, type Source, selectionOnly } from "./setup.ts";

const cubic = (sx: string, sy: string): string =>
	`unknown f(x, y) = polynomial(3), g(x, y) = polynomial(3)\nstate x, y\nx' = f(x, y)\ny' = g(x, y)\nmeasure xm ~ normal(x, ${sx})\nmeasure ym ~ normal(y, ${sy})`;
const oscillator: Source = {
	text: cubic("0.05", "0.05"),
	truth: vanDerPol().truth,
	initial: [2, 0],
	outputs: ["xm", "ym"],
	until: 20,
	step: 0.2,
	sd: 0,
};
const alone = (sd: string): string =>
	`unknown f(x) = polynomial(3)\nstate x\nx' = f(x)\nmeasure xm ~ normal(x, ${sd})`;
const growth: Source = {
	text: alone("0.01"),
	truth: { "f[x^2]": 1 },
	initial: [1],
	outputs: ["xm"],
	until: 0.95,
	step: 0.025,
	sd: 0,
};
const decay: Source = { ...growth, truth: { "f[x]": -0.5 }, initial: [2], until: 10, step: 0.25 };
const isSmaller = ({ code }: { code: string }): boolean => code === "noise-smaller";

describe("exact records with a declared noise", () => {
	test.each([
		["van der Pol, 20 candidates", oscillator],
		["growth to the brink of a pole", growth],
		["decay", decay],
	])("%s: the true terms only, with errors of the size of the noise", async (_name, source) => {
		const train = await record(source);
		const result = await invert(problemOf(parseModel(source.text, "exact.ode"), train), { stability: 20 });
		expect(chosenNames(result)).toEqual(Object.keys(source.truth).sort());
		expect(graveTitles(result)).toEqual([]);
		const told = result.doubts.find(isSmaller)!;
		expect(told.grave).toBe(false);
		expect(told.title).toMatch(/^The residuals of .* are only (less than )?0\.\d+ times the declared noise$/);
		// Errors that the declared noise would make: the same as in a record that has it.
		const noisy = await record({ ...source, sd: source === oscillator ? 0.05 : 0.01 });
		const honest = await invert(problemOf(parseModel(source.text, "noisy.ode"), noisy), selectionOnly);
		for (const { name, sd } of result.parameters) {
			const other = honest.parameters.find((row) => row.name === name);
			if (other) expect(Math.abs(sd! / other.sd! - 1)).toBeLessThan(0.5);
		}
	});

	test.each(["threshold", "bic"] as const)(
		"the other rules go by the declared noise too: %s",
		async (select) => {
			for (const source of [oscillator, growth, decay]) {
				const problem = problemOf(parseModel(source.text, "exact.ode"), await record(source));
				const result = await invert(problem, { ...selectionOnly, select });
				expect(chosenNames(result)).toEqual(Object.keys(source.truth).sort());
			}
		},
	);

	test("one output of two", async () => {
		const text = `param s\n${cubic("s", "0.05")}`;
		const train = await record({ ...oscillator, text });
		const result = await invert(problemOf(parseModel(text, "one.ode"), train), selectionOnly);
		expect(chosenNames(result)).toEqual(Object.keys(oscillator.truth).sort());
		expect(result.doubts.find(isSmaller)!.title).toContain("The residuals of ym are only");
	});

	test("noise as it is declared is not asked about", async () => {
		for (const seed of [1, 2, 3]) {
			const train = await record({ ...decay, sd: 0.01 }, seed);
			const { doubts } = await invert(problemOf(parseModel(decay.text, "honest.ode"), train), selectionOnly);
			expect(doubts.filter(isSmaller)).toEqual([]);
		}
	});

	test("a bound is no standard deviation: errors within it are not too small", async () => {
		const text = decay.text.replace("~ normal(x, 0.01)", "in x +- 0.02");
		const train = await record({ ...decay, sd: 0.01 });
		const { doubts } = await invert(problemOf(parseModel(text, "bound.ode"), train), selectionOnly);
		expect(doubts.filter(isSmaller)).toEqual([]);
	});
});

test("exact records without a declared noise raise no alarm at the integration's own error", async () => {
	const text = `param s\n${alone("s")}`;
	const train = await record({ ...decay, text });
	const result = await invert(problemOf(parseModel(text, "open.ode"), train));
	expect(chosenNames(result)).toEqual(["f[x]"]);
	expect(graveTitles(result)).toEqual([]);
	const byBic = await invert(problemOf(parseModel(text, "open.ode"), train), {
		...selectionOnly,
		select: "bic",
	});
	expect(chosenNames(byBic)).toEqual(["f[x]"]);
});

test("the design study declares the noise that it simulates", async () => {
	const example = operatingConditions();
	const train = await recordsOf(example, { sd: 0.1 }, 3, inline);
	const { summary } = await invert(problemOf(example.model, train), { ...selectionOnly, design: 6 });
	const found = new Map(
		(summary.design as { design: string; found: number }[]).map((d) => [d.design, d.found]),
	);
	expect(found.get("half the noise")!).toBeGreaterThanOrEqual(5);
});
