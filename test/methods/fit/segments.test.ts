/** Records that swing and that no start follows are cut into segments: what made them is found, or it is said that it was not. */
import { describe, expect, test } from "vitest";
import { answer } from "../../../src/methods/fit/answer.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { fitOptions } from "../../../src/methods/fit/options.ts";
import { onlyCut } from "../../../src/methods/fit/starts/starts-compared.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { repeated } from "../../repetitions.ts";
import { fitProblem, modelOf, regularTimes, runFit, simulateRecord } from "./records.ts";

const lorenz = modelOf(`param s in [1, 50], r in [1, 100], b in [0.1, 20]
state x in [-30, 30], y in [-30, 30], z in [0, 60]
x' = s*(y - x)
y' = x*(r - z) - y
z' = x*y - b*z
measure X ~ normal(x, 0.5)`);
const chaotic = (seed: number) =>
	simulateRecord({
		model: lorenz,
		values: { s: 10, r: 28, b: 8 / 3 },
		x0: [-8, 7, 27],
		times: regularTimes(401, 0.02),
		noise: { X: 0.5 },
		seed,
	});

const pendulums = (coupling: string) =>
	modelOf(`param w in [0.1, 30], v in [0.1, 30], k in [0.01, 10], d in [0.001, 1]
state p in [-3, 3], p' in [-5, 5], q in [-3, 3], q' in [-5, 5]
p'' = -w*sin(p) - ${coupling}*(p - q) - d*p'
q'' = -v*sin(q) - ${coupling}*(q - p) - d*q'
measure P ~ normal(p, 0.05)`);
const swinging = (seed: number) =>
	simulateRecord({
		model: pendulums("k"),
		values: { w: 4, v: 2.5, k: 0.6, d: 0.02 },
		x0: [1.5, 0, -0.4, 0],
		times: regularTimes(401, 0.1),
		noise: { P: 0.05 },
		seed,
	});

describe("found by default, from one of several states", () => {
	test.each(repeated([1, 2], [1, 2, 3, 4, 5, 6, 7, 8]))("Lorenz's equations, seed %i", async (seed) => {
		const { outcome, parameters, doubts, notes } = await runFit({
			model: lorenz,
			train: [chaotic(seed)],
			seed,
		});
		expect(outcome).toBe("converged");
		expect(doubts.filter(({ grave }) => grave)).toEqual([]);
		const truth: Record<string, number> = { s: 10, r: 28, b: 8 / 3 };
		// Profiles would fall out of step: intervals are those of the curvature. 99.99 % of each.
		expect(notes!.map(({ code }) => code)).toContain("not-profiled");
		for (const { name, estimate, sd, lo, hi } of parameters) {
			expect([name, lo! < estimate! && estimate! < hi!]).toEqual([name, true]);
			if (name in truth) expect(Math.abs(estimate! - truth[name]) / sd!).toBeLessThan(3.9);
		}
	});

	test("without segments it is not, and that is said", async () => {
		const { doubts } = await runFit({
			model: lorenz,
			train: [chaotic(1)],
			options: { profile: false, segments: false },
		});
		expect(doubts.filter(({ grave }) => grave).map(({ code }) => code)).toContain("poor-fit");
	});

	test("two pendulums that are coupled", async () => {
		const { doubts, parameters } = await runFit({
			model: pendulums("k"),
			train: [swinging(1)],
			options: { profile: false },
		});
		expect(doubts.filter(({ grave }) => grave)).toEqual([]);
		const k = parameters.find(({ name }) => name === "k")!;
		expect(Math.abs(k.estimate! - 0.6) / k.sd!).toBeLessThan(3.9);
	});
});

test("what differs from record to record is told apart, where nothing is known of any of it", async () => {
	const model = modelOf(`param w, v[record], k, d
state p, p', q, q'
p'' = -w*sin(p) - k*(p - q) - d*p'
q'' = -v*sin(q) - k*(q - p) - d*q'
measure P ~ normal(p, 0.05)`);
	const own = [2.5, 3.4];
	const train = own.map((v, i) =>
		simulateRecord({
			model: pendulums("k"),
			values: { w: 4, v, k: 0.6, d: 0.02 },
			x0: [1.5, 0, -0.4, 0],
			times: regularTimes(301, 0.1),
			noise: { P: 0.05 },
			seed: i + 1,
			name: `rig-${i}`,
		}),
	);
	const run = new FitRun(fitProblem({ model, train }), { ...defaultOptions(fitOptions), profile: false });
	let wasCut = false;
	while (!(await run.advance()).done) wasCut ||= run.phase === "segments";
	expect(wasCut).toBe(true);
	expect(onlyCut(run)).toBe(true);
	const { parameters, doubts } = await answer(run);
	expect(doubts.filter(({ grave }) => grave)).toEqual([]);
	for (const [i, v] of own.entries()) {
		const { estimate, sd } = parameters.find(({ name }) => name === `v of rig-${i}`)!;
		expect(Math.abs(estimate! - v) / sd!).toBeLessThan(3.9);
	}
});

test("equations that are not those of the record are doubted as before", async () => {
	const { doubts } = await runFit({
		model: pendulums("0*k"),
		train: [swinging(1)],
		options: { profile: false },
	});
	expect(doubts.some(({ grave, code }) => grave && code === "dependent-residuals")).toBe(true);
});

test("a run that is saved while records are cut goes on to the same bits", async () => {
	const setup = { model: pendulums("k"), train: [swinging(2)] };
	const options = { ...defaultOptions(fitOptions), profile: false };
	const through = new FitRun(fitProblem(setup), options);
	let saved: Uint8Array | undefined;
	for (let inside = 0; !(await through.advance()).done; ) {
		if (through.phase === "segments" && ++inside === 9) saved = fit.save(through as never);
	}
	expect(saved).toBeDefined();
	const resumed = (await fit.load(fitProblem(setup), options, saved!)) as unknown as FitRun;
	expect(resumed.phase).toBe("segments");
	while (!(await resumed.advance()).done);
	expect([...resumed.best]).toEqual([...through.best]);
	expect(resumed.evaluations).toBe(through.evaluations);
});
