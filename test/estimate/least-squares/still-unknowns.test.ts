/** Unknowns that only outputs see are fitted to each motion without a simulation. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { type Estimation, estimationOf } from "../../../src/estimate/forward/estimation.ts";
import { forwardOf } from "../../../src/estimate/forward/forward-of.ts";
import { mostTimes, upTo } from "../../../src/estimate/forward/horizon.ts";
import { looks } from "../../../src/estimate/least-squares/still-unknowns.ts";
import { misfits } from "../../../src/estimate/observe/likelihood.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

const truth = { k: 0.7, gain: 30, base: 2 };
const model = parseModel(
	"param k in [0.01, 10]\nparam gain in [1e-3, 1e4]\nparam base in [1e-3, 1e4]\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(gain*x + base, 0.1)",
	"decay.ode",
);
const t = Array.from({ length: 20 }, (_, i) => i / 4);
const { table } = record({ t, y: t.map((each) => truth.gain * Math.exp(-truth.k * each) + truth.base) });
const experiment = experimentOf(table, { name: "decay", time: "t" }, model, ["y"]);
const estimation = estimationOf(model, [experiment], {}, inline);
const problemOf = ({ unknowns, observations }: Estimation) => ({
	unknowns,
	observations,
	forward: forwardOf({ ...estimation, observations }, { kind: "adaptive", rtol: 1e-9 }),
});

describe("a look", () => {
	const problem = problemOf(estimation);
	const z = Float64Array.from(estimation.unknowns, ({ name }) => Math.log(name === "k" ? truth.k : 0.01));

	test("knows which unknowns move no state", () => {
		const names = problem.forward.still!.unknowns.map((j) => estimation.unknowns[j].name);
		expect(names.sort()).toEqual(["base", "gain"]);
	});

	test("fits them to the motion, and leaves the others", async () => {
		const [look] = await looks(problem, [z]);
		const found = Object.fromEntries(
			estimation.unknowns.map(({ name }, j) => [name, Math.exp(look.z[j])]),
		) as typeof truth;
		expect(found.k).toBe(Math.exp(Math.log(truth.k)));
		expect(found.gain).toBeCloseTo(truth.gain, 4);
		expect(found.base).toBeCloseTo(truth.base, 4);
	});

	test("has the cost that a simulation has there", async () => {
		const off = z.map((value, j) => (estimation.unknowns[j].name === "k" ? Math.log(1.1) : value));
		const [look] = await looks(problem, [off]);
		const [told] = await misfits(problem, [look.z]);
		expect(look.cost / told.cost).toBeCloseTo(1, 6);
		// The gradient by what was fitted is gone.
		const n = estimation.unknowns.length;
		for (const j of problem.forward.still!.unknowns) {
			let slope = 0;
			let size = 0;
			told.residual.forEach((each, i) => {
				slope += told.jacobian[i * n + j] * each;
				size += Math.abs(told.jacobian[i * n + j] * each);
			});
			expect(Math.abs(slope)).toBeLessThan(1e-3 * size);
		}
	});
});

describe("the first part of the records", () => {
	test("holds the first times, and one at least", () => {
		expect(mostTimes(estimation)).toBe(20);
		expect([...upTo(estimation, 0.25).observations.grids[0].times]).toEqual(t.slice(0, 5));
		expect(upTo(estimation, 0.001).observations.nObservations).toBe(1);
		expect(upTo(estimation, 1)).toBe(estimation);
	});

	test("is simulated as the whole is", async () => {
		const point = Float64Array.from(estimation.unknowns, ({ name }) => truth[name as keyof typeof truth]);
		const part = upTo(estimation, 0.5);
		const { forward } = problemOf(part);
		const [[some], [all]] = await Promise.all([
			forward.evaluate([point], false),
			problemOf(estimation).forward.evaluate([point], false),
		]);
		expect(some.value).toHaveLength(10);
		some.value.forEach((value, i) => {
			expect(value).toBeCloseTo(all.value[i], 6);
		});
	});
});
