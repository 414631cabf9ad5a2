/** Answers that look sure and are not: steps too long for a force that jumps, a model that misses a term. */
import { describe, expect, it } from "vitest";
import { experimentOf, gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const times = gridTimes(160, 0.25);
const titles = ({ doubts }: { doubts: readonly { title: string }[] }): string =>
	doubts.map(({ title }) => title).join("\n");

describe("a heater that goes on and off", () => {
	const heat = (t: number): number => (t >= 10 && t < 20 ? 1 : 0);
	const text = (input: string): string => `${input}
param h ~ lognormal(log(0.1), 0.5), g ~ lognormal(log(3), 0.5)
state T ~ normal(19, 2)
T' = -h*T + g*u
measure y ~ normal(T, 0.02)`;
	const y = simulate((t, [T]) => [-0.11 * T + 3 * heat(t + 1e-9)], [19], times).map(([T]) => T);
	const record = experimentOf(times, { y: noisy(y, 0.02, 3) }, { u: times.map(heat) }, "record", "zoh");

	it("as a formula is doubted gravely with long steps: nobody tells the solver when it jumps", async () => {
		const formula = text("input u = if(t < 10, 0, if(t < 20, 1, 0))");
		const { result } = await runBayes(problemOf(formula, [record]), { particles: 300, substeps: 1 });
		const doubt = result.doubts.find(({ title }) => title.endsWith("a sample is too few"));
		expect(doubt?.grave).toBe(true);
	});
	it("as a held input is met on time, with one step a sample too", async () => {
		const { result } = await runBayes(problemOf(text("input u"), [record]), { particles: 300, substeps: 1 });
		expect(titles(result)).not.toContain("too few");
		for (const [i, truth] of [0.11, 3, 19].entries()) {
			const { estimate, sd } = result.parameters[i];
			expect(Math.abs(estimate - truth)).toBeLessThan(3.5 * sd!);
		}
	});
});

describe("residuals that resemble their neighbours", () => {
	const force = (t: number): number => Math.sin(1.3 * t) + 0.5 * Math.cos(3.1 * t);
	const text = (k3: string): string => `input u
param c ~ lognormal(log(0.3), 1), k ~ lognormal(log(2), 1), s ~ lognormal(log(0.05), 1)
${k3 && "param k3 ~ lognormal(log(1), 1)"}
state x = 0, x' = 0
x'' + c*x' + k*x ${k3} = u
measure y ~ normal(x, s)`;
	const x = simulate((t, [x, v]) => [v, force(t) - 0.2 * v - 3 * x - 0.8 * x ** 3], [0, 0], times).map(
		([x]) => x,
	);
	const record = experimentOf(times, { y: noisy(x, 0.05, 5) }, { u: times.map(force) });

	it("are named where a term is missing, and not where none is", async () => {
		const options = { particles: 300, substeps: 8 };
		expect(titles((await runBayes(problemOf(text(""), [record]), options)).result)).toContain(
			"The residuals of y are not independent",
		);
		expect(titles((await runBayes(problemOf(text("+ k3*x^3"), [record]), options)).result)).not.toContain(
			"not independent",
		);
	});
});

describe("a motion faster than the samples", () => {
	const text = (rates: string): string => `param w ~ uniform(${rates})
state x = 1, x' = 0
x'' + w^2*x = 0
measure y ~ normal(x, 0.05)`;
	const y = noisy(
		Array.from(times.subarray(0, 60), (t) => Math.cos(3 * t)),
		0.05,
		9,
	);
	const record = experimentOf(times.slice(0, 60), { y });

	it("is named, and neither a slower one nor a fast decay is", async () => {
		const options = { particles: 100, netcdf: false };
		const found = async (model: string): Promise<string> =>
			titles((await runBayes(problemOf(model, [record]), options)).result);
		const fast = await found(text("20, 24"));
		expect(fast).toContain("y swings faster than the samples follow");
		expect(await found(text("1, 6"))).not.toContain("swings");
		const decay = `param k ~ uniform(20, 30), s ~ lognormal(0, 1)
state x = 1
x' = -k*x
measure y ~ normal(x, s)`;
		expect(await found(decay)).not.toContain("swings");
	});
});
