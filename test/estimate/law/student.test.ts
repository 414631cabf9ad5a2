/** Errors with heavy tails: drawn by `simulate`, found by `fit`, weighed by `bayes`, refused where they are not understood. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { families } from "../../../src/estimate/law/families.ts";
import { numbers } from "../../../src/estimate/observe/sample-terms.ts";
import { model } from "../../../src/library/model.ts";
import { run } from "../../../src/library/run.ts";
import { simulate } from "../../../src/library/simulate.ts";
import { methods } from "../../../src/methods/registry.ts";
import { printModel } from "../../../src/model/print/model.ts";

const df = 3;
const spread = 0.1;
const level = model(
	`param a ~ normal(0, 1)\nstate x = 1\nx' = 0\nmeasure y ~ student(${df}, a*x, ${spread})`,
);
const times = Array.from({ length: 40 }, (_, i) => i / 10);

/** Mean and standard deviation of a by quadrature of the likelihood times the prior. */
function byQuadrature(y: readonly number[]): { mean: number; sd: number } {
	const noise = families.student.noise!(df);
	const prior = families.normal.number!(0, 1);
	let [mass, first, second] = [0, 0, 0];
	for (let a = -1; a < 2; a += 1e-4) {
		const logDensity = y.reduce(
			(sum, each) => sum + noise.logDensity(numbers, ((each - a) / spread) ** 2),
			prior.logDensity(a),
		);
		const weight = Math.exp(logDensity);
		mass += weight;
		first += weight * a;
		second += weight * a * a;
	}
	const mean = first / mass;
	return { mean, sd: Math.sqrt(second / mass - mean * mean) };
}

describe("student", () => {
	test("is printed as it was written", () => {
		expect(printModel(level)).toContain(`y ~ student(${df}, a*x, ${spread})`);
	});

	test("is drawn with its quartiles", () => {
		const many = Array.from({ length: 4001 }, (_, i) => i / 1000);
		const { columns } = simulate(level, { times: many, values: { a: 0.5 }, noise: true });
		const errors = Array.from(columns.y, (y) => (y - 0.5) / spread);
		// Half of all errors are within 0.7649 of 3 degrees of freedom, and 95 % within 3.1824; 4 sd of a share of 4001.
		const share = (width: number): number => errors.filter((e) => Math.abs(e) < width).length / errors.length;
		expect(Math.abs(share(0.7648923) - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / 4001));
		expect(Math.abs(share(3.1824463) - 0.95)).toBeLessThan(4 * Math.sqrt(0.0475 / 4001));
	});

	test("bayes has the posterior of its density", async () => {
		const { columns } = simulate(level, { times, values: { a: 0.5 }, noise: true, seed: 4 });
		const y = Array.from(columns.y);
		y[7] += 5;
		const { parameters } = await run(level, record({ t: times, y }), {
			method: "bayes",
			options: { particles: 2000 },
		});
		const [a] = parameters;
		const { mean, sd } = byQuadrature(y);
		// Errors of a mean and of a standard deviation of 2,000 draws, with room for their correlation.
		expect(Math.abs(a.estimate - mean)).toBeLessThan((5 * sd) / Math.sqrt(2000 / 4));
		expect(Math.abs(a.sd! / sd - 1)).toBeLessThan(5 / Math.sqrt(2 * (2000 / 4)));
	});

	test("other methods refuse it with the reason, none breaks", () => {
		const verdicts = [...methods].map(([name, { appliesTo }]) => [name, appliesTo(level)] as const);
		const applying = verdicts.filter(([, { applies }]) => applies).map(([name]) => name);
		expect(applying.sort()).toEqual(["all", "bayes", "fit"]);
		expect(methods.get("inversion")!.appliesTo(level).why).toMatch(/student/);
	});
});
