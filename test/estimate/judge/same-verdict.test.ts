/** The same record in every method: the same verdict, in the same words. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { independenceWords } from "../../../src/estimate/judge/independence.ts";
import type { Doubt, Result } from "../../../src/estimate/result.ts";
import { run } from "../../../src/library/run.ts";
import { withDistributions } from "../../../src/methods/cross-check/derived-knowledge.ts";
import { withUnknownField } from "../../../src/methods/cross-check/unknown-field.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { ask, asked, doubtOf, optionsOf, textOf, truth } from "./one-record.ts";
import { noiseOf } from "./simulated.ts";
import { askSwing, swing } from "./swing.ts";

const n = 100;
const t = Array.from({ length: n }, (_, i) => 0.1 * i);
const recordOf = (noise: Float64Array, sd: number): number[] =>
	t.map((time, i) => truth(time) + sd * noise[i]);

describe("neighbouring residuals of a correlation of 0.42", () => {
	// Of this seed the residuals show about what the noise has.
	const y = recordOf(noiseOf(stream(4, "same"), n, { kind: "correlated", rho: 0.5 }), 0.05);

	test.each(asked)("%s says that they are not independent", async (method) => {
		const result = await ask(method, "~ normal(x, 0.05)", t, y);
		const doubt = doubtOf(result, "dependent-residuals");
		expect(doubt?.title).toBe("The residuals of y are not independent");
		expect(doubt?.text).toMatch(
			/^Neighbouring residuals of y have a correlation of 0\.4\d: the model misses/,
		);
		const [prediction] = result.predictions;
		expect(independenceWords(prediction, result.doubts)).toMatch(/are not independent/);
	});
});

test("of few samples inversion says what fit does, told as well what fitting took out", async () => {
	const times = t.slice(0, 60);
	const doubted: number[] = [];
	for (const seed of [4, 5, 14]) {
		const noise = noiseOf(stream(seed, "few"), 60, { kind: "correlated", rho: 0.45 });
		const y = times.map((time, i) => truth(time) + 0.05 * noise[i]);
		const said = async (method: "fit" | "inversion"): Promise<Doubt | undefined> => {
			const text = textOf(method, "~ normal(x, 0.05)").replace("polynomial(2)", "polynomial(1)");
			return doubtOf(await ask(method, "", times, y, text), "dependent-residuals");
		};
		const [own, other] = [await said("fit"), await said("inversion")];
		if (own) doubted.push(seed);
		expect(other?.title).toBe(own?.title);
		expect(other?.text.split(": the model")[0]).toBe(own?.text.split(": the model")[0]);
	}
	// By the bounds that hold for whatever was taken out nothing could be said of them.
	expect(doubted).toEqual([5, 14]);
});

test.each(["fit", "inversion"] as const)(
	"%s doubts gravely what makes errors 1.2 to 1.6 times too small",
	async (method) => {
		const noise = noiseOf(stream(7, "weak"), 300, { kind: "correlated", rho: 0.3 });
		const times = Array.from(noise, (_, i) => (0.1 * i) / 3);
		const y = times.map((time, i) => truth(time) + 0.05 * noise[i]);
		const doubt = doubtOf(await ask(method, "~ normal(x, 0.05)", times, y), "dependent-residuals");
		const [, factor] = doubt?.text.match(/too narrow, by a factor of about ([\d.]+)\./) ?? [];
		expect(Number(factor)).toBeGreaterThan(1.19);
		expect(Number(factor)).toBeLessThan(1.6);
		expect(doubt?.grave).toBe(true);
	},
);

test.each(asked)("%s has no doubt about white noise of the declared size", async (method) => {
	const y = recordOf(noiseOf(stream(2, "white"), n), 0.05);
	const result = await ask(method, "~ normal(x, 0.05)", t, y);
	const codes = result.doubts.map(({ code }) => code);
	for (const code of ["dependent-residuals", "noise-larger", "noise-smaller", "outliers"])
		expect(codes).not.toContain(code);
});

test.each(asked)("%s says by how much residuals are larger than declared", async (method) => {
	const y = recordOf(noiseOf(stream(3, "larger"), n), 0.12);
	const doubt = doubtOf(await ask(method, "~ normal(x, 0.05)", t, y), "noise-larger");
	const [, ratio] = doubt?.title.match(/^The residuals of y are ([\d.]+) times the declared noise$/) ?? [];
	// 2.4 with the root mean square of 100 normal numbers: a standard deviation of 7 %.
	expect(Math.abs(Number(ratio) / 2.4 - 1)).toBeLessThan(0.25);
	expect(doubt).toMatchObject({ grave: true, outputs: ["y"] });
});

test.each(asked)("%s names the sample that lies far off", async (method) => {
	const y = recordOf(noiseOf(stream(6, "off"), n), 0.05).with(40, truth(t[40]) + 1);
	const doubt = doubtOf(await ask(method, "~ normal(x, 0.05)", t, y), "outliers");
	expect(doubt?.title).toBe("1 sample of y lies far off");
	expect(doubt?.text).toMatch(/^y at t = 4 \(/);
});

test.each(["fit", "bayes", "inversion"] as const)(
	"%s finds the part in which residuals are larger",
	async (method) => {
		const noise = noiseOf(stream(5, "uneven"), n).map((value, i) => (i >= 40 && i < 56 ? 5 * value : value));
		const law = `~ normal(x, s)\nparam s ${method === "bayes" ? "~ lognormal(log(0.1), 1)" : ""}`;
		const doubt = doubtOf(await ask(method, law, t, recordOf(noise, 0.05)), "uneven-residuals");
		expect(doubt).toMatchObject({ grave: true, outputs: ["y"] });
		expect(doubt?.text).toMatch(/^They are so in y from t = 4/);
	},
);

const remarks = ({ doubts }: Result): unknown =>
	doubts.map(({ code, title, grave, outputs }) => ({ code, title, grave, outputs }));

test.each(asked)("%s says of a spread in a column what it says of the number", async (method) => {
	const y = recordOf(noiseOf(stream(3, "larger"), n), 0.12);
	const number = await ask(method, "~ normal(x, 0.05)", t, y);
	const law = "~ normal(x, sd)\ninput sd";
	const sd = t.map(() => 0.05);
	const column = await ask(method, law, t, y, textOf(method, law), { sd });
	expect(doubtOf(column, "noise-larger")).toBeDefined();
	expect(remarks(column)).toEqual(remarks(number));
});

test.each(["fit", "bayes", "inversion"] as const)(
	"%s takes no spread that it finds for a declared one",
	async (method) => {
		const noise = noiseOf(stream(7, "found"), 2 * n);
		const y = recordOf(noise.subarray(0, n), 0.3);
		const z = recordOf(noise.subarray(n), 0.05);
		const prior = method === "bayes" ? "~ lognormal(log(0.2), 1)" : "";
		const law = `~ normal(x, s)\nmeasure z ~ normal(x, s)\nparam s ${prior}`;
		const result = await ask(method, law, t, y, textOf(method, law), { z });
		expect(result.answered).toBe(true);
		for (const { code } of result.doubts) expect(code).not.toMatch(/^noise-/);
	},
);

describe("errors far within a bound", () => {
	const y = recordOf(noiseOf(stream(8, "bound"), n), 0.02);
	const declared = parseModel(textOf("fit", "in x +- 0.1"), "bound.ode");

	// bayes asks for a distribution.
	test.each(asked.filter((method) => method !== "bayes"))("%s has nothing against them", async (method) => {
		const { doubts } = await ask(method, "in x +- 0.1", t, y);
		for (const { code } of doubts) expect(code).not.toMatch(/^noise-/);
	});

	test.each([
		["bayes", withDistributions(declared)!],
		["kriging", withUnknownField(declared)],
	])("%s has not either where all takes the bound for a normal error", async (method, made) => {
		if (typeof made === "string") throw new Error(made);
		expect(made.model.measures[0].kind).toBe("distribution");
		const options = method === "bayes" ? optionsOf("bayes") : {};
		const { doubts } = await run(made.model, record({ t, y }), { method, options, seed: 1 });
		for (const { code } of doubts) expect(code).not.toMatch(/^noise-/);
	});
});

describe("a caption acquits no residuals that were not asked", () => {
	test("of kriging, where the field was not fitted to trajectories", async () => {
		const y = recordOf(noiseOf(stream(2, "white"), n), 0.05);
		const model = parseModel(textOf("kriging", "~ normal(x, 0.05)"), "field.ode");
		const ended = await run(model, record({ t, y }), {
			method: "kriging",
			options: { errors: "joint" },
			seed: 1,
		});
		expect(independenceWords(ended.predictions[0], ended.doubts)).toMatch(/was not asked/);
	});

	test("of periodic, where the simulation leaves the record", async () => {
		const white = noiseOf(stream(5, "swing"), swing.length);
		// As periodic as before, and of no oscillator of this kind.
		const y = swing.map((x, i) => x + 0.06 * x * x * x + 0.02 * white[i]);
		const ended = await askSwing("periodic", "param mu in [0.1, 5]", y);
		expect(doubtOf(ended, "simulation-leaves")).toBeDefined();
		expect(doubtOf(ended, "dependent-residuals")).toBeUndefined();
		expect(independenceWords(ended.predictions[0], ended.doubts)).toMatch(/was not asked/);
		// A second rule of its own is not called what the judge's is.
		expect(doubtOf(ended, "noise-larger")).toBeUndefined();
		expect(doubtOf(ended, "record-corrected")).toBeDefined();
	});
});

describe("of a swing periodic says what fit does", () => {
	const both = async (noise: ArrayLike<number>): Promise<Result[]> => {
		const y = swing.map((value, i) => value + 0.02 * noise[i]);
		return [
			await askSwing("fit", "param mu in [0.1, 5]", y),
			await askSwing("periodic", "param mu in [0.1, 5]", y),
		];
	};
	const codes = ["dependent-residuals", "noise-larger", "noise-smaller", "outliers"];
	const white = noiseOf(stream(2, "swing"), swing.length);

	test("nothing of white noise of the declared size", async () => {
		for (const { doubts } of await both(white))
			expect(doubts.filter(({ code }) => codes.includes(code))).toEqual([]);
	});

	test("that residuals are not independent, in the caption of their plot too", async () => {
		const noise = noiseOf(stream(4, "swing"), swing.length, { kind: "correlated", rho: 0.5 });
		for (const result of await both(noise)) {
			expect(doubtOf(result, "dependent-residuals")?.title).toBe("The residuals of y are not independent");
			expect(independenceWords(result.predictions[0], result.doubts)).toMatch(/are not independent/);
		}
	});

	test("by how much they are larger than declared", async () => {
		const ratios = (await both(white.map((value) => 2.4 * value))).map((result) => {
			const { title } = doubtOf(result, "noise-larger")!;
			return Number(/^The residuals of y are ([\d.]+) times the declared noise$/.exec(title)?.[1]);
		});
		// 2.4 with the root mean square of 400 normal numbers: a standard deviation of 3.5 %.
		for (const ratio of ratios) expect(Math.abs(ratio / 2.4 - 1)).toBeLessThan(0.12);
		// Least squares on the record leave the least; of 400 samples other estimates leave no more than a few unknowns' worth.
		expect(Math.abs(ratios[1] / ratios[0] - 1)).toBeLessThan(0.01);
	});

	test("the same of a spread that stands in a column", async () => {
		const y = swing.map((value, i) => value + 0.048 * white[i]);
		const sd = swing.map(() => 0.02);
		const number = await askSwing("periodic", "param mu in [0.1, 5]", y);
		const column = await askSwing("periodic", "param mu in [0.1, 5]", y, "mu", sd);
		expect(doubtOf(column, "noise-larger")).toBeDefined();
		expect(remarks(column)).toEqual(remarks(number));
		expect(column.parameters.map(({ name }) => name)).toEqual(number.parameters.map(({ name }) => name));
	});

	test("which sample lies far off", async () => {
		for (const result of await both(white.with(100, 30))) {
			const found = doubtOf(result, "outliers");
			expect(found?.title).toBe("1 sample of y lies far off");
			expect(found?.text).toMatch(/^y at t = 10 \(/);
		}
	});
});
