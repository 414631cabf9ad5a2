/** A bound on errors is weighed as the standard deviation of even ones, in every method that weighs. */
import { expect, test } from "vitest";
import { stream } from "../../../src/num/random.ts";
import { ask, asked } from "../judge/one-record.ts";

const b = 0.1;
const t = Array.from({ length: 50 }, (_, i) => 0.2 * i);
const random = stream(21, "bound");
const y = t.map((time, i) => 1 + 2 * Math.exp(-0.4 * time) + b * (2 * random.uniform(i) - 1));

test.each(asked.filter((method) => method !== "bayes"))(
	"%s: y in x +- b is y ~ normal(x, b/√3)",
	async (method) => {
		const [bound, normal] = [
			await ask(method, `in x +- ${b}`, t, y),
			await ask(method, `~ normal(x, ${b}/sqrt(3))`, t, y),
		];
		const close = (values: ArrayLike<number>) => Array.from(values, (value) => expect.closeTo(value, 9));
		expect(bound.parameters.map(({ name }) => name)).toEqual(normal.parameters.map(({ name }) => name));
		expect(bound.parameters.map(({ estimate }) => estimate)).toEqual(
			close(normal.parameters.map(({ estimate }) => estimate)),
		);
		expect(Array.from(bound.predictions[0].hi!)).toEqual(close(normal.predictions[0].hi!));
		if ("logLikelihood" in normal.summary)
			expect(bound.summary.logLikelihood).toBeCloseTo(normal.summary.logLikelihood as number, 8);
		const codes = bound.doubts.map(({ code }) => code);
		for (const code of ["noise-larger", "noise-smaller", "dependent-residuals", "outliers"])
			expect(codes).not.toContain(code);
	},
);

test("a bound that is to be found is √3 standard deviations", async () => {
	const { parameters } = await ask("fit", "in x +- c\nparam c in [0, 1]", t, y);
	const found = parameters.find(({ name }) => name === "c")!;
	// Of 50 even errors: the standard deviation of their root mean square is 4.5 / √50 % … 7 % of it.
	expect(found.estimate).toBeGreaterThan(0.8 * b);
	expect(found.estimate).toBeLessThan(1.2 * b);
});
