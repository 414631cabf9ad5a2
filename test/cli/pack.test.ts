import { strToU8, zipSync } from "fflate";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, Workplace } from "./odentify.ts";
import { decayFiles } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

const apart = {
	"models/decay.ode": decayFiles["decay.ode"],
	"data/decay.csv": decayFiles["decay.csv"],
	"study/study.yaml": "model: ../models/decay.ode\ndata: { file: ../data/decay.csv, time: t }\n",
};

describe("a study as one file", () => {
	it("is packed, checked and run, and gives what the study gives", () => {
		place = new Workplace(apart);
		expect(place.call("pack", "study/study.yaml", "--out", "mine.zip")).toMatchObject({ code: 0, err: "" });
		expect(place.call("pack", "study/study.yaml", "--out", "mine.zip").err).toContain("is there already");
		expect(place.call("check", "mine.zip")).toMatchObject({ code: 0, err: "" });
		expect(place.files().filter((name) => name.startsWith("mine"))).toEqual(["mine.zip"]);
		const parametersOf = (path: string, ...more: string[]) => {
			const { code, out } = place.call("run", path, "--json", ...more);
			expect(code).toBe(0);
			return JSON.parse(out).parameters;
		};
		expect(parametersOf("mine.zip", "--out", "a")).toEqual(parametersOf("study/study.yaml", "--out", "b"));
		expect(place.files()).toContain("mine/study.yaml");
		// Again: what was unpacked is used as it is.
		expect(parametersOf("mine.zip", "--out", "c")).toBeDefined();
		place.put("mine/decay.csv", "t,y\n0,1\n");
		expect(place.call("run", "mine.zip").err).toContain("is there and holds another decay.csv");
	}, 60_000);

	it("with errors names them by the archive, not by the folder where it was looked at", () => {
		const files = {
			"study.yaml": "model: m.ode\ndata: { file: a.csv, time: t }\n",
			"m.ode": "x' = q\n",
			"a.csv": "t\n",
		};
		const packed = zipSync(
			Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
		);
		place = new Workplace({ "bad.zip": packed });
		const { err, out } = place.call("check", "bad.zip", "--json");
		expect(err).toContain("bad.zip, m.ode:1:");
		expect(err + out).not.toContain("odentify-study-");
	});

	it.each([
		[
			"a path outside",
			{ "study.yaml": "model: m.ode\ndata: { file: a.csv, time: t }\n", "../a.csv": "x" },
			/leads out of it/,
		],
		["no study", { "a.csv": "x" }, /holds no study/],
	])("%s is refused, and nothing is written", (_, files, problem) => {
		const packed = zipSync(
			Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
		);
		place = new Workplace({ "bad.zip": packed });
		for (const command of ["run", "check", "simulate"]) {
			const { code, err } = place.call(command, "bad.zip");
			expect(code).toBe(2);
			expect(err).toMatch(problem);
		}
		expect(place.files()).toEqual(["bad.zip"]);
	});
});

describe("odentify check", () => {
	it("lists the errors of study, model and data at once", () => {
		place = new Workplace({
			"bad.ode": "state x\nx' = -q*x\n",
			"bad.csv": "t,y\n0,1\n1,x1\n",
			"study.yaml":
				"model: bad.ode\nmethd: fit\ndata:\n  - { file: bad.csv, time: t }\n  - { file: gone.csv, time: t }\n",
		});
		const { code, err, out } = place.call("check", "study.yaml", "--json");
		expect(code).toBe(2);
		expect(err).toContain('unknown key "methd"');
		expect(err).toContain("bad.ode:2:7");
		expect(err).toContain("bad.csv line 3, field 2");
		expect(err).toMatch(/gone\.csv: is not there/);
		expect(JSON.parse(out)[0].errors).toHaveLength(4);
	});

	it("lists those of the data where the model has some", () => {
		place = new Workplace({
			"bad.ode": "state x\nx' = -q*x\n",
			"bad.csv": "t,y\n0,1\n1,x1\n",
			"study.yaml": "model: bad.ode\ndata: { file: bad.csv, time: t }\n",
		});
		const { err } = place.call("check", "study.yaml");
		expect(err).toContain("bad.ode:2:7");
		expect(err).toContain("bad.csv line 3, field 2");
	});
});
