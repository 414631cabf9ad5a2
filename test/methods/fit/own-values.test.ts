/** `param k[record]`: a value of its own in each record, beside what all share. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { runOf } from "../../../src/methods/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";

const text = `param k[record], c
state x, v
x' = v
v' = -k*x - c*v
measure y ~ normal(x, 0.02)
`;
const rates = [1, 2.5, 4, 6];
const t = Array.from({ length: 81 }, (_, i) => i / 10);

/** Of x'' = -k x - c x' from (1, 0), with c = 0.3. */
function samples(k: number, seed: number): number[] {
	const random = stream(seed, "rigs");
	const w = Math.sqrt(k - 0.0225);
	return t.map(
		(time, i) =>
			Math.exp(-0.15 * time) * (Math.cos(w * time) + (0.15 / w) * Math.sin(w * time)) +
			0.02 * random.normal(i),
	);
}
const rigs = rates.map((k, e) => record({ t, y: samples(k, e) }, { name: `rig-${e + 1}` }));
const fitted = (model: string, records = rigs, options = {}, common = {}) =>
	runOf(fit, parseModel(model, "m.ode"), records, options, { compute: inline, ...common });

describe.each(["fixed", "adaptive"])("by a solver of the kind %s", (kind) => {
	const options = kind === "adaptive" ? { integrator: "adaptive" } : {};

	test("each record has its value, and what is shared is one", async () => {
		const { parameters, doubts } = await fitted(text, rigs, options);
		const found = new Map(parameters.map((row) => [row.name, row]));
		rates.forEach((k, e) => {
			const { estimate, sd } = found.get(`k of rig-${e + 1}`)!;
			expect(Math.abs(estimate - k)).toBeLessThan(4 * sd!);
			expect(sd).toBeLessThan(0.05);
		});
		expect(Math.abs(found.get("c")!.estimate - 0.3)).toBeLessThan(4 * found.get("c")!.sd!);
		expect(found.has("k")).toBe(false);
		expect(doubts).toEqual([]);
	});
});

test("nothing shared: the same as a fit of each record alone", async () => {
	const own = text.replace("c\n", "c[record]\n");
	// Else steps are chosen for all records together, or for one.
	const steps = { substeps: 8 };
	const together = (await fitted(own, rigs, steps)).parameters;
	for (const [e, rig] of rigs.entries()) {
		const alone = (await fitted(text.replace("[record]", ""), [rig], steps)).parameters;
		for (const name of ["k", "c"]) {
			const one = alone.find((row) => row.name === name)!;
			const other = together.find((row) => row.name === `${name} of rig-${e + 1}`)!;
			expect(Math.abs(one.estimate - other.estimate)).toBeLessThan(1e-3 * one.sd!);
			// Errors go by the residuals, of one record or of all: 79 degrees of freedom, four deviations.
			expect(Math.abs(other.sd! / one.sd! - 1)).toBeLessThan(4 / Math.sqrt(2 * 79));
		}
	}
});

test("a test record that is of none of them is refused", async () => {
	const other = record({ t, y: samples(3, 9) }, { name: "rig-9" });
	await expect(fitted(text, rigs, {}, { test: [other] })).rejects.toThrow(/test record rig-9/);
});
