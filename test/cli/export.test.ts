import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { summaryErrors } from "../study/json-schema.ts";
import { build, Workplace } from "./odentify.ts";
import { decayFiles } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

describe("odentify export", () => {
	it("writes a run in every language, with its numbers beside it", () => {
		place = new Workplace(decayFiles);
		expect(place.call("run", "study.yaml", "--out", "run").code).toBe(0);
		const estimate = place.json("run/summary.json").parameters as unknown as Record<
			string,
			{ estimate: number }
		>;
		const files: Record<string, string> = {
			sbml: "model.xml",
			petab: "problem.yaml",
			c: "model.c",
			python: "model.py",
			matlab: "odentify_model.m",
			julia: "model.jl",
			js: "model.mjs",
		};
		for (const [language, file] of Object.entries(files)) {
			const { code, out } = place.call("export", "run", "--to", language, "--json");
			expect(code).toBe(0);
			expect(JSON.parse(out).folder).toBe(`run/export-${language}`);
			const text = place.text(`run/export-${language}/${language === "petab" ? "parameters.tsv" : file}`);
			expect(text).toContain(String(estimate.k.estimate));
			expect(place.text(`run/export-${language}/parameters.csv`)).toMatch(/^name,estimate,sd,lo,hi\nk,/);
			expect(place.text(`run/export-${language}/covariance.csv`)).toMatch(/^name,k,x\(0\)\nk,/);
		}
		// What was written is read again: the problem has the likelihood of the run.
		const again = place.call("simulate", "run/export-petab/problem.yaml", "--json");
		expect(again.code).toBe(0);
		const { logLikelihood } = place.json("run/summary.json") as unknown as { logLikelihood: number };
		expect(JSON.parse(again.out).logLikelihood).toBeCloseTo(logLikelihood, 4);
		expect(summaryErrors(JSON.parse(again.out))).toEqual([]);
	}, 60_000);

	it.each([
		[
			"param mu ~ normal(0, 1), omega ~ halfnormal(1)\nparam k[record] ~ lognormal(mu, omega)\n",
			/differs from record to record.*\n.*param k = VALUE/,
		],
		["param k = 1\ninput w ~ matern(1.5, 1, 1)\n", /is a random process.*\n.*Write a formula/],
	])("says what to do with a law that no export has", (declared, said) => {
		const equation = declared.includes("input") ? "w - k*x" : "-k*x";
		place = new Workplace({
			"model.ode": `${declared}state x = 1\nx' = ${equation}\nmeasure y ~ normal(x, 0.1)\n`,
		});
		const { code, err } = place.call("export", "model.ode", "--to", "python");
		expect(code).toBe(2);
		expect(err).toMatch(said);
	});

	it("does not write over what is there, and says which languages there are", () => {
		place = new Workplace({ "model.ode": "param k = 2\nstate x = 1\nx' = -k*x\nmeasure y = x\n" });
		expect(place.call("export", "model.ode", "--to", "c", "--out", "made").code).toBe(0);
		const twice = place.call("export", "model.ode", "--to", "c", "--out", "made");
		expect(twice.code).toBe(2);
		expect(twice.err).toContain("has model.c in it already");
		expect(place.call("export", "model.ode", "--to", "c", "--out", "made", "--force").code).toBe(0);
		const unknown = place.call("export", "model.ode", "--to", "pyton");
		expect(unknown.code).toBe(2);
		expect(unknown.err).toContain("Did you mean python?");
		expect(place.call("export", "model.ode").err).toContain("sbml, petab, c, python, matlab, julia, js");
	});
});
