/** Fits that follow from a linearised problem: as good as fits of the model itself, but for what the departure of the simulation allows. */
import { describe, expect, test } from "vitest";
import { recordsCut } from "../../../src/methods/inversion/descent/cutting.ts";
import { Descent } from "../../../src/methods/inversion/descent/descent.ts";
import { FitStarts } from "../../../src/methods/inversion/descent/fit-starts.ts";
import { sumOfSquares } from "../../../src/methods/inversion/forward/linearisation.ts";
import { inversionOptions } from "../../../src/methods/inversion/options.ts";
import { Workspace } from "../../../src/methods/inversion/workspace.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { problemOf, record } from "./setup.ts";

const source = {
	text: `param a, b, c, d, s
state x, y
x' = a*y
y' = b*x + c*y + d*x^2*y
measure xm ~ normal(x, s)
measure ym ~ normal(y, s)`,
	truth: { a: 1, b: -1, c: 1, d: -1 },
	initial: [2, 0],
	outputs: ["xm", "ym"],
	until: 10,
	step: 0.1,
	sd: 0.02,
};
const limits = { tolerance: 0, maxIterations: 60, quick: true };

describe.each(["whole", "in segments"])("a record %s", (how) => {
	test.each([0.5, 2, 8])(
		"an unknown held %d errors off: no fit is better by more than the departure",
		async (errors) => {
			const problem = problemOf(parseModel(source.text, "vdp.ode"), await record(source));
			const work = new Workspace(problem, defaultOptions(inversionOptions));
			const { noise } = new FitStarts(work);
			const weighted =
				how === "whole"
					? work.weighted(8, noise)
					: work.inSegments(8, noise, recordsCut(work.setting, work.smooth!)!, 30);
			const all = [...Array(work.nUnknowns).keys()];
			const start = work.startPoint();
			start.set(Object.values(source.truth));
			const best = await new Descent(weighted, all, start, limits).run();
			const linear = (await best.linear())!;
			// How far the weight moves for so many standard errors: along the triangle, its last column is its own.
			const held = 3;
			const order = [...all.filter((u) => u !== held), held];
			const { system } = linear.fitOf(order, linear.point);
			const n = order.length;
			const error = noise.scale / Math.abs(system.triangle[n * n - 1]);
			const target = linear.point.slice();
			target[held] += errors * error;
			const others = order.slice(0, -1);
			const { point } = linear.fitOf(others, target);
			expect(point[held]).toBe(target[held]);
			const [there] = await weighted.forward.evaluate([point], false);
			const { squares, linear: said } = linear.departure(there, point);
			// A weight that is held k errors off costs k² variances, in the linearised problem.
			expect((said - best.sse) / (noise.scale * noise.scale)).toBeCloseTo(errors * errors, 3);
			const fitted = await new Descent(weighted, others, point, limits).run();
			const gained = sumOfSquares(weighted, there) - fitted.sse;
			expect(squares).toBeGreaterThan(0);
			expect(gained).toBeGreaterThanOrEqual(-1e-12 * fitted.sse);
			// Derivatives are not quite the same there.
			expect(gained).toBeLessThanOrEqual(1.5 * squares);
		},
	);
});
