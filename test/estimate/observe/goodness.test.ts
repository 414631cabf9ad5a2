/** The likelihood at an answer, held against its formula and between methods that answer the same question. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import type { Goodness } from "../../../src/estimate/observe/goodness.ts";
import { run } from "../../../src/library/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";

const n = 60;
const random = stream(11, "goodness");
const t = Array.from({ length: n }, (_, i) => 0.1 * i);

async function goodness(
	method: string,
	text: string,
	y: readonly number[],
	options: Record<string, number | boolean> = {},
	start: Record<string, number> = {},
): Promise<Goodness> {
	const model = parseModel(text, `${method}.ode`);
	const { summary } = await run(model, record({ t, y }), { method, options, start, seed: 1 });
	return summary as unknown as Goodness;
}

describe("a relaxation", () => {
	const y = t.map((time, i) => 1 + 2 * Math.exp(-0.4 * time) + 0.05 * random.normal(i));
	const plain = { stability: 0, starts: 0, profile: false };
	const fitted = (law: string) =>
		goodness("fit", `param k in [0.01, 10], x1 in [0, 5]\nstate x\nx' = -k*(x - x1)\nmeasure y ${law}`, y);
	const terms = (law: string) =>
		goodness("inversion", `unknown f(x) = polynomial(1)\nstate x\nx' = f(x)\nmeasure y ${law}`, y, plain);

	test.each(["~ normal(x, 0.05)", "~ normal(x, s)"])(
		"inversion has the likelihood of fit: y %s",
		async (law) => {
			const declared = law.includes("s") ? `${law}\nparam s` : law;
			const [one, other] = [await fitted(declared), await terms(declared)];
			for (const name of ["logLikelihood", "aic", "bic"] as const)
				expect(other[name]).toBeCloseTo(one[name], 4);
			// Three numbers beside the spread, where that is found.
			expect([one.degrees, other.degrees]).toEqual(law.includes("0.05") ? [n - 3, n - 3] : [n - 4, n - 4]);
			// A spread that is found makes the mean square of the errors 1.
			if (law.includes("0.05"))
				expect(one.logLikelihood).toBeCloseTo(
					-0.5 * one.chi2 - n * Math.log(0.05 * Math.sqrt(2 * Math.PI)),
					8,
				);
			else expect(one.chi2).toBeCloseTo(n, 8);
		},
	);

	test("with the noise beside the chosen terms, not the one beside all candidates", async () => {
		const at = t.filter((_, i) => i % 4 === 0);
		const few = at.map((time, i) => 2 * Math.exp(-0.7 * time) + 0.05 * random.normal(100 + i));
		const all = async (form: string, options: Record<string, number | boolean>, method: string) => {
			const model = parseModel(`${form}\nstate x\nmeasure y = x`, `${method}.ode`);
			const { summary } = await run(model, record({ t: at, y: few }), { method, options, seed: 1 });
			return summary as unknown as Goodness & { terms: { term: string }[] };
		};
		const one = await all("param k in [0.01, 10]\nx' = -k*x", { starts: 1 }, "fit");
		const other = await all("unknown f(x) = polynomial(5)\nx' = f(x)", plain, "inversion");
		expect(other.terms.map(({ term }) => term)).toEqual(["x"]);
		expect(other.logLikelihood).toBeCloseTo(one.logLikelihood, 5);
		expect(other.chi2).toBeCloseTo(few.length, 8);
		expect(other.bic).toBeCloseTo(one.bic, 5);
	});

	test("the best draw of bayes is nearly as likely as the optimum, and never more", async () => {
		const best = await fitted("~ normal(x, 0.05)");
		const drawn = await goodness(
			"bayes",
			"param k ~ lognormal(log(0.5), 1), x1 ~ lognormal(0, 1)\nstate x ~ normal(3, 1)\nx' = -k*(x - x1)\nmeasure y ~ normal(x, 0.05)",
			y,
			{ particles: 400, runs: 1, netcdf: false },
		);
		expect(drawn.logLikelihood).toBeLessThan(best.logLikelihood + 1e-3);
		expect(drawn.logLikelihood).toBeGreaterThan(best.logLikelihood - 1);
		expect(drawn.degrees).toBe(best.degrees);
		expect(drawn.chi2 - best.chi2).toBeCloseTo(2 * (best.logLikelihood - drawn.logLikelihood), 6);
	});
});

test("a swing: periodic has the likelihood of fit", async () => {
	const y = t.map((time, i) => 2 * Math.cos(3 * time + 0.3) + 0.02 * random.normal(100 + i));
	const text = "param k in [1, 30]\nstate x, v\nx' = v\nv' = -k*x\nmeasure y ~ normal(x, 0.02)";
	const one = await goodness("fit", text, y, {}, { k: 8 });
	const other = await goodness("periodic", text, y, {}, { k: 8 });
	expect(other.degrees).toBe(one.degrees);
	// Steps that fit takes move it by a hundredth.
	expect(other.logLikelihood).toBeLessThan(one.logLikelihood + 0.01);
	// Its answer is that of the integrals, within a fraction of its errors.
	expect(other.logLikelihood).toBeGreaterThan(one.logLikelihood - 2);
});
