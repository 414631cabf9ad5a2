/** Records and models that cannot be answered: each is refused with what is wrong and what to do. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import { outlierDoubt } from "../../../src/estimate/judge/outliers.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import { periodicRecord } from "../../../src/methods/periodic/record/record.ts";
import { residualsOf } from "../../../src/methods/periodic/record/record-noise.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";
import { brusselatorY } from "./models.ts";
import { oscillators, problemFor, problemOf, simulate } from "./oscillators.ts";

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
	it("two periods that have no common one: smooth remains are no noise", async () => {
		const beats = t.map((time) => Math.sin(2 * time) + 0.7 * Math.sin(3.236068 * time));
		expect(await refusal(problemOf(model, t, beats, {}))).toMatch(/does not repeat itself.*not as noise/s);
	});
});

describe("what is not periodic about a record is named", () => {
	const errors = stream(4, "noise");
	const u = t.map((time) => time / t[t.length - 1]);
	const cases: [string, (y: number, u: number) => number, RegExp][] = [
		[
			"a trend",
			(y, at) => y + 0.08 * at,
			/drifts by 0.0[789].* over the record.*it has a trend.*detrend: linear/s,
		],
		["a bent drift", (y, at) => y + 0.3 * (at - 0.5) ** 2, /level that bends by 0.0[789].*not along a line/s],
		["a slow decay", (y, at) => 2 + (y - 2) * Math.exp(-0.75 * at), /amplitude that falls by .* damped/],
		["a slow rise", (y, at) => 2 + (y - 2) * (1 + 0.08 * at), /amplitude that grows by [78][.\d]* %/],
		[
			"a modulation",
			(y, at) => 2 + (y - 2) * (1 + 0.08 * Math.sin(6.3 * at)),
			/amplitude that changes.*modulated/,
		],
		[
			"a period that changes",
			(_, at) => 2 + Math.sin(30 * at + 0.4 * at * at),
			/does not keep time.*period changes/,
		],
	];
	it.each(cases)(
		"%s, with noise and without, over few periods and over many",
		async (_, changed, message) => {
			for (const noise of [0, 0.02])
				for (const count of [600, 300]) {
					const [times, shares] = [t.subarray(0, count), u.map((at) => (at * t.length) / count)];
					const y = times.map((_, i) => changed(wave[i], shares[i]) + noise * errors.normal(i));
					expect(await refusal(problemOf(model, times, y, {}))).toMatch(message);
				}
		},
	);
	it("a transient into the cycle, with where it ends; the rows after it pass", async () => {
		const times = Float64Array.from({ length: 909 }, (_, i) => i * 0.05);
		const { x } = simulate({ ...oscillators.morrisLecar, x0: [-40, 0.5] }, times);
		for (const noise of [0, 0.05]) {
			const y = times.map((_, i) => x[2 * i] + noise * errors.normal(i));
			const message = await refusal(
				problemOf(parseModel(oscillators.morrisLecar.text, "m.ode"), times, y, {}),
			);
			const [, end, share] = /starts with a transient: up to t = ([\d.]+) it is up to ([\d.]+) %/.exec(
				message,
			)!;
			expect(Number(share)).toBeGreaterThan(20);
			const from = times.findIndex((time) => time >= Number(end));
			expect(from).toBeLessThan(500);
			expect(() => periodicRecord(times.subarray(from), y.subarray(from), "record")).not.toThrow();
		}
	});
	it("an amplitude never falls by more than all of it", async () => {
		const y = wave.map((value, i) => 2 + (value - 2) * Math.exp(-1.1 * u[i]));
		const message = await refusal(problemOf(model, t, y, {}));
		const [, share] = /amplitude that falls by ([\d.]+) %/.exec(message)!;
		expect(Number(share)).toBeGreaterThan(50);
		expect(Number(share)).toBeLessThan(80);
	});
	it("samples far beside the cycle", () => {
		const y = wave.map((value, i) => value + 0.02 * errors.normal(i) + (i === 100 ? 3 : i === 400 ? -2 : 0));
		const judged = (values: Float64Array) => {
			const { series } = periodicRecord(t, values, "record");
			const residual = residualsOf(t, values, series);
			return outlierDoubt(
				[{ experiment: "record", output: "y", t, observed: values, residual, noise: "found" }],
				2 * series.harmonics + 2,
			);
		};
		const shown = [t[100], t[400]].map((time) => `t = ${Number(time.toPrecision(5))} `);
		expect(judged(y)).toMatchObject([{ title: "2 samples of y lie far off" }]);
		for (const time of shown) expect(judged(y)[0].text).toContain(time);
		const clean = wave.map((value, i) => value + 0.02 * errors.normal(i));
		expect(judged(clean)).toEqual([]);
	});
	it("but a periodic record passes, whether its noise is independent or slow", () => {
		let flagged = 0;
		for (let seed = 1; seed <= repetitions(20, 60); seed++)
			for (const r of [0, 0.8]) {
				const own = stream(seed, "slow noise");
				let slow = own.normal(10_000);
				const y = wave.map((value, i) => {
					slow = r * slow + Math.sqrt(1 - r * r) * own.normal(i);
					return value + 0.05 * slow;
				});
				if (periodicRecord(t, y, "record").departure) flagged++;
			}
		expect(flagged).toBeLessThanOrEqual(1);
	});
	it("and one too weak to be refused is doubted", async () => {
		const y = wave.map((value, i) => value + 0.012 * u[i] + 0.003 * errors.normal(i));
		const record = periodicRecord(t, y, "record");
		expect(record.departure).toMatchObject({ kind: "level", steady: true });
		expect(record.departure!.change).toBeCloseTo(0.012, 2);
	});
});

describe("models that are refused", () => {
	it("one that is not in the class, with state, term and another method", async () => {
		const message = await refusal(problemOf(parseModel(brusselatorY, "b.ode"), t, wave, {}));
		expect(message).toMatch(/state x.*not affine.*x²·y.*Measure x in the place of y.*method: fit/s);
	});
	it("regressors that are collinear, with what can be found", async () => {
		const text = "param a, b\nstate x, q\nx' = a*x + b*x - q\nq' = x - q\nmeasure y = x\n";
		expect(await refusal(problemOf(parseModel(text, "c.ode"), t, wave, {}))).toMatch(
			/param a, b.*state x that are collinear \(the terms x, x\): only b \+ a.*method: bayes/s,
		);
	});
});

describe("answers that are not to be trusted", () => {
	it("a model that cannot quite do what the record does is doubted gravely", async () => {
		const record = problemFor(oscillators.brusselator, { b: 3 }, { samplesPerPeriod: 100 });
		const { times, values } = record.train[0].outputs.get("z")!;
		const beside = values.map((y, i) => y + 0.03 * Math.sin((2 * 2 * Math.PI * times[i]) / 7.156903));
		const run = await prepare(problemOf(record.model, times, beside, { b: 3 }));
		while (!(await periodic.advance(run)).done);
		const { doubts, message, predictions } = await periodic.result(run);
		expect(doubts.some(({ grave }) => grave)).toBe(true);
		expect(message).toMatch(/do not trust it yet/);
		// What is left is that of the model's answer: the record's own series would leave nothing.
		const [{ y, data }] = predictions;
		const square = y.reduce((sum, value, i) => sum + (value - data!.y[i]) ** 2, 0);
		expect(Math.sqrt(square / y.length)).toBeGreaterThan(5e-3);
	});
	it("no answer at all, and no doubts of one, where nothing was found that comes near the record", async () => {
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
		expect(doubts).toEqual([]);
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
