/** A fixed slice of random studies: each method that applies begins, with kernels that give the same bits on two places. */
import { afterAll, describe, expect, test } from "vitest";
import { firstSteps } from "./first-steps.ts";
import { both, javascript, wasm } from "./places.ts";
import { randomStudy } from "./studies.ts";

const chunks = 14;
const perChunk = 145;
/** WebAssembly takes long to compile: it is held against JavaScript now and then. */
const comparedEvery = 12;

describe(`${chunks * perChunk} random studies`, () => {
	const begun = new Map<string, number>();

	test.each(Array.from({ length: chunks }, (_, i) => 1 + perChunk * i))("from seed %i", async (from) => {
		const bugs: string[] = [];
		for (let seed = from; seed < from + perChunk; seed++) {
			const random = randomStudy(seed, true);
			const place = seed % comparedEvery === 0 ? both(javascript, wasm) : javascript;
			for (const { method, ended, why } of await firstSteps(random, place)) {
				if (ended === "begun") begun.set(method, (begun.get(method) ?? 0) + 1);
				if (ended === "bug") bugs.push(`seed ${seed}, ${method}: ${why}\n${random.files["model.ode"]}`);
			}
		}
		expect(bugs).toEqual([]);
	});

	// What is not begun is not tested: the generator must not drift away from a method. Others refuse what they do not take.
	afterAll(() => {
		for (const [method, least] of Object.entries({
			fit: 1000,
			inversion: 400,
			bayes: 130,
			guaranteed: 170,
			kriging: 130,
			periodic: 100,
		}))
			expect(begun.get(method) ?? 0, method).toBeGreaterThanOrEqual(least);
	});
});
