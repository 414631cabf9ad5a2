/** Records and models that cannot be answered: each is refused with what is wrong and what to do. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { lorenz } from "./models.ts";
import { oscillators, problemFor, problemOf } from "./oscillators.ts";

const model = parseModel(oscillators.brusselator.text, "b.ode");
const t = Float64Array.from({ length: 600 }, (_, i) => i * 0.05);
const wave = t.map((time) => 2 + Math.sin(time) + 0.3 * Math.cos(2 * time));
const prepare = (problem: Problem) => periodic.prepare(problem, defaultOptions(periodic.options));
const refusal = async (problem: Problem): Promise<string> => {
	const error = await prepare(problem).then(
		() => undefined,
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(InputError);
	return (error as InputError).message;
};

describe("records that are refused", () => {
	it.each([
		[
			"shorter than one and a half periods",
			t.subarray(0, 170),
			wave.subarray(0, 170),
			/1.3. periods long.*one and a half/s,
		],
		["one that never comes back", t, t.map((time) => Math.exp(-time / 8)), /no period was found|has a trend/],
		["noise", t, t.map((_, i) => stream(1, "x").normal(i)), /no period was found|does not repeat/],
		["a constant", t, t.map(() => 1), /is constant, 1: it has no period/],
		["a trend", t, wave.map((y, i) => y + 0.02 * t[i]), /has a trend.*detrend: linear/s],
		["too few samples", t.subarray(0, 10), wave.subarray(0, 10), /has 10 samples/],
	])("%s", async (_, times, values, message) => {
		expect(await refusal(problemOf(model, times, values, {}))).toMatch(message);
	});
	it("a decaying oscillation is no periodic record", async () => {
		const y = t.map((time) => Math.exp(-time / 6) * Math.sin(2 * time));
		expect(await refusal(problemOf(model, t, y, {}))).toMatch(/does not repeat|only in part|no period/);
	});
	it("two periods that have no common one, or a slow decay: smooth remains are no noise", async () => {
		const beats = t.map((time) => Math.sin(2 * time) + 0.7 * Math.sin(3.236068 * time));
		expect(await refusal(problemOf(model, t, beats, {}))).toMatch(/does not repeat/);
		const slow = t.map((time) => Math.exp(-time / 40) * Math.sin(2 * time));
		expect(await refusal(problemOf(model, t, slow, {}))).toMatch(/does not repeat itself.*not as noise/s);
	});
});

describe("models that are refused", () => {
	it("one that is not in the class, with state, term and another method", async () => {
		const message = await refusal(problemOf(parseModel(lorenz, "l.ode"), t, wave, {}));
		expect(message).toMatch(/state y.*loop.*x·z.*method: fit/s);
	});
	it("regressors that are collinear, with what can be found", async () => {
		const text = "param a, b\nstate x, q\nx' = a*x + b*x - q\nq' = x - q\nmeasure y = x\n";
		expect(await refusal(problemOf(parseModel(text, "c.ode"), t, wave, {}))).toMatch(
			/param a, b.*only b \+ a/s,
		);
	});
});

describe("answers that are not to be trusted", () => {
	it("a model that cannot do what the record does is doubted gravely", async () => {
		const run = await prepare(problemOf(model, t, wave, { b: 3 }));
		while (!(await periodic.advance(run)).done);
		const { doubts, message } = await periodic.result(run);
		expect(doubts.some(({ grave }) => grave)).toBe(true);
		expect(message).toMatch(/do not trust it yet/);
	});
	it("no answer at all where nothing was found that comes near the record", async () => {
		const text = "param k in [50, 60]\nstate x, q\nx' = 1 - x - q\nq' = k*(exp(x/10) - q)\nmeasure y = x\n";
		const run = await prepare(
			problemOf(
				parseModel(text, "stiff.ode"),
				t,
				wave.map((y) => 30 * y),
				{},
			),
		);
		while (!(await periodic.advance(run)).done);
		const { answered, message, doubts } = await periodic.result(run);
		expect(answered).toBe(false);
		expect(message).toMatch(/no parameters were found/);
		expect(doubts.some(({ grave }) => grave)).toBe(true);
	});
	it("a value in closed form beyond what the model allows", async () => {
		const text = oscillators.vanDerPol.text.replace("param mu, k", "param mu in [50, 60], k");
		const run = await prepare(problemFor({ ...oscillators.vanDerPol, text }, {}, { samplesPerPeriod: 100 }));
		while (!(await periodic.advance(run)).done);
		const { message } = await periodic.result(run);
		expect(message).toMatch(/do not trust it yet: .* came out beyond what the model allows/);
	});
	it("a start outside what the model allows is refused", async () => {
		const text = oscillators.brusselator.text.replace("param a, b", "param a\nparam b in [1, 4]");
		expect(await refusal(problemFor({ ...oscillators.brusselator, text }, { b: 7 }))).toMatch(
			/set: b.*outside/s,
		);
	});
});
