/** Runs that end in other places, and clouds that are none: the table does not call that identifiable. */
import { describe, expect, it } from "vitest";
import type { Figure, Mark } from "../../../src/estimate/figure.ts";
import { rankShares } from "../../../src/methods/bayes/answer/run-figures.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes } from "./helpers.ts";

const times = gridTimes(500, 0.25);
const y = noisy(
	Array.from(times, (t) => Math.cos(3 * t)),
	0.05,
	9,
);
const text = (prior: string): string => `param w ~ ${prior}, s ~ lognormal(log(0.1), 1)
state x = 1, x' = 0
x'' + w^2*x = 0
measure y ~ normal(x, s)`;
const record = experimentOf(times, { y });
const titles = ({ doubts }: { doubts: readonly { title: string; grave: boolean }[] }): string[] =>
	doubts.filter(({ grave }) => grave).map(({ title }) => title);

function boxesOf(
	{ figures }: { figures: readonly Figure[] },
	name: string,
): Extract<Mark, { type: "boxes" }> {
	const marks = figures.find((figure) => figure.name === name)!.marks;
	return marks.find((mark): mark is Extract<Mark, { type: "boxes" }> => mark.type === "boxes")!;
}

describe("ranks", () => {
	it("are even where draws are the same, and at the ends where they are apart", () => {
		const a = Float64Array.from({ length: 80 }, (_, i) => i);
		for (const shares of rankShares([a, a])) expect([...shares]).toEqual(Array(8).fill(1));
		const [low, high] = rankShares([a, a.map((value) => value + 1000)]);
		expect([...low]).toEqual([2, 2, 2, 2, 0, 0, 0, 0]);
		expect([...high]).toEqual([0, 0, 0, 0, 2, 2, 2, 2]);
	});
});

describe("a frequency that may be anything: many narrow modes", () => {
	it("is found by one run or the other, and where they differ no table says identifiable", async () => {
		let found = 0;
		let again = 0;
		for (const seed of [1, 2, 3, 4]) {
			const { run, result } = await runBayes(problemOf(text("uniform(0.1, 12)"), [record], [], seed), {
				particles: 300,
				substeps: 10,
				integrationError: "none",
				predictive: 20,
				netcdf: false,
			});
			if (run.samplers.length > 2) again++;
			const [w] = result.parameters;
			if (Math.abs(w.estimate - 3) < 0.01) found++;
			if (!titles(result).some((title) => title.startsWith("The runs disagree"))) {
				expect(Math.abs(w.estimate - 3)).toBeLessThan(0.01);
				expect(w.verdict).toBe("identifiable");
			} else
				expect(result.parameters.map(({ verdict }) => verdict)).toContain("not known: the runs disagree");
		}
		expect(found).toBeGreaterThanOrEqual(3);
		// One run alone at its evidence is not believed: as many again were made.
		expect(again).toBeGreaterThan(0);
	});
});

describe("two runs of an easy problem", () => {
	const easy = (): ReturnType<typeof runBayes> =>
		runBayes(problemOf(text("lognormal(log(3), 0.02)"), [record]), {
			particles: 200,
			// Over sixty turns the steps that are chosen add up to more than the noise, which is doubted.
			substeps: 32,
			netcdf: false,
		});

	it("agree; evidences far apart would be a grave doubt", async () => {
		const { run, result } = await easy();
		expect(titles(result)).toEqual([]);
		expect(result.parameters.map(({ verdict }) => verdict)).toEqual(["identifiable", "identifiable"]);
		const { evidence } = run;
		const each = [evidence.each[0] - 20, evidence.each[1]];
		Object.defineProperty(run, "evidence", { value: { ...evidence, each } });
		expect(titles(await bayes.result(run))).toEqual(["The runs disagree in their log evidence"]);
	});
	it("and a third that missed what they found: a note", async () => {
		const { run } = await runBayes(problemOf(text("lognormal(log(3), 0.02)"), [record]), {
			particles: 300,
			runs: 3,
			substeps: 32,
			netcdf: false,
		});
		const { evidence } = run;
		const [first, ...others] = evidence.each;
		Object.defineProperty(run, "evidence", { value: { ...evidence, each: [first - 20, ...others] } });
		const { doubts, notes } = await bayes.result(run);
		expect(titles({ doubts })).toEqual([]);
		expect(notes!.map(({ title }) => title)).toContain("1 of 3 runs missed the best part of the posterior");
	});
	it("have an R̂ of 1, up to what so few draws leave to chance; runs that end apart have more", async () => {
		const { run, result } = await easy();
		const hats = (of: typeof result): number[] =>
			Object.values((of.summary as { parameters: Record<string, { rHat: number }> }).parameters).map(
				({ rHat }) => rHat,
			);
		// Two means of 100 draws: R̂² is 1 + (χ² of one degree - 1)/100, below 1.1 but for one chance in a thousand.
		for (const rHat of hats(result)) expect(rHat).toBeLessThan(1.05);
		const { z, n } = run.samplers[0].cloud!;
		for (let b = 0; b < n; b++) z[b] += 0.01;
		expect(hats(await bayes.result(run))[0]).toBeGreaterThan(1.5);
	});
	it("are seen side by side: all pairs, where each ended, and the ranks of their draws", async () => {
		const { run, result } = await easy();
		const names = (of: typeof result): string[] => of.figures.map(({ name }) => name);
		expect(names(result)).toEqual(expect.arrayContaining(["corner", "runs", "ranks", "ess"]));
		const [ends, others] = [boxesOf(result, "runs"), run.samplers[0].cloud!];
		// Two unknowns, two runs: four intervals around 0, of about 1.645 standard deviations to either side.
		expect(ends.y0).toHaveLength(4);
		for (const [i, lo] of Array.from(ends.y0).entries())
			expect([lo < -1, ends.y1[i] > 1]).toEqual([true, true]);
		for (let b = 0; b < others.n; b++) others.z[b] += 0.05;
		const apart = boxesOf((await bayes.result(run)) as typeof result, "runs");
		expect(apart.y0[0] > apart.y1[1] || apart.y0[1] > apart.y1[0]).toBe(true);
	});
	it("whose particles are all copies of one have no interval", async () => {
		const { run } = await easy();
		for (const { cloud } of run.samplers)
			for (const i of [0, 1])
				cloud!.z.fill(run.samplers[0].cloud!.z[i * cloud!.n], i * cloud!.n, (i + 1) * cloud!.n);
		const result = await bayes.result(run);
		expect(titles(result)).toContain("The cloud has collapsed onto one point");
		for (const row of result.parameters) {
			expect(row.verdict).toBe("not known: the cloud collapsed");
			expect([row.sd, row.lo, row.hi]).toEqual([undefined, undefined, undefined]);
		}
	});
	it("whose particles are copies of a few are doubted", async () => {
		const { run } = await easy();
		for (const { cloud } of run.samplers)
			for (const i of [0, 1])
				for (let b = 0; b < cloud!.n; b++) cloud!.z[i * cloud!.n + b] = cloud!.z[i * cloud!.n + (b % 5)];
		expect(titles(await bayes.result(run))).toContain("Only 5 of 100 particles differ");
	});
});
