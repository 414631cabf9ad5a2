/** Several measured states of one record: models that are in the class only so, drawn at random. */
import { describe, expect, it } from "vitest";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";
import { answerTo, deviations, estimates } from "./answers.ts";
import { type Oscillator, problemFor } from "./oscillators.ts";

/** A predator that fights itself: not affine in y, so that x alone does not do. */
const fighting = `param r, K, a, h, e, m, q
state x, y
x' = r*x*(1 - x/K) - a*x*y/(h + x)
y' = e*x*y/(h + x) - m*y - q*y^2
measure u = x
measure v = y
`;
/** A recovery variable with a cube, and a slow hidden one that both outputs know of. */
const bursting = `param a, b, c, d, I, k
state v, w, z
v' = v - v^3/3 - w - z + I
w' = c*(v + a - b*w - d*w^3)
z' = k*(v - z)
measure y = v
measure s = w
`;

function drawn(family: "fighting" | "bursting", seed: number): Oscillator {
	const random = stream(seed, family);
	const between = (i: number, lo: number, hi: number): number => lo + (hi - lo) * random.uniform(i);
	return family === "fighting"
		? {
				text: fighting,
				truth: {
					r: between(0, 0.9, 1.1),
					K: between(1, 4, 5),
					a: between(2, 0.9, 1.1),
					h: between(3, 0.9, 1.1),
					e: between(4, 0.55, 0.65),
					m: between(5, 0.22, 0.26),
					q: between(6, 0.005, 0.02),
				},
				x0: [1, 1],
				period: 22,
				settle: 900,
			}
		: {
				text: bursting,
				truth: {
					a: between(0, 0.65, 0.75),
					b: between(1, 0.5, 0.7),
					c: between(2, 0.07, 0.1),
					d: between(3, 0.05, 0.15),
					I: between(4, 0.45, 0.6),
					k: between(5, 0.2, 0.4),
				},
				x0: [0, 0, 0],
				period: 38,
				settle: 900,
			};
}

const seeds = (from: number): number[] => Array.from({ length: repetitions(2, 12) }, (_, k) => from + k);

/** As far off as somebody who guesses. */
function guess({ truth }: Oscillator, seed: number): Record<string, number> {
	const random = stream(seed, "guess");
	return Object.fromEntries(
		Object.entries(truth).map(([name, value], i) => [name, value * (0.7 + 0.6 * random.uniform(i))]),
	);
}

describe("several outputs", () => {
	it.each(["fighting", "bursting"] as const)(
		"give the parameters of a model of the kind %s exactly",
		async (family) => {
			for (const seed of seeds(1)) {
				const oscillator = drawn(family, seed);
				const result = await answerTo(
					problemFor(oscillator, guess(oscillator, seed), { samplesPerPeriod: 120, periods: 4 }),
				);
				expect(result.outcome).toBe("converged");
				const found = estimates(result);
				for (const [name, value] of Object.entries(oscillator.truth))
					expect(Math.abs(found[name] / value - 1), `${name} of ${seed}`).toBeLessThan(1e-5);
				expect(result.doubts).toEqual([]);
			}
		},
		200_000,
	);

	it.each(["fighting", "bursting"] as const)(
		"give errors that hold the truth under noise: %s",
		async (family) => {
			const all: number[] = [];
			for (const seed of seeds(11)) {
				const oscillator = drawn(family, seed);
				const spec = { samplesPerPeriod: 100, periods: 5, noise: 0.01, seed };
				const result = await answerTo(problemFor(oscillator, guess(oscillator, seed), spec));
				expect(result.outcome).toBe("converged");
				all.push(...deviations(result, oscillator.truth));
				expect(result.doubts).toEqual([]);
				expect(result.predictions.map(({ output }) => output)).toHaveLength(2);
				for (const { y, data } of result.predictions) {
					const range = Math.max(...data!.y) - Math.min(...data!.y);
					const rms = Math.sqrt(y.reduce((sum, value, i) => sum + (value - data!.y[i]) ** 2, 0) / y.length);
					expect(rms / range).toBeGreaterThan(0.008);
					expect(rms / range).toBeLessThan(0.012);
				}
			}
			expect(Math.max(...all.map(Math.abs))).toBeLessThan(4.5);
			const square = all.reduce((sum, value) => sum + value * value, 0) / all.length;
			expect(square).toBeLessThan(2.5);
			expect(square).toBeGreaterThan(0.2);
		},
		200_000,
	);

	it("go on from a checkpoint to the same bits", async () => {
		const oscillator = drawn("fighting", 5);
		const problem = problemFor(oscillator, guess(oscillator, 5), {
			samplesPerPeriod: 80,
			periods: 4,
			noise: 0.01,
		});
		const options = defaultOptions(periodic.options);
		const whole = await answerTo(problem);
		let run = await periodic.prepare(problem, options);
		for (let k = 0; !(await periodic.advance(run)).done; k++)
			if (k % 3 === 1) run = await periodic.load(problem, options, periodic.save(run));
		expect(estimates(await periodic.result(run))).toEqual(estimates(whole));
	}, 100_000);

	it.each([
		[
			"the same state twice",
			"param k\nstate x, z\nx' = z - k*x\nz' = -x\nmeasure y = x\nmeasure w = x\n",
			/measure w measures x a second time/,
		],
		[
			"a state that nothing shows",
			"param k, j\nstate x, z, q\nx' = z - k*x\nz' = -x\nq' = x - j*q\nmeasure y = x\nmeasure w = z\n",
			/state q is unobservable: nothing that is measured depends on it/,
		],
		[
			"a hidden state that is not affine",
			"param k, j\nstate x, z, q\nx' = z - k*x + q\nz' = -x\nq' = x - j*q^3\nmeasure y = x\nmeasure w = z\n",
			/state q is hidden, and its equation is not affine in it: the term .*q/,
		],
		[
			"a combination of states",
			"param k\nstate x, z\nx' = z - k*x\nz' = -x\nmeasure y = x\nmeasure w = x + z\n",
			/measure w is x \+ z, not one state/,
		],
	])("%s is refused in words", (_, text, why) => {
		const { applies, why: said } = periodic.appliesTo(parseModel(text, "m.ode"));
		expect(applies).toBe(false);
		expect(said).toMatch(why);
	});

	it("are said to be worked on, each by its own equations", () => {
		const { applies, why } = periodic.appliesTo(parseModel(fighting, "m.ode"));
		expect(applies).toBe(true);
		expect(why).toMatch(/record of x: .*record of y: .*all outputs at once/);
		const [first] = fighting.split("measure v");
		expect(periodic.appliesTo(parseModel(first, "m.ode")).applies).toBe(false);
	});

	it("with periods that are not one are refused", async () => {
		const text =
			"param a, b\nstate x, v, z, w\nx' = v\nv' = -a*x\nz' = w\nw' = -b*z\nmeasure y = x\nmeasure s = z\n";
		const oscillator = { text, truth: { a: 1, b: 2 }, x0: [1, 0, 1, 0], period: 6.28, settle: 0 };
		const problem = problemFor(oscillator, {}, { samplesPerPeriod: 60, periods: 5 });
		await expect(answerTo(problem)).rejects.toThrow(/repeat themselves with different periods/);
	});
});
