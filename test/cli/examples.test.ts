import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { build, root, Workplace } from "./odentify.ts";

let place: Workplace;
beforeAll(build, 300_000);
afterEach(() => place?.clean());

function withExamples(): Workplace {
	const made = new Workplace();
	cpSync(join(root, "examples"), join(made.path, "examples"), { recursive: true });
	return made;
}

describe("the records of the examples", () => {
	it.each(["demo", "lotka-volterra"])("%s: are what their study makes, digit for digit", (name) => {
		place = withExamples();
		const { code } = place.run("simulate", `examples/${name}/make-record.yaml`, "--csv", "again.csv");
		expect(code).toBe(0);
		expect(place.text("again.csv")).toBe(place.text(`examples/${name}/record.csv`));
	});
	it("two-compartments: are what their study makes, digit for digit", () => {
		place = withExamples();
		place.run("simulate", "examples/two-compartments/make-records.yaml", "--out", "o");
		for (const name of ["small-dose", "large-dose"])
			expect(place.text(`o/trajectory-${name}.csv`)).toBe(
				place.text(`examples/two-compartments/${name}.csv`),
			);
	});
});

describe("the studies of the examples", () => {
	it.each([
		["demo", { m: 1, c: 0.2, k: 3, k3: 0.8 }],
		["lotka-volterra", { a: 0.9, b: 0.03, c: 0.8, d: 0.02 }],
		["two-compartments", { k12: 0.6, k21: 0.35, ke: 0.25 }],
	])("%s: find what their record was made with", (name, truth) => {
		place = withExamples();
		const { code, out } = place.run("run", `examples/${name}/study.yaml`, "--json");
		expect(code).toBe(0);
		const { parameters, outcome } = JSON.parse(out);
		expect(outcome).toBe("converged");
		for (const [parameter, value] of Object.entries(truth)) {
			const { estimate, sd } = parameters[parameter];
			expect(Math.abs(estimate - value)).toBeLessThan(3.5 * sd);
		}
	});
});
