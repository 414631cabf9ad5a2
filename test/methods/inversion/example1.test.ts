/** Example 1 of the paper on fixed data: the whole method against numbers of another implementation. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { inversion } from "../../../src/methods/inversion/inversion.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

interface Reference {
	/** Rows 1, c2, c3; a column for each experiment. */
	readonly C: number[][];
	/** For each experiment: x at 0, 1, … 10, then y. */
	readonly data: number[][];
	readonly fullFit: { readonly a: number[]; readonly SSE: number };
	/** A by columns: the eight parameters of the term 1, then of c2, then of c3. */
	readonly trueSupportFit: {
		readonly mask: boolean[];
		readonly a: number[];
		readonly se: (number | null)[];
		readonly residualSdDof: number;
	};
}
const reference = JSON.parse(
	readFileSync(new URL("./reference/example1.json", import.meta.url), "utf8"),
) as Reference;

const params = Array.from({ length: 8 }, (_, i) => `p${i + 1}`);
const model = parseModel(
	`condition c2, c3
param ${params.map((name) => `${name}(1, c2, c3)`).join(", ")}
state x = p7, y = p8
x' = p1 + p2*x + p3*y
y' = p4 + p5*x + p6*y
measure xm ~ normal(x, 0.1)
measure ym ~ normal(y, 0.1)`,
	"operating-conditions.ode",
);

const times = Float64Array.from({ length: 11 }, (_, i) => i);
const rows = Int32Array.from(times.keys());
const train = reference.data.map((values, e): Experiment => {
	const series = (from: number) => ({
		times,
		values: Float64Array.from(values.slice(from, from + 11)),
		rows,
	});
	return {
		name: `run${e}`,
		times,
		rows: { from: 0, to: 11 },
		inputs: new Map(),
		outputs: new Map([
			["xm", series(0)],
			["ym", series(11)],
		]),
		conditions: { c2: reference.C[1][e], c3: reference.C[2][e] },
		removed: {},
	};
});

async function runToEnd() {
	const problem = { model, train, test: [], start: {}, seed: 1, compute: inline };
	const run = await inversion.prepare(problem, defaultOptions(inversion.options));
	while (!(await inversion.advance(run)).done);
	return inversion.result(run);
}

describe("example 1", () => {
	test("the structure is found, and its weights are those of the fit on the true support", async () => {
		const result = await runToEnd();
		expect(result.answered).toBe(true);
		const kept = result.summary.terms as { of: string; term: string; weight: number; sd: number }[];
		const expected = new Map<string, { weight: number; sd: number }>();
		["1", "c2", "c3"].forEach((term, column) => {
			params.forEach((name, row) => {
				const at = column * 8 + row;
				if (reference.trueSupportFit.mask[at])
					expected.set(`${name} ${term}`, {
						weight: reference.trueSupportFit.a[at],
						sd: reference.trueSupportFit.se[at]!,
					});
			});
		});
		expect(kept.map(({ of, term }) => `${of} ${term}`).sort()).toEqual([...expected.keys()].sort());
		for (const { of, term, weight, sd } of kept) {
			const { weight: truth, sd: se } = expected.get(`${of} ${term}`)!;
			// The reference integrates with 10 steps a sample, the method with as many as its check asks for.
			expect(Math.abs(weight - truth) / se).toBeLessThan(0.02);
			// Errors go by the declared noise of 0.1; the reference takes the residuals' own.
			expect(sd / se).toBeCloseTo(0.1 / reference.trueSupportFit.residualSdDof, 2);
		}
	});
});
