/** From how far off a single search finds the truth, without noise. */
import { describe, expect, it } from "vitest";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import { type Question, questionOf } from "../../../src/methods/periodic/question.ts";
import { linearUnknowns } from "../../../src/methods/periodic/search/linear-unknowns.ts";
import { Objective, search } from "../../../src/methods/periodic/search/search.ts";
import { exp, log } from "../../../src/num/elementary/number.ts";
import { stream } from "../../../src/num/random.ts";
import { oscillators, problemFor } from "./oscillators.ts";

/** Relative errors of the searched parameters after one search. */
function errorsFrom(
	{ coarse, record, unknowns, form }: Question,
	truth: Readonly<Record<string, number>>,
	factor: (name: string, index: number) => number,
): number[] {
	const objective = new Objective(coarse(record.series.c, record.series.omega), unknowns);
	const linear = linearUnknowns(form, unknowns).filter((j) => unknowns[j].kind === "initial");
	const start = Float64Array.from(unknowns, ({ name }, i) => (truth[name] ?? 1) * factor(name, i));
	const { z } = search(
		objective,
		unknowns,
		objective.bestLinear(start, linear),
		"levenberg-marquardt",
		300,
		new Set(),
		linear,
	);
	return form.lambda.map((name, i) => Math.abs(z[i] / truth[name] - 1));
}

describe("one search from one start", () => {
	it("Morris–Lecar from up to 30 % off: 40 of 40, to 1e-7", () => {
		const { truth } = oscillators.morrisLecar;
		const question = questionOf(problemFor(oscillators.morrisLecar, truth), defaultOptions(periodic.options));
		const random = stream(1, "30 % off");
		for (let k = 0; k < 40; k++) {
			const errors = errorsFrom(question, truth, (_, i) => 1 + 0.3 * (2 * random.uniform(100 * k + i) - 1));
			expect(Math.max(...errors), `start ${k}`).toBeLessThan(1e-7);
		}
	}, 180_000);
	it("predator–prey within a factor 3.3, and from the paper's start: 21 of 21, to 1e-6", () => {
		const { truth } = oscillators.predatorPrey;
		const question = questionOf(
			problemFor(oscillators.predatorPrey, truth),
			defaultOptions(periodic.options),
		);
		const random = stream(1, "factor 3.3");
		for (let k = 0; k < 20; k++) {
			const errors = errorsFrom(question, truth, (_, i) =>
				exp(log(3.3) * (2 * random.uniform(100 * k + i) - 1)),
			);
			expect(Math.max(...errors), `start ${k}`).toBeLessThan(1e-6);
		}
		const paper: Record<string, number> = { p4: 0.3, p5: 0.5 };
		expect(Math.max(...errorsFrom(question, truth, (name) => paper[name] ?? 1))).toBeLessThan(1e-6);
	}, 180_000);
});
