/** Hidden states that need one another: loops that are linear in them, by the paper's integrals with matrices. */
import { describe, expect, test } from "vitest";
import { model, record, run, simulate } from "../../../src/index.ts";
import { stream } from "../../../src/num/random.ts";
import { answerTo, deviations, estimates } from "./answers.ts";
import * as models from "./models.ts";
import { type Oscillator, problemFor } from "./oscillators.ts";

/** A spring that is hidden behind an oscillator of its own. */
const spring: Oscillator = {
	text: `param a, k, c, m
state y, p, q
y' = a*(y - y^3/3) + p
p' = q
q' = -k*p - c*q - m*y
measure z = y
`,
	truth: { a: 1, k: 1, c: 1, m: 1.2 },
	x0: [1, 0, 0],
	period: 6.06133,
	settle: 300,
};
/** Lorenz's equations where they are periodic, from x alone. */
const lorenz: Oscillator = {
	text: models.lorenz,
	truth: { s: 10, r: 160, b: 8 / 3 },
	x0: [10, 20, 150],
	period: 1.1526,
	settle: 200,
};

describe("without noise, from 20 % off", () => {
	test.each([
		["a spring behind van der Pol's oscillator", spring],
		["Lorenz (x)", lorenz],
	])("%s: all parameters and hidden starts", { timeout: 120_000 }, async (_, oscillator) => {
		const start = Object.fromEntries(
			Object.entries(oscillator.truth).map(([name, value]) => [name, 1.2 * value]),
		);
		const problem = problemFor(oscillator, start);
		const result = await answerTo(problem);
		expect(result.outcome).toBe("converged");
		expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
		const found = estimates(result);
		for (const [name, value] of Object.entries(oscillator.truth))
			expect(Math.abs(found[name] / value - 1), name).toBeLessThan(1e-6);
		problem.model.components.forEach((component, i) => {
			const size = Math.max(Math.abs(problem.states[i]), 1);
			expect(Math.abs(found[`${component}(0)`] - problem.states[i]) / size, component).toBeLessThan(1e-6);
		});
	});
});

test("random loops of two states behind a driven oscillator, within their errors", async () => {
	const text = (params: string): string => `${params}
input u = 0.6*cos(0.9*t)
state y = 0.5, p = 0, q = 0
y' = y - y^3 + k*p + u
p' = -a*p - b*q + y
q' = b*p - a*q
measure z ~ normal(y, 0.01)`;
	const random = stream(4, "random loops");
	let square = 0;
	let count = 0;
	for (let seed = 0; seed < 6; seed++) {
		const draw = (i: number, lo: number, hi: number): number => lo + (hi - lo) * random.uniform(8 * seed + i);
		const truth = { a: draw(0, 0.3, 1.2), b: draw(1, 0.4, 1.5), k: -draw(2, 0.5, 1.5) };
		const times = Array.from({ length: 1600 }, (_, i) => i / 10);
		const { columns } = simulate(model(text("param a, b, k")), { times, values: truth, noise: true, seed });
		const data = record({ t: times.slice(1100), z: Array.from(columns.z).slice(1100) });
		const free = model(text("param a in [0, 3], b in [0, 3], k in [-4, 0]"));
		const result = await run(free, data, { method: "periodic", seed });
		expect(result.outcome).toBe("converged");
		for (const z of deviations(result, truth)) {
			// 18 of them: beyond 4.5 once in ten thousand sets of seeds.
			expect(Math.abs(z), JSON.stringify(truth)).toBeLessThan(4.5);
			square += z * z;
			count++;
		}
	}
	// Those of one record hang together: bounds of χ² with a third of the degrees, at 1e-4 either way.
	expect(square / count).toBeGreaterThan(0.03);
	expect(square / count).toBeLessThan(4.7);
}, 120_000);
