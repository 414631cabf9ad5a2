/** The paper's multistep integrator goes on from the samples about as well as a solver, if its step is short enough. */
import { expect, test } from "vitest";
import { paperExample } from "../../papers/kriging/paper-example.ts";
import { trial } from "../../papers/kriging/trial.ts";
import { inline } from "../../src/compute/inline.ts";
import { krigingOptions } from "../../src/methods/kriging/options.ts";
import { defaultOptions } from "../../src/methods/options.ts";

test.each([
	["solver", 0.08],
	["paper", 0.08],
] as const)(
	"%s",
	async (integrator, bound) => {
		const options = { ...defaultOptions(krigingOptions), errors: "joint" as const };
		const { windows, x, sd } = await trial(paperExample(0.01), options, integrator, 1, inline);
		expect(x.length).toBe(sd.length);
		for (const error of windows) expect(error).toBeLessThan(bound);
	},
	180_000,
);
