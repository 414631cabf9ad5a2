/** Records that nothing was learned from: when errors are larger than their bands say, in every method by the same rule. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { testDoubt } from "../../../src/estimate/judge/test-record.ts";
import type { Prediction } from "../../../src/estimate/result.ts";
import { run } from "../../../src/library/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { type Asked, optionsOf, textOf, truth } from "./one-record.ts";
import { noiseOf } from "./simulated.ts";

/** Held against zero, in a band of ± half. */
function prediction(
	y: Float64Array,
	half = 1.959963984540054,
	part: Prediction["part"] = "test",
): Prediction {
	const t = y.map((_, i) => i);
	const flat = (value: number): Float64Array => y.map(() => value);
	return {
		experiment: "a",
		output: "y",
		part,
		t,
		y: flat(0),
		lo: flat(-half),
		hi: flat(half),
		data: { t, y },
	};
}
const white = (n: number, seed: number, scale = 1): Float64Array =>
	noiseOf(stream(seed, "noise"), n).map((value) => scale * value);

describe("errors on a test record", () => {
	// At a level of 0.001, six alarms among 1000 records happen once in 1700 times.
	test.each([5, 20, 80, 300])("%i of honest bands are blamed as seldom as is stated", (n) => {
		let blamed = 0;
		for (let seed = 1; seed <= 1000; seed++) blamed += testDoubt([prediction(white(n, seed))]).length;
		expect(blamed).toBeLessThan(6);
	});

	test("those 1.5 times as large as the band says are found in 200 samples; of training nothing is said", () => {
		for (let seed = 1; seed <= 20; seed++) {
			const [doubt] = testDoubt([prediction(white(200, seed, 1.5))]);
			expect(doubt).toMatchObject({ code: "worse-on-test", outputs: ["y"], grave: false });
			expect(testDoubt([prediction(white(200, seed, 1.5), undefined, "train")])).toEqual([]);
		}
	});

	test("a fifth outside in one stretch is one event, a fifth here and there is many", () => {
		const sign = (i: number): number => (i % 2 === 0 ? 1 : -1);
		const spread = Float64Array.from({ length: 60 }, (_, i) => sign(i) * (i % 5 === 0 ? 3 : 1));
		const stretch = Float64Array.from({ length: 60 }, (_, i) => (i < 12 ? 3 : 1));
		expect(testDoubt([prediction(spread)])).toHaveLength(1);
		expect(testDoubt([prediction(stretch)])).toEqual([]);
	});

	test("samples without a band, or none at all, show nothing", () => {
		expect(testDoubt([prediction(white(50, 1, 5), Number.POSITIVE_INFINITY)])).toEqual([]);
		expect(testDoubt([])).toEqual([]);
	});
});

describe("a test under another law of motion", () => {
	const t = Array.from({ length: 60 }, (_, i) => 0.15 * i);
	const noise = white(120, 7, 0.05);
	const train = record({ t, y: t.map((time, i) => truth(time) + noise[i]) }, { name: "a" });
	// From 3 again, but it does not come to rest: half a unit is added as time goes on.
	const astray = record(
		{ t, y: t.map((time, i) => truth(time) + 0.06 * time + noise[60 + i]) },
		{ name: "b" },
	);
	const honest = record({ t, y: t.map((time, i) => truth(time) + noise[60 + i]) }, { name: "b" });

	test.each<Asked>(["fit", "bayes", "inversion", "kriging"])(
		"%s says so, and nothing of an honest one",
		async (method) => {
			const model = parseModel(textOf(method, "~ normal(x, 0.05)"), `${method}.ode`);
			const doubtOf = async (test: typeof astray) => {
				const result = await run(model, train, { method, options: optionsOf(method), seed: 1, test });
				return result.doubts.find(({ code }) => code === "worse-on-test");
			};
			expect((await doubtOf(astray))?.title).toMatch(
				/^y is predicted \d+(\.\d+)? times worse on the test than the band says$/,
			);
			expect(await doubtOf(honest)).toBeUndefined();
		},
	);
});
