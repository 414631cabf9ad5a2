import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, Workplace } from "./odentify.ts";

const place = new Workplace({
	"model.ode": "param k in [0.1, 2]\nstate x = 1\nx' = -k*x\nmeasure y in x +- 0.1\n",
	"record.csv": "t,y\n0,1\n1,0.6\n2,0.35\n",
	"study.yaml":
		"model: model.ode\ndata: { file: record.csv, time: t }\nmethod: guaranteed\nguaranteed: { proof: 50 }\n",
});
beforeAll(build, 300_000);
afterAll(() => place.clean());

describe("odentify verify", () => {
	it("confirms a proof; what stands in its place and has no end is named, not waited for", () => {
		expect(place.call("run", "study.yaml", "--out", "run").code).toBe(0);
		expect(place.call("verify", "run").code).toBe(0);
		for (const name of ["proof.json", "boxes.csv", "summary.json"]) {
			if (!place.has(`run/${name}`)) continue;
			const text = place.text(`run/${name}`);
			const path = join(place.path, "run", name);
			rmSync(path);
			execFileSync("mkfifo", [path]);
			const { code, err } = place.run("verify", "run");
			expect([name, code]).toEqual([name, 2]);
			expect(err).toMatch(/is a pipe, not a file/);
			rmSync(path);
			place.put(`run/${name}`, text);
		}
		expect(place.call("verify", "run").code).toBe(0);
	}, 60_000);
});
