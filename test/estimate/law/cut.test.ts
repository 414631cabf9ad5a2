/** Priors that are cut: as wide as what is left of them, in `bayes` and in `fit` with priors. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { numberLaw } from "../../../src/estimate/law/declared.ts";
import { model } from "../../../src/library/model.ts";
import { run } from "../../../src/library/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { printModel } from "../../../src/model/print/model.ts";

const text = (prior: string): string =>
	`param a ~ ${prior}\nstate x = 1\nx' = 0\nmeasure y ~ normal(a*x, 1)\n`;
const times = [0, 1, 2, 3];
const y = [-0.6, 0.9, -0.5, 0.4];

/** Mean, standard deviation and most probable value of a, by quadrature. */
function byQuadrature(prior: string): { mean: number; sd: number; mode: number } {
	const { knowledge } = model(text(prior)).params[0];
	if (knowledge.kind !== "distribution") throw new Error("no law");
	const law = numberLaw("a", knowledge.distribution);
	let [mass, first, second, mode, most] = [0, 0, 0, 0, 0];
	for (let a = -6 + 5e-5; a < 6; a += 1e-4) {
		const density = Math.exp(y.reduce((sum, each) => sum - (each - a) ** 2 / 2, law.logDensity(a)));
		mass += density;
		first += density * a;
		second += density * a * a;
		if (density > most) [mode, most] = [a, density];
	}
	const mean = first / mass;
	return { mean, sd: Math.sqrt(second / mass - mean * mean), mode };
}

describe.each([
	"normal(0, 1) > 0",
	"normal(0.5, 1) < 0.2",
	"student(3, 0, 1) in [-0.1, 0.4]",
	"cauchy(0, 1) >= -1",
])("%s", (prior) => {
	test("is printed as it was written", () => {
		expect(printModel(model(text(prior)))).toContain(`a ~ ${prior.replace(">=", ">")}`);
	});

	test("has the posterior of its density", async () => {
		const { mean, sd } = byQuadrature(prior);
		const options = { particles: 2000 };
		const { parameters } = await run(model(text(prior)), record({ t: times, y }), {
			method: "bayes",
			options,
		});
		// Errors of a mean and of a standard deviation of 2,000 draws, with room for their correlation.
		expect(Math.abs(parameters[0].estimate - mean)).toBeLessThan((5 * sd) / Math.sqrt(2000 / 4));
		expect(Math.abs(parameters[0].sd! / sd - 1)).toBeLessThan(5 / Math.sqrt(2 * (2000 / 4)));
	});

	test("has its most probable value where fit counts priors", async () => {
		const options = { priors: true };
		const { parameters } = await run(model(text(prior)), record({ t: times, y }), { method: "fit", options });
		expect(parameters[0].estimate).toBeCloseTo(byQuadrature(prior).mode, 3);
	});
});

describe("what cannot be cut", () => {
	const errors = (line: string): string => {
		try {
			parseModel(`${line}\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 1)\n`, "m.ode");
			return "";
		} catch (error) {
			return String(error);
		}
	};
	test("bounds the wrong way round, and things that are no numbers", () => {
		expect(errors("param k ~ normal(0, 1) in [2, 1]")).toMatch(/the wrong way round/);
		expect(errors("param k ~ normal(0, 1) > x")).toMatch(/m\.ode:1:26/);
		expect(errors("param k = 1\nmeasure z ~ normal(x, 1) > 0")).toMatch(/m\.ode:2:13: this is no/);
		expect(errors("param k = 1\ninput u ~ matern(1.5, 1, 1) in [0, 1]")).toMatch(/m\.ode:2/);
	});
	test("a law that has next to nothing there", async () => {
		const asked = run(model(text("normal(0, 1) > 30")), record({ t: times, y }), { method: "fit" });
		await expect(asked).rejects.toThrow(/next to nothing/);
	});
});
