/** Problems whose answers were sure and wrong, by their numbers: none may be so again. */
import { expect, test } from "vitest";
import { isFarOff } from "../../bench/truth/counts.ts";
import { entriesOf } from "../../bench/truth/entries-of.ts";
import type { Entry } from "../../bench/truth/entry.ts";

test.each([
	// Steps too long for small ks cut the posterior off at twice its truth.
	{ number: 1166, method: "bayes" },
	// Only the product of b and p shows, and p(0) had an interval.
	{ number: 514, method: "periodic" },
	// A clock that is behind shows in the first sample alone, where the start is free.
	{ number: 22070, method: "fit" },
	{ number: 26463, method: "fit" },
	// A drift that an epidemic takes up into its rates.
	{ number: 21352, method: "fit" },
])("$number, $method", { timeout: 120_000 }, async ({ number, method }) => {
	const entries: Entry[] = [];
	await entriesOf(
		number,
		[method],
		() => {},
		(entry) => entries.push(entry),
	);
	expect(entries).toHaveLength(1);
	for (const { grave, unknowns, share } of entries)
		if (grave.length === 0)
			expect(unknowns.filter((each) => isFarOff(each, share)).map(([name]) => name)).toEqual([]);
});
