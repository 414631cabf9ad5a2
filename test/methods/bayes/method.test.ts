/** The method end to end: recovery, agreement of samplers, resuming, and what it says when something is wrong. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { InputError } from "../../../src/errors.ts";
import { appliesTo } from "../../../src/methods/bayes/applies.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import type { BayesOptions } from "../../../src/methods/bayes/bayes-run.ts";
import { plainRun } from "../../../src/methods/bayes/bayes-state.ts";
import { Likelihood } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { naturalValues, posteriorUnknowns } from "../../../src/methods/bayes/likelihood/unknowns.ts";
import { cutOff } from "../../../src/methods/bayes/steps/cut-off.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const force = (t: number): number => Math.sin(1.3 * t) + 0.5 * Math.cos(3.1 * t);
const text = `input u
param c  ~ lognormal(log(0.3), 1)
param k  ~ lognormal(log(2), 1)
param k3 ~ lognormal(log(1), 1)
param s  ~ lognormal(log(0.1), 1)
state x = 0, x' = 0
x'' + c*x' + k*x + k3*x^3 = u
measure y ~ normal(x, s)`;
const truth = { c: 0.2, k: 3, k3: 0.8, s: 0.05 };

function record(n: number, h: number, seed: number, name = "record", x0 = [0, 0]) {
	const times = gridTimes(n, h);
	const states = simulate((t, [x, v]) => [v, force(t) - 0.2 * v - 3 * x - 0.8 * x ** 3], x0, times);
	const y = noisy(
		states.map(([x]) => x),
		0.05,
		seed,
	);
	return experimentOf(times, { y }, { u: times.map(force) }, name);
}

describe("a Duffing oscillator with unknown noise", () => {
	const problem = problemOf(text, [record(200, 0.1, 5)], [record(300, 0.1, 6)]);
	const options: Partial<BayesOptions> = { particles: 600 };

	it("recovers parameters and noise, and predicts a test record to its noise", async () => {
		const { result } = await runBayes(problem, options);
		expect(result.outcome).toBe("converged");
		expect(result.answered).toBe(true);
		for (const row of result.parameters) {
			const value = truth[row.name as keyof typeof truth];
			expect(Math.abs(row.estimate - value)).toBeLessThan(3.5 * row.sd!);
			expect(row.verdict).toBe("identifiable");
		}
		const { rmseOver: rmse } = (
			result.summary as { test: { rmseOver: Record<string, { min: number; mean: number }> } }
		).test;
		expect(rmse.y.min).toBeLessThanOrEqual(rmse.y.mean);
		expect(rmse.y.mean).toBeLessThan(0.06);
		const train = result.predictions.find(({ part }) => part === "train")!;
		const inside = train.data!.y.filter((y, i) => {
			const at = train.t.indexOf(train.data!.t[i]);
			return y > train.lo![at] && y < train.hi![at];
		}).length;
		expect(inside / train.data!.y.length).toBeGreaterThan(0.82);
		expect(result.files[0].name).toBe("posterior.csv");
		expect((result.files[0].content as string).split("\n")[0]).toBe("c,k,k3,s");
		expect(result.figures.length).toBeGreaterThan(8);
		expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
	});

	it("agrees between tempering and IBIS, in posterior and evidence", async () => {
		const [tempered, ibis] = await Promise.all([
			runBayes(problem, { ...options, particles: 1000 }),
			runBayes(problem, { ...options, sampler: "ibis", particles: 1000 }),
		]);
		for (const [i, row] of tempered.result.parameters.entries())
			expect(Math.abs(row.estimate - ibis.result.parameters[i].estimate)).toBeLessThan(0.35 * row.sd!);
		expect(Math.abs(tempered.run.logEvidence - ibis.run.logEvidence)).toBeLessThan(1);
	});

	it.each(["tempering", "ibis"] as const)(
		"goes on from a checkpoint to the same bits (%s)",
		async (sampler) => {
			const all = { ...defaultOptions(bayes.options), particles: 100, sampler };
			const whole = await runBayes(problem, { particles: 100, sampler });
			let run = await bayes.prepare(problem, all);
			for (let step = 0; ; step++) {
				if (step % 3 === 2 && plainRun(run).phase === "sample")
					run = await bayes.load(problem, all, bayes.save(run));
				if ((await bayes.advance(run)).done) break;
			}
			expect(await bayes.result(run)).toEqual(whole.result);
		},
	);
});

describe("what else may be unknown or measured", () => {
	it("finds initial values, one set for each experiment", async () => {
		const model = `input u
param k ~ lognormal(log(2), 0.5)
state x ~ normal(0, 1), x' ~ normal(0, 1)
x'' + 0.2*x' + k*x + 0.8*x^3 = u
measure y ~ normal(x, 0.05)`;
		const { result } = await runBayes(
			problemOf(model, [record(80, 0.1, 1, "first", [0.7, -0.4]), record(80, 0.1, 2, "second", [-0.5, 0.9])]),
			{ particles: 800 },
		);
		const wanted: Record<string, number> = {
			k: 3,
			"x(0) of first": 0.7,
			"x'(0) of first": -0.4,
			"x(0) of second": -0.5,
			"x'(0) of second": 0.9,
		};
		expect(result.parameters.map(({ name }) => name)).toEqual(Object.keys(wanted));
		for (const { name, estimate, sd } of result.parameters)
			expect(Math.abs(estimate - wanted[name])).toBeLessThan(3.5 * sd!);
	});

	it("takes several outputs, gaps, and a measured acceleration", async () => {
		const times = gridTimes(150, 0.1);
		const states = simulate((t, [x, v]) => [v, force(t) - 0.2 * v - 3 * x], [0, 0], times);
		const a = noisy(
			states.map(([x, v], i) => force(times[i]) - 0.2 * v - 3 * x),
			0.1,
			3,
		);
		const y = noisy(
			states.map(([x]) => x),
			0.02,
			4,
		).subarray(0, 90);
		const model = `input u
param c ~ lognormal(log(0.3), 1)
param k ~ lognormal(log(2), 1)
param s ~ halfnormal(0.3)
state x = 0, x' = 0
x'' + c*x' + k*x = u
measure y ~ normal(x, 0.02)
measure a ~ normal(x'', s)`;
		const { result } = await runBayes(
			problemOf(model, [experimentOf(times, { y, a }, { u: times.map(force) })]),
			{
				particles: 600,
			},
		);
		const wanted: Record<string, number> = { c: 0.2, k: 3, s: 0.1 };
		for (const { name, estimate, sd } of result.parameters)
			expect(Math.abs(estimate - wanted[name])).toBeLessThan(3.5 * sd!);
	});

	it("takes a chain of several degrees of freedom, with a measured velocity", async () => {
		const times = gridTimes(150, 0.1);
		const states = simulate(
			(t, [x1, v1, x2, v2]) => [
				v1,
				force(t) - 0.2 * v1 - 2 * x1 + 1.5 * (x2 - x1),
				v2,
				-1.5 * (x2 - x1) - 0.3 * v2 - 0.5 * x2 ** 3,
			],
			[0, 0, 0, 0],
			times,
		);
		const y1 = noisy(
			states.map(([x1]) => x1),
			0.02,
			3,
		);
		const w2 = noisy(
			states.map(([, , , v2]) => v2),
			0.02,
			4,
		);
		const model = `input u
param c1 ~ lognormal(log(0.3), 1)
param k12 ~ lognormal(log(1), 1)
param n3 ~ lognormal(log(1), 1)
state x1 = 0, x1' = 0, x2 = 0, x2' = 0
x1'' + c1*x1' + 2*x1 - k12*(x2 - x1) = u
x2'' + 0.3*x2' + k12*(x2 - x1) + n3*x2^3 = 0
measure y1 ~ normal(x1, 0.02)
measure w2 ~ normal(x2', 0.02)`;
		const { result } = await runBayes(
			problemOf(model, [experimentOf(times, { y1, w2 }, { u: times.map(force) })]),
			{ particles: 600 },
		);
		expect(result.answered).toBe(true);
		const wanted: Record<string, number> = { c1: 0.2, k12: 1.5, n3: 0.5 };
		for (const { name, estimate, sd } of result.parameters)
			expect(Math.abs(estimate - wanted[name])).toBeLessThan(3.5 * sd!);
	});

	it("says which parameters can only be found together", async () => {
		const model = `input u
param a ~ lognormal(0, 1)
param b ~ lognormal(0, 1)
param k ~ lognormal(log(2), 1)
state x = 0, x' = 0
x'' + 0.2*x' + k*x + 0.8*x^3 = a*b*u
measure y ~ normal(x, 0.05)`;
		const { result } = await runBayes(problemOf(model, [record(120, 0.1, 5)]), { particles: 400 });
		const verdicts = Object.fromEntries(result.parameters.map(({ name, verdict }) => [name, verdict]));
		expect(verdicts).toEqual({
			a: "structurally unidentifiable",
			b: "structurally unidentifiable",
			k: "identifiable",
		});
		expect(result.doubts.some(({ title }) => title === "a and b can only be found together")).toBe(true);
	});

	it("says which parameters data bound on one side only", async () => {
		const times = gridTimes(40, 0.5);
		const y = noisy(
			Array.from(times, (t) => 1 - Math.exp(-0.3 * t) + (t > 0 ? 0.2 : 0)),
			0.02,
			8,
		);
		// A part that is over before the second sample: any faster rate says the same.
		const model = `param slow ~ loguniform(0.01, 10), fast ~ loguniform(0.01, 1000)
state a = 0, b = 0
a' = slow*(1 - a)
b' = fast*(0.2 - b)
measure y ~ normal(a + b, 0.02)`;
		const { result } = await runBayes(problemOf(model, [experimentOf(times, { y })]), { particles: 600 });
		expect(result.parameters.map(({ verdict }) => verdict)).toEqual([
			"identifiable",
			"bounded from below only",
		]);
		const note = result.notes!.find(({ code }) => code === "one-sided")!;
		expect(note.title).toBe("The data bound fast from below only");
		expect(note.text).toContain("the upper end of the interval is what you put in");
	});

	it("takes a stiff model with ekf1 and steps far longer than its fastest rate", async () => {
		const times = gridTimes(100, 0.1);
		const states = simulate((t, [x, z]) => [-500 * (x - Math.cos(t)), x - 0.7 * z], [1, 0], times, 400);
		const y = noisy(
			states.map(([, z]) => z),
			0.02,
			4,
		);
		const model = `param a ~ lognormal(0, 1)
state x = 1, z = 0
x' = -500*(x - cos(t))
z' = x - a*z
measure y ~ normal(z, 0.02)`;
		const { result } = await runBayes(problemOf(model, [experimentOf(times, { y })]), {
			particles: 200,
			linearisation: "ekf1",
			substeps: 2,
		});
		expect(result.answered).toBe(true);
		const [{ estimate, sd, verdict }] = result.parameters;
		expect(Math.abs(estimate - 0.7)).toBeLessThan(3.5 * sd!);
		expect(sd!).toBeLessThan(0.02);
		expect(verdict).toBe("identifiable");
		expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
	});

	it("knows a truly first-order model with sparse, uneven samples", async () => {
		const times = Float64Array.of(0, 0.4, 1, 1.3, 2.2, 3, 3.9, 4.1, 5, 6.5);
		const states = simulate((_, [p]) => [0.9 * p * (1 - p / 5)], [0.4], times, 50);
		const y = Float64Array.from(
			noisy(
				states.map(([p]) => Math.log(p)),
				0.05,
				2,
			),
			Math.exp,
		);
		const model = `param r ~ gamma(2, 2)
param K ~ uniform(1, 20)
state p ~ lognormal(log(0.5), 0.5)
p' = r*p*(1 - p/K)
measure y ~ lognormal(log(p), 0.05)`;
		const { result } = await runBayes(problemOf(model, [experimentOf(times, { y })]), { particles: 500 });
		const wanted: Record<string, number> = { r: 0.9, K: 5, "p(0)": 0.4 };
		for (const { name, estimate, sd } of result.parameters)
			expect(Math.abs(estimate - wanted[name])).toBeLessThan(3.5 * sd!);
	});
});

describe("what can go wrong", () => {
	it("gives a particle that blows up weight zero, and says for how much of the prior", async () => {
		const times = gridTimes(40, 0.1);
		const states = simulate((_, [x]) => [-0.5 * x], [1], times);
		const y = noisy(
			states.map(([x]) => x),
			0.05,
			1,
		);
		const model = `param a ~ normal(3, 4)
state x = 1
x' = if(a < 0, a*x, a*x^3*1e9)
measure y ~ normal(x, 0.05)`;
		const { result } = await runBayes(problemOf(model, [experimentOf(times, { y })]), {
			particles: 400,
			substeps: 2,
		});
		expect(result.answered).toBe(true);
		const [{ estimate, sd }] = result.parameters;
		expect(Math.abs(estimate + 0.5)).toBeLessThan(3.5 * sd!);
		const note = result.notes!.find(({ title }) => title.startsWith("The model blows up for"))!;
		expect(Number(/for (\d+) %/.exec(note.title)![1])).toBeGreaterThan(60);
		expect(note.text).toContain("Most of them have a above");
	});

	describe("a rate that is too fast for its steps", () => {
		// All that is seen is that it is fast: every rate from some on is as likely.
		const times = gridTimes(12, 1);
		const relaxed = noisy(
			Array.from(times, (t) => 1 - Math.exp(-6 * t)),
			0.05,
			1,
		);
		const asked = (law: string) =>
			problemOf(`param k ~ ${law}\nstate x = 0\nx' = k*(1 - x)\nmeasure y ~ normal(x, 0.05)`, [
				experimentOf(times, { y: relaxed }),
			]);

		it("is followed all the same, as far as the prior goes", async () => {
			const { run, result } = await runBayes(asked("loguniform(0.1, 1e5)"), { particles: 300 });
			expect(run.settings.stiff).toBe(true);
			expect(result.doubts).toEqual([]);
			const { z, n } = run.pooled();
			const k = naturalValues(run.unknowns, z, n);
			// As flat as the likelihood: as many in each of the last decades.
			const share = (lo: number): number => k.filter((value) => value > lo && value < 10 * lo).length / n;
			for (const lo of [100, 1000, 10_000]) expect(share(lo) / (1 / 4.4)).toBeCloseTo(1, 0);
		});

		it("is said to be cut off by the solver where explicit steps are taken", async () => {
			const { run } = await runBayes(asked("loguniform(0.1, 60)"), { particles: 60 });
			const { model, train } = asked("loguniform(0.1, 1e5)");
			const unknowns = posteriorUnknowns(model, ["record"]);
			const explicit = new Likelihood(model, unknowns, train, { ...run.settings, substeps: 20 }, inline);
			const n = 64;
			const z = Float64Array.from({ length: n }, (_, b) => unknowns[0].prior.toSampled(5 * 6 ** (b / n)));
			expect((await cutOff(explicit, train, { z, n })).map(({ name, side }) => `${name} ${side}`)).toEqual([
				"k above",
			]);
		});

		it("is not where the prior ends before", async () => {
			const { result } = await runBayes(asked("loguniform(0.1, 20)"), { particles: 300 });
			expect(result.doubts.map(({ code }) => code)).not.toContain("cut-off");
		});
	});

	it("follows a ridge to rates that are too fast for 200 steps a sample", async () => {
		// Robertson: what is seen of a tells k2²/k3.
		const times = gridTimes(21, 1);
		const states = simulate(
			(_, [a, b, c]) => [-0.04 * a + 1300 * b * c, 0.04 * a - 1300 * b * c - 4e4 * b * b, 4e4 * b * b],
			[1, 0, 0],
			times,
			2000,
		);
		const y = noisy(
			states.map(([a]) => a),
			0.001,
			3,
		);
		const asked = `param k1 ~ lognormal(log(0.04), 0.3), k2 ~ lognormal(log(1000), 0.3), k3 ~ lognormal(log(30), 0.3)
state a = 1, b = 0, c = 0
a' = -k1*a + k2*b*c
b' = k1*a - k2*b*c - k3*1000*b^2
c' = k3*1000*b^2
measure y ~ normal(a, 0.001)`;
		const { run, result } = await runBayes(problemOf(asked, [experimentOf(times, { y })]), {
			particles: 100,
		});
		expect(run.settings.stiff).toBe(true);
		expect(result.doubts).toEqual([]);
		const [, k2, k3] = result.parameters;
		expect(Math.abs(k2.estimate - 1300)).toBeLessThan(3.5 * k2.sd!);
		expect(Math.abs(k3.estimate - 40)).toBeLessThan(3.5 * k3.sd!);
	});

	it("gives a spread that is not positive weight zero", async () => {
		const spread = text.replace(/param s .*/, "param s ~ normal(0.05, 0.1)");
		const { result } = await runBayes(problemOf(spread, [record(100, 0.1, 5)]), { particles: 300 });
		const s = result.parameters.find(({ name }) => name === "s")!;
		expect(s.lo).toBeGreaterThan(0);
		expect(Math.abs(s.estimate - 0.05)).toBeLessThan(3.5 * s.sd!);
	});

	it("names a posterior with two modes", async () => {
		const times = gridTimes(50, 0.1);
		const y = noisy(
			Array.from(times, (t) => Math.exp(-0.49 * t)),
			0.05,
			1,
		);
		const model = `param a ~ normal(0, 3)
state x = 1
x' = -a^2*x
measure y ~ normal(x, 0.05)`;
		const { result } = await runBayes(problemOf(model, [experimentOf(times, { y })]), { particles: 600 });
		expect(result.doubts.map(({ title }) => title)).toContain("The posterior of a has two modes");
	});

	it("has no answer when everything blows up", async () => {
		const times = gridTimes(40, 0.1);
		const model = `param a ~ lognormal(3, 0.1)
state x = 1
x' = a*x^3*1e9
measure y ~ normal(x, 0.05)`;
		const { result } = await runBayes(problemOf(model, [experimentOf(times, { y: times.slice() })]), {
			particles: 50,
			substeps: 1,
		});
		expect(result.answered).toBe(false);
		expect(result.outcome).toBe("diverged");
	});

	it("notices noise that was declared far too small", async () => {
		const tight = text.replace(/param s .*\n/, "").replace("normal(x, s)", "normal(x, 0.005)");
		const { result } = await runBayes(problemOf(tight, [record(100, 0.1, 5)]), { particles: 200 });
		expect(result.doubts.some(({ title, grave }) => grave && title.startsWith("The residuals of y"))).toBe(
			true,
		);
	});

	it("refuses a missing prior, a spread of 0, and records without the input", async () => {
		const one = record(20, 0.1, 5);
		const refused = async (model: string, experiment = one): Promise<InputError> => {
			const run = async () => runBayes(problemOf(model, [experiment]), { particles: 50 });
			const failure = await run().catch((error) => error);
			expect(failure).toBeInstanceOf(InputError);
			return failure as InputError;
		};
		expect((await refused(text.replace("param c  ~ lognormal(log(0.3), 1)", "param c"))).message).toContain(
			"param c has no distribution",
		);
		expect(
			(await refused(text.replace("normal(x, s)", "normal(x, 0)").replace(/param s .*\n/, ""))).message,
		).toContain("spread");
		expect((await refused(text, { ...one, inputs: new Map() })).message).toContain("input u");
		expect(appliesTo(parseModel(text, "t.ode"))).toEqual({
			applies: true,
			why: "Finds the posterior of c, k, k3, s.",
		});
	});
});

describe("rows without a sample", () => {
	it("have predictions, too, also after the last sample", async () => {
		const times = gridTimes(60, 0.2);
		const record = experimentOf(times, { y: Float64Array.from(times, (t) => Math.exp(-0.3 * t)) });
		const kept = [0, 1, 2, 3, 4, 40, 41, 42, 43, 44];
		const { values, rows } = record.outputs.get("y")!;
		const gap = {
			...record,
			outputs: new Map([
				[
					"y",
					{
						times: Float64Array.from(kept, (i) => times[i]),
						values: Float64Array.from(kept, (i) => values[i]),
						rows: Int32Array.from(kept, (i) => rows[i]),
					},
				],
			]),
		};
		const text = "param k ~ lognormal(log(0.3), 1)\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.01)";
		const { result } = await runBayes(problemOf(text, [gap]), { particles: 100, netcdf: false });
		const at = new Set(result.predictions[0].t);
		expect([...times].filter((t) => !at.has(t))).toEqual([]);
		expect(result.predictions[0].data!.t).toHaveLength(kept.length);
	});
});
