/** Problems that are made for one method: whole, the same for the same number, and answered by that method as they should be. */
import { describe, expect, test } from "vitest";
import { countsOf, holds } from "../../bench/truth/counts.ts";
import { entriesOf } from "../../bench/truth/entries-of.ts";
import type { Entry } from "../../bench/truth/entry.ts";
import { applicability } from "../../src/methods/applicability.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { million } from "../../src/prove/open/problem.ts";
import { problemOf } from "../../src/prove/problem.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";

const grounds = [
	{ method: "inversion", from: million },
	{ method: "kriging", from: 2 * million },
	{ method: "periodic", from: 3 * million },
];

describe.each(grounds)("$method", ({ method, from }) => {
	const made = Array.from({ length: 8 }, (_, i) => problemOf(from + i)!);

	test("has families of its own, which it takes", () => {
		expect(new Set(made.map(({ family }) => family)).size).toBe(8);
		for (const { asked, files, studyText, nRecords } of made) {
			expect(asked).toBe(method);
			const model = parseModel(files["model.ode"], "model.ode");
			expect(applicability(model).find((each) => each.method === method)?.applies).toBe(true);
			expect(parseStudy(studyText(method), "study.yaml", methods).records).toHaveLength(nRecords);
		}
	});

	test("the same number is the same problem, with its truth beside it", () => {
		const [first, second] = made;
		expect(problemOf(first.number)!.files).toEqual(first.files);
		expect(second.files).not.toEqual(first.files);
		expect(Object.keys(first.system!.params).length).toBeGreaterThan(0);
		expect(first.clean[0].y.length).toBe(first.files["record-1.csv"].trim().split("\n").length - 1);
	});
});

/** Quick ones. */
const asked = [million + 5, 2 * million + 4, 3 * million + 5, 3 * million + 7];
const entries: Entry[] = [];

test("they are answered, and their entries hold what is true of them", async () => {
	for (const number of asked)
		await entriesOf(
			number,
			["inversion", "kriging", "periodic", "fit"],
			() => {},
			(entry) => entries.push(entry),
		);
	expect(entries.map(({ method }) => method)).toEqual(["inversion", "kriging", "periodic", "periodic"]);
	const counts = countsOf(entries);
	expect(counts.answered).toBe(asked.length);
	expect(counts.sureButWrong).toEqual([]);
	// Of a term, a law, a cycle: each has its intervals, at 95 %.
	for (const { unknowns, share } of entries) {
		expect(share).toBe(0.95);
		expect(unknowns.length).toBeGreaterThan(0);
	}
	const intervals = entries.flatMap(({ unknowns }) => unknowns);
	expect(intervals.filter(holds).length).toBeGreaterThan(0.6 * intervals.length);
}, 180_000);

test("another form than the true one is wrong, whatever its intervals hold", () => {
	const [first] = entries;
	expect(first.isOtherForm).toBe(false);
	expect(countsOf([{ ...first, isOtherForm: true, grave: [] }]).sureButWrong).toHaveLength(1);
	expect(countsOf([{ ...first, isOtherForm: true, grave: ["no-fit"] }]).sureButWrong).toHaveLength(0);
});
