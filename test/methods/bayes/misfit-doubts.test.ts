/** Answers that look sure and are not: steps too long for an input that jumps, a model that misses a term. */
import { describe, expect, it } from "vitest";
import { experimentOf, gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const times = gridTimes(160, 0.25);
const titles = ({ doubts }: { doubts: readonly { title: string }[] }): string =>
	doubts.map(({ title }) => title).join("\n");

describe("an input that is held and jumps", () => {
	const heat = (t: number): number => (t >= 10 && t < 20 ? 1 : 0);
	const text = `input u
param h ~ lognormal(log(0.1), 0.5), g ~ lognormal(log(3), 0.5)
state T ~ normal(19, 2)
T' = -h*T + g*u
measure y ~ normal(T, 0.02)`;
	const y = simulate((t, [T]) => [-0.11 * T + 3 * heat(t + 1e-9)], [19], times).map(([T]) => T);
	const record = experimentOf(times, { y: noisy(y, 0.02, 3) }, { u: times.map(heat) }, "record", "zoh");

	it("is doubted gravely with long steps, and with short ones the truth is found without that doubt", async () => {
		const long = await runBayes(problemOf(text, [record]), { particles: 300, substeps: 1 });
		const doubt = long.result.doubts.find(({ title }) => title.startsWith("The steps of the solver"));
		expect(doubt?.grave).toBe(true);
		const short = await runBayes(problemOf(text, [record]), { particles: 300, substeps: 64 });
		expect(titles(short.result)).not.toContain("The steps of the solver");
		const { estimate, sd } = short.result.parameters[0];
		expect(Math.abs(estimate - 0.11)).toBeLessThan(3.5 * sd!);
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
