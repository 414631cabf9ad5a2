/** Laplace errors of a measurement: their density and its slope, drawn by `simulate`, and found by `fit` at the median. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { families } from "../../../src/estimate/law/families.ts";
import { numbers } from "../../../src/estimate/observe/sample-terms.ts";
import { model } from "../../../src/library/model.ts";
import { run } from "../../../src/library/run.ts";
import { simulate } from "../../../src/library/simulate.ts";
import { printModel } from "../../../src/model/print/model.ts";

describe("laplace", () => {
	const noise = families.laplace.noise!();
	const density = (e: number): number => Math.exp(noise.logDensity(numbers, e * e));

	test("has mass 1, and the information that its slope has", () => {
		let [mass, information, ofSpread] = [0, 0, 0];
		const h = 1e-3;
		for (let e = -40 + h / 2; e < 40; e += h) {
			const weight = noise.weight(numbers, e * e);
			mass += density(e) * h;
			information += (weight * e) ** 2 * density(e) * h;
			ofSpread += (1 - weight * e * e) ** 2 * density(e) * h;
		}
		expect(mass).toBeCloseTo(1, 5);
		expect(information).toBeCloseTo(noise.information.value, 4);
		expect(ofSpread).toBeCloseTo(noise.information.logSpread, 4);
	});

	test("counts errors by the slope of its density", () => {
		for (const square of [0.01, 0.5, 3, 40]) {
			const slope =
				(noise.logDensity(numbers, square * 1.0001) - noise.logDensity(numbers, square * 0.9999)) /
				(0.0002 * square);
			expect(noise.weight(numbers, square)).toBeCloseTo(-2 * slope, 5);
		}
	});

	const level = model("param a in [0, 2]\nstate x = 1\nx' = 0\nmeasure y ~ laplace(a*x, 0.1)");

	test("is printed as it was written, and drawn with its quartiles", () => {
		expect(printModel(level)).toContain("y ~ laplace(a*x, 0.1)");
		const many = Array.from({ length: 4001 }, (_, i) => i / 1000);
		const { columns } = simulate(level, { times: many, values: { a: 0.5 }, noise: true });
		const errors = Array.from(columns.y, (y) => (y - 0.5) / 0.1);
		const share = errors.filter((e) => Math.abs(e) < Math.log(2)).length / errors.length;
		expect(Math.abs(share - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / 4001));
	});

	test("fit finds the median, wherever the outliers are", async () => {
		const y = [0.9, 1.02, 1, 0.97, 1.9, 1.05, 0.2, 1.01, 0.99];
		const times = y.map((_, i) => i);
		const { parameters } = await run(level, record({ t: times, y }), { method: "fit" });
		expect(Math.abs(parameters[0].estimate - 1)).toBeLessThan(0.01);
	});

	test("a sample far off is named, and not said to pull the answer", async () => {
		const y = Array.from({ length: 30 }, (_, i) => 1 + 0.1 * Math.sin(7 * i)).with(12, 6);
		const t = Array.from(y.keys());
		const textOf = async (law: string): Promise<string | undefined> => {
			const like = model(`param a in [0, 2]\nstate x = 1\nx' = 0\nmeasure y ~ ${law}(a*x, 0.1)`);
			const { doubts } = await run(like, record({ t, y }), { method: "fit", options: { profile: false } });
			return doubts.find(({ code }) => code === "outliers")?.text;
		};
		expect(await textOf("laplace")).toContain("so this one hardly pulls the answer");
		expect(await textOf("normal")).toContain("so this one pulls the answer");
	});

	test("fit ends where a line through two of the samples does best, and knows how sure it is", async () => {
		const line = model(
			"param a in [-9, 9], b in [-9, 9]\nstate x = 0\nx' = 1\nmeasure y ~ laplace(a + b*x, 0.3)",
		);
		const t = Array.from({ length: 60 }, (_, i) => i / 10);
		const { columns } = simulate(line, { times: t, values: { a: 1, b: -0.5 }, noise: true, seed: 6 });
		const { parameters, outcome } = await run(line, record({ t, y: columns.y }), { method: "fit" });
		expect(outcome).toBe("converged");
		// The least sum of sizes is that of a line through two samples: all of them are tried.
		const sizes = (a: number, b: number): number =>
			t.reduce((sum, at, i) => sum + Math.abs(columns.y[i] - a - b * at), 0);
		let least = Number.POSITIVE_INFINITY;
		for (let i = 0; i < t.length; i++)
			for (let j = 0; j < i; j++) {
				const b = (columns.y[i] - columns.y[j]) / (t[i] - t[j]);
				least = Math.min(least, sizes(columns.y[i] - b * t[i], b));
			}
		const [a, b] = parameters;
		expect(sizes(a.estimate, b.estimate) / least - 1).toBeLessThan(1e-6);
		// Information 1/s² a sample, as that of a normal law, and residuals of about the declared size.
		const mean = t.reduce((sum, at) => sum + at, 0) / t.length;
		const sd = 0.3 / Math.sqrt(t.reduce((sum, at) => sum + (at - mean) ** 2, 0));
		expect(b.sd! / sd).toBeGreaterThan(0.6);
		expect(b.sd! / sd).toBeLessThan(1.6);
	});

	test.each([1, 2, 3])("fit comes to its end with an unknown spread as well (seed %s)", async (seed) => {
		const decay = model(
			"param a ~ lognormal(1.5, 1), k ~ lognormal(-1, 1), s ~ lognormal(-2, 1)\nstate x = a\nx' = -k*x\nmeasure y ~ laplace(x, s)",
		);
		const t = Array.from({ length: 40 }, (_, i) => i / 4);
		const { columns } = simulate(decay, { times: t, values: { a: 5, k: 0.4, s: 0.1 }, noise: true, seed });
		const { outcome, summary } = await run(decay, record({ t, y: columns.y }), { method: "fit" });
		expect(outcome).toBe("converged");
		expect((summary.starts as { agree: number }).agree).toBeGreaterThan(4);
	});

	test("of the logarithm, too", async () => {
		const positive = model(
			"param a in [0.1, 10]\nstate x = 1\nx' = 0\nmeasure y ~ loglaplace(log(a*x), 0.1)",
		);
		const y = [0.9, 1.02, 1, 0.97, 19, 1.05, 0.02, 1.01, 0.99];
		const { parameters } = await run(positive, record({ t: y.map((_, i) => i), y }), { method: "fit" });
		expect(Math.abs(parameters[0].estimate - 1)).toBeLessThan(0.01);
	});
});
