/** The likelihood of one record of a population, what is its own integrated out: held against quadrature. */
import { expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { MarginalLikelihood } from "../../../src/estimate/population/marginal.ts";
import { populationProblem } from "../../../src/estimate/population/problem.ts";
import { unitDraws } from "../../../src/methods/bayes/population/unit-likelihood.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

const model = parseModel(
	`param m ~ normal(0, 1), w ~ lognormal(0, 1)
param k[record] ~ lognormal(m, w)
state x = 1
x' = -k*x
measure y ~ normal(x, 0.1)
`,
	"m.ode",
);
const [t, y] = [
	[0, 0.5, 1, 2, 3, 4, 5, 6],
	[1.02, 0.27, 0.1, -0.05, 0.03, 0.01, 0.02, -0.04],
];

it("is right where the spread is another one, with which the record's own place would be too fast for the steps", async () => {
	const train = ["a", "b"].map((name) => {
		const { table, options } = record({ t, y }, { name });
		return experimentOf(table, { ...options, doses: {}, name, time: "t" }, model, ["y"]);
	});
	const likelihood = new MarginalLikelihood(populationProblem(model, train, {}, inline), {
		kind: "fixed",
		substeps: 6,
	});
	const at = (w: number): Float64Array => Float64Array.from([-0.5, Math.log(w)]);
	const [near] = await likelihood.modes(0, [at(0.6)]);
	const k = Math.exp(-0.5 + 0.6 * near.z[2]);
	expect(k).toBeGreaterThan(2);
	for (const w of [0.6, 3]) {
		const { logLikelihood } = await unitDraws(likelihood, 0, [at(w)], near, 256, 1, "test");
		let sum = 0;
		const h = 0.001;
		for (let eta = -9; eta < 9; eta += h) {
			const own = Math.exp(-0.5 + w * eta);
			const squares = t.reduce((all, time, i) => all + ((y[i] - Math.exp(-own * time)) / 0.1) ** 2, 0);
			sum += h * Math.exp(-(squares + eta * eta) / 2);
		}
		const exact = Math.log(sum) - (t.length + 1) * 0.5 * Math.log(2 * Math.PI) - t.length * Math.log(0.1);
		expect(logLikelihood[0]).toBeGreaterThan(exact - 0.1);
		expect(logLikelihood[0]).toBeLessThan(exact + 0.1);
	}
});
