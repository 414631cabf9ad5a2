/** How a launch is cut into jobs for a queue: by what the workers were seen to do, never by less than pays. */
import { describe, expect, test } from "vitest";
import type { Slice } from "../../src/compute/inline.ts";
import { JobRates } from "../../src/compute/node/redis/job-rates.ts";
import { Unsent } from "../../src/compute/node/redis/unsent.ts";
import { KernelBuilder } from "../../src/lower/builder.ts";

const b = new KernelBuilder();
const x = b.buffer("x", "lane", "update");
b.store(x, 0, b.add(b.load(x, 0), b.constant(1)));
const kernel = b.kernel("one");
const perLane = 100;

function unsent(batch: number, rows = 1): Unsent {
	const args = { batch, buffers: [new Float64Array(rows * batch)], scalars: [] };
	return new Unsent(kernel, args, perLane * batch);
}
function all(left: Unsent, perJob: number, threads: number): Slice[] {
	const slices: Slice[] = [];
	for (let next = left.take(perJob, threads); next; next = left.take(perJob, threads)) slices.push(next);
	return slices;
}
const lanes = ({ from, to }: Slice): number => to - from;

describe("jobs", () => {
	test.each([1, 7, 8, 1000, 100_003])("of %i lanes have each lane once", (batch) => {
		for (const threads of [0, 1, 5]) {
			const left = unsent(batch);
			const slices = all(left, 1e5, threads);
			expect(slices[0].from).toBe(0);
			for (const [i, { to }] of slices.entries()) expect(slices[i + 1]?.from ?? batch).toBe(to);
			expect(left.isEmpty).toBe(true);
		}
	});

	test("are as long as they may be at first, and short at the end", () => {
		const slices = all(unsent(100_000), 1e5, 4);
		const sizes = slices.map(lanes);
		expect(sizes[0]).toBe(1000);
		expect(Math.max(...sizes)).toBe(1000);
		expect(sizes.at(-2)).toBeLessThan(200);
		// Little is lost to short ones.
		expect(slices.length).toBeLessThan(130);
	});

	test("are small where lanes are large, and one that comes back goes first", () => {
		const left = unsent(100, 2 ** 20);
		const first = left.take(1e9, 1)!;
		expect(lanes(first)).toBe(8);
		const second = left.take(1e9, 1)!;
		left.giveBack(first);
		expect(left.take(1e9, 1)).toEqual(first);
		expect(left.take(1e9, 1)!.from).toBe(second.to);
	});
});

test("rates follow what jobs tell, and nothing that cannot be", () => {
	const rates = new JobRates();
	const guess = rates.of(kernel);
	for (const seconds of [0, -1, Number.NaN]) rates.note(kernel, 1e9, seconds);
	expect(rates.of(kernel)).toBe(guess);
	for (let i = 0; i < 20; i++) rates.note(kernel, 6e9, 0.1);
	expect(rates.of(kernel)).toBeCloseTo(6e10, -7);
	for (let i = 0; i < 40; i++) rates.note(kernel, 1e9, 1e-300);
	expect(rates.of(kernel)).toBeLessThanOrEqual(1e12);
});
