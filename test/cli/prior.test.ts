/** The posterior of one run as the prior of another. */
import { afterEach, beforeAll, expect, it } from "vitest";
import { stream } from "../../src/num/random.ts";
import { build, Workplace } from "./odentify.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

const random = stream(8, "prior");
const csv = (first: number): string =>
	`t,y\n${Array.from({ length: 25 }, (_, i) => `${0.2 * i},${2 * Math.exp(-0.5 * 0.2 * i) + 0.05 * random.normal(first + i)}`).join("\n")}\n`;
const study = (file: string, more = ""): string => `model: |
  param a ~ lognormal(0, 1), k ~ lognormal(-1, 1)
  state x = a
  x' = -k*x
  measure y ~ normal(x, 0.05)
data: ${file}
method: bayes
bayes: { particles: 2000, netcdf: false }
${more}`;
const one = (name: string): string => `{ file: ${name}.csv, time: t }`;

interface Summary {
	readonly logEvidence: number;
	readonly parameters: Readonly<Record<string, { readonly mean: number; readonly sd: number }>>;
}

it("from: goes on where an earlier run ended, and is refused where that learned from the same samples", () => {
	place = new Workplace({
		"first.csv": csv(0),
		"second.csv": csv(100),
		"first.yaml": study(one("first")),
		"then.yaml": study(one("second"), "prior: { from: runs/a }\n"),
		"both.yaml": study(`[${one("first")}, ${one("second")}]`),
		"again.yaml": study(one("first"), "prior: { from: runs/a }\n"),
		"nowhere.yaml": study(one("second"), "prior: { from: runs/z }\n"),
		"other.yaml": study(one("second"), "prior: { from: runs/a, only: [a, q] }\n"),
		"fit.yaml": study(one("second"), "prior: { from: runs/a }\n").replace("method: bayes", "method: fit"),
	});
	const run = (name: string, out: string): Summary => {
		expect(place.call("run", `${name}.yaml`, "--out", out).code).toBe(0);
		return place.json(`${out}/summary.json`) as unknown as Summary;
	};
	const first = run("first", "runs/a");
	const then = run("then", "runs/b");
	const both = run("both", "runs/c");
	for (const name of ["a", "k"]) {
		const { mean, sd } = both.parameters[name];
		expect(Math.abs(then.parameters[name].mean - mean) / sd).toBeLessThan(0.15);
		expect(then.parameters[name].sd / sd).toBeGreaterThan(0.9);
		expect(then.parameters[name].sd / sd).toBeLessThan(1.1);
	}
	// p(first, second) = p(first) p(second | first).
	expect(Math.abs(first.logEvidence + then.logEvidence - both.logEvidence)).toBeLessThan(0.2);
	// The folder of the run holds the numbers themselves: the earlier run may go.
	expect(place.text("runs/b/study.yaml")).toMatch(/prior:\n {2}mean:\n {4}log\(a\): /);
	expect(place.call("check", "then.yaml").out).toMatch(
		/Prior +log\(a\) 0\.\d+ ± 0\.\d+, log\(k\) .* together, in the place of the model's/,
	);
	const refusal = (name: string): string => {
		const { code, err } = place.call("run", `${name}.yaml`, "--out", "runs/x");
		expect(code).toBe(2);
		return err;
	};
	const summary = place.text("runs/a/summary.json");
	place.put(
		"runs/a/summary.json",
		summary.replace('"doubts": []', '"doubts": [{ "title": "The runs disagree", "grave": true }]'),
	);
	expect(refusal("then")).toMatch(/the answer of runs\/a is not to be trusted: The runs disagree/);
	place.put("runs/a/summary.json", summary.slice(0, 40));
	expect(refusal("then")).toMatch(/is no whole summary of a run/);
	place.put("runs/a/summary.json", summary);
	expect(refusal("again")).toMatch(/learned from samples of first.csv that this study learns from, too/);
	expect(refusal("nowhere")).toMatch(/runs\/z is no folder/);
	expect(refusal("other")).toMatch(/the model has no parameter "q"/);
	expect(refusal("fit")).toMatch(/fit weighs no such law/);
}, 300_000);
