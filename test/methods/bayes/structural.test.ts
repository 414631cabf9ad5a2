/** What is said to hold whatever the values are is asked at several of them, not at the posterior's mean alone. */
import { describe, expect, it } from "vitest";
import { commonOpen } from "../../../src/methods/bayes/answer/identifiability.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes } from "./helpers.ts";

const times = gridTimes(31, 1 / 6);
const y = noisy(
	Array.from(times, (t) => 2 * Math.exp(-0.3 * t)),
	0.02,
	4,
);
const asked = (text: string) => problemOf(text, [experimentOf(times, { y })]);

describe("an unknown that acts on nothing where another is 0", () => {
	// Both signs of a are alike: its mean is near 0, and there neither b nor z(0) acts on x.
	const signs = `param k ~ normal(-1.2, 0.2), a ~ normal(0, 1), b ~ normal(0, 1)
state x ~ normal(2, 0.1), z ~ normal(0, 1)
x' = -exp(k)*x + a^8*sin(z)*0.01
z' = -b*z + x
measure y ~ normal(x, 0.02)`;

	it("is not said to have no effect where the mean happens to be there", async () => {
		const { run, result } = await runBayes(asked(signs), { particles: 400, netcdf: false, predictive: 10 });
		expect(run.open).toEqual([]);
		expect(result.parameters.map(({ verdict }) => verdict)).not.toContain("structurally unidentifiable");
		expect(result.doubts.map(({ code }) => code)).not.toContain("no-effect");
	});

	it("is where it acts on nothing anywhere, and so are unknowns of which only a product counts", async () => {
		const { result } = await runBayes(
			asked(`param k ~ normal(-1.2, 0.2), c ~ normal(0, 1), p ~ normal(1, 0.5), q ~ normal(2, 0.5)
state x = 1, z = 0
x' = -exp(k)*x
z' = c*x - z
measure y ~ normal(p*q*x, 0.02)`),
			{ particles: 200, netcdf: false, predictive: 10 },
		);
		expect(result.parameters.map(({ verdict }) => verdict)).toEqual([
			"identifiable",
			...Array(3).fill("structurally unidentifiable"),
		]);
		const titles = result.doubts.map(({ title }) => title);
		expect(titles).toEqual(
			expect.arrayContaining(["p and q can only be found together", "c has no effect on any output"]),
		);
	});
});

describe("what is open at several points", () => {
	const unit = (i: number): Float64Array => Float64Array.from({ length: 4 }, (_, k) => (k === i ? 1 : 0));
	const along = (...parts: number[]): Float64Array => {
		const length = Math.hypot(...parts);
		return Float64Array.from(parts, (part) => part / length);
	};

	it("is nothing where nothing is open at one of them", () => {
		expect(commonOpen([[unit(0), unit(1)], [], [unit(0)]])).toEqual([]);
		expect(commonOpen([])).toEqual([]);
	});
	it("leaves out what is open at some only, and keeps a group whose direction turns", () => {
		const [at, there] = [along(0, 0, 1, 2), along(0, 0, 3, -1)];
		expect(
			commonOpen([
				[unit(0), at],
				[unit(1), there],
			]),
		).toEqual([at]);
		const special = [unit(0), unit(2), unit(3)];
		expect(commonOpen([special, [there], special])).toEqual([there]);
	});
});
