/** Random studies that are saved and loaded on the way, of every method: they end with the bits of those that went through. */
import { expect, test } from "vitest";
import { javascript } from "./places.ts";
import { resumedApart } from "./resumed.ts";
import { questionsOf, randomStudy } from "./studies.ts";

test.each([
	[600006, "fit"],
	[600009, "fit"],
	[600013, "bayes"],
	[510184, "inversion"],
	[507006, "inversion"],
	[502274, "inversion"],
	[600031, "kriging"],
	[600023, "periodic"],
	[513025, "guaranteed"],
	[600084, "guaranteed"],
])("seed %i, %s", async (seed, name) => {
	const [asked] = await questionsOf(randomStudy(seed, true), [name], javascript);
	const { times, differs } = await resumedApart(asked, seed);
	expect(differs).toBeUndefined();
	expect(times).toBeGreaterThan(0);
});
