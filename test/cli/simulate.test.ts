import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { summaryErrors } from "../study/json-schema.ts";
import { build, Workplace } from "./odentify.ts";
import { decayCsv } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

const model = "input u = sin(t)\nparam k\nstate x = 1\nx' = u - k*x\nmeasure y ~ normal(x, 0.1)\n";
const study = "model: m.ode\ndata: { times: { from: 0, to: 1, step: 0.25 } }\nset: { k: 2 }\n";

describe("odentify simulate", () => {
	it("writes time, outputs, inputs and states", () => {
		place = new Workplace({ "m.ode": model, "s.yaml": study });
		const { code, out } = place.call("simulate", "s.yaml");
		expect(code).toBe(0);
		expect(out).toMatch(/5 samples written to runs/);
		expect(place.files()).toEqual([
			"m.ode",
			"runs/s/log.jsonl",
			"runs/s/study.yaml",
			"runs/s/summary.json",
			"runs/s/trajectory.csv",
			"s.yaml",
		]);
		const [head, first, second] = place.text("runs/s/trajectory.csv").split("\n");
		expect(head).toBe("t,y,u,x");
		expect(first).toBe("0,1,0,1");
		expect(second.split(",")[0]).toBe("0.25");
		expect(summaryErrors(place.json("runs/s/summary.json"))).toEqual([]);
	});

	it("adds noise that follows from the seed", () => {
		place = new Workplace({ "m.ode": model, "s.yaml": `${study}simulate: { noise: true, digits: 4 }\n` });
		const texts = [
			["--seed", "1"],
			["--seed", "1"],
			["--seed", "2"],
		].map((seed, i) => {
			expect(place.call("simulate", "s.yaml", "--csv", `${i}.csv`, ...seed)).toMatchObject({ code: 0 });
			return place.text(`${i}.csv`);
		});
		expect(texts[0]).toBe(texts[1]);
		expect(texts[0]).not.toBe(texts[2]);
		for (const field of texts[0].trim().split(/[\n,]/).slice(4))
			expect(field.replace(/^-?0\.0*|[-.]/g, "").length).toBeLessThanOrEqual(4);
		expect(place.has("runs")).toBe(false);
	});

	it("writes over a file only with --force", () => {
		place = new Workplace({ "m.ode": model, "s.yaml": study, "mine.csv": "keep" });
		const refused = place.call("simulate", "s.yaml", "--csv", "mine.csv");
		expect(refused).toMatchObject({ code: 2, out: "" });
		expect(refused.err).toMatch(/--csv mine\.csv: is there already\n {2}.*--force/);
		expect(place.text("mine.csv")).toBe("keep");
		expect(place.call("simulate", "s.yaml", "--csv", "mine.csv", "--force")).toMatchObject({ code: 0 });
		expect(place.text("mine.csv")).toMatch(/^t,y,u,x\n/);
		expect(place.call("simulate", "s.yaml", "--force")).toMatchObject({
			code: 2,
			err: expect.stringContaining("--force: stands without --csv"),
		});
		expect(place.files()).toEqual(["m.ode", "mine.csv", "s.yaml"]);
	});

	it.each([
		["none/x.csv", /there is no folder none\n {2}Make it first: {2}mkdir -p none/],
		["m.ode/x.csv", /m\.ode is a file, not a folder/],
		["sub", /is a folder\n {2}Name a file: {2}sub\/trajectory\.csv/],
		["/dev/null", /is not a plain file/],
	])("--csv %s cannot be written, and says why", (csv, expected) => {
		place = new Workplace({ "m.ode": model, "s.yaml": study, "sub/keep": "" });
		const { code, err } = place.call("simulate", "s.yaml", "--csv", csv, "--force");
		expect(err).toMatch(expected);
		expect(err).not.toMatch(/odentify-aside|ENO/);
		expect(code).toBe(2);
		expect(place.files()).toEqual(["m.ode", "s.yaml", "sub/keep"]);
	});

	it("takes times and inputs from a record", () => {
		place = new Workplace({
			"m.ode": "input u\nstate x = 0\nx' = u\nmeasure v = x\n",
			"r.csv": decayCsv(20),
			"s.yaml": "model: m.ode\ndata: { file: r.csv, time: t, columns: { u: y } }\n",
		});
		const { code, out } = place.call("simulate", "s.yaml", "--json");
		expect(code).toBe(0);
		expect(JSON.parse(out)).toMatchObject({
			outcome: "converged",
			nSamples: 20,
			files: ["runs/s/trajectory.csv"],
		});
	});

	it("writes a file for each of several experiments", () => {
		place = new Workplace({
			"m.ode": "condition c\nstate x = c\nx' = -x\nmeasure y = x\n",
			"s.yaml":
				"model: m.ode\ndata:\n  - { name: one, times: { to: 1, samples: 3 }, conditions: { c: 1 } }\n  - { name: two, times: { to: 1, samples: 4 }, conditions: { c: 2 } }\n",
		});
		expect(place.call("simulate", "s.yaml", "--out", "o")).toMatchObject({ code: 0 });
		expect(place.text("o/trajectory-two.csv").split("\n")[1]).toBe("0,2,2");
		expect(place.text("o/trajectory.csv").split("\n").slice(0, 2)).toEqual(["t,y,x,experiment", "0,1,1,1"]);
		expect(place.text("o/trajectory.csv").trim().split("\n")).toHaveLength(8);
	});

	it("says which values are missing, exits 2 and writes nothing", () => {
		place = new Workplace({ "m.ode": model, "s.yaml": study.replace(/set.*\n/, "") });
		const { code, err } = place.call("simulate", "s.yaml");
		expect(code).toBe(2);
		expect(err).toMatch(/k has no value to simulate with[\s\S]*set: \{ k: 1 \}/);
		expect(place.files()).toEqual(["m.ode", "s.yaml"]);
	});

	it("exits 1 when the solution runs away", () => {
		place = new Workplace({
			"m.ode": "state x = 1\nx' = x^2\nmeasure y = x\n",
			"s.yaml": "model: m.ode\ndata: { times: { to: 2, step: 0.1 } }\n",
		});
		const { code, out } = place.call("simulate", "s.yaml");
		expect(code).toBe(1);
		expect(out).toMatch(/did not come to its end/);
		expect(place.has("runs")).toBe(false);
	});
});
