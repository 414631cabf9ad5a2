/** Libraries of candidates beyond one basis: truths drawn at random from each are found again, from clean and from noisy records. */
import { describe, expect, test } from "vitest";
import { recordsOf } from "../../../papers/inversion/examples.ts";
import { inline } from "../../../src/compute/inline.ts";
import { emptyRecord, regularTimes } from "../../../src/methods/inversion/answer/simulated-records.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { chosenNames, invert, problemOf } from "./setup.ts";

interface Library {
	readonly name: string;
	/** Declaration and equations; x and y are measured. */
	readonly text: string;
	/** Terms that every truth has, so that it moves and stays bounded. */
	readonly always: Readonly<Record<string, number>>;
	/** Of these one is drawn, with a size between one and two times what stands here. */
	readonly drawn: Readonly<Record<string, number>>;
}

const libraries: readonly Library[] = [
	{
		name: "products with sin, exp and abs beside monomials",
		text: "unknown f(x, y) = polynomial(1) + library(sin(x), y*abs(y), exp(-x^2), x*sin(y))\nx' = y\ny' = f(x, y)",
		always: { "f[x]": -1, "f[y]": -0.1 },
		drawn: { "f[sin(x)]": -1, "f[y*abs(y)]": -0.3, "f[exp(-x^2)]": 1.5 },
	},
	{
		name: "a known factor",
		text: "unknown f(x, y) = polynomial(1) + exp(-x^2/2)*polynomial(2)\nx' = y\ny' = f(x, y)",
		always: { "f[x]": -1, "f[y]": -0.1 },
		drawn: { "f[exp(-x^2/2)]": 1, "f[x*y*exp(-x^2/2)]": -1 },
	},
	{
		name: "coupling: the same term with opposite signs",
		text: "param a, b\nunknown f(x, y) = polynomial(2)\nx' = a*x - f(x, y)\ny' = f(x, y) + b*y",
		always: { a: 1, b: -1.2, "f[x*y]": 1 },
		drawn: { "f[x^2]": 0.1, "f[y^2]": 0.1, "f[1]": 0.1 },
	},
	{
		name: "a fraction",
		text: "param a, b\nunknown f(x) = rational(2, 1)\nx' = y - a*x\ny' = -b*x + f(y)",
		always: { a: 0.1, b: 2, "f[1]": 1, "f[x]": -0.6 },
		drawn: { "f[/x]": 0.15 },
	},
];

describe.each(libraries)("$name", ({ text, always, drawn }) => {
	test.each([0, 0.01])("noise %d of the spread", async (sd) => {
		const model = parseModel(
			`${text}\nparam sx, sy\nstate x, y\nmeasure xm ~ normal(x, sx)\nmeasure ym ~ normal(y, sy)`,
			"library.ode",
		);
		for (let seed = 1; seed <= 2; seed++) {
			const random = stream(seed, "library");
			const names = Object.keys(drawn);
			const name = names[Math.floor(random.uniform(0) * names.length)];
			const truth = { ...always, [name]: drawn[name] * (1 + random.uniform(1)) };
			const design = [emptyRecord("record", regularTimes(12, 0.05), ["xm", "ym"], {})];
			const example = { model, truth, design, initial: [1.5, 0.5], substeps: 20 };
			const train = await recordsOf(example, { sd, relative: true }, seed, inline);
			const result = await invert(problemOf(model, train), { profile: false, stability: 0, starts: 0 });
			expect({ seed, found: chosenNames(result) }).toEqual({ seed, found: Object.keys(truth).sort() });
		}
	});
});

test("a sum of bases has its constant once, and each term once", async () => {
	const model = parseModel(
		"unknown f(x) = polynomial(2) + fourier(1) + library(x, cos(x), x^3)\nstate x\nx' = f(x)\nmeasure y ~ normal(x, 1)",
		"sum.ode",
	);
	const { candidatesOf } = await import("../../../src/methods/inversion/candidates/candidates.ts");
	expect(candidatesOf(model, {}, false).weights.map(({ name }) => name)).toEqual([
		"f[1]",
		"f[x]",
		"f[x^2]",
		"f[sin(x)]",
		"f[cos(x)]",
		"f[x^3]",
	]);
});
