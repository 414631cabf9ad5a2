/** White noise in the equations: held against the exact filter of a linear equation. */
import { describe, expect, it } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { runOf } from "../../../src/methods/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { printModel } from "../../../src/model/print/model.ts";
import { symbolsOf } from "../../../src/model/walk.ts";
import { stream } from "../../../src/num/random.ts";

const [k, s, q, h, n] = [0.4, 0.1, 0.5, 0.5, 60];
const text = `input w ~ white(q)
param q ~ lognormal(log(0.5), 0.5)
state x = 1
x' = -${k}*x + w
measure y ~ normal(x, ${s})
`;

/** The solution over h: x -> a x + an error of variance q² v. */
const a = Math.exp(-k * h);
const v = (1 - a * a) / (2 * k);
const random = stream(8, "white noise");
const samples = (() => {
	let x = 1;
	return Array.from({ length: n }, (_, i) => {
		x = a * x + q * Math.sqrt(v) * random.normal(2 * i);
		return x + s * random.normal(2 * i + 1);
	});
})();

function exactLogLikelihood(strength: number): number {
	let [mean, variance, sum] = [1, 0, 0];
	for (const y of samples) {
		mean *= a;
		variance = a * a * variance + strength * strength * v;
		const total = variance + s * s;
		sum -= 0.5 * (Math.log(2 * Math.PI * total) + (y - mean) ** 2 / total);
		mean += (variance / total) * (y - mean);
		variance *= (s * s) / total;
	}
	return sum;
}

describe("white noise in the equations", () => {
	it("has the posterior of the exact filter", async () => {
		const data = record({ t: samples.map((_, i) => h * (i + 1)), y: samples }, { start: 0 });
		const { summary, doubts } = await runOf(
			bayes,
			parseModel(text, "m.ode"),
			data,
			{ particles: 400, runs: 1 },
			{},
		);
		const grid = Array.from({ length: 400 }, (_, i) => -2.5 + 0.0075 * i);
		const weights = grid.map((z) => {
			const prior = -0.5 * ((z - Math.log(0.5)) / 0.5) ** 2 - Math.log(0.5 * Math.sqrt(2 * Math.PI));
			return Math.exp(prior + exactLogLikelihood(Math.exp(z)) + 20);
		});
		const total = weights.reduce((sum, w) => sum + w);
		const mean = weights.reduce((sum, w, i) => sum + w * Math.exp(grid[i]), 0) / total;
		const square = weights.reduce((sum, w, i) => sum + w * (Math.exp(grid[i]) - mean) ** 2, 0) / total;
		const sd = Math.sqrt(square);
		// 400 draws, and a memory of a tenth of an interval.
		expect(Math.abs(summary.parameters.q.mean - mean) / sd).toBeLessThan(0.4);
		expect(Math.abs(summary.parameters.q.sd / sd - 1)).toBeLessThan(0.2);
		expect(Math.abs(summary.logEvidence! - (Math.log(total * 0.0075) - 20))).toBeLessThan(0.5);
		// The noise of the equations follows the samples: what is left is smaller than their own, and no fault.
		expect(doubts.map(({ code }) => code)).not.toContain("noise-smaller");
	}, 180_000);

	it("is written into the equation as well", () => {
		const short = text.replace("input w ~ white(q)\n", "").replace("+ w", "+ noise(q)");
		const { inputs, rhs } = parseModel(short, "m.ode");
		expect(inputs.map(({ name }) => name)).toEqual(["noise1"]);
		expect(rhs[0]).toMatchObject({ op: "add" });
		expect(symbolsOf(rhs)).toEqual(new Set(["x", "noise1"]));
		const plain = printModel(parseModel(short, "m.ode"));
		expect(plain).toMatch(/noise1 ~ white\(q\)/);
		expect(parseModel(plain, "m.ode").inputs.length).toBe(1);
		// A function of one's own is one's own; elsewhere there is no such function.
		const own = short.replace("input", "").concat("function noise(a) = 2*a\n");
		expect(parseModel(own, "m.ode").inputs).toEqual([]);
		expect(() => parseModel(short.replace("noise(q)", "sin(noise(q))"), "m.ode")).toThrow(/noise/);
	});

	it("is refused elsewhere, with a reason", async () => {
		const data = record({ t: [0, 1, 2], y: [1, 2, 1] });
		await expect(runOf(fit, parseModel(text, "m.ode"), data, {}, {})).rejects.toThrow(
			/input w is a random process: bayes finds it/,
		);
		const short = text.replace("input w ~ white(q)\n", "").replace("+ w", "+ noise(q)");
		await expect(runOf(fit, parseModel(short, "m.ode"), data, {}, {})).rejects.toThrow(
			/noise\(…\) in the equations is a random process: bayes finds it. Elsewhere leave it out/,
		);
		expect(() => parseModel(text.replace("white(q)", "white(-1)"), "m.ode")).toThrow(
			/q must be a positive number/,
		);
	});
});
