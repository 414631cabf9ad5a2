/** A problem of the proving ground as a study. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, Workplace } from "./odentify.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

describe("odentify prove", () => {
	it("writes a study that runs as it is, and the truth beside it", () => {
		place = new Workplace();
		const { code, out } = place.call("prove", "10");
		expect(code).toBe(0);
		expect(out).toMatch(/Problem +10, /);
		expect(out).toMatch(/Written +problem-10\/study\.yaml/);
		const { number, truth } = JSON.parse(place.text("problem-10/truth.json"));
		expect(number).toBe(10);
		const run = place.call("run", "problem-10/study.yaml", "--json");
		expect(run.code).toBe(0);
		const { parameters } = JSON.parse(run.out);
		for (const name of Object.keys(truth)) expect(Object.keys(parameters)).toContain(name);
		expect(place.call("prove", "10")).toMatchObject({ code: 2 });
	});

	it("says what is wrong with a number, and with a method", () => {
		place = new Workplace();
		expect(place.call("prove", "1.5")).toMatchObject({ code: 2 });
		expect(place.call("prove", "1.5").err).toContain("is no number of a problem");
		expect(place.call("prove", "1", "--method", "bayse").err).toContain("Did you mean bayes?");
	});
});
