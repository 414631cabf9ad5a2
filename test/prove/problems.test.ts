/** Problems with known truth: whole, the same for the same number, and true. */
import { describe, expect, test } from "vitest";
import { applicability } from "../../src/methods/applicability.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { families } from "../../src/prove/families.ts";
import { faults, openAsMeasured } from "../../src/prove/faults.ts";
import { problemOf } from "../../src/prove/problem.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";

const numbers = Array.from({ length: 2 * families.length }, (_, i) => i);

test("there are families of every field, with one to four states and more than one kind of noise", () => {
	expect(families.length).toBeGreaterThanOrEqual(24);
	expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
	const made = numbers.flatMap((number) => problemOf(number) ?? []);
	expect(made.length).toBeGreaterThan(0.95 * numbers.length);
	expect(new Set(made.map(({ noise }) => noise)).size).toBe(4);
	expect(new Set(made.map(({ sampling }) => sampling)).size).toBe(4);
});

describe.each(families.map(({ name }, i) => ({ name, number: i })))("$name", ({ number }) => {
	test("is a study that methods can take, the same each time, with its truth inside what is declared", () => {
		const made = problemOf(number) ?? problemOf(number + families.length)!;
		expect(problemOf(made.number)!.files).toEqual(made.files);
		const model = parseModel(made.files["model.ode"], "model.ode");
		expect(parseStudy(made.studyText("fit"), "study.yaml", methods).records).toHaveLength(made.nRecords);
		expect(applicability(model).find(({ method }) => method === "fit")?.applies).toBe(true);
		for (const [, name, lo, hi] of made.files["model.ode"].matchAll(/param (\w+) .* in \[(\S+), (\S+)\]/g)) {
			if (made.fault?.name === "prior without the truth" || made.truth[name] === undefined) continue;
			expect(made.truth[name]).toBeGreaterThanOrEqual(Number(lo));
			expect(made.truth[name]).toBeLessThanOrEqual(Number(hi));
		}
	});
});

test("the toggle switch is the same model with its states exchanged: its swapped columns are not visible", () => {
	const { equations, params, states, outputs } = families.find(({ name }) => name === "toggle switch")!;
	const other: Record<string, string> = { x: "y1", y1: "x", a: "b", b: "a", y: "z", z: "y" };
	const exchanged = (text: string): string => text.replace(/\b[a-z]\w*\b/g, (name) => other[name] ?? name);
	const entries = (of: object): [string, unknown][] =>
		Object.entries(of).map(([name, value]) => [
			exchanged(name),
			typeof value === "string" ? exchanged(value) : value,
		]);
	for (const of of [equations, params, states, outputs]) expect(Object.fromEntries(entries(of))).toEqual(of);
});

test("what an expert sees is one of the doses", () => {
	for (const { doses, seenAt, hidden } of faults)
		if (seenAt === undefined) expect(hidden).toBeDefined();
		else expect(doses).toContain(seenAt);
});

test("every fault is drawn, and one whose effect can be scaled is as strong as it is said to be", () => {
	const seen = new Set<string>();
	for (let number = 0; number < 400; number++) {
		const fault = problemOf(number)?.fault;
		if (!fault) continue;
		seen.add(fault.name);
		if (["missing term", "drift", "shifted clock", "wrong start"].includes(fault.name))
			expect(Math.abs(fault.strength! / fault.dose - 1)).toBeLessThan(0.1);
	}
	expect([...seen].sort()).toEqual([...faults.map(({ name }) => name), openAsMeasured].sort());
});
