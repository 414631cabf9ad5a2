import { afterEach, describe, expect, test, vi } from "vitest";
import { StackShift } from "../../src/compute/stack-shift.ts";

/** Runs blocks on a clock of its own; `cost` is what a block takes either way. Returns the blocks done each way, in order. */
function run(shift: StackShift, blocks: number, cost: readonly [number, number]) {
	let now = 0;
	vi.spyOn(performance, "now").mockImplementation(() => now);
	const done: number[] = [];
	const counts = [0, 0];
	shift.run(blocks, (from, to, extra) => {
		for (let i = from; i < to; i++) done.push(i);
		counts[extra.length] += to - from;
		now += (to - from) * cost[extra.length];
	});
	return { done, counts };
}
afterEach(() => vi.restoreAllMocks());

describe("a frame's place on the stack", () => {
	test("every block is done once, in order", () => {
		const shift = new StackShift();
		for (const blocks of [1, 5, 7, 1000]) {
			const { done } = run(shift, blocks, [1, 2]);
			expect(done).toEqual(Array.from({ length: blocks }, (_, i) => i));
		}
	});

	test("is the one that is faster, tried anew now and then", () => {
		for (const better of [0, 1]) {
			const shift = new StackShift();
			const cost: [number, number] = better === 0 ? [1, 1.3] : [1.3, 1];
			expect(run(shift, 2000, cost).counts[better]).toBeGreaterThan(1950);
			// A caller is optimised, and the other one is better from then on.
			const { counts } = run(shift, 4000, [cost[1], cost[0]]);
			expect(counts[1 - better]).toBeGreaterThan(3400);
		}
	});

	test("is found over many small launches, too", () => {
		const shift = new StackShift();
		const counts = [0, 0];
		for (let i = 0; i < 1000; i++)
			for (const [way, blocks] of run(shift, 1, [1.2, 1]).counts.entries()) counts[way] += blocks;
		expect(counts[1]).toBeGreaterThan(950);
	});
});
