import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, Workplace } from "./odentify.ts";
import { decayFiles } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

describe("odentify check", () => {
	it("says what a model declares and which methods apply", () => {
		place = new Workplace({
			"duffing.ode":
				"input u\nparam m ~ lognormal(0, 1), g = 9.81, p in [0, 1], k\nstate x = 0, x' = 0\nm*x'' + k*x + p*x^3 = u*g\nmeasure y ~ normal(x, 0.1)\n",
		});
		const { code, out, err } = place.call("check", "duffing.ode");
		expect(code).toBe(0);
		expect(err).toBe("");
		expect(out).toMatch(/duffing\.ode/);
		expect(out).toMatch(/x of order 2, starts each record at x = 0, x' = 0/);
		expect(out).toMatch(/u from the data/);
		expect(out).toMatch(/exactly known +g = 9\.81/);
		expect(out).toMatch(/in a set +p in \[0, 1\]/);
		expect(out).toMatch(/distributed +m ~ lognormal\(0, 1\)/);
		expect(out).toMatch(/unknown +k/);
		expect(out).toMatch(/fit +applies/);
		expect(out).toMatch(/bayes +does not apply +param p is known by a set, which is no distribution/);
	});

	it("cuts an equation that is longer than anyone reads, but not in --json", () => {
		const terms = Array.from({ length: 100 }, (_, i) => `${i + 2}*sin(${i + 2}*t)`).join(" + ");
		place = new Workplace({ "long.ode": `state x = 0\nx' = ${terms}\nmeasure y = x\n` });
		const { out } = place.call("check", "long.ode");
		const equation = out.split("\n").find((line) => line.includes("Equations"))!;
		expect([...equation.trim()].length).toBeLessThan(220);
		expect(equation).toMatch(/…$/);
		expect(place.call("check", "long.ode", "--json").out).toContain("101·sin(101·t)");
	});

	it("checks a study with its data", () => {
		place = new Workplace(decayFiles);
		const { code, out } = place.call("check", "study.yaml");
		expect(code).toBe(0);
		expect(out).toMatch(/decay\.csv: 40 samples/);
		expect(out).toMatch(/decay\.csv \(test\): 20 samples/);
	});

	it("refuses what a run refuses", () => {
		const counted = decayFiles["decay.ode"].replace("normal(x, 0.01)", "poisson(x)");
		const population =
			"param mu ~ normal(0, 1), omega ~ halfnormal(1)\nparam k[record] ~ lognormal(mu, omega)\nstate x = 2\nx' = -k*x\nmeasure y ~ normal(x, 0.1)\n";
		const bad = {
			counted: [counted, "t,y\n0,3\n1,-1\n2,1\n"],
			half: [counted, "t,y\n0,3\n1,1.5\n2,1\n"],
			population: [population, "t,y\n0,2\n1,1\n2,0.5\n"],
		};
		const files = Object.entries(bad).flatMap(([name, [model, csv]]) => [
			[`${name}.ode`, model],
			[`${name}.csv`, csv],
			[`${name}.yaml`, `model: ${name}.ode\ndata: { file: ${name}.csv, time: t }\n`],
		]);
		place = new Workplace(Object.fromEntries(files));
		for (const name of Object.keys(bad)) {
			const { code, err } = place.call("check", `${name}.yaml`);
			expect(code).toBe(2);
			expect(err).toBe(place.call("run", `${name}.yaml`).err);
			expect(err).toMatch(/is a count: 0, 1, 2|there is one record/);
		}
	});

	it("takes candidates that the study gives, and says what is wrong with them beside what else is", () => {
		const files = {
			...decayFiles,
			"m.ode": "state x = 1\nunknown f(x)\nx' = f(x)\nmeasure y ~ normal(x, 0.1)\n",
		};
		const study = (library: string): string =>
			`model: m.ode\ndata: { file: decay.csv, time: t }\nmethod: inversion\nlibrary: { f: ${library} }\n`;
		place = new Workplace({
			...files,
			"good.yaml": study('[x, x*abs(x), "spline(0, 1, 2)"]'),
			"bad.yaml": `${study("[x*]")}sed: 1\n`,
		});
		expect(place.call("check", "good.yaml").out).toContain("f(x) = library(x, x*abs(x)) + spline(0, 1, 2)");
		const { code, err } = place.call("check", "bad.yaml");
		expect(code).toBe(2);
		expect(err).toMatch(/bad\.yaml:4:16: /);
		expect(err).toContain('unknown key "sed"');
		expect(err).not.toContain("m.ode:");
	});

	it("gives one entry a file with --json, good and bad, and nothing else on standard output", () => {
		place = new Workplace({ ...decayFiles, "bad.ode": "state x\nx' = -q*x\n" });
		const { code, out, err } = place.call("check", "--json", "decay.ode", "bad.ode", "study.yaml");
		expect(code).toBe(2);
		const entries = JSON.parse(out);
		expect(entries.map(({ file, ok }: { file: string; ok: boolean }) => [file, ok])).toEqual([
			["decay.ode", true],
			["bad.ode", false],
			["study.yaml", true],
		]);
		expect(entries[0].model.states[0]).toMatchObject({ name: "x", order: 1 });
		expect(entries[1].error.diagnostics[0].message).toMatch(/q/);
		expect(entries[2].study).toMatchObject({ for: "run", method: "fit", seed: 1 });
		expect(err).toMatch(/bad\.ode:2:7/);
	});

	it("shows every error of a model with its place", () => {
		place = new Workplace({ "bad.ode": "param k\nstate x\nx' = -kk*x + zz\n" });
		const { code, err } = place.call("check", "bad.ode");
		expect(code).toBe(2);
		expect(err).toMatch(/bad\.ode:3:7:/);
		expect(err).toMatch(/zz/);
		expect(err).not.toMatch(/ at .*\.js:\d+/);
	});

	it("shows errors of an inline model in the lines of the study", () => {
		place = new Workplace({
			"study.yaml":
				"# a comment\nmodel: |\n    param k\n    state x = 1\n    x' = -q*x\n    measure y = x\ndata: { file: decay.csv, time: t }\n",
			"decay.csv": decayFiles["decay.csv"],
		});
		const { code, err } = place.call("check", "study.yaml");
		expect(code).toBe(2);
		expect(err).toMatch(/study\.yaml:5:11:/);
		expect(err).toMatch(/5 \| {5}x' = -q\*x\n/);
	});

	it("says so when a file is neither model nor study, or not there", () => {
		place = new Workplace({ "x.txt": "hello", "decay.ode": "state x = 1\nx' = -x\n" });
		expect(place.call("check", "x.txt")).toMatchObject({ code: 2 });
		const { code, err } = place.call("check", "deacy.ode");
		expect(code).toBe(2);
		expect(err).toMatch(/deacy\.ode: there is no such model[\s\S]*Did you mean "decay\.ode"\?/);
	});
});
