/** Breaths are taken one at a time, also by launches side by side: a host need not know how to have two. */
import { expect, test } from "vitest";
import { breathing, Interrupted } from "../../src/compute/breathing.ts";
import type { Compute, Launch } from "../../src/compute/compute.ts";
import type { Kernel } from "../../src/lower/ir.ts";

const place: Compute = { name: "nowhere", run: async () => {} };
const launch = {} as Launch;
const kernel = {} as Kernel;
const pause = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => {
		setTimeout(resolve, milliseconds);
	});

test("launches side by side take one breath, and none waits for ever", async () => {
	let now = 0;
	let most = 0;
	let taken = 0;
	const compute = breathing(place, async () => {
		most = Math.max(most, ++now);
		taken++;
		await compute.breathe!();
		await pause(5);
		now--;
	});
	await pause(120);
	await Promise.all([1, 2, 3].map(() => compute.run(kernel, launch)));
	expect({ most, taken }).toEqual({ most: 1, taken: 1 });
	await pause(120);
	await compute.breathe!();
	expect(taken).toBe(2);
});

test("a breath that ends the work lets the next one be taken", async () => {
	let taken = 0;
	const compute = breathing(place, async () => {
		if (++taken === 1) throw new Interrupted();
	});
	await pause(120);
	await expect(compute.run(kernel, launch)).rejects.toThrow(Interrupted);
	await pause(120);
	await compute.run(kernel, launch);
	expect(taken).toBe(2);
});
