/** Words that doubts and headlines are made of. */
import { describe, expect, test } from "vitest";
import { counted, inSentence, list, percent } from "../../../src/estimate/judge/words.ts";

describe("a title inside a sentence", () => {
	test("begins with a small letter where its first word is ours", () => {
		expect(inSentence("The residuals of Y are not independent")).toBe(
			"the residuals of Y are not independent",
		);
		expect(inSentence("A sample of y lies far off")).toBe("a sample of y lies far off");
		expect(inSentence("Only one of 8 starts reached this optimum")).toBe(
			"only one of 8 starts reached this optimum",
		);
	});

	test.each([
		[
			"There is no standard error: 3 samples for 4 unknowns",
			"there is no standard error: 3 samples for 4 unknowns",
		],
		["Faster laws could not be tried", "faster laws could not be tried"],
		[
			"Direct simulation of the answer leaves the record",
			"direct simulation of the answer leaves the record",
		],
		["How well K is known could not be found", "how well K is known could not be found"],
	])("whatever the word is: %s", (title, inside) => {
		expect(inSentence(title)).toBe(inside);
	});

	test.each([
		"There is faster than the samples can show",
		"K of a.csv ended on a bound",
		"K ran off to where it has no effect",
		"K could be there by chance",
		"Rate, K and L came out beyond what the model allows",
		"VMax would often not be found again",
		"F cannot be a function of X alone",
		"Km and Vmax can only be found together",
		"A and B can only be found together",
		"A, B and C can only be found together",
		"A has no effect on any output",
		"The ended on a bound",
		"No is faster than the samples can show",
		"Noise holds a value far from all others",
		"S0 ended on a bound",
	])("never changes a name: %s", (title) => {
		expect(inSentence(title)).toBe(title);
	});
});

test("lists, shares and counts", () => {
	expect([list([]), list(["a"]), list(["a", "b"]), list(["a", "b", "c"])]).toEqual([
		"",
		"a",
		"a and b",
		"a, b and c",
	]);
	expect([percent(0.123), percent(1)]).toEqual(["12 %", "100 %"]);
	expect([counted(1, "sample"), counted(3, "sample")]).toEqual(["1 sample", "3 samples"]);
});
