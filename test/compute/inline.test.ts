import { describe, expect, test } from "vitest";
import { inline, runInline } from "../../src/compute/inline.ts";
import { integrateBatch, integrateBatchInline } from "../../src/compute/integrate-batch.ts";
import { piecesOf } from "../../src/compute/pieces.ts";
import { batchFor, differences, gridFor, runJs } from "../lower/support/batch.ts";
import { duffing, kernelOf } from "../lower/support/models.ts";

const model = duffing();
const kernel = kernelOf(model, ["k", "x"]);
const sizes = { nStates: 2, nOutputs: 2, nSens: 2 };

describe("inline", () => {
	test.each([1, 2, 3, 5, 8, 13, 64, 129])("a batch of %i lanes", async (batch) => {
		const grid = gridFor(model, 31);
		const buffers = batchFor(model, grid, batch, 2);
		const expected = runJs(kernel, batch, buffers, [grid.nSteps]);
		const { params, x0 } = buffers;
		const got = await integrateBatch(inline, kernel, grid, { batch, params, x0 }, sizes);
		for (const name of ["y", "dy", "xEnd", "sEnd"] as const) expect(got[name]).toEqual(expected[name]);
		expect(integrateBatchInline(kernel, grid, { batch, params, x0 }, sizes)).toEqual(got);
	});

	test("does not depend on how a batch is cut", () => {
		const grid = gridFor(model, 301, 1);
		const batch = 299;
		const whole = batchFor(model, grid, batch, 2);
		const input = { batch, params: whole.params, x0: whole.x0 };
		const together = integrateBatchInline(kernel, grid, input, sizes);
		// In slabs of a few lanes and of many, the last of them not full.
		for (const slabBytes of [1, 1 << 18, 1 << 21]) {
			const buffers = batchFor(model, grid, batch, 2);
			runInline(kernel, { batch, buffers, scalars: { nSteps: grid.nSteps } }, slabBytes);
			expect(buffers.y).toEqual(together.y);
			expect(buffers.sEnd).toEqual(together.sEnd);
		}
		for (const lane of [0, 7, 31, 298]) {
			const own = (columns: Float64Array): Float64Array => columns.filter((_, i) => i % batch === lane);
			const alone = integrateBatchInline(
				kernel,
				grid,
				{ batch: 1, params: own(whole.params), x0: own(whole.x0) },
				sizes,
			);
			expect(alone.y).toEqual(own(together.y));
			expect(alone.dy).toEqual(own(together.dy));
		}
	});

	test("gives the same bits in pieces of the steps, where results are large", () => {
		const plain = kernelOf(model);
		const grid = gridFor(model, 1200, 1);
		const batch = 75;
		const scalars = [grid.nSteps];
		expect(piecesOf(plain, 80, scalars).length).toBeGreaterThan(10);
		expect(piecesOf(plain, 8, scalars)).toHaveLength(1);
		expect(piecesOf(kernel, 80, scalars)).toHaveLength(1);
		const buffers = batchFor(model, grid, batch, 0);
		const expected = runJs(plain, batch, buffers, scalars);
		runInline(plain, { batch, buffers, scalars: { nSteps: grid.nSteps } });
		expect(differences(plain, buffers, expected)).toEqual([]);
	});

	test("runs records of any length with the same instance", () => {
		for (const nSamples of [3, 3000, 30]) {
			const grid = gridFor(model, nSamples, 1);
			const buffers = batchFor(model, grid, 4, 2);
			const expected = runJs(kernel, 4, buffers, [grid.nSteps]);
			runInline(kernel, { batch: 4, buffers, scalars: { nSteps: grid.nSteps } });
			expect(buffers.y).toEqual(expected.y);
		}
	});

	test("refuses a launch that does not fit the kernel", () => {
		const grid = gridFor(model, 3);
		const buffers = batchFor(model, grid, 4, 2);
		const scalars = { nSteps: grid.nSteps };
		const { y: _, ...missing } = buffers;
		expect(() => runInline(kernel, { batch: 4, buffers: missing, scalars })).toThrow("buffer y");
		expect(() => runInline(kernel, { batch: 3, buffers, scalars })).toThrow("whole lanes");
		expect(() => runInline(kernel, { batch: 4, buffers })).toThrow("scalar nSteps");
		expect(() => runInline(kernel, { batch: 0, buffers, scalars })).toThrow("lanes");
	});
});
