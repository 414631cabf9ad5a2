import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { stream } from "../../src/num/random.ts";
import { build, Workplace } from "./odentify.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

const csv = (rate: number, name: string): string => {
	const noise = stream(1, name);
	const rows = Array.from({ length: 21 }, (_, i) => {
		const t = i / 5;
		return `${t},${2 * Math.exp(-rate * t) + 0.02 * noise.normal(i)}`;
	});
	return `t,y\n${rows.join("\n")}\n`;
};
const study = `model: decay.ode
data:
  - { file: cold.csv, time: t, conditions: { c: 0 } }
  - { file: warm.csv, time: t, conditions: { c: 1 } }
  - { file: hot.csv, time: t, conditions: { c: 2 } }
method: inversion
`;
const files = {
	"decay.ode": `condition c
param k(1, c, c^2)
state x = 2
x' = -k*x
measure y ~ normal(x, 0.02)
`,
	"cold.csv": csv(0.5, "cold"),
	"warm.csv": csv(0.8, "warm"),
	"hot.csv": csv(1.1, "hot"),
	"study.yaml": study,
	"with-design.yaml": `${study}inversion: { design: 3 }\n`,
};

describe("odentify run --design", () => {
	it("does what the study's own design does, and the folder keeps it", () => {
		place = new Workplace(files);
		const { code, err } = place.call("run", "study.yaml", "--design", "3", "--out", "flag");
		expect(err).toBe("");
		expect(code).toBe(0);
		expect(place.call("run", "with-design.yaml", "--out", "own").code).toBe(0);
		const { design } = place.json("flag/summary.json") as never as { design: Record<string, unknown> };
		expect(Object.keys(design).length).toBeGreaterThanOrEqual(4);
		expect(design).toEqual((place.json("own/summary.json") as never as { design: unknown }).design);
		expect(place.text("flag/study.yaml")).toContain("design: 3");
	});

	it("takes the study from either side of a bare flag", () => {
		place = new Workplace({ ...files, "study.yaml": study.replace("method: inversion", "method: fit") });
		for (const order of [
			["--design", "study.yaml"],
			["study.yaml", "--design"],
		])
			expect(place.call("run", ...order)).toMatchObject({
				code: 2,
				err: expect.stringContaining("the method of this study is fit"),
			});
	});

	it("says what it is for where it cannot be used", () => {
		place = new Workplace({ ...files, "study.yaml": study.replace("method: inversion", "method: fit") });
		expect(place.call("run", "with-design.yaml", "--design", "few")).toMatchObject({
			code: 2,
			err: expect.stringContaining("--design few: is not a whole number from 1 to 100000"),
		});
		expect(place.call("run", "study.yaml", "--design", "3")).toMatchObject({
			code: 2,
			err: expect.stringContaining("--design: is for  method: inversion"),
		});
		expect(place.call("run", "--help").out).toMatch(/--design \[n\]/);
	});
});
