/** States that no sample shows: starts come from slopes and bends of what is measured. */
import { expect, test } from "vitest";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { invert, problemOf, record, type Source, selectionOnly } from "./setup.ts";

const prey: Source = {
	text: "param a, b, c, d, s\nstate x, y\nx' = a*x + b*x*y\ny' = c*y + d*x*y\nmeasure xm ~ normal(x, s)",
	truth: { a: 1.5, b: -1, c: -3, d: 1 },
	initial: [1, 1],
	outputs: ["xm"],
	until: 10,
	step: 0.1,
	sd: 0.05,
};

test("Lotka and Volterra's equations from the prey alone: found without help, but for the unit of the other", async () => {
	for (const seed of [1, 2, 3]) {
		const { parameters } = await invert(
			problemOf(parseModel(prey.text, "prey.ode"), await record(prey, seed)),
			selectionOnly,
		);
		for (const name of ["a", "c", "d"]) {
			const { estimate, sd } = parameters.find((row) => row.name === name)!;
			expect(Math.abs(estimate - prey.truth[name])).toBeLessThan(4 * sd!);
		}
		expect(parameters.find((row) => row.name === "b")!.verdict).toBe("structurally unidentifiable");
	}
});

test("what the unit of a hidden state leaves open is named so, and not as terms that would not be found again", async () => {
	const { doubts, parameters } = await invert(
		problemOf(parseModel(prey.text, "prey.ode"), await record(prey, 1)),
		{ ...selectionOnly, stability: 20 },
	);
	// The linearised problem takes b to 0 for nothing.
	expect(parameters.find((row) => row.name === "b")!.verdict).toBe("structurally unidentifiable");
	expect(doubts.filter(({ code }) => code === "unstable-terms")).toEqual([]);
	expect(doubts.map(({ code }) => code)).toContain("unidentifiable");
});

test("a fit of hidden states that does not converge is no answer: that is said first, and why", async () => {
	const { answered, message, doubts } = await invert(
		problemOf(parseModel(prey.text, "prey.ode"), await record(prey, 1)),
		{ maxIterations: 1 },
	);
	expect(answered).toBe(false);
	expect(message).toContain("No answer");
	expect(message).toContain("states that are not measured");
	expect(doubts.find(({ code }) => code === "not-converged")!.text).toContain("no guess led to a fit");
	for (const code of ["unbounded", "unstable-terms"])
		expect(doubts.map((each) => each.code)).not.toContain(code);
});

const epidemic: Source = {
	text: "param b, c, g, s\nstate S, I\nS' = b*S*I\nI' = c*S*I + g*I\nmeasure im ~ normal(I, s)",
	truth: { b: -0.5, c: 0.5, g: -0.1 },
	initial: [4, 0.01],
	outputs: ["im"],
	until: 40,
	step: 0.5,
	sd: 0.01,
};

test("an epidemic from the infected, whose first samples are lost in the noise: shares are carried on from where they are seen", async () => {
	for (const seed of [8, 10]) {
		const { parameters } = await invert(
			problemOf(parseModel(epidemic.text, "epidemic.ode"), await record(epidemic, seed)),
			{ profile: false, stability: 0 },
		);
		for (const name of ["b", "g"]) {
			const { estimate, sd } = parameters.find((row) => row.name === name)!;
			expect(Math.abs(estimate - epidemic.truth[name])).toBeLessThan(4 * sd!);
			expect(sd!).toBeLessThan(0.02 * Math.abs(epidemic.truth[name]));
		}
	}
});
