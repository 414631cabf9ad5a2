/** The batch kernel gives what the representation gives, whatever the form: gates, triangular, closures, chains. */
import { describe, expect, it } from "vitest";
import { chunkArguments, combineChunks } from "../../../bench/scan/chunks.ts";
import { streamedArguments } from "../../../papers/periodic/streamed/streamed-arguments.ts";
import { canStream, chunkKernel, streamedKernel } from "../../../papers/periodic/streamed/streamed-kernel.ts";
import { inline, runInline } from "../../../src/compute/inline.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { shareExponentials } from "../../../src/methods/periodic/form/shared-exponentials.ts";
import { evaluateBatch, kernelFor } from "../../../src/methods/periodic/observer/batch.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import { questionOf } from "../../../src/methods/periodic/question.ts";
import { evaluate } from "../../../src/model/evaluate.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { topological } from "../../../src/model/walk.ts";
import { stream } from "../../../src/num/random.ts";
import { oscillators, problemFor } from "./oscillators.ts";

const batch = 7;

describe("many λ at once", () => {
	it.each(["morrisLecar", "predatorPrey", "hodgkinHuxley", "goodwin", "roessler", "fitzHughNagumo"] as const)(
		"%s",
		async (name) => {
			const { truth } = oscillators[name];
			const options = { ...defaultOptions(periodic.options), intervals: 150, nodes: 3 };
			const { coarse, record, unknowns } = questionOf(
				problemFor(oscillators[name], truth, { samplesPerPeriod: 200 }),
				options,
			);
			const rep = coarse(record.series.c, record.series.omega);
			const random = stream(2, name);
			const known: Readonly<Record<string, number>> = truth;
			const lambda = Float64Array.from({ length: unknowns.length * batch }, (_, i) => {
				const { name: unknown } = unknowns[Math.floor(i / batch)];
				return (known[unknown] ?? 0.25) * (1 + 0.1 * (random.uniform(i) - 0.5));
			});
			const found = await evaluateBatch(inline, rep, lambda);
			for (let b = 0; b < batch; b++) {
				const own = Float64Array.from(unknowns, (_, i) => lambda[i * batch + b]);
				const expected = rep.evaluate(own, false)!;
				const size = Math.max(...rep.y.starts.map(Math.abs));
				let sse = 0;
				expected.y.forEach((y, k) => {
					expect(Math.abs(found.yhat[k * batch + b] - y) / size).toBeLessThan(1e-10);
					sse += (y - rep.y.starts[k]) ** 2;
				});
				expect(found.sse[b] / sse).toBeCloseTo(1, 6);
				expected.R.forEach((value, a) => {
					expect(found.R[a * batch + b]).toBeCloseTo(value, 6);
				});
				expected.hidden.forEach((value, i) => {
					expect(found.q0[i * batch + b]).toBeCloseTo(value, 8);
				});
			}
		},
		180_000,
	);
	it("van der Pol, which has nothing to search for, needs no batch", () => {
		const { coarse, record } = questionOf(
			problemFor(oscillators.vanDerPol, {}),
			defaultOptions(periodic.options),
		);
		expect(coarse(record.series.c, record.series.omega).nUnknowns).toBe(0);
	});
	it("is one kernel for one form", () => {
		const { coarse, record } = questionOf(
			problemFor(oscillators.roessler, {}),
			defaultOptions(periodic.options),
		);
		const represent = () => coarse(record.series.c, record.series.omega);
		expect(kernelFor(represent())).toBe(kernelFor(represent()));
	});
});

describe("without memory a lane", () => {
	const { truth } = oscillators.morrisLecar;
	const prepared = (intervals: number, nodes: number) => {
		const options = { ...defaultOptions(periodic.options), intervals, nodes };
		const question = questionOf(
			problemFor(oscillators.morrisLecar, truth, { samplesPerPeriod: 200 }),
			options,
		);
		const { coarse, record, unknowns, form } = question;
		const rep = coarse(record.series.c, record.series.omega);
		const random = stream(4, "streamed");
		const known: Readonly<Record<string, number>> = truth;
		const lambda = Float64Array.from({ length: unknowns.length * batch }, (_, i) => {
			const { name } = unknowns[Math.floor(i / batch)];
			return known[name] * (1 + 0.1 * (random.uniform(i) - 0.5));
		});
		const lane = (b: number): Float64Array => Float64Array.from(unknowns, (_, i) => lambda[i * batch + b]);
		const expected = (b: number) => {
			const found = rep.evaluate(lane(b), false)!;
			return { ...found, sse: found.y.reduce((sum, y, k) => sum + (y - rep.y.starts[k]) ** 2, 0) };
		};
		return { form, rep, lambda, lane, expected, rule: rep.grid.rule };
	};
	it("is for forms that are affine in independent hidden states", () => {
		const streams = (name: keyof typeof oscillators): boolean =>
			canStream(
				questionOf(
					problemFor(oscillators[name], {}, { samplesPerPeriod: 200 }),
					defaultOptions(periodic.options),
				).form,
			);
		expect(streams("morrisLecar")).toBe(true);
		expect(streams("hodgkinHuxley")).toBe(false);
		expect(streams("goodwin")).toBe(false);
		expect(streams("predatorPrey")).toBe(false);
	});
	it.each([
		[150, 3, 1e-9],
		[4000, 1, 1e-4],
	])(
		"one λ a lane, %i intervals with %i nodes: sum of squares, R and q(0)",
		(intervals, nodes, tolerance) => {
			const { form, rep, lambda, expected, rule } = prepared(intervals, nodes);
			const launch = streamedArguments(rep, lambda, expected(0).R);
			runInline(streamedKernel(form, rule), launch);
			for (let b = 0; b < batch; b++) {
				const { sse, R, hidden } = expected(b);
				expect(Math.abs(launch.buffers.sse[b] / sse - 1)).toBeLessThan(tolerance);
				R.forEach((value, a) => {
					expect(Math.abs(launch.buffers.R[a * batch + b] - value)).toBeLessThan(tolerance * 100);
				});
				expect(Math.abs(launch.buffers.q0[b] - hidden[0])).toBeLessThan(tolerance);
			}
		},
	);
	it.each([1, 6, 25])("one λ over %i lanes, joined: the same", (chunks) => {
		const { form, rep, lane, expected, rule } = prepared(150, 3);
		const { launch, data } = chunkArguments(rep, lane(2), chunks);
		runInline(chunkKernel(form, rule), launch);
		const { sse, R, q0 } = combineChunks(data, launch.buffers.maps, launch.buffers.sums, 1);
		const known = expected(2);
		expect(Math.abs(sse / known.sse - 1)).toBeLessThan(1e-9);
		expect([...R]).toEqual([...known.R].map((value) => expect.closeTo(value, 8)));
		expect(q0[0]).toBeCloseTo(known.hidden[0], 10);
	});
});

describe("shared exponentials", () => {
	it("tanh u and cosh u/2 become powers of one exponential, with the same values", () => {
		const model = parseModel(
			"param a\nstate x\nx' = tanh((x + a)/3) + cosh((x + a)/6)*x - sinh(-(x + a)/6)\nmeasure y = x\n",
			"m.ode",
		);
		const [shared] = shareExponentials(model.graph, model.rhs);
		const functions = topological([shared]).filter(({ op }) => ["exp", "tanh", "cosh", "sinh"].includes(op));
		expect(functions.map(({ op }) => op)).toEqual(["exp"]);
		for (const x of [-40, -3, -0.2, 0, 1.7, 25]) {
			const at = (symbol: string): number => (symbol === "x" ? x : 0.4);
			const expected = evaluate(model.rhs[0], at);
			expect(Math.abs(evaluate(shared, at) - expected)).toBeLessThan(4e-15 * Math.max(1, Math.abs(expected)));
		}
	});
});
