/** Models of the same data by their log evidence. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, Workplace } from "./odentify.ts";
import { decayCsv, decayModel } from "./tiny-study.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

const study = (model: string, more = ""): string => `model: ${model}.ode
data: { file: decay.csv, time: t }
method: bayes
bayes: { particles: 200 }
${more}`;
/** The record decays exponentially: a straight line cannot follow it. */
const files = {
	"decay.csv": decayCsv(),
	"right.ode": decayModel,
	"wrong.ode": decayModel.replace("x' = -k*x", "x' = -k"),
	"right.yaml": study("right"),
	"wrong.yaml": study("wrong"),
	"part.yaml": study("right", "train: 0..30\n"),
	"fit.yaml": study("right").replace("method: bayes\nbayes: { particles: 200 }\n", "method: fit\n"),
};

describe("odentify compare", () => {
	it("lists runs of the same samples, the best first, and refuses those that say nothing of one another", () => {
		place = new Workplace(files);
		for (const name of ["right", "wrong", "part", "fit"]) place.call("run", `${name}.yaml`, "--out", name);
		const { code, out } = place.call("compare", "wrong", "right");
		expect(code).toBe(0);
		expect(out).toMatch(/^ *right .*best$/m);
		expect(out).toMatch(/^ *wrong .*ruled out by the data$/m);
		expect(out.indexOf("right")).toBeLessThan(out.indexOf("wrong"));
		const { runs } = JSON.parse(place.call("compare", "wrong", "right", "--json").out);
		expect(runs.map(({ run }: { run: string }) => run)).toEqual(["right", "wrong"]);
		expect(runs[0].probability + runs[1].probability).toBeCloseTo(1, 12);
		const summary = place.json("right/summary.json") as { logEvidence?: number };
		expect(runs[0].logEvidence).toBe(summary.logEvidence);
		expect(runs[1].below).toBeGreaterThan(100);
		const refusal = (...args: string[]): string => {
			const { code: refused, err } = place.call("compare", ...args);
			expect(refused).toBe(2);
			return err;
		};
		expect(refusal("right")).toMatch(/needs two runs or more/);
		expect(refusal("right", "part")).toMatch(/part: was not learnt from the same data as right/);
		expect(refusal("right", "fit")).toMatch(/fit: has no log evidence/);
		expect(refusal("right", "nowhere")).toMatch(/nowhere: there is no such folder/);
	}, 180_000);
});
