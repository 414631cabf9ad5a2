import { describe, expect, test } from "vitest";
import { Pace, type Way } from "../../src/compute/node/pace.ts";
import type { Kernel } from "../../src/lower/ir.ts";

const kernel: Kernel = { name: "k", buffers: [], scalars: [], variables: [], body: [] };

/** Launches of a million operations that take so long on each way: how often each was chosen of the last hundred. */
function chosen(pace: Pace, cost: Record<Way, number>): Record<Way, number> {
	const count = { inline: 0, threads: 0 };
	for (let i = 0; i < 200; i++) {
		const way = pace.choose(kernel, 1e6);
		pace.note(kernel, way, 1e6, cost[way]);
		if (i >= 100) count[way]++;
	}
	return count;
}

describe("threads or not", () => {
	test("takes the faster way and tries the other now and then", () => {
		const pace = new Pace();
		expect(chosen(pace, { inline: 2, threads: 1.1 }).threads).toBeGreaterThan(90);
		const busy = chosen(pace, { inline: 2, threads: 9 });
		expect(busy.inline).toBeGreaterThan(90);
		expect(busy.threads).toBeGreaterThan(0);
		expect(chosen(pace, { inline: 2, threads: 0.1 }).threads).toBeGreaterThan(50);
	});

	test("long launches have threads in any case", () => {
		const pace = new Pace();
		chosen(pace, { inline: 1, threads: 9 });
		expect(pace.choose(kernel, 1e9)).toBe("threads");
	});
});
