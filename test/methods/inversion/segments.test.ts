/** Records that are too long or too sensitive to be simulated as one: they are cut, and joined at the end where that can be. */
import { describe, expect, test } from "vitest";
import { inversion } from "../../../src/methods/inversion/inversion.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { chosenNames, graveTitles, invert, problemOf, record, type Source, selectionOnly } from "./setup.ts";

const quadratic = `param s
unknown f(x, y, z) = polynomial(2), g(x, y, z) = polynomial(2), h(x, y, z) = polynomial(2)
state x, y, z
x' = f(x, y, z)
y' = g(x, y, z)
z' = h(x, y, z)
measure xm ~ normal(x, s)
measure ym ~ normal(y, s)
measure zm ~ normal(z, s)`;
const lorenz: Source = {
	text: quadratic,
	truth: {
		"f[x]": -10,
		"f[y]": 10,
		"g[x]": 28,
		"g[y]": -1,
		"g[x*z]": -1,
		"h[z]": -8 / 3,
		"h[x*y]": 1,
	},
	initial: [-8, 7, 27],
	outputs: ["xm", "ym", "zm"],
	until: 12,
	step: 0.02,
	sd: 0.08,
};
const cubic = `param s
unknown f(x, y) = polynomial(3), g(x, y) = polynomial(3)
state x, y
x' = f(x, y)
y' = g(x, y)
measure xm ~ normal(x, s)
measure ym ~ normal(y, s)`;
const vanDerPol: Source = {
	text: cubic,
	truth: { "f[y]": 1, "g[x]": -1, "g[y]": 1, "g[x^2*y]": -1 },
	initial: [2, 0],
	outputs: ["xm", "ym"],
	until: 20,
	step: 0.4,
	sd: 0,
};

describe("Lorenz' equations, 30 candidates", () => {
	test("601 samples of a chaotic record: exact, and joined to one trajectory", async () => {
		const problem = problemOf(parseModel(lorenz.text, "lorenz.ode"), await record(lorenz));
		const result = await invert(problem, selectionOnly);
		expect(chosenNames(result)).toEqual(Object.keys(lorenz.truth).sort());
		expect(graveTitles(result)).toEqual([]);
		expect(result.summary.integration).toMatch(/segments/);
		expect(result.doubts.map(({ code }) => code)).not.toContain("in-segments");
		for (const { name, estimate, sd } of result.parameters)
			if (name in lorenz.truth) expect(Math.abs(estimate - lorenz.truth[name])).toBeLessThan(5 * sd!);
	});

	test("beyond the horizon of prediction: exact in segments, and said so", async () => {
		const long = { ...lorenz, until: 50, step: 0.05 };
		const problem = problemOf(parseModel(long.text, "lorenz.ode"), await record(long));
		const result = await invert(problem, selectionOnly);
		expect(chosenNames(result)).toEqual(Object.keys(lorenz.truth).sort());
		expect(result.doubts.map(({ code }) => code)).toContain("in-segments");
		// What is shown of the record follows it to its end.
		const { y, data } = result.predictions[0];
		expect(Math.abs(y[y.length - 1] - data!.y[data!.y.length - 1])).toBeLessThan(1);
	});
});

test.each([0, 0.001, 0.01, 0.03])(
	"51 samples of van der Pol's oscillator, noise %d of the spread",
	async (noise) => {
		const source = { ...vanDerPol, sd: 1.4 * noise };
		const result = await invert(
			problemOf(parseModel(source.text, "vdp.ode"), await record(source)),
			selectionOnly,
		);
		expect(chosenNames(result)).toEqual(Object.keys(source.truth).sort());
	},
);

test.each([1, 4])(
	"exact data and %d steps a sample: the error of the integration is no term",
	async (substeps) => {
		const problem = problemOf(parseModel(vanDerPol.text, "vdp.ode"), await record(vanDerPol));
		const result = await invert(problem, { ...selectionOnly, substeps });
		expect(chosenNames(result)).toEqual(Object.keys(vanDerPol.truth).sort());
	},
);

test("a run in segments that was stopped goes on to the same bits", async () => {
	const source = { ...lorenz, until: 3, step: 0.05 };
	const problem = problemOf(parseModel(source.text, "lorenz.ode"), await record(source));
	const options = { ...defaultOptions(inversion.options), stability: 20, starts: 1 };
	const whole = await inversion.prepare(problem, options);
	let steps = 1;
	while (!(await inversion.advance(whole)).done) steps++;
	expect(whole.starts.cuts).toBeDefined();
	const expected = JSON.stringify((await inversion.result(whole)).summary);
	for (const share of [0.1, 0.5, 0.9]) {
		let run = await inversion.prepare(problem, options);
		let done = false;
		for (let k = 0; k < Math.ceil(share * steps) && !done; k++) done = (await inversion.advance(run)).done;
		run = await inversion.load(problem, options, inversion.save(run));
		while (!done) done = (await inversion.advance(run)).done;
		expect(JSON.stringify((await inversion.result(run)).summary)).toBe(expected);
	}
});
