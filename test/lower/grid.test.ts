import { describe, expect, test } from "vitest";
import { formulaSignal, signalFrom } from "../../src/data/signal/signal.ts";
import { planGrid } from "../../src/lower/kernels/grid.ts";

const times = (n: number, step = 1): Float64Array => Float64Array.from({ length: n }, (_, i) => i * step);

describe("a grid", () => {
	test("has its steps between samples and says when to write", () => {
		const grid = planGrid(times(4), 0, { substeps: 2 }, []);
		expect([...grid.t]).toEqual([0, 0.5, 1, 1.5, 2, 2.5]);
		expect([...grid.h]).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
		expect([...grid.emit]).toEqual([0, -1, 1, -1, 2, -1, 3]);
	});

	test("begins before the first sample when the initial time does", () => {
		const grid = planGrid(
			times(2).map((t) => t + 1),
			0.5,
			{ maxStep: 0.3 },
			[],
		);
		expect(grid.nSteps).toBe(2 + 4);
		expect([...grid.emit]).toEqual([-1, -1, 0, -1, -1, -1, 1]);
		expect(grid.t[0]).toBe(0.5);
		expect(grid.t[5] + grid.h[5]).toBeCloseTo(2, 14);
	});

	test("has more steps in a gap, and not where instants were rounded", () => {
		const uneven = Float64Array.of(0, 1, 2.1, 3, 8);
		const { h, emit } = planGrid(uneven, 0, { substeps: 2, usual: 1 }, []);
		expect(h.length).toBe(2 + 2 + 2 + 10);
		expect([...emit].flatMap((sample, step) => (sample >= 0 ? [step] : []))).toEqual([0, 2, 4, 6, 16]);
		expect(h[15]).toBe(0.5);
	});

	test("sees a held input from inside each step", () => {
		const signal = signalFrom(times(4), Float64Array.of(5, 6, 7, 8), "zoh");
		const grid = planGrid(times(4), 0, { substeps: 2 }, [signal]);
		// Nodes 0, 1/2 and 1 of each step: a jump at the end of a step is not seen in it.
		expect([...grid.u]).toEqual([5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7]);
		expect([...grid.sampleU]).toEqual([5, 6, 7, 8]);
	});

	test("cuts where inputs jump, and only there", () => {
		const signal = signalFrom(Float64Array.of(0, 0.25, 1.5, 3), Float64Array.of(1, 2, 3, 4), "zoh");
		const grid = planGrid(times(4), 0, { substeps: 2 }, [signal, formulaSignal((t) => t)]);
		expect([...grid.t]).toEqual([0, 0.25, 0.625, 1, 1.5, 2, 2.5]);
		expect([...grid.emit]).toEqual([0, -1, -1, 1, -1, 2, -1, 3]);
		for (let step = 0; step < grid.nSteps; step++) {
			const held = [0, 1, 2].map((node) => grid.u[(step * 3 + node) * 2]);
			expect(new Set(held).size).toBe(1);
			expect(held[0]).toBe(signal.at(grid.t[step] + grid.h[step] / 2));
			for (const node of [0, 1, 2])
				expect(grid.u[(step * 3 + node) * 2 + 1]).toBeCloseTo(grid.t[step] + (node / 2) * grid.h[step], 14);
		}
		expect([...grid.sampleU]).toEqual([1, 0, 2, 1, 3, 2, 4, 3]);
	});

	test("takes knots that miss a sample by a rounding error for the sample", () => {
		const steps = 30;
		const exact = times(steps + 1, 0.1);
		const early = signalFrom(
			exact.map((t) => t * (1 - 1e-15)),
			exact.map((_, i) => i),
			"zoh",
		);
		const late = signalFrom(
			exact.map((t) => t * (1 + 1e-15)),
			exact.map((_, i) => i),
			"zoh",
		);
		const grid = planGrid(exact, 0, { substeps: 3 }, [early, late]);
		expect(grid.nSteps).toBe(3 * steps);
		for (let step = 0; step < grid.nSteps; step++)
			for (let i = 0; i < 6; i++) expect(grid.u[step * 6 + i]).toBe(Math.floor(step / 3));
	});

	test("samples smooth inputs the same in bulk and one by one", () => {
		const values = Float64Array.from({ length: 20 }, (_, i) => Math.sin(i) + 0.1 * i);
		for (const kind of ["linear", "cubic", "sinc"] as const) {
			const signal = signalFrom(times(20), values, kind);
			const bulk = planGrid(times(20), 0, { substeps: 4 }, [signal]);
			const single = planGrid(times(20), 0, { substeps: 4 }, [
				{ at: (t, side) => signal.at(t, side), knots: signal.knots },
			]);
			expect(bulk.nSteps).toBe(single.nSteps);
			for (let i = 0; i < bulk.u.length; i++) expect(bulk.u[i]).toBeCloseTo(single.u[i], 12);
		}
	});

	test("refuses to begin after the first sample", () => {
		expect(() => planGrid(times(3), 0.5, { substeps: 1 }, [])).toThrow("initial time");
	});
});
