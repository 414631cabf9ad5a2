import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, root, Workplace } from "./odentify.ts";
import { decayFiles, decayStudy } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

describe("odentify run", () => {
	it("estimates, predicts, reports", () => {
		place = new Workplace(decayFiles);
		const { code, out, err } = place.run("run", "study.yaml", "--out", "out");
		expect(err).toBe("");
		expect(code).toBe(0);
		expect(place.files().filter((name) => name.startsWith("out"))).toEqual(
			[
				"covariance.csv",
				"log.jsonl",
				"report.html",
				"result.json",
				"study.yaml",
				"summary.json",
				"trajectory.csv",
			].map((name) => join("out", name)),
		);
		const summary = place.json("out/summary.json") as never as {
			method: string;
			outcome: string;
			seed: number;
			version: string;
			seconds: number;
			nSamples: number;
			train: { rmse: { y: number } };
			test: { rmse: { y: number } };
			parameters: { k: { estimate: number; sd: number; lo: number; hi: number; verdict: string } };
		};
		expect(summary).toMatchObject({ method: "fit", outcome: "converged", seed: 1, nSamples: 40 });
		const { k } = summary.parameters;
		expect(Math.abs(k.estimate - 0.7)).toBeLessThan(4 * k.sd);
		expect(k.lo).toBeLessThan(0.7);
		expect(k.hi).toBeGreaterThan(0.7);
		expect(summary.train.rmse.y).toBeGreaterThan(0.006);
		expect(summary.train.rmse.y).toBeLessThan(0.014);
		expect(summary.test.rmse.y).toBeLessThan(0.02);
		expect(out).toMatch(/Study +study\.yaml/);
		expect(out).toMatch(/Model +x′? ?'?.*= /);
		expect(out).toMatch(/40 samples/);
		expect(out).toMatch(/ k +0\.\d+ ± 0\.\d+ /);
		expect(out).toMatch(/Test record: RMSE 0\.01\d+ \(the declared noise is 0\.0100\)/);
		expect(out).toMatch(/Report +out.report\.html/);
		expect(out).not.toContain("\u001b");
		const [head, first] = place.text("out/trajectory.csv").split("\n");
		expect(head).toBe("t,y,y.lo,y.hi,y.data,experiment,part");
		expect(first).toMatch(/^0,.*,decay\.csv,train$/);
	});

	it("prints one JSON document with --json", () => {
		place = new Workplace(decayFiles);
		const { code, out } = place.call("run", "study.yaml", "--json", "--seed", "5");
		expect(code).toBe(0);
		const answer = JSON.parse(out);
		expect(answer).toMatchObject({ method: "fit", seed: 5, run: expect.stringMatching(/^runs/) });
		expect(answer.parameters.k.estimate).toBeCloseTo(0.7, 1);
	});

	it("says nothing with --quiet", () => {
		place = new Workplace(decayFiles);
		expect(place.call("run", "study.yaml", "--quiet")).toEqual({ code: 0, out: "", err: "" });
	});

	it("says nothing with --quiet, nor do the libraries that write its files", () => {
		place = new Workplace({
			...decayFiles,
			"decay.ode": decayFiles["decay.ode"].replace(/\bk\b/g, "draw"),
			"study.yaml": `${decayStudy}method: bayes\nbayes: { particles: 60 }\n`,
		});
		expect(place.run("run", "study.yaml", "--quiet", "--out", "out")).toEqual({ code: 0, out: "", err: "" });
		expect(place.has("out/posterior.nc")).toBe(true);
	});

	it("gives the same bits for the same seed, and the next free folder", () => {
		place = new Workplace(decayFiles);
		const name = place.path.split("/").at(-1);
		place.run("run", "study.yaml");
		place.call("run", "study.yaml");
		const [a, b] = [`runs/${name}`, `runs/${name}-2`].map((folder) => place.text(`${folder}/trajectory.csv`));
		expect(a).toBe(b);
	});

	it("leaves a study that repeats the run", () => {
		place = new Workplace(decayFiles);
		place.call("run", "study.yaml", "--out", "first", "--seed", "3");
		const { code } = place.call("run", "first/study.yaml", "--out", "second");
		expect(code).toBe(0);
		expect(place.text("second/trajectory.csv")).toBe(place.text("first/trajectory.csv"));
		expect(place.json("second/summary.json")).toMatchObject({ seed: 3 });
	});

	it("exits 1 when there is no answer, and says why", () => {
		place = new Workplace({
			...decayFiles,
			"study.yaml": `${decayStudy}fit: { maxEvaluations: 1, starts: 1, candidates: 1 }\nset: { k: 5 }\n`,
		});
		const { code, out } = place.call("run", "study.yaml", "--out", "out");
		expect(code).toBe(1);
		expect(out).toMatch(/maxEvaluations/);
		expect(place.has("out/report.html")).toBe(true);
	});

	it("draws the same report again", () => {
		place = new Workplace(decayFiles);
		place.call("run", "study.yaml", "--out", "out");
		const first = place.text("out/report.html");
		place.put("out/report.html", "lost");
		expect(place.call("report", "out")).toMatchObject({ code: 0 });
		expect(place.text("out/report.html")).toBe(first);
		place.put("out/result.json", place.text("out/result.json").slice(0, 500));
		const { code, err } = place.call("report", "out");
		expect(code).toBe(2);
		expect(err).toMatch(/result\.json: is not readable/);
	});
});

describe("the command itself", () => {
	it("imports nothing heavy before a command is chosen", () => {
		const imports = [
			...readFileSync(join(root, "dist/cli/program.js"), "utf8").matchAll(/^import .* from "(.*)"/gm),
		];
		expect(imports.map(([, from]) => from).sort()).toEqual([
			"../version.js",
			"./terminal/screen.js",
			"commander",
		]);
	});

	it("lists the commands", () => {
		place = new Workplace();
		const { code, out } = place.run("--help");
		expect(code).toBe(0);
		for (const name of [
			"check",
			"simulate",
			"run",
			"resume",
			"report",
			"reproduce",
			"worker",
			"queue",
			"doctor",
		])
			expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
	});

	it("says what this machine has", () => {
		place = new Workplace();
		const { code, out } = place.run("doctor", "--json");
		expect(code).toBe(0);
		const { findings } = JSON.parse(out);
		expect(findings.find(({ name }: { name: string }) => name === "WebAssembly SIMD")).toMatchObject({
			there: true,
		});
	});
});
